"""Constructs of dialects as other programs read our outputs: lxml a page, python-docx a Word file; and plain text."""

import io
import re

import docx
import pytest
from lxml import html

from mdpublish_core import convert, nodes, parse, select_extensions, to_markdown
from tests.dialects.constructs import CONSTRUCTS, Construct

EACH = pytest.mark.parametrize("construct", CONSTRUCTS.values(), ids=CONSTRUCTS.keys())


def words(shown: str) -> list[str]:
    return re.findall(r"[^\W_]+|[^\w\s]", shown)


def meant(construct: Construct) -> list[str]:
    return words(" ".join(construct.lines))


@EACH
def test_page_shows_what_is_meant(construct: Construct) -> None:
    page = convert(construct.source, to="generic", extensions=select_extensions([construct.dialect])).html

    tree = html.fragment_fromstring(page, create_parent="body")
    assert words(" ".join(tree.xpath(".//text()[not(ancestor::style)]"))) == meant(construct)


@EACH
def test_word_file_shows_what_is_meant(construct: Construct) -> None:
    content = convert(construct.source, to="docx", extensions=select_extensions([construct.dialect])).content

    assert isinstance(content, bytes)
    paragraphs = docx.Document(io.BytesIO(content)).element.body.xpath(".//w:p")
    lines = [" ".join(paragraph.xpath(".//w:t/text()")) for paragraph in paragraphs]
    assert words(" ".join(lines)) == meant(construct)


@EACH
@pytest.mark.parametrize("output", ["plain-text", "slack", "email"])
def test_other_outputs_say_every_word(construct: Construct, output: str) -> None:
    conversion = convert(construct.source, to=output, extensions=select_extensions([construct.dialect]))

    shown = " ".join(map(str, html.fromstring(conversion.html).itertext())) if output == "email" else conversion.text
    left = iter(words(shown.casefold()))
    assert all(word.casefold() in left for word in meant(construct))
    assert ("unread-syntax" in [notice.code for notice in conversion.notices]) is ("::: package" in construct.source)


@EACH
def test_markdown_is_read_as_before(construct: Construct) -> None:
    assert "<" not in written_alike(construct.dialect, construct.source)


@pytest.mark.parametrize(
    "source",
    [
        "!!! note\n\n    a\n<!-- b -->\n    c",
        "??? recipe\n<!-- b -->\n    c",
        '=== "A"\n<!-- b -->\n        c',
        "!!! details\n<!-- b -->\n!!! note\n<!-- c -->\n    a",
        '1. x\n    === "I"\n    === "I"\n    - b',
        '1. x\n    === "I"\n        a\n\n        b\n    === "I"\n    > b',
        '- x\n    ``` title="a"\n    ```\n    - b',
        '=== "A"\n    a\n\n===! "B"\n\n=== "C"\n    c\n\n===! "D"',
        '> [!NOTE]\n> === "A"\n>     a\n> > b',
    ],
)
def test_neighbors_stay_apart_in_markdown(source: str) -> None:
    written_alike("mkdocs", source)


def written_alike(dialect: str, source: str) -> str:
    extensions = select_extensions([dialect])
    document = parse(source, extensions=extensions)
    written = to_markdown(document)
    assert parse(written, extensions=extensions) == document
    return written


@pytest.mark.parametrize(
    ("dialect", "source"),
    [
        ("mkdocs", '!!! note "A *title*"\n\n    Body\n'),
        ("mkdocs", "??? recipe\n\n    Body\n\n    - a\n    - b\n"),
        ("mkdocs", '???+ bug "T"\n\n    Body\n'),
        ("mkdocs", '=== "A"\n\n    a\n\n=== "B"\n\n    b\n\nc\n'),
        ("mkdocs", '=== "A"\n\n    a\n\n===! "B"\n\n    b\n'),
        ("mkdocs", '- a\n\n  ```py title="b" linenums="1"\n  c\n  ```\n'),
        ("mkdocs", "> [!NOTE]\n> a\n"),
        ("obsidian", "> [!recipe]- A *title*\n> Body\n"),
    ],
)
def test_markdown_is_written_as_the_dialect_has_it(dialect: str, source: str) -> None:
    assert to_markdown(parse(source, extensions=select_extensions([dialect]))) == source


@pytest.mark.parametrize(
    ("info", "language"),
    [
        ("{ .py }", "py"),
        ("{.py .annotate}", "py"),
        ('py title="a"', "py"),
        ('title="a b"', ""),
        ('{title="a"}', ""),
        ('{ hl_lines="1" }', ""),
        ('linenums="1"', ""),
        ("c#", "c#"),
    ],
)
def test_decoration_is_no_language(info: str, language: str) -> None:
    document = parse(f"``` {info}\nx\n```", extensions=select_extensions(["mkdocs"]))

    assert [each.language for each in nodes.walk(document) if isinstance(each, nodes.CodeFence)] == [language]


def test_each_set_of_tabs_has_a_name_of_its_own() -> None:
    source = CONSTRUCTS["tabs in tabs"].source
    page = html.fragment_fromstring(convert(source, to="html", extensions=select_extensions(["mkdocs"])).html)

    sets = [
        {part.get("name") for part in each.xpath("details")} for each in page.xpath("descendant-or-self::div[details]")
    ]
    assert [len(names) for names in sets] == [1, 1, 1]
    assert len(set.union(*sets)) == 3


@EACH
def test_without_the_dialect_nothing_changes(construct: Construct) -> None:
    tree = parse(construct.source)

    assert not [each for each in nodes.walk(tree) if isinstance(each, nodes.HtmlElement)]
    if construct.source.startswith(("!!!", "???", "===")):
        assert [notice.code for notice in tree.notices] == ["unread-syntax"]
