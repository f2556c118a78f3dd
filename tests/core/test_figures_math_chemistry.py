r"""`\ce` and `\pu`: what is shown, and in which form. `tests/conformance/test_mhchem.py` compares with mhchem."""

from contextlib import suppress

import pytest

from mdpublish_core import convert
from mdpublish_core.figures.errors import FigureError
from mdpublish_core.figures.math import Macros, parse_formula
from mdpublish_core.options.budget import Budget
from tests.chemistry import shown
from tests.core.chemistry_examples import ChemistryExample, examples


def mathml(tex: str, *, display: bool = False) -> str:
    return parse_formula(tex, display=display).mathml()


def unicode_text(tex: str) -> str:
    return parse_formula(tex, display=False).unicode_text()


def problem(tex: str) -> str:
    with pytest.raises(FigureError) as caught:
        parse_formula(tex, display=False)
    return caught.value.problem


def steps(tex: str) -> int:
    budget = Budget(10**9)
    parse_formula(tex, display=False, macros=Macros(budget))
    return budget.spent


@pytest.mark.parametrize("example", examples(), ids=lambda each: each.notation)
def test_documented_example_is_drawn(example: ChemistryExample) -> None:
    formula = parse_formula(example.tex, display=False)

    assert shown(formula.root) == example.shown
    assert formula.unicode_text() == example.unicode_text
    assert "\\" not in formula.mathml() + formula.omml()


def test_formula_is_simple_mathml() -> None:
    assert mathml(r"\ce{H2O}") == (
        '<math><mrow><msub><mi mathvariant="normal">H</mi><mn>2</mn></msub><mi mathvariant="normal">O</mi></mrow></math>'
    )


def test_charge_follows_the_number_of_atoms() -> None:
    assert '<msup><msub><mi mathvariant="normal">O</mi><mn>4</mn></msub><mrow><mn>2</mn>' in mathml(r"\ce{SO4^2-}")


def test_scripts_of_parentheses_are_as_high_as_those_of_letters() -> None:
    assert '<mpadded height="0.67em" depth="0"><mo stretchy="false" form="postfix">)</mo></mpadded>' in mathml(
        r"\ce{Ca(OH)2}"
    )


def test_nuclide_has_its_scripts_before_it() -> None:
    assert "<mprescripts /><mn>90</mn><mn>227</mn></mmultiscripts>" in mathml(r"\ce{^227_90Th}")


def test_arrow_is_as_wide_as_its_labels() -> None:
    assert '<munderover><mo stretchy="true"' in mathml(r"\ce{A ->[a][b] B}")


def test_word_gets_native_equations() -> None:
    assert parse_formula(r"\ce{H2O}", display=False).omml().startswith("<m:oMath><m:sSub><m:e>")
    assert "m:func" not in parse_formula(r"\ce{NaOH(aq)}", display=False).omml()
    assert "m:sPre" in parse_formula(r"\ce{^227_90Th}", display=False).omml()
    assert '<m:chr m:val="⇌"' in parse_formula(r"\ce{A <=>[a] B}", display=False).omml()


def test_columns_and_lines_are_those_around() -> None:
    tex = r"\begin{aligned}\ce{RNO2 &<=>[+e] RNO2^{.-} \\ RNO2^{.-} &<=>[+e] RNO2^2-}\end{aligned}"

    assert mathml(tex, display=True).count("<mtr>") == 2
    assert unicode_text(tex) == "RNO₂ ⇌[+ e] RNO₂•⁻\nRNO₂•⁻ ⇌[+ e] RNO₂²⁻"


@pytest.mark.parametrize(
    ("tex", "expected"),
    [
        (r"C_p[\ce{H2O(l)}] = \pu{75.3 J // mol K}", "Cₚ[H₂O(l)] = 75.3 J/(mol K)"),
        (r"\text{of \ce{H2O}}", "of H₂O"),
        (r"\ce{\alpha -H}", "α-H"),
        (r"\ce{\alpha +}", "α⁺"),
        (r"\ce{\alpha{} + H}", "α + H"),
        (r"\ce{A ->[\alpha{} - x] B}", "A →[α − x] B"),
        (r"\ce{A ->[\Delta H] $\ce{\Delta H}$}", "A →[ΔH] ΔH"),
        (r"\def\water{H2O}\ce{\water}", "H2O"),
        (r"\def\react#1{\ce{#1 -> H2O}}\react{H2 + O2}", "H₂ + O₂ → H₂O"),
        (r"\newcommand{\ce}[1]{[#1]}\ce{H2O}", "[H2O]"),
        (r"\ce{}", ""),
        (r"\pu{}", ""),
        (r"\ce H", "H"),
        (r"\ce{H2 \color{red}{O}}", "H₂ O"),
        (r"\ce{\underbrace{H2O}_{water}}", "underbrace(H₂O,  water)"),
        (r"\ce{A − B – C}", "A − B − C"),
        (r"\ce{C2#N}", "C₂≡N"),
        (r"\pu{2 m/s/A}", "2 m / s/A"),
        (r"\pu{m/s^2}", "m/s²"),
        (r"\pu{20 °C}", "20 °C"),
        (r"\pu{2.5 \mu m}", "2.5 μm"),
        (r"\pu{50 \%}", "50 %"),
        (r"\ce{水 + 火}", "水 + 火"),
        (r"\ce{A_1^2_3^4_5^6_7^8_9^0}", "A₁²₃⁴₅⁶₇⁸ ₉⁰"),
    ],
)
def test_notation_is_read(tex: str, expected: str) -> None:
    assert unicode_text(tex) == expected


@pytest.mark.parametrize(
    ("tex", "expected"),
    [
        (r"\ce{A\bond{?}B}", r"\bond has no kind '?'; allowed: -, 1, =, 2, #, 3, ~, ~-, ~=, ~--, -~-, ..., ...., ->"),
        (r"\ce{\nosuch}", r"unknown command \nosuch"),
        (r"\ce{A & B}", "& is only allowed in tables"),
        (r"\ce{H2O", "{ is never closed: } is missing"),
        (r"\ce", r"\ce needs an argument"),
        (r"\ce{A ->[$x] B}", "unexpected $ in a formula"),
        (r"\ce{" + r"\ce{" * 70 + "}" * 71, "groups are nested more than 60 deep"),
        (r"\pu{" + "m/" * 70 + "m}", "groups are nested more than 60 deep"),
        (r"\ce{" + "1s" * 4_990 + "}", r"\ce is more than 40,000 tokens of TeX; split it"),
    ],
)
def test_problem_is_named(tex: str, expected: str) -> None:
    assert problem(tex).startswith(expected)


def test_problem_is_at_its_line() -> None:
    with pytest.raises(FigureError) as caught:
        parse_formula("a +\n\\ce{A\\bond{?}B}", display=False)

    assert caught.value.line == 2


@pytest.mark.parametrize(
    "unit",
    [
        "H2",
        "->[",
        "$",
        "(aq,",
        "^",
        "_",
        "{}",
        "[",
        "(",
        "n-",
        "{}_a",
        "\\alpha ",
        ", ",
        "1/2",
        "^{",
        "$x$^",
        "\\ce{a}",
    ],
)
def test_steps_are_linear(unit: str) -> None:
    spent = []
    for count in (50, 500):
        budget = Budget(10**9)
        with suppress(FigureError):
            parse_formula(f"\\ce{{{unit * count}}}", display=False, macros=Macros(budget))
        spent.append(budget.spent)

    assert spent[1] <= 11 * spent[0]


def test_chemistry_spends_steps_for_what_it_becomes() -> None:
    assert steps(r"\ce{H2O}") > steps(r"\mathrm{H_2O}")


@pytest.mark.needs("resvg_py")
def test_destinations_have_their_best_form() -> None:
    markdown = r"Water is $\ce{H2O}$."

    assert convert(markdown, to="plain-text").plain_text == "Water is H₂O.\n"
    assert convert(markdown, to="slack").text == "Water is `H₂O`.\n"
    assert convert(markdown, to="html").html == "<p>Water is $\\ce{H2O}$.</p>\n"
    assert "<msub>" in convert(markdown, to="generic").html
    assert "<m:sSub>" in convert(markdown, to="word").html
    assert ">2</sub>O." in convert(markdown, to="email").html
    assert convert(markdown, to="generic").notices == ()
