"""`H~2~O` and `x^2^`, with the extension `sub-superscript`.

`conformance/test_optional_syntax.py` compares with comrak.
"""

import pytest

from mdpublish_core import convert, select_extensions

EXTENSIONS = select_extensions(["sub-superscript"])


def html_of(markdown: str) -> str:
    return convert(markdown, to="html", extensions=EXTENSIONS).html.removeprefix("<p>").removesuffix("</p>\n")


@pytest.mark.parametrize(
    ("markdown", "html"),
    [
        ("H~2~O", "H<sub>2</sub>O"),
        ("x^2^", "x<sup>2</sup>"),
        ("10^-3^ m", "10<sup>-3</sup> m"),
        ("SO~4~^2-^", "SO<sub>4</sub><sup>2-</sup>"),
        ("x^a~b~^", "x<sup>a<sub>b</sub></sup>"),
        ("x^*n*^", "x<sup><em>n</em></sup>"),
        ("*H~2~*", "<em>H<sub>2</sub></em>"),
        ("2^nd^ and 3^rd^", "2<sup>nd</sup> and 3<sup>rd</sup>"),
        ("a^b^c^d^", "a<sup>b</sup>c<sup>d</sup>"),
        (r"x^a\^b^", "x<sup>a^b</sup>"),
        ("==x^2^==", "<mark>x<sup>2</sup></mark>"),
        ("[H~2~O](/a)", '<a href="/a">H<sub>2</sub>O</a>'),
        ("<b>H~2~O</b> x^<b>2</b>^", "<strong>H<sub>2</sub>O</strong> x<sup><strong>2</strong></sup>"),
    ],
)
def test_single_signs_within_a_word_lower_and_raise_text(markdown: str, html: str) -> None:
    assert html_of(markdown) == html


@pytest.mark.parametrize(
    "markdown",
    [
        *("a ~ b ~ c", "x^a b^", "~5 of ~10", "2^10", "a~b c~d", "^", "~", "^^x^^", "~~~x~~~ y", r"H\~2~O"),
        *("x^2\n3^", "`x^2^ H~2~O`", "$x^2^$", "[^1]", "[^a] [^b]"),
    ],
)
def test_other_signs_stay_text(markdown: str) -> None:
    assert not {"<sub>", "<sup>"} & set(html_of(markdown).replace(">", "> ").split())


def test_two_tildes_still_strike_through() -> None:
    assert html_of("~~gone~~ H~2~O ~~a~b~~") == "<del>gone</del> H<sub>2</sub>O <del>a~b</del>"


def test_two_tildes_stay_text_without_strikethrough() -> None:
    extensions = select_extensions(["sub-superscript", "no-strikethrough"])

    assert convert("~~a~~ ~b~", to="html", extensions=extensions).html == "<p>~~a~~ <sub>b</sub></p>\n"


def test_footnotes_stay_footnotes() -> None:
    html = html_of("a[^1][^2]\n\n[^1]: b\n[^2]: c")

    assert html.count('class="footnote-ref"') == 2
    assert html.count("<sup") == 2


def test_without_the_extension_a_tilde_strikes_through_and_a_caret_is_text() -> None:
    assert convert("~a~ x^2^", to="html").html == "<p><del>a</del> x^2^</p>\n"


def test_script_elements_come_out_alike() -> None:
    for destination in ("google-docs", "word", "onenote", "email", "slack", "plain-text", "generic"):
        signs = convert("H~2~O x^2^", to=destination, extensions=EXTENSIONS)
        elements = convert("H<sub>2</sub>O x<sup>2</sup>", to=destination)
        assert (signs.text, signs.plain_text) == (elements.text, elements.plain_text)
