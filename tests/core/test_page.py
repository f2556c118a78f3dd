import html5lib

from mdpublish_core import Badge, get_template, parse, render_page
from mdpublish_core.templates import page_css

DOCUMENT = parse("# Hello\n\nA [link](https://example.org).")


def test_page_parses_without_an_error() -> None:
    page = render_page(DOCUMENT, title="Hello", badge=Badge("Published", "https://example.org"), description="d")

    html5lib.HTMLParser(strict=True).parse(page)
    assert page.startswith('<!DOCTYPE html>\n<html lang="en">\n')


def test_head_says_what_was_given() -> None:
    page = render_page(
        DOCUMENT,
        title='A "<b>"',
        description="d & e",
        theme_mode="dark",
        canonical_url="https://example.org/p/a?b&c",
        robots="noindex",
        lang="de",
    )

    assert '<html lang="de">' in page
    assert "<title>A &quot;&lt;b&gt;&quot;</title>" in page
    assert '<meta name="description" content="d &amp; e" />' in page
    assert '<meta name="color-scheme" content="dark" />' in page
    assert '<meta name="robots" content="noindex" />' in page
    assert '<link rel="canonical" href="https://example.org/p/a?b&amp;c" />' in page


def test_head_leaves_out_what_was_not_given() -> None:
    page = render_page(DOCUMENT, title="a")

    for absent in ("description", "robots", "canonical", "<footer>"):
        assert absent not in page


def test_badge_is_a_link_in_the_footer() -> None:
    page = render_page(DOCUMENT, title="a", badge=Badge("By <us>", "https://example.org"))

    assert '<footer><p><a href="https://example.org">By &lt;us&gt;</a></p></footer>' in page


def test_page_has_nothing_that_a_policy_would_have_to_allow() -> None:
    page = render_page(parse("|a|\n|:-:|\n|b|\n\n![p](https://example.org/p.png)"), title="a")

    assert "<script" not in page
    assert " style=" not in page
    assert page.count("<style>") == 1


def test_stylesheet_of_a_page_is_the_one_that_can_be_hashed() -> None:
    page = render_page(DOCUMENT, title="a", theme_mode="dark", page_width="wide")
    css = page.partition("<style>")[2].partition("</style>")[0]

    assert css == page_css(get_template("swiss"), "dark", "wide")
