"""Our own .docx is read back: every case comes back as it was but those in `LOST`, except whether a list is loose."""

from collections.abc import Mapping

import pytest

from mdpublish_core import convert, nodes, parse
from mdpublish_core.options.styles import ThemeMode
from mdpublish_core.readers.docx import read_docx
from tests.cases.case_files import all_cases
from tests.core.readers.html.round_trip import comparable

LOST: Mapping[str, tuple[str, ...]] = {
    "formulas are written with other spaces and commands": ("math: Chemistry", "math: As assistants write it"),
    "figures are images": (
        "figures: A diagram",
        "figures: A graph",
        "figures: A chart",
        "figures: A figure that cannot be drawn",
    ),
    "images that are not embedded are links or text": (
        "links: Images",
        "links: A picture alone",
        "tables: What a cell can hold",
        "raw_html: A picture in the middle",
        "raw_html: Pictures with sizes",
        "raw_html: A figure with its caption",
    ),
    "unsafe addresses are shown, and links to no heading are text": (
        "headings: Links to a heading",
        "links: Addresses that are not linked",
        "raw_html: Anchors",
    ),
    "a link is outside of the marks of its text, and not highlighted": (
        "links: Marks and links",
        "emphasis: Highlights",
    ),
    "lists of the same kind after each other are one": ("lists: One list after another",),
    "a footnote to which no text refers is a paragraph": (
        "footnotes: Called twice, and never",
        "footnotes: A footnote in a footnote",
    ),
    "elements that Word has nothing like": (
        "raw_html: More marks in a line",
        "raw_html: Readings, breaks and directions",
        "raw_html: Details in details",
        "raw_html: Headings and paragraphs",
        "raw_html: Lists as HTML",
        "raw_html: A table as HTML",
        "raw_html: Underlined, inserted and marked",
        "extensions: Line breaks as typed",
    ),
    "the title in the front matter is a heading": ("front_matter: Values about the document",),
}


def _tight(document: nodes.Document) -> nodes.Document:
    return nodes.transform(
        comparable(document, "docx"),
        lambda token: nodes.List(token.children, start=token.start) if isinstance(token, nodes.List) else token,
    )


@pytest.mark.corpora
@pytest.mark.needs("merman", "pygraphviz", "resvg_py")
def test_cases_come_back_but_those_that_are_listed() -> None:
    def comes_back(markdown: str) -> bool:
        document = read_docx(convert(markdown, to="docx").to_bytes()).document
        return _tight(document) == _tight(parse(markdown))

    failing = {case.name for case in all_cases() if not comes_back(case.markdown)}

    assert failing == {name for names in LOST.values() for name in names}


@pytest.mark.parametrize(
    "markdown",
    [
        "|   |   |\n|---|---|\n| a | b |",
        "|   |   |\n|---|---|\n| a |   |",
        "| a | b |\n|---|---|\n| c |   |",
    ],
)
def test_table_comes_back_with_its_head_or_without(markdown: str) -> None:
    document = read_docx(convert(markdown, to="docx").to_bytes()).document

    assert document.dump() == parse(markdown).dump()


_BOXES = """> plain
>
> > inner
>
> ```py
> code
> ```

> [!WARNING]
> hi
>
> > [!TIP]
> > inner
>
> - item

---

<details><summary>More</summary>

Text.

- item

</details>

| a | `b` |
|---|-----|
| c | d   |

- [ ] task

  more
  1. one
"""


@pytest.mark.parametrize("template", ["github", "invoice", "tufte", "bauhaus"])
@pytest.mark.parametrize(
    "markdown",
    [
        "> > [!TIP]\n> > - a\n",
        "> > [!TIP]\n> > a\n>\n> b\n",
        "> # a\n>\n> > [!TIP]\n> > - b\n",
        "> [!NOTE]\n> > a\n>\n> b\n",
        "> [!NOTE]\n> - a\n>\n> > [!TIP]\n> > - b\n",
        "- > > [!TIP]\n  > > - a\n",
        "- > $$\n  > x\n  > $$\n",
    ],
)
def test_boxes_in_boxes_come_back(markdown: str, template: str) -> None:
    content = convert(markdown, to="docx", template=template).to_bytes()

    assert _tight(read_docx(content).document).dump() == _tight(parse(markdown)).dump()


@pytest.mark.parametrize(
    "template", ["github", "consulting", "invoice", "mono", "newsletter", "art-deco", "legal-brief"]
)
@pytest.mark.parametrize("mode", ["light", "dark"])
def test_boxes_come_back_whatever_they_look_like(template: str, mode: ThemeMode) -> None:
    content = convert(_BOXES, to="docx", template=template, theme_mode=mode).to_bytes()

    assert _tight(read_docx(content).document).dump() == _tight(parse(_BOXES)).dump()
