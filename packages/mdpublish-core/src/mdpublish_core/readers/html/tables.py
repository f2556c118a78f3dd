"""Tables to rows of equal length, with one header; tables that only place things, to what is in them."""

from collections.abc import Iterator, Sequence
from copy import copy
from operator import is_not
from typing import NamedTuple

from mdpublish_core import nodes
from mdpublish_core.readers.html.callouts import labelled_callout
from mdpublish_core.readers.html.parse import Element, parent_tag

_MAX_SPAN = 1000
"""As browsers limit columns of a span."""

_MIN_PADDING = 100
"""Cells that spans and short rows may add to any table, beside `max_table_padding` for each that is written."""

_MAX_REPEATED_CHARACTERS = 200
"""Characters of a cell that spans rows; a longer text stands in the first row alone."""

_BULLET = "• "


class OpenCell(nodes.BlockToken):
    """A cell until its table is complete."""

    def __init__(self, element: Element, blocks: Sequence[nodes.Token], align: nodes.Alignment) -> None:
        self.children = blocks
        self.align = align
        self.is_header = element.tag == "th"
        self.columns = _span(element, "colspan")
        self.rows = _span(element, "rowspan")

    def repeated(self) -> "OpenCell":
        """Return the cell of the further rows that it spans: its text, if that is short."""
        string = " ".join(map(nodes.text_content, self.children))
        below = copy(self)
        below.children = [nodes.RawText(string)] if string and len(string) <= _MAX_REPEATED_CHARACTERS else []
        return below


class OpenRow(nodes.BlockToken):
    """A row until its table is complete."""

    children: Sequence[OpenCell] = ()

    def __init__(self, element: Element, cells: Sequence[OpenCell]) -> None:
        self.children = cells
        self.is_header = parent_tag(element) == "thead" or all(cell.is_header for cell in cells)


class TableContent(NamedTuple):
    """Blocks of a table, and whether Markdown cannot express its spans or its cells' blocks."""

    blocks: list[nodes.Token]
    is_simplified: bool = False


def table_of(element: Element, children: Sequence[nodes.Token], max_padding: int) -> TableContent:
    rows = [child for child in children if isinstance(child, OpenRow) and child.children]
    around = [child for child in children if not isinstance(child, OpenRow)]
    if not rows:
        return TableContent(around)
    if _is_layout(element, rows):
        boxes = [[block for cell in row.children for block in cell.children] for row in rows]
        read = [labelled_callout(box) for box in boxes]
        blocks = [block for box in read for block in box]
        # A row may be a callout, or one may have its title and the next its text.
        has_callouts = any(map(is_not, read, boxes))
        return TableContent([*around, *(blocks if has_callouts else labelled_callout(blocks))])
    grid = list(_grid(rows, max_padding))
    header, *body = grid
    # The last cell takes the rest of a row that is too long.
    max_cells = _MIN_PADDING + (max_padding + 1) * sum(len(row.children) for row in rows)
    columns = min(max(len(row) for row in grid), max(1, max_cells // len(grid)))
    aligns = [_alignment(grid, column) for column in range(columns)]
    has_header = rows[0].is_header or any(cell.is_header for cell in rows[0].children)
    head = _table_row(header, aligns)
    for cell in () if has_header else head.children:
        if len(cell.children) == 1 and isinstance(cell.children[0], nodes.Strong):
            cell.children = cell.children[0].children
    is_simplified = any(cell.columns > 1 or cell.rows > 1 or _has_blocks(cell) for row in rows for cell in row.children)
    return TableContent([*around, nodes.Table(head, [_table_row(row, aligns) for row in body])], is_simplified)


def inlines_of(blocks: Sequence[nodes.Token]) -> list[nodes.Token]:
    """Return blocks as lines of one paragraph, for cells and headings."""
    inlines: list[nodes.Token] = []
    for line in filter(None, (line for block in blocks for line in _lines(block))):
        inlines += [nodes.LineBreak(soft=False), *line] if inlines else line
    return inlines


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


def _is_layout(element: Element, rows: Sequence[OpenRow]) -> bool:
    """Return whether a table only places things: by its role, or as it is a single cell, or holds others."""
    if element.get("role") in {"presentation", "none"}:
        return True
    cells = [cell for row in rows for cell in row.children]
    if any(cell.is_header for cell in cells):
        return False
    filled = [cell for cell in cells if cell.children]
    return len(filled) <= 1 or any(
        isinstance(block, nodes.Table | nodes.Heading) for cell in cells for block in cell.children
    )


def _grid(rows: Sequence[OpenRow], max_padding: int) -> Iterator[list[OpenCell | None]]:
    """Yield rows with spans filled: a cell is repeated below, and empty cells stand to its right."""
    allowance = _MIN_PADDING + max_padding * sum(len(row.children) for row in rows)
    above: dict[int, tuple[OpenCell, int]] = {}
    for row in rows:
        filled: list[OpenCell | None] = []
        cells = iter(row.children)
        while True:
            if len(filled) in above:
                cell, left = above.pop(len(filled))
                allowance -= 1
            else:
                if (following := next(cells, None)) is None:
                    break
                cell, left = following, following.rows
            if left > 1 and allowance > 0:
                above[len(filled)] = (cell.repeated(), left - 1)
            filled.append(cell)
            padding = min(cell.columns - 1, max(allowance, 0))
            allowance -= padding
            filled += [None] * padding
        yield filled


def _table_row(row: Sequence[OpenCell | None], aligns: Sequence[nodes.Alignment]) -> nodes.TableRow:
    cells = []
    for number, align in enumerate(aligns):
        taken = row[number : number + 1] if number + 1 < len(aligns) else row[number:]
        blocks = [block for cell in taken if cell for block in cell.children]
        cells.append(nodes.TableCell(inlines_of(blocks), align=align))
    return nodes.TableRow(cells)


def _alignment(grid: Sequence[Sequence[OpenCell | None]], column: int) -> nodes.Alignment:
    """Return the alignment of a column: its header's, else that of all its cells."""
    cells = [row[column] for row in grid if column < len(row)]
    aligns = [cell.align for cell in cells if cell]
    if not aligns or aligns[0] is not None or len(aligns) == 1:
        return aligns[0] if aligns else None
    return aligns[1] if len(set(aligns[1:])) == 1 else None


def _has_blocks(cell: OpenCell) -> bool:
    return len(cell.children) > 1 or any(not isinstance(block, nodes.Paragraph) for block in cell.children)


def _span(element: Element, name: str) -> int:
    written = element.get(name, "").strip()
    return max(1, min(int(written[:5]), _MAX_SPAN)) if written.isdecimal() else 1
