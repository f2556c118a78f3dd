"""Tables in Google Docs. Adjacent cells declare the wider of their borders, whichever Docs draws."""

from collections.abc import Sequence
from dataclasses import replace

from mdpublish_core import nodes
from mdpublish_core.table_model import Grid, Slot
from mdpublish_core.templates.table_sizes import SIZES, TableSize, sized
from mdpublish_core.writers.google_docs.layout import MIN_PADDING, GoogleDocsLayout
from mdpublish_core.writers.google_docs.styles import HAIRLINE, NO_BORDER, POINTS_PER_PIXEL, Border, GoogleDocsStyle
from mdpublish_core.writers.styled.stylesheets import painted_cell
from mdpublish_core.writers.table_fit import Room, TableFit, fit_or_stack, table_faces

# In points.
_MIN_TYPE_SIZE, _MIN_CELL_PADDING = 7.5, 2.0

# Docs' padding is half of what templates have.
_PADDING_FACTOR = 1.4


def table(renderer: GoogleDocsLayout, token: nodes.Table | nodes.HtmlElement) -> None:
    grid, fit = _fit(renderer, token)
    outer = renderer.enter_block(sized("div.table", fit.size), last=renderer.is_last)
    renderer.styles.enter("table", last=True)
    if grid.caption:
        renderer.write_caption_block("caption", grid.caption.children, of_table=True)
    if grid.rows and grid.columns:
        widths = _fill(fit.widths, renderer.column.available_width - fit.edges * POINTS_PER_PIXEL)
        renderer.start_table(outer, widths)
        with painted_cell(renderer.styles):
            cells = _CellWriter(renderer, widths, _padding(SIZES[fit.size]))
            head, body = grid.split_header()
            cells.write("thead", list(grid.slots(head)), is_last=not body)
            cells.write("tbody", list(grid.slots(body)), is_last=True)
        renderer.end_table(outer)
    renderer.styles.leave()
    renderer.leave_block()


def _fit(renderer: GoogleDocsLayout, token: nodes.Table | nodes.HtmlElement) -> tuple[Grid, TableFit]:
    context = renderer.context
    room = Room(
        width=renderer.column.available_width / POINTS_PER_PIXEL,
        min_type_size=_MIN_TYPE_SIZE / POINTS_PER_PIXEL,
        cell_padding=lambda size: (2 * _padding(size) + HAIRLINE) / POINTS_PER_PIXEL,
    )
    faces = table_faces(context.style, "docs", context.user_css)
    return fit_or_stack(renderer.grid(token), faces, room, notices=context.notices, line=nodes.line_of(token))


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

    def write(self, tag: str, rows: Sequence[Sequence[Slot]], *, is_last: bool) -> None:
        if not rows:
            return
        renderer = self._rendering
        renderer.styles.enter(tag, last=is_last)
        renderer.writer.start(tag)
        for rows_below, row in zip(range(len(rows) - 1, -1, -1), rows, strict=True):
            self._write_row(tag, row, rows_below if is_last else rows_below + 1)
        renderer.writer.end()
        renderer.styles.leave()

    def _write_row(self, part: str, row: Sequence[Slot], rows_below: int) -> None:
        renderer = self._rendering
        if part == "tbody":
            self._row += 1
        element = "tr" if part == "thead" else "tr.odd" if self._row % 2 else "tr.even"
        style = renderer.styles.enter(element, last=not rows_below)
        renderer.writer.start_styled("tr", (("style", "height:0pt"),))
        border_before = self._table_borders[3]
        for slot in row:
            if slot.is_continued:
                border_before = NO_BORDER
            else:
                border_before = self._write_cell(part, slot, style, border_before, rows_below)
        renderer.writer.end()
        renderer.styles.leave()

    def _write_cell(
        self, part: str, slot: Slot, row: GoogleDocsStyle, border_before: Border, rows_below: int
    ) -> Border:
        """Write a cell, empty in a gap, and return its right border."""
        renderer = self._rendering
        cell, columns = slot.cell, range(slot.first_column, slot.end_column)
        is_header = cell is not None and cell.is_header
        align = cell.align if cell else None
        is_last = slot.end_column == len(self._widths)
        style = renderer.styles.enter(cell.element if cell else "td", last=is_last)
        top = max(style.borders[0], row.borders[0], self._borders_above[slot.first_column])
        right = max(style.borders[1], self._table_borders[1] if is_last else NO_BORDER)
        bottom = max(
            style.borders[2], row.borders[2], self._table_borders[2] if slot.rows_left > rows_below else NO_BORDER
        )
        left = max(style.borders[3], border_before)
        for column in columns:
            self._borders_above[column] = bottom
        tag = "th" if is_header and part == "thead" else "td"
        attributes = (
            ("colspan", len(columns) if len(columns) > 1 else None),
            ("rowspan", slot.rows_left if slot.rows_left > 1 else None),
            ("scope", "col" if tag == "th" else None),
        )
        width = sum(self._widths[slot.first_column : slot.end_column])
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
