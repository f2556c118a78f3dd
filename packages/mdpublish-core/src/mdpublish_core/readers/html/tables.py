"""Tables to rows of equal length, with one header; tables that only place things, to what is in them."""

from collections.abc import Iterator, Sequence
from itertools import chain
from operator import is_not
from typing import NamedTuple

from mdpublish_core.nodes import open_nodes as nodes
from mdpublish_core.nodes.comments import is_comment
from mdpublish_core.readers.html.callouts import labelled_callout
from mdpublish_core.readers.html.parse import Element, parent_tag
from mdpublish_core.readers.html_elements import ALIGNMENT_NUMBERS
from mdpublish_core.resources.allowed_elements import CELL_TAGS, allowed_attributes
from mdpublish_core.table_model import ALIGNMENTS, Cell, Slot, build_grid

_MIN_PADDING = 100
"""Cells that spans and short rows may add to any table, beside `max_table_padding` for each that is written."""

_MAX_REPEATED_CHARACTERS = 200
"""Characters of a cell that spans rows; a longer text stands in the first row alone."""

_SPANS = ("colspan", "rowspan")

_BLOCK_NAMES = {nodes.List: "lists in cells", nodes.CodeFence: "code in cells", nodes.Table: "tables in cells"}

_BULLET = "• "


class TableContent(NamedTuple):
    """Blocks of a table, and what in it Markdown cannot express: spans, and its cells' blocks."""

    blocks: list[nodes.Token]
    simplified: Sequence[str] = ()


def cell_of(element: Element, blocks: Sequence[nodes.Token], align: nodes.Alignment) -> nodes.HtmlElement:
    tag, spans = str(element.tag), {name: element.get(name, "") for name in _SPANS if name in element.attrib}
    attributes = allowed_attributes(tag, spans) if spans else {}
    if align is not None:
        attributes["align"] = str(ALIGNMENTS[align])
    return nodes.HtmlElement(tag, attributes, blocks)


def row_of(element: Element, children: Sequence[nodes.Token]) -> list[nodes.Token]:
    cells = [child for child in children if isinstance(child, nodes.HtmlElement) and child.tag in CELL_TAGS]
    row: list[nodes.Token] = [nodes.HtmlElement("tr", {}, cells)] if cells else []
    return [nodes.HtmlElement("thead", {}, row)] if cells and parent_tag(element) == "thead" else row


def table_of(element: Element, children: Sequence[nodes.Token], max_padding: int) -> TableContent:
    parts, around = list[nodes.Token](), list[nodes.Token]()
    for child in children:
        is_part = isinstance(child, nodes.HtmlElement) and child.tag in {"thead", "tr"}
        (parts if is_part else around).append(child)
    if not parts:
        return TableContent(around)
    grid = build_grid(nodes.HtmlElement("table", {}, parts))
    cells = [cell for row in grid.rows for cell in row.cells]
    if _is_layout(element, cells):
        boxes = [[block for cell in row.cells for block in cell.token.children] for row in grid.rows]
        read = [labelled_callout(box) for box in boxes]
        blocks = [block for box in read for block in box]
        # A row may be a callout, or one may have its title and the next its text.
        has_callouts = any(map(is_not, read, boxes))
        return TableContent([*around, *(blocks if has_callouts else labelled_callout(blocks))])
    # The last cell takes the rest of a row that is too long.
    max_cells = _MIN_PADDING + (max_padding + 1) * len(cells)
    columns = min(grid.columns, max(1, max_cells // len(grid.rows)))
    rows = [*grid.slots(grid.head), *grid.slots(grid.body)]
    aligns = _alignments(rows, columns)
    header, *body = (_table_row(row, aligns) for row in rows)
    has_header = grid.rows[0].is_header or any(cell.is_header for cell in grid.rows[0].cells)
    for named in () if has_header else header.children:
        if len(named.children) == 1 and isinstance(named.children[0], nodes.Strong):
            named.children = named.children[0].children
    return TableContent([*around, nodes.Table(header, body)], list(dict.fromkeys(_simplified(cells))))


def inlines_of(blocks: Sequence[nodes.Token]) -> list[nodes.Token]:
    """Return blocks as lines of one paragraph, for cells and headings."""
    inlines: list[nodes.Token] = []
    lines = [line for block in blocks for line in _lines(block)]
    for line in filter(None, ([each for each in line if not is_comment(each)] for line in lines)):
        inlines += [nodes.LineBreak(soft=False), *line] if inlines else line
    return inlines + [each for line in lines for each in line if is_comment(each)]


def _lines(block: nodes.Token) -> Iterator[Sequence[nodes.Token]]:
    if isinstance(block, nodes.RawText):
        yield [block]
    elif isinstance(block, nodes.ListItem):
        lines = [line for child in block.children for line in _lines(child)]
        mark = _BULLET if block.leader == "-" else f"{block.leader} "
        for number, line in enumerate(lines):
            first = line[0] if line else None
            string = first.content if isinstance(first, nodes.RawText) else ""
            yield line if number else [nodes.RawText(mark + string), *line[bool(string) :]]
    elif isinstance(block, nodes.CodeFence | nodes.Figure):
        yield from ([nodes.InlineCode(line)] for line in block.content.split("\n") if line.strip())
    elif isinstance(block, nodes.MathBlock):
        yield [nodes.MathSpan(" ".join(block.content.split()), display=True)]
    elif isinstance(block, nodes.Table):
        for row in (block.header, *block.children):
            cells = [list(cell.children) for cell in row.children if cell.children]
            yield [
                token for number, cell in enumerate(cells) for token in ([nodes.RawText(" · ")] * bool(number) + cell)
            ]
    elif isinstance(block, nodes.Paragraph | nodes.Heading) or _is_phrase(block):
        yield list(block.children)
    else:
        for child in block.children:
            yield from _lines(child)


def _is_phrase(block: nodes.Token) -> bool:
    return isinstance(block, nodes.HtmlElement) and not any(
        isinstance(each, nodes.BlockToken) and not isinstance(each, nodes.HtmlElement) for each in nodes.walk(block)
    )


def _is_layout(element: Element, cells: Sequence[Cell]) -> bool:
    """Return whether a table only places things: by its role, or as it is a single cell, or holds others."""
    if element.get("role") in {"presentation", "none"}:
        return True
    if any(cell.is_header for cell in cells):
        return False
    filled = [cell.token for cell in cells if cell.token.children]
    return len(filled) <= 1 or any(
        isinstance(block, nodes.Table | nodes.Heading) for cell in filled for block in cell.children
    )


def _table_row(row: Sequence[Slot], aligns: Sequence[nodes.Alignment]) -> nodes.TableRow:
    blocks: list[list[nodes.Token]] = [[] for _ in aligns]
    for slot in row:
        blocks[min(slot.first_column, len(aligns) - 1)] += _blocks_of(slot)
    cells = [nodes.TableCell(inlines_of(each), align=align) for each, align in zip(blocks, aligns, strict=True)]
    return nodes.TableRow(cells)


def _blocks_of(slot: Slot) -> Sequence[nodes.Token]:
    """Return what is in a cell; in further rows that it spans, its text, if that is short."""
    if slot.cell is None or not slot.is_continued:
        return slot.cell.token.children if slot.cell else ()
    string = " ".join(map(nodes.text_content, slot.cell.token.children))
    return [nodes.RawText(string)] if string and len(string) <= _MAX_REPEATED_CHARACTERS else ()


def _alignments(rows: Sequence[Sequence[Slot]], columns: int) -> list[nodes.Alignment]:
    """Return the alignment of each column: its header's, else that of all its cells."""
    written: list[list[nodes.Alignment]] = [[] for _ in range(columns)]
    for slot in chain.from_iterable(rows):
        if slot.cell and slot.first_column < columns:
            written[slot.first_column].append(ALIGNMENT_NUMBERS.get(slot.cell.align))
    return [
        next(iter(set(rest))) if first is None and len(set(rest)) == 1 else first
        for first, *rest in (each or [None] for each in written)
    ]


def _simplified(cells: Sequence[Cell]) -> Iterator[str]:
    """Yield what is written in another form; paragraphs are lines, which look as they did."""
    for cell in cells:
        if cell.column_span > 1 or cell.row_span > 1:
            yield "merged cells"
        for block in cell.token.children:
            if not isinstance(block, nodes.Paragraph | nodes.MathBlock) and not _is_phrase(block):
                yield _BLOCK_NAMES.get(type(block), "blocks in cells")
