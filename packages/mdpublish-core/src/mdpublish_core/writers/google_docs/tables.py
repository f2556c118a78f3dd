"""Tables in Google Docs. Adjacent cells declare the wider of their borders, whichever Docs draws."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import NamedTuple

from mdpublish_core import nodes
from mdpublish_core.templates.table_sizes import SIZES, TableSize, sized
from mdpublish_core.writers.google_docs.layout import MIN_PADDING, GoogleDocsLayout
from mdpublish_core.writers.google_docs.styles import HAIRLINE, NO_BORDER, POINTS_PER_PIXEL, Border, GoogleDocsStyle
from mdpublish_core.writers.structure.table_model import Cell, Grid, Row
from mdpublish_core.writers.styled.dark_mode import painted_cell
from mdpublish_core.writers.table_fit import Room, TableFit, fit_table, stack_rows, stacked_notice, table_faces

# In points.
_MIN_TYPE_SIZE, _MIN_CELL_PADDING = 7.5, 2.0

# Docs' padding is half of what templates have.
_PADDING_FACTOR = 1.4


class _PositionedCell(NamedTuple):
    """A cell (None for padding) with its resolved spans."""

    cell: Cell | None
    first_column: int
    column_span: int
    row_span: int = 1

    @property
    def end_column(self) -> int:
        return self.first_column + self.column_span


_PositionedRow = Sequence[_PositionedCell]


def table(renderer: GoogleDocsLayout, token: nodes.Table | nodes.HtmlElement) -> None:
    grid = renderer.grid(token)
    parts, fit = _fit(renderer, grid)
    if fit.is_stacked:
        renderer.context.notices.append(stacked_notice(grid.columns, nodes.line_of(token)))
        grid = stack_rows(grid)
        parts, fit = _fit(renderer, grid)
    outer = renderer.enter_block(sized("div.table", fit.size), last=renderer.is_last)
    renderer.styles.enter("table", last=True)
    if grid.caption:
        renderer.write_caption_block("caption", grid.caption.children, of_table=True)
    if fit.widths:
        widths = _fill(fit.widths, renderer.column.available_width - fit.edges * POINTS_PER_PIXEL)
        renderer.start_table(outer, widths)
        with painted_cell(renderer.styles):
            cells = _CellWriter(renderer, widths, _padding(SIZES[fit.size]))
            for tag, rows in parts.items():
                cells.write(tag, _fill_gaps(rows, len(widths)), is_last=tag == "tbody" or not parts["tbody"])
        renderer.end_table(outer)
    renderer.styles.leave()
    renderer.leave_block()


def _head_and_body(grid: Grid) -> tuple[Sequence[Row], Sequence[Row]]:
    """Split off the header: the marked rows, else a first row of header cells only."""
    head, body = grid.head, grid.body
    if not head and body and body[0].cells and all(cell.is_header for cell in body[0].cells):
        return body[:1], body[1:]
    return head, body


def _position_cells(rows: Sequence[Row]) -> list[_PositionedRow]:
    """Resolve overlaps and spans beyond the last row."""
    positioned: list[_PositionedRow] = []
    open_spans: dict[int, int] = {}
    for rows_left, row in zip(range(len(rows), 0, -1), rows, strict=True):
        cells = []
        column = 0
        for cell in row.cells:
            while column in open_spans:
                column += 1
            column_span = next(
                (span for span in range(1, cell.column_span) if column + span in open_spans), cell.column_span
            )
            cells.append(_PositionedCell(cell, column, column_span, min(cell.row_span, rows_left)))
            column += column_span
        positioned.append(cells)
        open_spans = _open_spans(open_spans, cells)
    return positioned


def _fill_gaps(rows: Sequence[_PositionedRow], columns: int) -> Iterator[_PositionedRow]:
    open_spans: dict[int, int] = {}
    for row in rows:
        taken = sorted(
            [
                *((column, column + 1) for column in open_spans),
                *((positioned.first_column, positioned.end_column) for positioned in row),
            ]
        )
        gaps = []
        column_number = 0
        for start, end in [*taken, (columns, columns)]:
            if start > column_number:
                gaps.append(_PositionedCell(None, column_number, start - column_number))
            column_number = max(column_number, end)
        yield sorted([*row, *gaps], key=lambda positioned: positioned.first_column) if gaps else row
        open_spans = _open_spans(open_spans, row)


def _open_spans(above: Mapping[int, int], row: _PositionedRow) -> dict[int, int]:
    spans = {column: left - 1 for column, left in above.items() if left > 1}
    for positioned in row:
        if positioned.row_span > 1:
            spans.update(dict.fromkeys(range(positioned.first_column, positioned.end_column), positioned.row_span - 1))
    return spans


def _fit(renderer: GoogleDocsLayout, grid: Grid) -> tuple[dict[str, list[_PositionedRow]], TableFit]:
    head, body = _head_and_body(grid)
    parts = {"thead": _position_cells(head), "tbody": _position_cells(body)}
    columns = max((positioned.end_column for rows in parts.values() for row in rows for positioned in row), default=0)
    room = Room(
        width=renderer.column.available_width / POINTS_PER_PIXEL,
        min_type_size=_MIN_TYPE_SIZE / POINTS_PER_PIXEL,
        cell_padding=lambda size: (2 * _padding(size) + HAIRLINE) / POINTS_PER_PIXEL,
    )
    return parts, fit_table(grid, columns, table_faces(renderer.context.style, "docs", renderer.context.user_css), room)


def _padding(size: TableSize) -> float:
    return max(_MIN_CELL_PADDING, MIN_PADDING * min(1.0, size.padding * _PADDING_FACTOR))


def _fill(widths: Sequence[float], available_width: float) -> list[float]:
    """Return widths in points that take all the width, as in tables made in Docs."""
    factor = available_width / sum(widths)
    return [width * factor for width in widths]


class _CellWriter:
    """Writes cells, tracking the borders above and to the left."""

    def __init__(self, renderer: GoogleDocsLayout, widths: Sequence[float], padding: float) -> None:
        self._rendering = renderer
        self._padding = (padding,) * 4
        self._widths = widths
        self._table_borders = renderer.styles.current.borders
        self._borders_above = [self._table_borders[0]] * len(widths)
        self._row = 0

    def write(self, tag: str, rows: Iterator[_PositionedRow], *, is_last: bool) -> None:
        remaining = list(rows)
        if not remaining:
            return
        renderer = self._rendering
        renderer.styles.enter(tag, last=is_last)
        renderer.writer.start(tag)
        for rows_below, row in zip(range(len(remaining) - 1, -1, -1), remaining, strict=True):
            self._write_row(tag, row, rows_below if is_last else rows_below + 1)
        renderer.writer.end()
        renderer.styles.leave()

    def _write_row(self, part: str, row: _PositionedRow, rows_below: int) -> None:
        renderer = self._rendering
        if part == "tbody":
            self._row += 1
        element = "tr" if part == "thead" else "tr.odd" if self._row % 2 else "tr.even"
        style = renderer.styles.enter(element, last=not rows_below)
        renderer.writer.start_styled("tr", (("style", "height:0pt"),))
        previous: _PositionedCell | None = None
        border_before = self._table_borders[3]
        for positioned in row:
            if positioned.first_column and not (previous and previous.end_column == positioned.first_column):
                border_before = NO_BORDER
            border_before = self._write_cell(part, positioned, style, border_before, rows_below)
            previous = positioned
        renderer.writer.end()
        renderer.styles.leave()

    def _write_cell(
        self, part: str, positioned: _PositionedCell, row: GoogleDocsStyle, border_before: Border, rows_below: int
    ) -> Border:
        """Write a cell and return its right border."""
        renderer = self._rendering
        cell = positioned.cell
        is_header = cell is not None and cell.is_header
        align = cell.align if cell else None
        is_last = positioned.end_column == len(self._widths)
        element = f"{'th' if is_header else 'td'}{f'.{align}' if align else ''}"
        style = renderer.styles.enter(element, last=is_last)
        top = max(style.borders[0], row.borders[0], self._borders_above[positioned.first_column])
        right = max(style.borders[1], self._table_borders[1] if is_last else NO_BORDER)
        bottom = max(
            style.borders[2], row.borders[2], self._table_borders[2] if positioned.row_span > rows_below else NO_BORDER
        )
        left = max(style.borders[3], border_before)
        for column in range(positioned.first_column, positioned.end_column):
            self._borders_above[column] = bottom
        tag = "th" if is_header and part == "thead" else "td"
        attributes = (
            ("colspan", positioned.column_span if positioned.column_span > 1 else None),
            ("rowspan", positioned.row_span if positioned.row_span > 1 else None),
            ("scope", "col" if tag == "th" else None),
        )
        width = sum(self._widths[positioned.first_column : positioned.end_column])
        borders = (top, right, bottom, left)
        vertical_align = (
            cell.token.attributes.get("valign") if cell and isinstance(cell.token, nodes.HtmlElement) else None
        )
        if vertical_align in {"top", "middle", "bottom"}:
            style = replace(style, vertical_align=vertical_align)
        if tag == "th" and not (align or style.align):
            # Browsers center header cells.
            align = "right" if renderer.block_direction(cell.token.children or () if cell else ()) == "rtl" else "left"
        with renderer.cell(
            style, width, tag=tag, attributes=attributes, borders=borders, padding=self._padding, align=align or ""
        ):
            if cell:
                renderer.write_flow(cell.token.children or ())
        renderer.styles.leave()
        return right
