"""A Word document as pandoc's tree.

pandoc's own reader of .docx lacks linked images, fonts, backgrounds and raised text.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import groupby

from tests.interop.pandoc_lines import Json, Piece, element, image, inlines
from tests.interop.pandoc_styles import (
    CODE,
    EMPHASIS,
    HIGHLIGHT,
    INDENTED,
    STRIKEOUT,
    STRONG,
    SUBSCRIPT,
    SUPERSCRIPT,
    UNDERLINE,
    Mark,
    is_fixed,
)
from tests.interop.pandoc_tables import COLORED, cell, table
from tests.interop.pandoc_tree import tidy
from tests.interop.word_document import (
    Block,
    Cell,
    FootnoteReference,
    Image,
    Item,
    Paragraph,
    Row,
    Run,
    Table,
    WordDocument,
)

UNKNOWN_SIZE = (56.7, 28.35)
"""In points, given by LibreOffice to unavailable images."""

_FORMS = {
    "lowerLetter": "LowerAlpha",
    "upperLetter": "UpperAlpha",
    "lowerRoman": "LowerRoman",
    "upperRoman": "UpperRoman",
}
_ALIGNMENTS = {
    "left": "AlignLeft",
    "start": "AlignLeft",
    "center": "AlignCenter",
    "right": "AlignRight",
    "end": "AlignRight",
}
_POSITIONS = {"superscript": SUPERSCRIPT, "subscript": SUBSCRIPT}


def tree(document: WordDocument) -> list[Json]:
    """Footnotes are at their references."""
    return tidy(_Reading(document).blocks(document.blocks))


class _Reading:
    def __init__(self, document: WordDocument) -> None:
        self._footnotes = document.footnotes

    def blocks(self, blocks: Iterable[Block]) -> Iterator[Json]:
        for is_item, group in groupby(blocks, lambda block: isinstance(block, Paragraph) and block.item is not None):
            if is_item:
                yield from self.lists([block for block in group if isinstance(block, Paragraph)])
                continue
            for block in group:
                yield self.table(block) if isinstance(block, Table) else self.paragraph(block)

    def paragraph(self, paragraph: Paragraph) -> Json:
        is_indented = paragraph.indentation > 0 and paragraph.item is None
        marks = frozenset({INDENTED} if is_indented else ())
        pieces = (piece for part in paragraph.content for piece in self.pieces(part))
        content = inlines(replace(piece, marks=piece.marks | marks) for piece in pieces)
        if paragraph.level is not None:
            # Names with `_` are Word's.
            anchors = (name for name in paragraph.anchors if not name.startswith("_"))
            return element("Header", [paragraph.level, [next(anchors, ""), [], []], content])
        if paragraph.borders and not paragraph.plain_text.strip():
            return element("HorizontalRule")
        return element("Para", content)

    def lists(self, paragraphs: Sequence[Paragraph]) -> Iterator[Json]:
        while paragraphs:
            first = _item(paragraphs[0])
            items: list[list[Paragraph]] = []
            for paragraph in paragraphs:
                item = _item(paragraph)
                if item.level > first.level and items:
                    items[-1].append(paragraph)
                elif _continues(first, len(items), item):
                    items.append([paragraph])
                else:
                    break
            paragraphs = paragraphs[sum(map(len, items)) :]
            content = [[self.paragraph(nested), *self.lists(inner)] for nested, *inner in items]
            if first.form == "bullet":
                yield element("BulletList", content)
            else:
                form = element(_FORMS.get(first.form, "Decimal"))
                yield element("OrderedList", [[first.number, form, element("Period")], content])

    def table(self, table_rows: Table) -> Json:
        rows = [self.row(table_rows, number) for number in range(len(table_rows.rows))]
        heads = sum(row.is_header for row in table_rows.rows)
        return table(rows[:heads], rows[heads:])

    def row(self, cells: Table, number: int) -> list[Json]:
        return [
            self.cell(each, _height(cells, number, position))
            for position, each in enumerate(cells.rows[number].cells)
            if each.merged != "continue"
        ]

    def cell(self, cell_blocks: Cell, rows: int) -> Json:
        aligned = {
            _ALIGNMENTS.get(block.alignment or "", "") for block in cell_blocks.blocks if isinstance(block, Paragraph)
        }
        alignment = aligned.pop() if len(aligned) == 1 else ""
        result = cell(list(self.blocks(cell_blocks.blocks)), alignment or "AlignDefault", rows, cell_blocks.columns)
        colors = {run.color for block in cell_blocks.blocks if isinstance(block, Paragraph) for run in block.runs}
        attributes = {f"border-{border.side}": f"{border.width}pt #{border.color}" for border in cell_blocks.borders}
        if cell_blocks.shading:
            attributes["bgcolor"] = f"#{cell_blocks.shading}"
        if len(colors - {None}) > 1:
            attributes[COLORED] = ""
        result[0][2] = [list(pair) for pair in attributes.items()]
        return result

    def pieces(self, part: Run | Image | FootnoteReference) -> Iterator[Piece]:
        if isinstance(part, Image):
            marks = frozenset({("Link", _normalize_url(part.link), "")} if part.link else ())
            yield Piece(image(_normalize_url(part.source), part.alt, sizes=_sizes(part)), marks)
        elif isinstance(part, FootnoteReference):
            yield Piece(element("Note", tidy(self.blocks(self._footnotes[part.number]))))
        else:
            for number, line in enumerate(part.string.split("\n")):
                if number:
                    yield Piece(element("LineBreak"))
                yield Piece(line, _marks(part))


def _item(paragraph: Paragraph) -> Item:
    assert paragraph.item is not None
    return paragraph.item


def _continues(first: Item, length: int, item: Item) -> bool:
    if item.level != first.level or item.form != first.form:
        return False
    return item.form == "bullet" or item.number == first.number + length


def _height(heights: Table, number: int, position: int) -> int:
    if heights.rows[number].cells[position].merged != "restart":
        return 1
    column = _column(heights.rows[number], position)
    below = [_merged_at(row, column) for row in heights.rows[number + 1 :]]
    return 1 + next((rows for rows, merged in enumerate(below) if merged != "continue"), len(below))


def _column(row: Row, position: int) -> int:
    return sum(each.columns for each in row.cells[:position])


def _merged_at(row: Row, column: int) -> str | None:
    for position, each in enumerate(row.cells):
        if _column(row, position) == column:
            return each.merged
    return None


def _marks(run: Run) -> frozenset[Mark]:
    fixed = is_fixed(run.font or "")
    held: dict[Mark, bool] = {
        STRONG: run.bold,
        EMPHASIS: run.italic,
        STRIKEOUT: run.strike,
        UNDERLINE: run.underline,
        CODE: fixed,
        HIGHLIGHT: run.shading is not None and not fixed,
    }
    marks = {mark for mark, holds in held.items() if holds}
    if run.position:
        marks.add(_POSITIONS[run.position])
    if run.link is not None:
        marks.add(("Link", _normalize_url(run.link), ""))
    return frozenset(marks)


def _normalize_url(url: str) -> str:
    """Undo LibreOffice's resolution of relative URLs."""
    if url.startswith("file:"):
        return url.rpartition("/")[2]
    return re.sub(r"^(?:\.\./)+", "/", url)


def _sizes(image_node: Image) -> dict[str, str]:
    sizes = {"width": image_node.width, "height": image_node.height}
    return {
        name: f"{size:g}pt"
        for (name, size), unknown in zip(sizes.items(), UNKNOWN_SIZE, strict=True)
        if size != unknown
    }
