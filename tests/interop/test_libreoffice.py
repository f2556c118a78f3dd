"""LibreOffice keeps the structure of pages and fragments, saved as flat OpenDocument XML."""

from collections.abc import Iterator
from typing import NamedTuple
from xml.etree import ElementTree as ET

import pytest

from mdpublish_core import PageOptions, convert, parse, render_page
from tests.interop.libreoffice import OPEN_DOCUMENT, save_as

pytestmark = pytest.mark.interop

NAMES = {
    "fo": "urn:oasis:names:tc:opendocument:xmlns:xsl-fo-compatible:1.0",
    "office": "urn:oasis:names:tc:opendocument:xmlns:office:1.0",
    "style": "urn:oasis:names:tc:opendocument:xmlns:style:1.0",
    "table": "urn:oasis:names:tc:opendocument:xmlns:table:1.0",
    "text": "urn:oasis:names:tc:opendocument:xmlns:text:1.0",
    "xlink": "http://www.w3.org/1999/xlink",
}

MARKDOWN = """\
# Straße & *Weg*

With **bold**, *italic*, ***both***, `code <b>`, [a link](https://example.org/?a=1&b=2 "title") and <mail@example.org>.

Second
------

3. three
   - nested
     1. deeper
   - nested too
4. four

   more of four

Between the lists.

- one
- two

> Quoted **text**

| Left | Right |
|------|------:|
| a    | `b`   |
| ü    |       |

```python
if x < 1:
    y = "&"
```

###### Last

broken\\
here
"""


class Item(NamedTuple):
    level: int
    marker: str
    content: str


class Run(NamedTuple):
    content: str
    marks: frozenset[str]


def name(prefixed: str) -> str:
    """Expand a prefix as ElementTree does."""
    prefix, _, local = prefixed.partition(":")
    return f"{{{NAMES[prefix]}}}{local}"


class Reading:
    def __init__(self, document: ET.Element) -> None:
        self.styles = {style.get(name("style:name"), ""): style for style in document.iter(name("style:style"))}
        self.list_styles = {
            style.get(name("style:name"), ""): style for style in document.iter(name("text:list-style"))
        }
        body = document.find("office:body/office:text", NAMES)
        assert body is not None
        self.body = body

    def style_names(self, block: ET.Element) -> list[str]:
        names = []
        style = self.styles.get(block.get(name("text:style-name"), ""))
        while style is not None:
            names.append(style.get(name("style:name"), ""))
            style = self.styles.get(style.get(name("style:parent-style-name"), ""))
        return names

    def blocks(self, style_name: str) -> list[ET.Element]:
        blocks = (block for block in self.body.iter() if block.tag in (name("text:p"), name("text:h")))
        return [block for block in blocks if style_name in self.style_names(block)]

    def headings(self) -> list[tuple[int, str]]:
        # It writes some headings as paragraphs with a heading style.
        return [(level, text_content(block)) for level in range(1, 7) for block in self.blocks(f"Heading_20_{level}")]

    def items(self, parent: ET.Element, level: int = 0, list_style: str = "") -> Iterator[Item]:
        """Nested lists have the outermost list's style."""
        for child in parent:
            if child.tag == name("text:list"):
                yield from self.items(child, level + 1, list_style or child.get(name("text:style-name"), ""))
            elif child.tag == name("text:list-item"):
                first = child.find("text:p", NAMES)
                assert first is not None
                marker = self.list_level(list_style, level).tag.rpartition("-")[2]
                yield Item(level, marker, text_content(first))
                yield from self.items(child, level, list_style)

    def list_level(self, list_style: str, level: int) -> ET.Element:
        return next(style for style in self.list_styles[list_style] if style.get(name("text:level")) == str(level))

    def runs(self, parent: ET.Element, marks: frozenset[str] = frozenset()) -> Iterator[Run]:
        marks |= self.marks(parent)
        if parent.text:
            yield Run(parent.text, marks)
        for child in parent:
            yield from self.runs(child, marks)
            if child.tail:
                yield Run(child.tail, marks)

    def marks(self, span: ET.Element) -> frozenset[str]:
        style = self.styles.get(span.get(name("text:style-name"), ""))
        properties = None if style is None else style.find("style:text-properties", NAMES)
        if span.tag != name("text:span") or properties is None:
            return frozenset()
        marks_by_attribute = {
            "bold": properties.get(name("fo:font-weight")) == "bold",
            "italic": properties.get(name("fo:font-style")) == "italic",
            "fixed": properties.get(name("style:font-pitch")) == "fixed",
        }
        return frozenset(mark for mark, is_set in marks_by_attribute.items() if is_set)


def text_content(parent: ET.Element) -> str:
    """Read runs of spaces and line breaks, which are elements."""
    parts = [parent.text or ""]
    for child in parent:
        if child.tag == name("text:s"):
            parts.append(" " * int(child.get(name("text:c"), "1")))
        elif child.tag == name("text:line-break"):
            parts.append("\n")
        else:
            parts.append(text_content(child))
        parts.append(child.tail or "")
    # A newline in the HTML may become a space.
    return "".join(parts).rstrip(" ") if parent.tag == name("text:p") else "".join(parts)


def page() -> str:
    return render_page(parse(MARKDOWN), PageOptions(title="A page"))


def fragment_in_a_page() -> str:
    fragment = convert(MARKDOWN, destination="generic").html
    return (
        f'<!DOCTYPE html><html><head><meta charset="utf-8"><title>Theirs</title></head><body>{fragment}</body></html>'
    )


@pytest.fixture(scope="module", params=[page, fragment_in_a_page], ids=lambda param: param.__name__)
def reading(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Reading:
    folder = tmp_path_factory.mktemp("libreoffice")
    source = folder / "page.html"
    source.write_text(request.param(), "utf-8")
    (target,) = save_as(OPEN_DOCUMENT, [source], folder)
    return Reading(ET.parse(target).getroot())


def test_headings_keep_their_levels_and_texts(reading: Reading) -> None:
    assert reading.headings() == [(1, "Straße & Weg"), (2, "Second"), (6, "Last")]


def test_list_items_keep_nesting_and_markers(reading: Reading) -> None:
    assert list(reading.items(reading.body)) == [
        Item(1, "number", "three"),
        Item(2, "bullet", "nested"),
        Item(3, "number", "deeper"),
        Item(2, "bullet", "nested too"),
        Item(1, "number", "four"),
        Item(1, "bullet", "one"),
        Item(1, "bullet", "two"),
    ]


def test_second_paragraph_stays_in_its_item(reading: Reading) -> None:
    items = (item for item in reading.body.iter(name("text:list-item")) if text_content(item[0]) == "four")

    assert [text_content(block) for block in next(items)] == ["four", "more of four"]


def test_ordered_list_keeps_its_start(reading: Reading) -> None:
    ordered_list = reading.body.find("text:list", NAMES)
    assert ordered_list is not None

    level = reading.list_level(ordered_list.get(name("text:style-name"), ""), 1)

    assert level.get(name("text:start-value")) == "3"


def test_table_keeps_header_row_and_cells(reading: Reading) -> None:
    (table,) = reading.body.iter(name("table:table"))
    header = table.find("table:table-header-rows", NAMES)
    assert header is not None

    assert rows(header) == [["Left", "Right"]]
    assert rows(table) == [["a", "b"], ["ü", ""]]


def rows(parent: ET.Element) -> list[list[str]]:
    return [
        ["\n".join(text_content(block) for block in cell) for cell in row.findall("table:table-cell", NAMES)]
        for row in parent.findall("table:table-row", NAMES)
    ]


@pytest.mark.parametrize(
    "run",
    [
        Run("bold", frozenset({"bold"})),
        Run("italic", frozenset({"italic"})),
        Run("both", frozenset({"bold", "italic"})),
        Run("code <b>", frozenset({"fixed"})),
        Run("a link", frozenset()),
        Run("Weg", frozenset({"italic"})),
        Run("b", frozenset({"fixed"})),
    ],
    ids=lambda run: run.content,
)
def test_marks_are_set_on_their_text_alone(reading: Reading, run: Run) -> None:
    assert run in list(reading.runs(reading.body))


def test_links_keep_their_targets(reading: Reading) -> None:
    links = [(text_content(link), link.get(name("xlink:href"))) for link in reading.body.iter(name("text:a"))]

    assert links == [
        ("a link", "https://example.org/?a=1&b=2"),
        ("mail@example.org", "mailto:mail@example.org"),
    ]


def test_hard_break_ends_a_line(reading: Reading) -> None:
    assert "broken\nhere" in [text_content(block) for block in reading.body.iter(name("text:p"))]


def test_quote_is_a_quotation(reading: Reading) -> None:
    assert [text_content(block) for block in reading.blocks("Quotations")] == ["Quoted text"]


def test_code_block_keeps_lines_indentation_and_fixed_font(reading: Reading) -> None:
    lines = reading.blocks("Preformatted_20_Text")

    assert [text_content(line) for line in lines] == ["if x < 1:", '    y = "&"']
    assert all(run.marks == {"fixed"} for line in lines for run in reading.runs(line))


def test_stylesheet_is_not_shown(reading: Reading) -> None:
    assert "{" not in "".join(reading.body.itertext())
