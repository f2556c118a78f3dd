"""Tables in OneNote, which has no headers or spans. Either all cells have borders or none."""

from collections.abc import Sequence

from mdpublish_core.nodes import HtmlElement, Table
from mdpublish_core.table_model import Cell, Row
from mdpublish_core.writers.onenote.layout import OneNoteLayout
from mdpublish_core.writers.structure.block_runs import is_block


def table(renderer: OneNoteLayout, token: Table | HtmlElement) -> None:
    styles = renderer.styles
    background = styles.current.background
    styles.enter("div.table", last=renderer.is_last)
    style = styles.enter("table")
    in_item, renderer.in_item = renderer.in_item, False
    align, renderer.align = renderer.align, ""
    grid = renderer.grid(token)
    if grid.caption:
        _write_caption(renderer, grid.caption)
    # Other columns are only spanned.
    columns = sorted({cell.first_column for row in grid.rows for cell in row.cells})
    table_writer = _TableWriter(renderer, columns, background, has_borders=style.has_borders)
    if columns:
        for tag, _, rows in grid.parts:
            table_writer.write_rows(tag, rows)
        renderer.end_table()
    renderer.align, renderer.in_item = align, in_item
    styles.leave()
    styles.leave()


def _write_caption(renderer: OneNoteLayout, token: HtmlElement) -> None:
    style = renderer.styles.enter("caption")
    if any(map(is_block, token.children)):
        renderer.write_flow(token.children)
    else:
        renderer.start_block("p", style)
        renderer.write_inlines(token.children)
        renderer.writer.end_line()
    renderer.styles.leave()


class _TableWriter:
    """Writes a table; its first cell may decide on the borders."""

    def __init__(self, renderer: OneNoteLayout, columns: Sequence[int], background: str, *, has_borders: bool) -> None:
        self._rendering = renderer
        self._columns = columns
        self._background = background
        self._has_borders = has_borders
        self._has_begun = False

    def write_rows(self, section: str, rows: Sequence[Row]) -> None:
        styles = self._rendering.styles
        styles.enter(section)
        for number, row in enumerate(rows):
            styles.enter(row.element(number), last=row is rows[-1])
            self._write_row(row)
            styles.leave()
        styles.leave()

    def _write_row(self, row: Row) -> None:
        cells = {cell.first_column: cell for cell in row.cells}
        for column in self._columns:
            self._write_cell(cells.get(column), row, column)
        self._rendering.writer.end_line()

    def _write_cell(self, cell: Cell | None, row: Row, column: int) -> None:
        renderer = self._rendering
        element = cell.element if cell else "th" if row.is_header else "td"
        style = renderer.styles.enter(element, last=column == self._columns[-1])
        if not self._has_begun:
            renderer.start_table(has_borders=self._has_borders or style.has_borders)
            self._has_begun = True
        if column == self._columns[0]:
            renderer.start_row()
        background = style.background if style.background != self._background else ""
        children = cell.token.children or () if cell else ()
        if not children or any(map(is_block, children)):
            renderer.start_cell(f"background-color:{background}" if background else None)
            renderer.write_flow(children)
        else:
            renderer.start_cell(renderer.block_style(style, background))
            renderer.write_tokens(children)
        renderer.writer.end_line()
        renderer.styles.leave()
