"""Equations are numbered as in LaTeX, through the document, and references show these numbers wherever they stand."""

import re

import pytest

from mdpublish_core import Conversion, convert

LINES = r"""
$$
\begin{equation}
a = 1 \label{first}
\end{equation}
$$

$$
\begin{align}
b &= 2 \label{second} \\
c &= 3 \nonumber \\
d &= 4 \tag{$*$} \label{starred} \\
e &= 5 \notag \\
f &= 6 \tag*{X} \\
g &= 7 \label{last}
\end{align}
$$
"""


def numbers(markdown: str) -> list[str]:
    """Return what is in the column of numbers, of all formulas."""
    cells = re.findall(r'<mtd class="tag"(?: />|>(.*?)</mtd>)', str(convert(markdown).content))
    return [re.sub("<[^>]*>", "", cell) for cell in cells]


def display(*formulas: str) -> str:
    return "\n\n".join(f"$$\n{each}\n$$" for each in formulas)


def test_lines_are_numbered_through_the_document() -> None:
    assert numbers(LINES) == ["(1)", "(2)", "", "(∗)", "", "X", "(3)"]


@pytest.mark.parametrize("name", ["align", "gather", "equation", "alignat", "flalign", "eqnarray", "multline"])
def test_forms_with_a_star_have_no_number(name: str) -> None:
    argument = "{1}" if name == "alignat" else ""
    formulas = [rf"\begin{{{each}}}{argument} x = y \end{{{each}}}" for each in (name, f"{name}*", name)]
    assert numbers(display(*formulas)) == ["(1)", "(2)"]


@pytest.mark.parametrize(
    ("formula", "expected"),
    [
        (r"\begin{multline} a \\ b \\ c \end{multline}", ["", "", "(1)"]),
        (r"\begin{multline} a \\ b \tag{7} \\ c \end{multline}", ["", "(7)", ""]),
        (r"\begin{multline} a \notag \\ b \end{multline}", []),
        (r"\begin{equation}\begin{split} a &= b \\ &= c \end{split}\end{equation}", ["(1)"]),
        (r"\begin{equation}\begin{aligned} a \\ b \end{aligned} \tag{A} \end{equation}", ["(A)"]),
        (r"\begin{align} a &= b \\ \end{align}", ["(1)"]),
        (r"\begin{equation} a \notag \end{equation}", []),
        (r"\begin{equation}a\end{equation}\begin{equation}b\end{equation}", ["(1)", "(2)"]),
        (r"\begin{matrix} a \\ b \end{matrix}", []),
        (r"{\begin{align} a \end{align}}", []),
    ],
)
def test_what_is_one_formula_has_one_number(formula: str, expected: list[str]) -> None:
    assert numbers(display(formula)) == expected


def test_equal_formulas_have_numbers_of_their_own() -> None:
    assert numbers(display(*[r"\begin{gather} a \\ b \end{gather}"] * 2)) == ["(1)", "(2)", "(3)", "(4)"]


def test_formula_with_a_mistake_takes_no_number() -> None:
    right = r"\begin{equation} a \end{equation}"
    assert numbers(display(right, r"\begin{equation} a \end{equation} \unknown", right)) == ["(1)", "(2)"]


def test_formula_in_a_line_of_text_has_no_number() -> None:
    assert numbers(r"Text $\begin{equation} a \end{equation}$ text.") == []


REFERENCES = r"Before, $\eqref{last}$ and \ref{first}; $x$ by \eqref{starred}." + LINES


@pytest.mark.parametrize("output", ["page", "generic", "email", "word"])
def test_reference_is_a_link_to_the_formula(output: str) -> None:
    content = convert(REFERENCES, to=output).content
    assert isinstance(content, str)
    links = re.findall(r'<a href="#(md-[^"]*)"[^>]*>(?:<span[^>]*>)?([^<]*)<', content)
    assert links == [("md-second", "(3)"), ("md-first", "1"), ("md-second", "(∗)")]
    for target, _ in links:
        assert re.search(rf'(?:id|name)="{target}"', content)


@pytest.mark.parametrize("output", ["plain-text", "slack", "onenote", "google-docs"])
def test_reference_is_the_number_where_there_are_no_anchors(output: str) -> None:
    conversion = convert(REFERENCES, to=output)
    assert isinstance(conversion.content, str)
    shown = re.sub("<[^>]*>", "", conversion.content)
    assert "Before, (3) and 1;" in shown
    assert "by (∗)." in shown
    assert not codes(conversion)


def test_reference_in_a_formula_shows_the_number() -> None:
    content = convert(display(r"a \overset{\eqref{x}}{=} b", r"b \tag{9}\label{x}"), to="plain-text").content
    assert "(9)" in str(content).split("\n\n")[0]


def codes(conversion: Conversion) -> list[str]:
    return [each.code for each in conversion.notices]


def test_reference_to_no_label_is_shown_as_written_with_a_notice() -> None:
    conversion = convert(r"See \eqref{sun} and $\eqref{moon}$." + LINES, to="plain-text")
    assert r"See \eqref{sun} and (moon)." in str(conversion.content)
    assert [(each.code, each.line, each.source) for each in conversion.notices] == [
        ("undefined-reference", 1, r"\eqref{sun}"),
        ("undefined-reference", 1, r"$\eqref{moon}$"),
    ]


def test_label_of_a_formula_without_a_number_gets_a_notice() -> None:
    conversion = convert("See \\eqref{x}.\n\n" + display(r"a \label{x}"))
    assert codes(conversion) == ["undefined-reference"]
    assert r"without a number; number it by \begin{equation} or \tag" in conversion.notices[0].message


def test_text_on_latex_without_labels_stays_as_it_is() -> None:
    conversion = convert(r"In LaTeX, \ref{fig:a} and \refname{x} and \eqref{ b }.")
    assert r"In LaTeX, \ref{fig:a} and \refname{x} and \eqref{ b }." in conversion.content
    assert not conversion.notices


def test_heading_with_the_name_of_a_label_keeps_its_anchor() -> None:
    content = convert("# Sums\n\n[up](#sums) \\eqref{sums}\n\n" + display(r"a \tag{1}\label{sums}")).content
    assert '<h1 id="md-sums"' in content
    assert '<a href="#md-sums">up</a> <a href="#md-sums-1">(1)</a>' in content
    assert 'id="md-sums-1" role="group"' in content


def test_tags_that_refer_to_each_other_stay_short() -> None:
    chain = [rf"x \tag{{\ref{{t{n}}}\ref{{t{n}}}}}\label{{t{n + 1}}}" for n in range(40)]
    assert len(convert(display(*chain), to="plain-text").content) < 10_000
