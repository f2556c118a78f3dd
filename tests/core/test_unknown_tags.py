"""Tags with unknown names, and HTML that never ends, are text where raw HTML is sanitized."""

from itertools import product

import pytest

from mdpublish_core import ALL_EXTENSIONS, convert, nodes, parse
from mdpublish_core.resources.allowed_elements import BLOCK_TAGS, INLINE_TAGS
from mdpublish_core.resources.known_elements import KNOWN_TAGS, OPTIONAL_END_TAGS, RAW_TEXT_TAGS
from mdpublish_core.testing.laws import visible_text
from mdpublish_core.writers.outputs import DESTINATIONS

PLACEHOLDERS = (
    "<your-name>",
    "</your-name>",
    "<Your-Name/>",
    "Vec<u8>",
    "List<String>",
    "HashMap<String, Vec<T>>",
    "<T>",
    "<API_KEY>",
    "<API-KEY>",
    "<your name>",
    "<my-widget>",
    '<foo bar="x">',
    "<foo bar='*x*' baz>",
    "<foo x='a@b.example www.c.example'>",
    "<!channel>",
    "<!here|here>",
    "<!ENTITY x>",
    "<?php echo $x; ?>",
    "<?xml version='1.0'?>",
    "Vec<Title>",
    "Promise<object>",
    "Box<P>",
    "<command> <source-file>",
    "cp <source> <path>",
    "<Object> to <output>",
)


def written(markdown: str) -> str:
    return convert(markdown, to="html").html


def unclosed(markdown: str) -> list[tuple[int | None, int | None, str | None]]:
    notices = convert(markdown, to="html").notices
    return [(notice.line, notice.column, notice.source) for notice in notices if notice.code == "unclosed-html"]


FORMS = (
    "a {} b",
    "{}",
    "- {}",
    "> **{}**",
    "# {}",
    "[{}](x)",
    "<div>\n{}\n</div>",
    "|a|\n|-|\n|x {}|",
    "[^1]\n\n[^1]: {}",
)

SLACK_MARKS = str.maketrans("", "", "*_~`")
"""Around the words of a bold text that holds stars."""


@pytest.mark.parametrize("destination", DESTINATIONS)
def test_unknown_tag_is_shown_as_written(destination: str) -> None:
    marks = SLACK_MARKS if destination == "slack" else {}
    lost = []
    for form, placeholder in product(FORMS, PLACEHOLDERS):
        in_source = placeholder.replace("|", r"\|") if form.startswith("|") else placeholder
        conversion = convert(form.format(in_source), to=destination)
        # A pipe in a table of a text form has a backslash.
        visible, plain_text = (each.replace(r"\|", "|") for each in (visible_text(conversion), conversion.plain_text))
        is_shown = placeholder.translate(marks) in visible.translate(marks)
        if not is_shown or placeholder not in plain_text or conversion.notices:
            lost.append((form, placeholder, conversion))

    assert lost == []


def test_markdown_around_an_unknown_tag_is_markdown() -> None:
    assert written("<your-name> is *me*\nand <x>**you**</x>") == (
        "<p>&lt;your-name&gt; is <em>me</em>\nand &lt;x&gt;<strong>you</strong>&lt;/x&gt;</p>\n"
    )
    assert written("<my-list>\n- a\n</my-list>") == (
        "<p>&lt;my-list&gt;</p>\n<ul>\n<li>a\n&lt;/my-list&gt;</li>\n</ul>\n"
    )
    assert written("<!channel> *a*") == "<p>&lt;!channel&gt; <em>a</em></p>\n"


def test_source_of_an_unknown_tag_is_not_parsed_again() -> None:
    assert written("*a <b-c d='*'> e* <f-g\nh='&amp; a@b.c **i**'>") == (
        "<p><em>a &lt;b-c d='*'&gt; e</em> &lt;f-g\nh='&amp;amp; a@b.c **i**'&gt;</p>\n"
    )
    assert written("<?php\n\n$a = '*b*';\n\n?>\n*c*") == "<p>&lt;?php\n$a = '*b*';\n?&gt;</p>\n<p><em>c</em></p>\n"


def test_line_in_an_unknown_tag_is_broken_as_the_extension_says() -> None:
    html = convert("<a-b\nc>", to="html", extensions=ALL_EXTENSIONS).html

    assert html == "<p>&lt;a-b<br />\nc&gt;</p>\n"


@pytest.mark.parametrize("autolink", ["<user@host>", "<https://example.org/a>", "<mailto:a@b.c>"])
def test_autolink_stays_a_link(autolink: str) -> None:
    document = parse(autolink)

    assert isinstance(nodes.children_of(document.children[0])[0], nodes.AutoLink)


@pytest.mark.parametrize("raw_html", ["keep", "escape"])
def test_unknown_tag_is_html_where_html_is_not_sanitized(raw_html: str) -> None:
    markdown = "<your-name>\n*a*\n\n<script>\n\n*b*"

    html = convert(markdown, to="html", raw_html=raw_html, extensions=frozenset()).html  # type: ignore[arg-type]

    expected = "<your-name>\n*a*\n<script>\n\n*b*\n"
    if raw_html == "keep":
        assert html == expected
    else:
        assert html == "<p>&lt;your-name&gt;\n*a*</p>\n<p>&lt;script&gt;\n*b*</p>\n"


# What never ends


@pytest.mark.parametrize(
    "opening",
    [
        *("<script>", '<SCRIPT src="a">', "<style>", "<textarea>", "<title>", "<xmp>", "<noembed>", "<iframe src=x>"),
        *("<noframes>", "<plaintext>", "<!--", "<![CDATA[", "<?php", "<!doctype html"),
    ],
)
@pytest.mark.parametrize("before", ["", "> ", "- ", "1. > "])
def test_rest_of_a_document_is_markdown_if_html_never_ends(opening: str, before: str) -> None:
    html = written(f"{before}{opening} a\n\n# T\n\n*b*")

    assert opening.replace('"', "&quot;").replace("<", "&lt;").replace(">", "&gt;") in html
    assert html.endswith("<h1>T</h1>\n<p><em>b</em></p>\n")


def test_html_that_never_ends_is_reported_where_it_opens() -> None:
    assert unclosed("a\n\n> <script\n> x>\n\n- b <!-- c\n  <title>\n\n<div>\n  <style>\n</div>") == [
        (3, 3, "<script\n> x>"),
        (6, 5, "<!--"),
        (7, 3, "<title>"),
        (10, 3, "<style>"),
    ]


def test_number_of_reports_of_html_that_never_ends_is_bounded() -> None:
    assert len(unclosed("a <!-- " * 1_000)) == 20
    assert len(unclosed("a <!--\n\n" * 1_000)) == 20
    assert len(unclosed("a <title> " * 1_000)) == 20


@pytest.mark.parametrize(
    ("markdown", "html"),
    [
        ("<script>\n\n*a*\n</script>\n\n*b*", "<p><em>b</em></p>\n"),
        ("<!-- a\n\n*b* -->\n\n*c*", "<p><em>c</em></p>\n"),
        ("- <!-- a\n\n  b -->\n- c", "<ul>\n<li></li>\n<li>c</li>\n</ul>\n"),
        ("> <script>\n>\n> a </script>", "<blockquote>\n</blockquote>\n"),
        ("a <script>b</script> c", "<p>a c</p>\n"),
        ("<title>\na\n\n*b*</title>", "<p>a</p>\n<p><em>b</em></p>\n"),
        ("<pre>\na\n\n*b*", "<pre><code>a\n\n*b*\n</code></pre>\n"),
        ("<div>\n<!-- a\n\nb --></div>", "<div>\n<p>b --&gt;</p>\n</div>\n"),
    ],
)
def test_html_that_ends_is_html(markdown: str, html: str) -> None:
    assert written(markdown) == html
    assert unclosed(markdown) == []


def test_end_in_another_container_ends_nothing() -> None:
    assert written("> <!-- a\n> *b*\n\n*c* -->") == (
        "<blockquote>\n<p>&lt;!-- a\n<em>b</em></p>\n</blockquote>\n<p><em>c</em> --&gt;</p>\n"
    )
    assert written("- <script>\n- *a* </script>") == "<ul>\n<li>&lt;script&gt;</li>\n<li><em>a</em></li>\n</ul>\n"


def test_program_ends_at_its_end_tag_in_code_only_if_it_begins_a_line() -> None:
    assert written("a <script> `</script>` *b*") == (
        "<p>a &lt;script&gt; <code>&lt;/script&gt;</code> <em>b</em></p>\n"
    )
    assert unclosed("a <script> `</script>` *b*") == [(1, 3, "<script>")]


def test_kept_elements_are_known() -> None:
    assert (BLOCK_TAGS | INLINE_TAGS | OPTIONAL_END_TAGS | RAW_TEXT_TAGS) <= KNOWN_TAGS
