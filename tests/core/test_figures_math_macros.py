"""Macros apply to later formulas, and their expansion is bounded."""

import pytest

from mdpublish_core.figures.errors import FigureError
from mdpublish_core.figures.math import Formula, Macros, parse_formula


def parse(tex: str, macros: Macros | None = None) -> Formula:
    return parse_formula(tex, display=True, macros=Macros() if macros is None else macros)


def find_text(tex: str, macros: Macros | None = None) -> str:
    return "".join(parse(tex, macros).root.itertext()).replace("\u2061", "")


def problem(tex: str) -> str:
    with pytest.raises(FigureError) as caught:
        parse(tex)
    return caught.value.problem


@pytest.mark.parametrize(
    ("tex", "shown"),
    [
        (r"\newcommand{\a}{x} \a", "x"),
        (r"\newcommand\a[2]{#2#1} \a{x}y", "yx"),
        (r"\newcommand{\a}[2][z]{#1#2} \a{x}\a[y]{x}", "zxyx"),
        (r"\newcommand{\a}{x}\renewcommand{\a}{y} \a", "y"),
        (r"\newcommand{\a}{x}\providecommand{\a}{y} \a", "x"),
        (r"\providecommand{\a}{y} \a", "y"),
        (r"\def\a#1#2{#2#1} \a xy", "yx"),
        (r"\def\a#1,#2.{#2#1} \a x,y.", "yx"),
        (r"\def\a(#1){[#1]} \a({x})", "[x]"),
        (r"\def\a{\def\b##1{##1!}} \a\b x", "x!"),
        (r"\let\a=\alpha \a", "α"),
        (r"\let\a\frac \def\frac{z} \a12", "12"),
        (r"\def\b{x}\let\a\b \def\b{y} \a", "x"),
        (r"\DeclareMathOperator{\foo}{foo} \foo x", "foox"),
        (r"\DeclareMathOperator*{\foo}{foo} \foo_x", "foox"),
        (r"\global\def\a{x} \a", "x"),
        (r"\long\def\a{x} \a", "x"),
        (r"\long\global\long\def\a{x} \a", "x"),
        (r"\let\a\def \a\b{x} \b", "x"),
        (r"\edef\a{x}\a\xdef\b{y}\b", "xy"),
        (r"\def\a{12}\expandafter\frac\a", "12"),
        (r"\futurelet\a\relax x\a", "xx"),
        (r"\noexpand x", "x"),
        (r"\renewcommand{\Re}{R}\Re", "R"),
        (r"{\def\a{x}\a}", "x"),
        (r"\def\a{x}{\def\a{y}\a}\a", "yx"),
        (r"\def\a{x}{\gdef\a{y}\a}\a", "yy"),
        (r"{\def\a{x}\gdef\a{y}}\a", "y"),
        (r"\text{\def\a{x}\a}", "x"),
    ],
)
def test_definition_applies_after_it(tex: str, shown: str) -> None:
    assert find_text(tex) == shown


def test_definitions_apply_in_later_formulas() -> None:
    macros = Macros()

    first = parse(r"\newcommand{\R}{\mathbb{R}} \def\half{\tfrac12}", macros)

    assert first.is_definition
    assert not len(first.root)
    assert find_text(r"\R\half", macros) == "ℝ12"
    assert not parse(r"\R", macros).is_definition
    assert not parse("", macros).is_definition


def test_documents_do_not_share_macros() -> None:
    parse(r"\def\mine{x}")

    assert problem(r"\mine") == r"unknown command \mine"


def test_definition_in_a_group_ends_with_it() -> None:
    macros = Macros()

    parse(r"{\def\inner{x}} \begin{matrix}\def\cell{y}\end{matrix} {\gdef\outer{z}}", macros)

    assert set(macros.defined) == {r"\outer"}


def test_formula_that_is_wrong_defines_nothing() -> None:
    macros = Macros()

    with pytest.raises(FigureError):
        parse(r"\def\a{x} }", macros)

    assert not macros.defined


def test_limits_of_a_declared_operator_are_below() -> None:
    root = parse(r"\DeclareMathOperator*{\foo}{foo} \foo_x").root

    assert [each.tag for each in root] == ["munder"]


@pytest.mark.parametrize(
    ("tex", "message"),
    [
        (r"\def\a{\a}\a", "1,000 times"),
        (r"\def\a{x\a}\a", "1,000 times"),
        (r"\def\a{\b}\def\b{\a}\a", "1,000 times"),
        (r"\newcommand{\a}[1]{\a{#1#1}}\a{x}", "40,000 tokens"),
        (r"\def\a#1{" + "#1" * 10 + "}" + r"\a{" * 6 + "x" * 100 + "}" * 6, "40,000 tokens"),
        (r"\def\a{" + "x" * 5_001 + "}", "5,001 tokens; at most 5,000"),
        (r"\global" * 1_400, "needs a definition"),
        ("".join(rf"\def\{chr(97 + n % 26)}{chr(97 + n // 26)}q{{}}" for n in range(501)), "500 macros"),
    ],
)
def test_what_never_ends_is_stopped(tex: str, message: str) -> None:
    assert message in problem(tex)


@pytest.mark.parametrize(
    ("tex", "message"),
    [
        (r"\def", r"\def needs a command to define, such as \foo (got nothing)"),
        (r"\def x{y}", r"\def needs a command to define, such as \foo (got 'x')"),
        (r"\newcommand{ab}{c}", r"\newcommand needs a command to define, such as \foo (got 'ab')"),
        (r"\newcommand{\a}[10]{c}", r"\a has '10' parameters; allowed: 0 to 9"),
        (r"\newcommand{\a}", r"\newcommand needs an argument"),
        (r"\def\a#2{x}", r"#2 is not the next parameter of \a"),
        (r"\def\a#1.{x} \a y", r"\a is not followed by ., as it was defined"),
        (r"\def\def{x}", r"\def cannot be defined"),
        (r"\let\a", r"\a needs a command or character to stand for"),
        (r"\global x", r"\global needs a definition after it"),
        (r"\def\a#1{x}\a", r"\a needs an argument"),
        (r"\def\a{x", "{ is never closed: } is missing"),
    ],
)
def test_wrong_definition_is_reported(tex: str, message: str) -> None:
    assert problem(tex) == message


def test_line_of_a_problem_in_a_macro_is_where_it_is_used() -> None:
    macros = Macros()
    parse("\n\n\n\\def\\a{\\foo}", macros)

    with pytest.raises(FigureError) as caught:
        parse("x\n\\a", macros)

    assert caught.value.line == 2
