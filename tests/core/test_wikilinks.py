"""The extension `wikilinks`: links and embeds by name."""

import pytest

from mdpublish_core import convert, nodes, parse, select_extensions
from mdpublish_core.resources.url_rewriters import Url
from mdpublish_core.writers.outputs import DESTINATIONS
from tests.sampling import each_row

EXTENSIONS = select_extensions(["wikilinks"])


def html(markdown: str) -> str:
    return convert(markdown, to="html", extensions=EXTENSIONS).html.removesuffix("\n")


LINKED = {
    "name is a link": [
        ("[[Page Name]]", '<a href="Page%20Name">Page Name</a>'),
        ("[[ Page ]]", '<a href="Page">Page</a>'),
        ("[[Page|label]]", '<a href="Page">label</a>'),
        ("[[Page|**label**]]", '<a href="Page">**label**</a>'),
        ("[[Page|]]", '<a href="Page">Page</a>'),
        ("[[folder/Page]]", '<a href="folder/Page">folder/Page</a>'),
        ("[[Page#Some Heading!]]", '<a href="Page#some-heading">Page &gt; Some Heading!</a>'),
        ("[[Page#One#Two]]", '<a href="Page#two">Page &gt; One &gt; Two</a>'),
        ("[[#Heading]]", '<a href="#heading">Heading</a>'),
        ("[[Page#^block]]", '<a href="Page#%5Eblock">Page &gt; ^block</a>'),
        ("[[Why? 100%]]", '<a href="Why%3F%20100%25">Why? 100%</a>'),
        ("[[https://a.b?c=%20|web]]", '<a href="https://a.b?c=%20">web</a>'),
        ("*[[a*]]", '*<a href="a*">a*</a>'),
        ("[[[a]]]", '[<a href="a">a</a>]'),
        ("[[a]] [[b]]", '<a href="a">a</a> <a href="b">b</a>'),
    ],
    "escaped bracket begins no link": [(r"\[[a]] `[[b]]`", "[[a]] <code>[[b]]</code>")],
    "brackets in a link stay its text": [("[[1]](https://example.org)", '<a href="https://example.org">[1]</a>')],
    "link in a link wins": [("[a [[b]] c](d)", '[a <a href="b">b</a> c](d)')],
    "image is embedded and a note is linked": [
        ("![[image.png]]", '<img src="image.png" alt="image.png" />'),
        ("![[my image.JPG|300]]", '<img src="my%20image.JPG" alt="my image.JPG" width="300" />'),
        ("![[a.png|300x200]]", '<img src="a.png" alt="a.png" width="300" height="200" />'),
        ("![[a.png|a view]]", '<img src="a.png" alt="a view" />'),
        ("![[a.png|a view|300]]", '<img src="a.png" alt="a view" width="300" />'),
        ("![[Note]]", '<a href="Note">Note</a>'),
        ("![[Note#Heading|label]]", '<a href="Note#heading">label</a>'),
        (r"\![[Note]]", '!<a href="Note">Note</a>'),
    ],
}


@pytest.mark.parametrize(("markdown", "expected"), each_row(LINKED))
def test_markdown_with_brackets_is_this_html(markdown: str, expected: str) -> None:
    assert html(markdown) == f"<p>{expected}</p>"


@pytest.mark.parametrize(
    "markdown",
    ["[[]]", "[[ ]]", "[[|label]]", "[[#]]", "[[a", "[[a]", "[[a\nb]]", "[[a[b]c]]", "[[^1]]", "![[]]", "[ [a]]"],
)
def test_other_brackets_are_text(markdown: str) -> None:
    assert html(markdown) == f"<p>{markdown}</p>"


@pytest.mark.parametrize("bar", ["|", r"\|"])
def test_bar_may_be_escaped_in_a_table(bar: str) -> None:
    escaped = html("| a |\n|---|\n" + r"| [[Page\|label]] |")

    assert '<td><a href="Page">label</a></td>' in escaped
    assert html(f"[[Page{bar}label]]") == '<p><a href="Page">label</a></p>'


def test_unsafe_scheme_is_not_linked_with_a_notice() -> None:
    conversion = convert("[[javascript:alert(1)|label]]", extensions=EXTENSIONS)

    assert [notice.code for notice in conversion.notices] == ["unsafe-link"]
    assert "<p>label (javascript:alert(1))</p>" in conversion.html


def test_rewriter_is_told_of_names() -> None:
    urls: list[Url] = []

    def rewrite(url: Url) -> str:
        urls.append(url)
        return f"/{url.url}"

    document = parse("[[Page]] ![[a.png]] [b](c)", extensions=EXTENSIONS, rewrite_url=rewrite)

    assert urls == [Url("Page", "link", 1, by_name=True), Url("a.png", "image", 1, by_name=True), Url("c", "link", 1)]
    assert [token.target for token in nodes.walk(document) if isinstance(token, nodes.Link)] == ["/Page", "/c"]


@pytest.mark.parametrize("destination", sorted(DESTINATIONS))
def test_label_is_in_every_destination(destination: str) -> None:
    assert "label" in convert("[[Page|label]]", to=destination, extensions=EXTENSIONS).text


def test_double_brackets_are_text_without_the_extension() -> None:
    assert convert("[[Page]] ![[a.png]]", to="html").html == "<p>[[Page]] ![[a.png]]</p>\n"
