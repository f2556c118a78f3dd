"""Tables in Google Docs: as wide as the page's text, with a header row, and with all four borders on each cell.

Two cells share a line: whichever of them Docs draws, both name the wider border of the two. What an author left out of
a row, or put into too many, is made even, since Docs' tables are rectangles.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from mdpublish_core import nodes
from mdpublish_core.destinations.google_docs.flow import PADDING, Rendering
from mdpublish_core.destinations.google_docs.looks import POINTS, Edge, Look
from mdpublish_core.destinations.grids import Cell, Grid, Row, column_shares, grid_of
from mdpublish_core.destinations.widths import display_width

_NO_EDGE: Edge = (0.0, "")

# A wide character in sizes, and how many of a word are sure to stand on one line, if there is room for all columns.
_CHARACTER = 0.62
_LONGEST_WORD = 18

# What is left free beside the text of a cell, in font sizes: as much as any template asks for.
_FREE = 2.2


@dataclass(frozen=True, slots=True)
class _Placed:
    """A cell in its place, or None where a row is short; `columns` and `rows` are what it spans there."""

    cell: Cell | None
    number: int
    columns: int
    rows: int = 1

    @property
    def end(self) -> int:
        """The column behind it."""
        return self.number + self.columns


_PlacedRow = Sequence[_Placed]


def table(rendering: Rendering, token: nodes.Table | nodes.HtmlElement) -> None:
    grid = grid_of(token)
    outer = rendering.enter("div.table", last=rendering.last)
    look = rendering.styles.enter("table", last=True)
    if grid.caption:
        rendering.caption("caption", grid.caption.children, of_table=True)
    head, body = _head_and_body(grid)
    parts = {"thead": _placed(head), "tbody": _placed(body)}
    columns = max((placed.end for rows in parts.values() for row in rows for placed in row), default=0)
    if columns:
        widths = _widths(grid, columns, rendering.column.room, look.size * POINTS)
        rendering.start_table(outer, widths)
        with rendering.painted():
            cells = _Cells(rendering, widths)
            for tag, rows in parts.items():
                cells.write(tag, _filled(rows, columns), is_last=tag == "tbody" or not parts["tbody"])
        rendering.end_table(outer)
    rendering.styles.leave()
    rendering.leave()


def _head_and_body(grid: Grid) -> tuple[Sequence[Row], Sequence[Row]]:
    """Return the rows of both; a first row of header cells alone is a head, whether its author called it so or not."""
    head, body = grid.head, grid.body
    if not head and body and body[0].cells and all(cell.is_header for cell in body[0].cells):
        return body[:1], body[1:]
    return head, body


def _placed(rows: Sequence[Row]) -> list[_PlacedRow]:
    """Return the cells of a table's head or body in their places, none in another's and none beyond the last row."""
    placed: list[_PlacedRow] = []
    reaching: dict[int, int] = {}
    for below, row in zip(range(len(rows), 0, -1), rows, strict=True):
        cells = []
        number = 0
        for cell in row.cells:
            while number in reaching:
                number += 1
            columns = next((span for span in range(1, cell.columns) if number + span in reaching), cell.columns)
            cells.append(_Placed(cell, number, columns, min(cell.rows, below)))
            number += columns
        placed.append(cells)
        reaching = _reaching(reaching, cells)
    return placed


def _filled(rows: Sequence[_PlacedRow], columns: int) -> Iterator[_PlacedRow]:
    """Yield rows with a cell in each gap."""
    reaching: dict[int, int] = {}
    for row in rows:
        taken = sorted([*((column, column + 1) for column in reaching), *((one.number, one.end) for one in row)])
        gaps = []
        number = 0
        for start, end in [*taken, (columns, columns)]:
            if start > number:
                gaps.append(_Placed(None, number, start - number))
            number = max(number, end)
        yield sorted([*row, *gaps], key=lambda one: one.number) if gaps else row
        reaching = _reaching(reaching, row)


def _reaching(above: Mapping[int, int], row: _PlacedRow) -> dict[int, int]:
    """Return for each column that a cell of `row` or above it reaches into below, how many rows it does."""
    reaching = {column: left - 1 for column, left in above.items() if left > 1}
    for one in row:
        if one.rows > 1:
            reaching.update(dict.fromkeys(range(one.number, one.end), one.rows - 1))
    return reaching


def _widths(grid: Grid, columns: int, room: float, size: float) -> list[float]:
    """Return the widths of columns in points, which sum to `room`: each has room for a long word, if there is enough.

    `size` is that of the text, in points.
    """
    words = [1] * columns
    for row in grid.rows:
        for cell in row.cells:
            if cell.columns == 1 and cell.number < columns:
                longest = max(map(display_width, nodes.text_of(cell.token).split()), default=1)
                words[cell.number] = max(words[cell.number], min(longest, _LONGEST_WORD))
    least = [word * _CHARACTER * size + max(2 * PADDING, _FREE * size) for word in words]
    rest = room - (needed := sum(least))
    if rest < 0:
        return [room * width / needed for width in least]
    shares = column_shares(grid)[:columns]
    shares += [0.0] * (columns - len(shares))
    wanted = [max(room * share - width, 0.0) for share, width in zip(shares, least, strict=True)]
    total = sum(wanted)
    return [width + rest * (wish / total if total else 1 / columns) for width, wish in zip(least, wanted, strict=True)]


class _Cells:
    """Writes a table's rows, and knows the borders above and on the left of each cell."""

    def __init__(self, rendering: Rendering, widths: Sequence[float]) -> None:
        self._rendering = rendering
        self._widths = widths
        self._frame = rendering.styles.current.edges
        # Of each column, the border below what has been written of it.
        self._above = [self._frame[0]] * len(widths)
        self._row = 0

    def write(self, tag: str, rows: Iterator[_PlacedRow], *, is_last: bool) -> None:
        """Write the head or the body, if there is any; `is_last` tells that nothing follows."""
        remaining = list(rows)
        if not remaining:
            return
        rendering = self._rendering
        rendering.styles.enter(tag, last=is_last)
        rendering.writer.start(tag)
        for below, row in zip(range(len(remaining) - 1, -1, -1), remaining, strict=True):
            self._write_row(tag, row, below if is_last else below + 1)
        rendering.writer.end()
        rendering.styles.leave()

    def _write_row(self, part: str, row: _PlacedRow, below: int) -> None:
        rendering = self._rendering
        if part == "tbody":
            self._row += 1
        element = "tr" if part == "thead" else "tr.odd" if self._row % 2 else "tr.even"
        look = rendering.styles.enter(element, last=not below)
        rendering.writer.start_styled("tr", (("style", "height:0pt"),))
        previous: _Placed | None = None
        beside = self._frame[3]
        for placed in row:
            if placed.number and not (previous and previous.end == placed.number):
                beside = _NO_EDGE
            beside = self._write_cell(part, placed, look, beside, below)
            previous = placed
        rendering.writer.end()
        rendering.styles.leave()

    def _write_cell(self, part: str, placed: _Placed, row: Look, beside: Edge, below: int) -> Edge:
        """Write a cell; return its border on the right."""
        rendering = self._rendering
        cell = placed.cell
        is_header = cell is not None and cell.is_header
        align = cell.align if cell else None
        is_last = placed.end == len(self._widths)
        element = f"{'th' if is_header else 'td'}{f'.{align}' if align else ''}"
        look = rendering.styles.enter(element, last=is_last)
        top = max(look.edges[0], row.edges[0], self._above[placed.number])
        right = max(look.edges[1], self._frame[1] if is_last else _NO_EDGE)
        bottom = max(look.edges[2], row.edges[2], self._frame[2] if placed.rows > below else _NO_EDGE)
        left = max(look.edges[3], beside)
        for column in range(placed.number, placed.end):
            self._above[column] = bottom
        tag = "th" if is_header and part == "thead" else "td"
        attributes = (
            ("colspan", placed.columns if placed.columns > 1 else None),
            ("rowspan", placed.rows if placed.rows > 1 else None),
            ("scope", "col" if tag == "th" else None),
        )
        width = sum(self._widths[placed.number : placed.end])
        edges = (top, right, bottom, left)
        vertical = cell.token.attributes.get("valign") if cell and isinstance(cell.token, nodes.HtmlElement) else None
        if vertical in {"top", "middle", "bottom"}:
            look = replace(look, vertical=vertical)
        if tag == "th" and not (align or look.align):
            # Browsers, and what reads HTML as they do, centre heads of which nothing is said.
            align = "right" if rendering.direction_of(cell.token.children or () if cell else ()) == "rtl" else "left"
        with rendering.cell(
            look, width, tag=tag, attributes=attributes, edges=edges, padding=[PADDING] * 4, align=align or ""
        ):
            if cell:
                rendering.flow(cell.token.children or ())
        rendering.styles.leave()
        return right
