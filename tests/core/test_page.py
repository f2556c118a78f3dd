import re

import html5lib
import pytest

from mdpublish_core import Alternate, PageLink, PageOptions, SocialImage, convert, get_template, parse, render
from mdpublish_core.templates import page_css

DOCUMENT = parse("# Hello\n\nA [link](https://example.org).")
SOCIAL_IMAGE = SocialImage("https://example.org/a.png", "Hello, on a white ground")


def test_page_parses_without_an_error() -> None:
    page = render(
        parse("# Hello\n\n" + "## Part\n\n```\ncode\n```\n\n" * 5 + "word " * 900),
        to="page",
        options=PageOptions(
            title="Hello",
            badge=PageLink("Published", "https://example.org"),
            description="d",
            site_name="Site",
            social_image=SOCIAL_IMAGE,
            alternates=[Alternate("https://example.org/a.md", "text/markdown", "Source")],
            links=[PageLink("Source", "https://example.org/a.md", rel="nofollow")],
            reading_time=True,
            toc=True,
            copy_code=True,
        ),
    ).html

    html5lib.HTMLParser(strict=True).parse(page)
    assert page.startswith("<!DOCTYPE html>\n<html>\n")
    assert page.count("<script>") == page.count("<nav ") == 1


def test_head_holds_the_given_metadata() -> None:
    page = render(
        DOCUMENT,
        to="page",
        options=PageOptions(
            title='A "<b>"',
            description="d & e",
            canonical_url="https://example.org/p/a?b&c",
            robots="noindex",
            lang="de",
        ),
        theme_mode="dark",
    ).html

    assert '<html lang="de">' in page
    assert "<title>A &quot;&lt;b&gt;&quot;</title>" in page
    assert '<meta name="description" content="d &amp; e" />' in page
    assert '<meta name="color-scheme" content="dark" />' in page
    assert '<meta name="robots" content="noindex" />' in page
    assert '<link rel="canonical" href="https://example.org/p/a?b&amp;c" />' in page


def test_any_string_is_a_title_and_a_description() -> None:
    page = render(
        parse("a"), to="page", options=PageOptions(title="b\ud800\x07", description="c\udfff", site_name="\ud83d")
    ).html

    page.encode()
    assert "<title>b\ufffd\x07</title>" in page


def test_page_leaves_out_what_was_not_given() -> None:
    page = render(
        parse("# Hello\n\n```\ncode\n```\n\n" + "## Part\n\nword\n\n" * 1_000),
        to="page",
        options=PageOptions(title="a"),
    ).html

    for absent in ("description", "robots", "canonical", "og:", "twitter:", "alternate", "<footer", "<nav", "<script"):
        assert absent not in page
    for fitting in ('class="meta', "copy", "min read"):
        assert fitting not in page


def test_open_graph_describes_the_page() -> None:
    page = render(
        DOCUMENT,
        to="page",
        options=PageOptions(
            title='"><script>',
            description="d",
            canonical_url="https://example.org/a",
            site_name="A & B",
            social_image=SocialImage("https://example.org/a.png?b&c", 'x" onload="'),
        ),
    ).html

    assert [line for line in page.splitlines() if "og:" in line or "twitter:" in line] == [
        '<meta property="og:type" content="article" />',
        '<meta property="og:title" content="&quot;&gt;&lt;script&gt;" />',
        '<meta property="og:description" content="d" />',
        '<meta property="og:url" content="https://example.org/a" />',
        '<meta property="og:site_name" content="A &amp; B" />',
        '<meta property="og:image" content="https://example.org/a.png?b&amp;c" />',
        '<meta property="og:image:width" content="1200" />',
        '<meta property="og:image:height" content="630" />',
        '<meta property="og:image:alt" content="x&quot; onload=&quot;" />',
        '<meta name="twitter:card" content="summary_large_image" />',
    ]


def test_card_without_an_image_is_a_small_one() -> None:
    page = render(DOCUMENT, to="page", options=PageOptions(title="a", site_name="Site")).html

    assert '<meta name="twitter:card" content="summary" />' in page
    assert "og:image" not in page
    assert "og:description" not in page


def test_alternates_are_links_in_the_head() -> None:
    alternates = [
        Alternate("https://example.org/a.md", "text/markdown", "Source"),
        Alternate("javascript:alert(1)", "text/plain"),
    ]
    page = render(DOCUMENT, to="page", options=PageOptions(title="a", alternates=alternates)).html

    link = '<link rel="alternate" type="text/markdown" title="Source" href="https://example.org/a.md" />'
    assert link in page.partition("</head>")[0]
    assert "javascript:" not in page


def test_badge_is_a_link_in_the_footer() -> None:
    page = render(
        DOCUMENT, to="page", options=PageOptions(title="a", badge=PageLink("By <us>", "https://example.org"))
    ).html

    assert '<footer class="colophon"><p><a href="https://example.org">By &lt;us&gt;</a></p></footer>' in page


def test_links_follow_the_badge() -> None:
    links = [PageLink("Source", "/a.md"), PageLink("<b>", "/report?page=%2Fa&b", rel="nofollow")]
    expected = '<a href="/a.md">Source</a> <a href="/report?page=%2Fa&amp;b" rel="nofollow">&lt;b&gt;</a></p></footer>'

    alone = render(DOCUMENT, to="page", options=PageOptions(title="a", links=links)).html
    after = render(
        DOCUMENT, to="page", options=PageOptions(title="a", links=links, badge=PageLink("Us", "https://example.org"))
    ).html

    assert f'<footer class="colophon"><p>{expected}' in alone
    assert f'<footer class="colophon"><p><a href="https://example.org">Us</a> {expected}' in after


def test_page_has_nothing_that_a_policy_would_have_to_allow() -> None:
    page = render(
        parse("|a|\n|:-:|\n|b|\n\n![p](https://example.org/p.png)"), to="page", options=PageOptions(title="a")
    ).html

    assert "<script" not in page
    assert " style=" not in page
    assert page.count("<style>") == 1


def test_stylesheet_of_a_page_is_the_one_that_can_be_hashed() -> None:
    swiss = get_template("swiss")
    plain = render(DOCUMENT, to="page", options=PageOptions(title="a", page_width="wide"), theme_mode="dark").html
    fitted = render(
        DOCUMENT, to="page", options=PageOptions(title="a", page_width="wide", toc=True), theme_mode="dark"
    ).html

    assert css_of(plain) == page_css(swiss, "dark", "wide")
    assert css_of(fitted) == page_css(swiss, "dark", "wide", has_fittings=True)


def css_of(page: str) -> str:
    return page.partition("<style>")[2].partition("</style>")[0]


@pytest.mark.parametrize(("line", "classes"), [("a" * 40, "line"), ("漢" * 40, "wide line"), ("漢" * 20, "line")])
def test_code_is_wide_where_it_is_wider_than_the_text(line: str, classes: str) -> None:
    page = render(parse(f"```\n{line}\n```"), to="page", options=PageOptions(title="a")).html

    assert re.findall('<pre class="([^"]*)"', page) == [classes]


@pytest.mark.parametrize(
    ("steps", "classes"), [(2, "drawing"), (3, "drawing"), (4, "drawing wide"), (5, "drawing wide")]
)
def test_figure_is_wide_where_it_is_wider_than_the_text(steps: int, classes: str) -> None:
    diagram = " --> ".join(f"{number}[Some step {number}]" for number in range(steps))

    page = render(parse(f"```mermaid\nflowchart LR\n{diagram}\n```"), to="page", options=PageOptions(title="a")).html

    assert re.findall('<figure class="([^"]*)"', page) == [classes]


@pytest.mark.parametrize("template", ["swiss", "poster", "paper"])
@pytest.mark.parametrize(("length", "factor"), [(25, "0.86"), (60, "0.86"), (61, "0.72")])
def test_titles_have_three_sizes_by_their_length(template: str, length: int, factor: str) -> None:
    short, long = (convert(f"# {'t' * number}", to="page", template=template).html for number in (24, length))

    assert "max(calc(" not in short
    sizes = set(re.findall(r"[ }](?:main>)?h1(?:\.title)?\{[^}]*?font-size:([^;}]+)", short))
    smaller = re.findall(rf"font-size:max\(calc\((.*?) \* {re.escape(factor)}\), ", long)
    assert sizes
    assert sizes <= set(smaller)


@pytest.mark.parametrize("template", ["poster", "letterpress", "blueprint"])
def test_titles_of_more_than_four_words_are_not_in_capitals(template: str) -> None:
    few, more = (convert(f"# {'word ' * number}", to="page", template=template).html for number in (4, 5))

    assert "letter-spacing:0;text-transform:none" not in few
    assert "letter-spacing:0;text-transform:none" in more


@pytest.mark.parametrize(
    ("markdown", "content"),
    [
        ("$x$, $y$", '<span class="unbroken"><math><mi>x</mi></math>,</span> <math><mi>y</mi></math>'),
        ("($x$).", '(<span class="unbroken"><math><mi>x</mi></math>).</span>'),
        ("*$x$*, $x$ .", "<em><math><mi>x</mi></math></em>, <math><mi>x</mi></math> ."),
        # Code has places to break.
        (r"$\nope$, x", r'<code class="math">\nope</code>, x'),
    ],
)
def test_no_line_begins_with_the_comma_behind_a_formula(markdown: str, content: str) -> None:
    assert f"<p>{content}</p>" in convert(markdown, to="page").html
