"""`==highlight==`: what opens and closes it, and that `<mark>` comes out alike.

`conformance/test_optional_syntax.py` compares with comrak.
"""

import re
from collections.abc import Iterator

import pytest
from lxml.html import document_fromstring

from mdpublish_core import DEFAULT_EXTENSIONS, Conversion, PageOptions, convert, list_templates, parse, render
from mdpublish_core.css.colors import contrast
from mdpublish_core.options.styles import THEME_MODES, ThemeMode
from mdpublish_core.writers.outputs import DESTINATIONS

MIN_CONTRAST = 4.5
"""WCAG 2.2, success criterion 1.4.3."""

DECLARATION = re.compile(r"(?:^|;)\s*([a-z-]+):\s*([^;]+)")


def html_of(markdown: str) -> str:
    return convert(markdown, to="html").html.removeprefix("<p>").removesuffix("</p>\n")


@pytest.mark.parametrize(
    ("markdown", "html"),
    [
        ("==x==", "<mark>x</mark>"),
        ("one ==two three== four", "one <mark>two three</mark> four"),
        ("==one\ntwo==", "<mark>one\ntwo</mark>"),
        ("(==x==), ==y==.", "(<mark>x</mark>), <mark>y</mark>."),
        ("“==x==”", "“<mark>x</mark>”"),
        ("**==x==** ==**x**==", "<strong><mark>x</mark></strong> <mark><strong>x</strong></mark>"),
        ("~~==x==~~ ==~~x~~==", "<del><mark>x</mark></del> <mark><del>x</del></mark>"),
        ("==[a](/b?c==d)==", '<mark><a href="/b?c==d">a</a></mark>'),
        ("[==a==](/b)", '<a href="/b"><mark>a</mark></a>'),
        ("==a `==` b==", "<mark>a <code>==</code> b</mark>"),
        ("==<b>x</b> y==", "<mark><strong>x</strong> y</mark>"),
        ("==a <b>b== c</b>", "<mark>a <strong>b</strong></mark> c"),
    ],
)
def test_two_equals_signs_around_words_highlight_them(markdown: str, html: str) -> None:
    assert html_of(markdown) == html


@pytest.mark.parametrize(
    "markdown",
    [
        *("x==1 && y==2", "a == b", "a==b==c", "a !== b == c", "x=='a' and y=='b'", 'f(x)==y && z=="a"'),
        *("a[0]==b and c==", "====", "==", "== x ==", "===x===", "====x====", "==x", "x==", "=x=", "==> x"),
        *("==> out.log <==", 'not "==" but "=="', "(==) or (==)", "requests==2.31.0 and idna==3.7", "dGVzdA=="),
    ],
)
def test_operators_and_rulers_stay_text(markdown: str) -> None:
    assert convert(markdown, to="plain-text").plain_text == markdown.replace("\\", "") + "\n"


@pytest.mark.parametrize("markdown", [r"\==x==", r"==x\=="])
def test_escaped_signs_stay_escaped_in_text(markdown: str) -> None:
    assert html_of(markdown) == "==x=="
    assert convert(markdown, to="plain-text").plain_text == "\\==x==\n"


@pytest.mark.parametrize(
    ("markdown", "html"),
    [
        ("这是==重要==的", "这是<mark>重要</mark>的"),
        ("这是==“重要”==的", "这是<mark>“重要”</mark>的"),
        ("==重要：==这是", "<mark>重要：</mark>这是"),
        ("使用==API==接口", "使用<mark>API</mark>接口"),
        ("중요==서버(server)==를", "중요<mark>서버(server)</mark>를"),
    ],
)
def test_signs_within_cjk_text_highlight(markdown: str, html: str) -> None:
    assert html_of(markdown) == html
    without = convert(markdown, to="html", extensions=DEFAULT_EXTENSIONS - {"cjk-emphasis"}).html
    assert "<mark>" not in without


def test_underline_of_a_heading_stays_one() -> None:
    assert convert("Title\n==", to="html").html == "<h1>Title</h1>\n"


def test_code_and_math_stay_what_they_are() -> None:
    assert html_of("`==a==` $a==b==c$") == "<code>==a==</code> $a==b==c$"


def test_extension_can_be_left_out() -> None:
    without = convert("==x==", to="html", extensions=DEFAULT_EXTENSIONS - {"highlight"})

    assert without.html == "<p>==x==</p>\n"


@pytest.mark.parametrize("destination", DESTINATIONS)
def test_mark_element_comes_out_as_equals_signs_do(destination: str) -> None:
    signs, element = (convert(f"a {written} b", to=destination) for written in ("==c==", "<mark>c</mark>"))

    assert signs.text == element.text
    assert signs.plain_text == element.plain_text


@pytest.mark.parametrize("theme_mode", THEME_MODES)
@pytest.mark.parametrize("frame", ["{}", "> {}", "> [!NOTE]\n> {}", "# {}", "# a\n\n## {}", "| {} |\n|---|\n| {} |"])
def test_text_and_links_on_highlights_are_readable_in_emails_of_all_templates(
    frame: str, theme_mode: ThemeMode
) -> None:
    markdown = frame.replace("{}", "==text== ==[link](http://a.b)== ==**strong**== ==`code`==")

    assert {
        (template.id, word, contrast(*colors))
        for template in list_templates()
        for word, colors in painted(convert(markdown, to="email", template=template, theme_mode=theme_mode))
        if contrast(*colors) < MIN_CONTRAST
    } == set()


def in_long(color: str) -> str:
    return f"#{color[1] * 2}{color[2] * 2}{color[3] * 2}" if len(color) == 4 else color


def painted(conversion: Conversion) -> Iterator[tuple[str, tuple[str, str]]]:
    """Yield the words of an email with their colors and backgrounds."""
    pending = [(document_fromstring(conversion.html), "", "")]
    while pending:
        element, color, background = pending.pop()
        declared = dict(DECLARATION.findall(element.get("style") or ""))
        color = declared.get("color", color)
        background = declared.get("background", element.get("bgcolor", background))
        if element.text in {"text", "link", "strong", "code"}:
            yield element.text, (in_long(color), in_long(background))
        pending += [(child, color, background) for child in element.iterchildren("*")]


@pytest.mark.parametrize("destination", ["google-docs", "word", "onenote", "email", "generic"])
def test_underlined_element_stays_underlined(destination: str) -> None:
    html = convert("a <u>word</u> b", to=destination).text

    assert "<u>word</u>" in html or "text-decoration:underline" in html


@pytest.mark.parametrize("markdown", ["==[a](/b)==", "<mark>a</mark>"])
def test_pages_have_rules_for_links_on_highlights_only_if_they_have_highlights(markdown: str) -> None:
    plain, marked = (
        render(parse(each), to="page", options=PageOptions(title="a")).html for each in ("a==b [a](/b)", markdown)
    )

    assert " mark a{" not in plain
    assert " mark a{color:" in marked
    assert " mark a{color:" in convert(markdown).html
