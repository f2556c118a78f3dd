"""Short formulas as styled text; what text can't show has no runs."""

import re

import pytest

from mdpublish_core import convert
from mdpublish_core.figures.math import TextRun, parse_formula
from mdpublish_core.figures.math.styled_text import MAX_CHARACTERS
from tests.sampling import each_row

NO_BREAK = "\u00a0"


def shown(tex: str) -> str:
    """The runs in HTML elements, with `~` for no-break spaces."""
    runs = parse_formula(tex, display=False).text_runs()
    return "".join(map(_element, runs)).replace(NO_BREAK, "~")


def _element(run: TextRun) -> str:
    opening = "".join(f"<{name}>" for name in run.elements)
    closing = "".join(f"</{name}>" for name in reversed(run.elements))
    return f"{opening}{run.content}{closing}"


STYLED = {
    "scripts are raised or lowered": [
        ("x", "<i>x</i>"),
        ("x^2", "<i>x</i><sup>2</sup>"),
        ("a_i", "<i>a</i><sub><i>i</i></sub>"),
        ("a_i^2", "<i>a</i><sub><i>i</i></sub><sup>2</sup>"),
        ("x_{i+1}", "<i>x</i><sub><i>i</i></sub><sub>+1</sub>"),
        (r"e^{i\pi} + 1 = 0", "<i>e</i><sup><i>iπ</i></sup>~+ 1~= 0"),
        (r"{}^{14}\mathrm{C}", "<sup>14</sup>C"),
        (r"(a+b)^2", "(<i>a</i>~+ <i>b</i>)<sup>2</sup>"),
        ("f'(x)", "<i>f</i>′(<i>x</i>)"),
        ("f''_n", "<i>f</i>″<sub><i>n</i></sub>"),
        (r"90^\circ", "90°"),
        (r"\ce{H2SO4}", "H<sub>2</sub>SO<sub>4</sub>"),
    ],
    "variables are italic and digits and names upright": [
        (r"\alpha \le \Gamma", "<i>α</i>~≤ Γ"),
        (r"x \in \mathbb{R}^n", "<i>x</i>~∈ ℝ<sup><i>n</i></sup>"),
        (r"\mathcal{O}(n)", "𝒪(<i>n</i>)"),
        (r"\mathbf{v} + \boldsymbol{\theta}", "<b>v</b>~+ <b><i>θ</i></b>"),
        (r"\mathrm{d}x", "d<i>x</i>"),
        (r"\text{cost per unit} = 3", "cost~per~unit~= 3"),
        (r"\hat y, \bar x", "<i>ŷ</i>, <i>x\u0304</i>"),
        (r"\sqrt{n}", "√<i>n</i>"),
        ("50\\%", "50%"),
        ("3.14", "3.14"),
    ],
    "lines break only after operators": [
        (r"O(n \log n)", "<i>O</i>(<i>n</i>~log~<i>n</i>)"),
        (r"\sin x = -1", "sin~<i>x</i>~= −1"),
        (r"1, 2, \dots, n", "1, 2, …, <i>n</i>"),
        (r"\left| x \right| < 1", "|<i>x</i>|~< 1"),
        (r"\neg p \land q", "¬<i>p</i>~∧ <i>q</i>"),
        (r"\sum_{i=1}^n i", "∑<sub><i>i</i></sub><sub>=1</sub><sup><i>n</i></sup>~<i>i</i>"),
        (r"a \bmod b", "<i>a</i>~mod~<i>b</i>"),
    ],
}


@pytest.mark.parametrize(("tex", "markup"), each_row(STYLED))
def test_formula_is_shown_as_this_text(tex: str, markup: str) -> None:
    assert shown(tex) == markup


@pytest.mark.parametrize(
    "tex",
    [
        r"\frac12",
        r"\binom nk",
        r"\sqrt{x + 1}",
        r"\sqrt[3]{x}",
        "e^{x^2}",
        "x_{i_j}",
        r"\vec v",
        r"\widehat{abc}",
        r"\overline{AB}",
        r"\color{red}{x}",
        r"\boxed{x}",
        r"\mathtt{x}",
        r"\begin{pmatrix}1\\2\end{pmatrix}",
        r"\underbrace{x}_y",
        r"\phantom{x}y",
        r"\tag{1} x",
        r"a \\ b",
        "x" * (MAX_CHARACTERS + 1),
        "{" * 40 + "x" + "}" * 40 + r"\mathord{\mathord{\mathord{\frac xy}}}",
    ],
)
def test_what_text_cannot_show_is_left_to_an_image(tex: str) -> None:
    assert shown(tex) == ""


def test_formula_of_its_own_line_is_an_image() -> None:
    assert parse_formula("x^2", display=True).text_runs() == ()


@pytest.mark.parametrize("destination", ["google-docs", "onenote", "email"])
def test_short_math_is_text_without_an_image(destination: str) -> None:
    result = convert("Let $x$, $x^2$, $a_i$, $\\alpha$, $O(n \\log n)$ and $x \\in \\mathbb{R}$.\n", to=destination)

    assert not result.media
    assert "<img" not in result.html
    assert result.notices == ()


def test_formula_in_docs_has_the_style_of_the_text_around_it() -> None:
    html = convert("# About $x^2$\n\n> a $y$\n", to="google-docs", template="github").html

    assert (
        'font-weight:700;font-style:italic;font-variant:normal;text-decoration:none;vertical-align:baseline;white-space:pre-wrap">x</span>'
        in html
    )
    assert '<span style="font-size:0.6em;vertical-align:super">2</span>' in html


def test_formula_in_right_to_left_text_keeps_its_order() -> None:
    html = convert("מספר $2 = x$ כאן\n", to="google-docs").html

    assert html.count("\u200e") == 2
    assert "\u200e" not in convert("number $2 = x$ here\n", to="google-docs").html


def test_formula_in_an_email_has_the_style_of_the_text_around_it() -> None:
    html = convert("About $x_i^2$\n", to="email").html

    assert re.sub(' style="[^"]*"', "", html).count("About <em>x</em><sub><em>i</em></sub><sup>2</sup>") == 1


@pytest.mark.parametrize("template", ["swiss", "large-print"])
def test_scripts_in_an_email_are_smaller_and_keep_the_lines_apart(template: str) -> None:
    html = convert("About $x_i^2$\n", to="email", template=template).html
    script = re.search('<sup style="([^"]*)"', html)

    assert script is not None
    assert "font-size" in script[1]
    assert "line-height:0" in script[1]


def test_formula_in_a_right_to_left_paragraph_of_an_email_keeps_its_order() -> None:
    html = convert("Words\n\nמספר $2 = x$ כאן\n\nmore $2 = x$\n", to="email").html

    assert html.count("\u200e") == 2


def test_preview_of_an_email_has_formulas_in_unicode() -> None:
    html = convert("Let $x^2 \\le \\frac{a}{b}$.\n", to="email").html

    assert ">Let x² ≤ a/b.</div>" in html
