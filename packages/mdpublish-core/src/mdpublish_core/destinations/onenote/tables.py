"""Tables: grids of cells, of which OneNote knows neither heads nor spans.

Header cells are bold; beside and below a cell that spans others stand empty ones, so that every text stays in its column.
There is one kind of line, around all cells or around none: it is drawn where the template rules its tables or their cells.
"""

from collections.abc import Sequence

from mdpublish_core.destinations.grids import Cell, Row, grid_of
from mdpublish_core.destinations.onenote.rendering import Rendering
from mdpublish_core.destinations.runs import is_block
from mdpublish_core.nodes import HtmlElement, Table


def table(rendering: Rendering, token: Table | HtmlElement) -> None:
    styles = rendering.styles
    ground = styles.current.ground
    styles.enter("div.table", last=rendering.last)
    look = styles.enter("table")
    in_item, rendering.in_item = rendering.in_item, False
    align, rendering.align = rendering.align, ""
    grid = grid_of(token)
    if grid.caption:
        _caption(rendering, grid.caption)
    # Columns in which no cell begins are only there to be spanned.
    columns = sorted({cell.number for row in grid.rows for cell in row.cells})
    writing = _Writing(rendering, columns, ground, is_ruled=look.is_ruled)
    if columns:
        writing.rows("thead", grid.head)
        writing.rows("tbody", grid.body)
        rendering.end_table()
    rendering.align, rendering.in_item = align, in_item
    styles.leave()
    styles.leave()


def _caption(rendering: Rendering, token: HtmlElement) -> None:
    look = rendering.styles.enter("caption")
    if any(map(is_block, token.children)):
        rendering.flow(token.children)
    else:
        rendering.start("p", look)
        rendering.children(token)
        rendering.end()
    rendering.styles.leave()


class _Writing:
    """A table that is being written; it begins with its first cell, which may tell whether there are lines."""

    def __init__(self, rendering: Rendering, columns: Sequence[int], ground: str, *, is_ruled: bool) -> None:
        self._rendering = rendering
        self._columns = columns
        self._ground = ground
        self._is_ruled = is_ruled
        self._has_begun = False

    def rows(self, section: str, rows: Sequence[Row]) -> None:
        """Write the rows of a section, if there are any."""
        if not rows:
            return
        styles = self._rendering.styles
        styles.enter(section)
        for number, row in enumerate(rows):
            styles.enter("tr" if row.is_header else ("tr.even" if number % 2 else "tr.odd"), last=row is rows[-1])
            self._row(row)
            styles.leave()
        styles.leave()

    def _row(self, row: Row) -> None:
        cells = {cell.number: cell for cell in row.cells}
        for column in self._columns:
            self._cell(cells.get(column), row, column)
        self._rendering.end()

    def _cell(self, cell: Cell | None, row: Row, column: int) -> None:
        """Write a cell; None where another one reaches to, or where the row has ended."""
        rendering = self._rendering
        element = "th" if (cell.is_header if cell else row.is_header) else "td"
        align = f".{cell.align}" if cell and cell.align else ""
        look = rendering.styles.enter(element + align, last=column == self._columns[-1])
        if not self._has_begun:
            rendering.start_table(is_ruled=self._is_ruled or look.is_ruled)
            self._has_begun = True
        if column == self._columns[0]:
            rendering.start_row()
        ground = look.ground if look.ground != self._ground else ""
        children = cell.token.children or () if cell else ()
        if not children or any(map(is_block, children)):
            rendering.start_cell(f"background-color:{ground}" if ground else None)
            rendering.flow(children)
        else:
            rendering.start_cell(rendering.style(look, ground))
            rendering.tokens(children)
        rendering.end()
        rendering.styles.leave()
