"""Constructs of dialects as other programs read our outputs: lxml a page, python-docx a Word file; and plain text.

What is not read is named by a notice.
"""

import io
import re
from collections import Counter
from collections.abc import Iterator
from html import unescape
from unicodedata import normalize

import docx
import pytest
from docx.oxml.ns import qn
from lxml import etree, html

from mdpublish_core import Conversion, convert, nodes, parse, select_extensions, to_markdown
from tests.dialects.constructs import CONSTRUCTS, Construct, words

EACH = pytest.mark.parametrize("construct", CONSTRUCTS.values(), ids=CONSTRUCTS.keys())
READ = {name: construct for name, construct in CONSTRUCTS.items() if not construct.is_named}
EACH_READ = pytest.mark.parametrize("construct", READ.values(), ids=READ.keys())


def shown(construct: Construct, to: str) -> Conversion:
    return convert(construct.source, to=to, extensions=select_extensions([construct.dialect]))


@EACH
def test_construct_is_read_or_named(construct: Construct) -> None:
    conversion = shown(construct, "generic")

    is_named = "unread-syntax" in [notice.code for notice in conversion.notices]
    assert construct.is_shown_by(conversion.html) is not construct.is_named
    assert is_named is (construct.is_named or construct.is_partly_named)


def test_most_constructs_are_read() -> None:
    assert len(CONSTRUCTS) >= 200
    assert len(READ) >= 0.85 * len(CONSTRUCTS)


@EACH_READ
def test_word_file_shows_what_is_meant(construct: Construct) -> None:
    content = shown(construct, "docx").content

    assert isinstance(content, bytes)
    body = " ".join(text_of_word_file(content))
    # Word counts notes itself.
    assert set(missing(construct.meaning, body)) <= {"1"}
    assert not Counter(MARK.findall(body)) - Counter(MARK.findall(construct.meaning))


MARK = re.compile("[!?=+^~%{}]")
"""Signs of dialects."""


def text_of_word_file(content: bytes) -> Iterator[str]:
    for part in docx.Document(io.BytesIO(content)).part.package.iter_parts():
        if part.partname in {"/word/document.xml", "/word/footnotes.xml"}:
            for paragraph in etree.fromstring(part.blob).iter("{*}p"):
                yield " ".join(each.text or "" for each in paragraph.iter(qn("w:t")))


def missing(meaning: str, body: str) -> list[str]:
    """Return the words of a meaning that a text has less often; signs may be in other forms, as in H₂O."""
    body = normalize("NFKC", body).casefold()
    needed = Counter(words(normalize("NFKC", meaning).casefold()))
    return [word for word, count in needed.items() if body.count(word) < count]


@EACH
@pytest.mark.parametrize("output", ["plain-text", "slack", "email"])
def test_other_outputs_say_every_word(construct: Construct, output: str) -> None:
    conversion = shown(construct, output)

    body = " ".join(map(str, html.fromstring(conversion.html).itertext())) if output == "email" else conversion.text
    source = re.sub("^```.*", "", construct.source, flags=re.MULTILINE)
    meant = " ".join(re.findall(r"\w+", source)) if construct.is_named else construct.meaning
    assert missing(meant, unescape(body)) == []


@EACH_READ
@pytest.mark.parametrize("output", ["plain-text", "slack"])
def test_text_has_the_labels_of_lists(construct: Construct, output: str) -> None:
    body = shown(construct, output).text

    assert [label for label in construct.labels if f"{label} " not in body] == []


@EACH
def test_markdown_is_read_as_before(construct: Construct) -> None:
    written = written_alike(construct.dialect, construct.source)

    assert "<" not in written or "<" in construct.source or {"callout", "tabs", "code"}.isdisjoint(construct.elements)


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
    source = CONSTRUCTS["mkdocs: tabs in tabs"].source
    page = html.fragment_fromstring(convert(source, to="html", extensions=select_extensions(["mkdocs"])).html)

    sets = [
        {part.get("name") for part in each.xpath("details")} for each in page.xpath("descendant-or-self::div[details]")
    ]
    assert [len(names) for names in sets] == [1, 1, 1]
    assert len(set.union(*sets)) == 3


@pytest.mark.parametrize(
    "source", [each.source for each in READ.values() if each.source.startswith(("!!!", "???", "==="))]
)
def test_without_the_dialect_nothing_changes(source: str) -> None:
    tree = parse(source)

    assert not [each for each in nodes.walk(tree) if isinstance(each, nodes.HtmlElement)]
    assert [notice.code for notice in tree.notices] == ["unread-syntax"]
