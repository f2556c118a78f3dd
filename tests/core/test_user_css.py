import logging
from pathlib import Path
from threading import Thread

import pytest
from hypothesis import given, settings

from mdpublish_core import Document, InvalidStylesheet, PageOptions, convert, parse, render, render_page
from mdpublish_core.destinations import DESTINATIONS
from mdpublish_core.templates.stylesheet import Rule
from mdpublish_core.templates.user_css import MAX_STYLESHEET_CHARACTERS, user_css_rules
from mdpublish_core.testing import check_words_preserved, documents
from tests.sampling import sampled
from tests.templates.traits import covering


def css_of(html: str) -> str:
    return html.partition("<style>")[2].partition("</style>")[0]


def test_fragment_carries_the_rules_after_the_templates_under_its_class() -> None:
    css = css_of(convert("# a", css="h1, .callout > p { color: red }\nbody { color: blue }").html)

    assert css.endswith(
        ".mdpublish-swiss-light h1,.mdpublish-swiss-light .callout > p{color:red}\n.mdpublish-swiss-light{color:blue}"
    )


def test_page_carries_the_rules_after_the_templates() -> None:
    page = render_page(parse("# a"), PageOptions(title="a"), css="@media print { h1 { color: red } }")

    assert css_of(page).endswith("@media print{\n.mdpublish-swiss-light h1{color:red}\n}")


@pytest.mark.parametrize("destination", ["html", "plain-text"])
def test_destination_without_styles_has_none_of_it(destination: str) -> None:
    assert convert("# a", destination=destination, css="h1{color:red}") == convert("# a", destination=destination)


@pytest.mark.parametrize("css", [None, "", " \n", "/* nothing */", "p {}"])
def test_nothing_is_nothing(css: str | None) -> None:
    assert user_css_rules(css) == ()


def test_any_selector_is_taken() -> None:
    (rule,) = user_css_rules("a[href^='https:']:not(.b) > em:nth-child(2n + 1)::after { content: 'x' }")

    assert rule.selectors == ('a[href^="https:"]:not(.b) > em:nth-child(2n + 1)::after',)


def test_order_of_selectors_and_declarations_stays() -> None:
    assert user_css_rules("b, a { width: 2px; color: red; width: 1px !important }") == (
        Rule(("b", "a"), "width:2px;color:red;width:1px !important"),
    )


@pytest.mark.parametrize(
    ("css", "line", "problem"),
    [
        ("a { color: #ff0000aa }", 1, "cannot be parsed"),
        ("a {\n b { color: red } }", 2, "cannot be parsed"),
        ("a { color: red } }", 1, "cannot be parsed"),
        ("<style>", 1, "cannot be parsed"),
        ("@import 'x.css';", None, "@import is not allowed"),
        ("@font-face { font-family: x }", None, "@font-face is not allowed"),
        ("@supports (display: grid) { a { color: red } }", 1, "@supports"),
        ("a { background: url(https://example.org/a.png) }", None, "must not load or run anything"),
        ("a { width: expression(alert(1)) }", None, "must not load or run anything"),
        ("a { content: '</style>' }", None, "must not load or run anything"),
        ("a { color: red }" * (MAX_STYLESHEET_CHARACTERS // 10), None, "at most 100,000 characters (got 160,000)"),
    ],
)
def test_what_would_be_dropped_is_an_error(css: str, line: int | None, problem: str) -> None:
    with pytest.raises(InvalidStylesheet) as caught:
        convert("a", css=css)

    assert problem in caught.value.problem
    assert caught.value.line == line
    assert str(caught.value).startswith("stylesheet")


def test_other_users_of_the_log_keep_their_handlers(capsys: pytest.CaptureFixture[str]) -> None:
    logger = logging.getLogger("CSSUTILS")
    before = (list(logger.handlers), logger.propagate)

    with pytest.raises(InvalidStylesheet):
        user_css_rules("a { b { c: d } }")

    assert (list(logger.handlers), logger.propagate) == before
    assert capsys.readouterr().err == ""


def test_stylesheets_are_read_beside_one_another() -> None:
    results: list[object] = []

    def read(number: int) -> None:
        try:
            results.append(user_css_rules(f"a {{ width: {number}px }}" if number % 2 else f"a {{ b{number} {{ }} }}"))
        except InvalidStylesheet as error:
            results.append(str(error))

    threads = [Thread(target=read, args=(number,)) for number in range(16)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()

    assert sum(isinstance(result, tuple) for result in results) == 8
    assert sum(isinstance(result, str) for result in results) == 8


STYLED = ("google-docs", "word", "onenote", "email")

SPECIMEN = (Path(__file__).parents[1] / "browser/specimen.md").read_text("utf-8")


@pytest.mark.parametrize("destination", STYLED)
@pytest.mark.parametrize("template", sampled([template.id for template in covering()], 6))
def test_stylesheet_that_meets_nothing_changes_nothing(destination: str, template: str) -> None:
    """Our selector matcher (without user CSS) and premailer (with it) produce the same bytes."""
    document = parse(SPECIMEN)

    matched = render(document, destination=destination, template=template)
    inlined = render(document, destination=destination, template=template, css="nosuch { color: red }")

    assert inlined == matched


@pytest.mark.parametrize("destination", STYLED)
@pytest.mark.parametrize(
    ("markdown", "css"),
    [
        ("# a", "h1 { color: #123456 }"),
        ("a", "body { color: #123456 }"),
        ("> [!TIP]\n> a", ".tip > .title { color: #123456 !important }"),
        ("- a\n- b", "li:nth-child(2) { color: rgb(18, 52, 86) }"),
        ("[a](https://example.org/)", 'a[href$=".org/"] { color: #123456 }'),
        ("```py\nimport a\n```", "pre .keyword { color: #123456 }"),
        ("|a|\n|-|\n|b|\n", "tr.odd > td { background: #123456 }"),
        ("a `b`", "p > code { background-color: #123456 }"),
    ],
)
def test_any_rule_is_applied_to_its_elements(destination: str, markdown: str, css: str) -> None:
    assert "#123456" not in convert(markdown, destination=destination).html
    assert "#123456" in convert(markdown, destination=destination, css=css).html


@pytest.mark.parametrize("destination", STYLED)
def test_notices_and_media_are_given_once(destination: str) -> None:
    image = "data:image/gif;base64,R0lGODlhAQABAAAAACw="
    markdown = f"![a]({image})\n\n```makefile\n{'a: b' * 20_000}\n```\n"

    plain = convert(markdown, destination=destination)
    styled = convert(markdown, destination=destination, css="p { color: red }")

    assert styled.notices == plain.notices
    assert plain.notices
    assert len(styled.media) == len(plain.media) == 1


# Two renderings and premailer take some hundred times as long as other examples.
@pytest.mark.parametrize("destination", STYLED)
@settings(max_examples=max(8, settings().max_examples // 6))
@given(document=documents())
def test_any_tree_takes_a_stylesheet(destination: str, document: Document) -> None:
    css = "p, li { color: green } * > * { margin: 1px } :first-child { font: italic 12pt/2 serif }"

    check_words_preserved([], render(document, destination=destination, css=css))


# Most are not allowed in XML; the others end lines or are invisible.
CHARACTERS = "".join(map(chr, [*range(32), 0x7F, 0x85, 0x2028, 0xD800, 0xDFFF, 0xFFFE, 0xFFFF]))


@pytest.mark.parametrize("destination", DESTINATIONS)
def test_any_character_may_stand_in_any_place(destination: str) -> None:
    places = (
        "[a](http://a/{} 't{}') ![b{}](http://b/{}.png)",
        "[a](<http://a/{}> 't{}')",
        "<http://a/{}>",
        "http://a/{}",
        "<a href='http://a/{}' title='t{}'>b{}</a> <abbr title='{}'>c</abbr> <img src='b{}' alt='{}'>",
        "# {}\n\n`{}` $x{}$\n\n```{}\n{}\n```",
        "a[^{}]\n\n[^{}]: {}",
    )
    markdown = "\n\n".join(place.replace("{}", each) for place in places for each in CHARACTERS)

    for css in (None, "h1, a[href^=http] { color: red }"):
        conversion = convert(markdown, destination=destination, css=css)

        conversion.html.encode()
        conversion.plain_text.encode()


@pytest.mark.parametrize("destination", DESTINATIONS)
def test_url_has_no_control_characters(destination: str) -> None:
    conversion = convert("[a](<http://a/&#7;>)", destination=destination, css="h1{color:red}")

    for output in (conversion.html, conversion.plain_text):
        assert "http://a/%07" in output
