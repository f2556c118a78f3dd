"""Tables in Word. Adjacent cells declare the same border, whichever Word draws.

Widths are estimated from the text: some programs make columns too narrow otherwise, and Word cuts off what is too wide.
"""

from collections.abc import Sequence

from mdpublish_core import nodes
from mdpublish_core.table_model import Cell, Grid, Row
from mdpublish_core.templates.table_sizes import sized
from mdpublish_core.writers.structure.block_runs import is_block
from mdpublish_core.writers.structure.totals import row_element
from mdpublish_core.writers.styled.stylesheets import painted_cell
from mdpublish_core.writers.table_fit import TableFit
from mdpublish_core.writers.word.layout import WordLayout
from mdpublish_core.writers.word.styles import CellBorders, cell_tag, text_indents
from mdpublish_core.writers.word_model.computed_styles import WordStyle
from mdpublish_core.writers.word_model.fitting import fit_for_word


class _TableState:
    def __init__(self, grid: Grid, style: WordStyle, widths: list[float]) -> None:
        self.grid = grid
        self.style = style
        self.widths = widths
        # By column: the border above, and whether its width was declared.
        self.borders_above: dict[int, str | None] = {}
        self.sized_columns: set[int] = set()

    def cell_borders(self, style: WordStyle, cell: Cell, row: int, left: str | None) -> CellBorders:
        """Return a cell's borders; at the table's edges, the table's."""
        end = cell.end_column
        borders = style.borders
        bottom = borders["bottom"]
        if row + cell.row_span >= len(self.grid.rows):
            bottom = bottom or self.style.borders["bottom"]
        top = (
            self.borders_above.get(cell.first_column)
            or borders["top"]
            or (self.style.borders["top"] if row == 0 else None)
        )
        left, right = left or borders["left"], borders["right"]
        if cell.first_column == 0:
            left = left or self.style.borders["left"] or style.invisible_border
        if end >= self.grid.columns:
            right = right or self.style.borders["right"] or style.invisible_border
        for column in range(cell.first_column, end):
            self.borders_above[column] = bottom
        return CellBorders(top, right, bottom, left)

    def cell_width(self, cell: Cell) -> int | None:
        """In px, for the first cell of a column."""
        if cell.column_span > 1 or cell.first_column in self.sized_columns:
            return None
        self.sized_columns.add(cell.first_column)
        return round(self.widths[cell.first_column])


def table(renderer: WordLayout, token: nodes.Table | nodes.HtmlElement) -> None:
    with renderer.with_box_direction([token]):
        _write_table(renderer, *fit_for_word(renderer, token, renderer.available_width))


def _write_table(renderer: WordLayout, grid: Grid, fit: TableFit) -> None:
    styles = renderer.styles
    region = styles.enter(sized("div.table", fit.size), last=renderer.is_last)
    styles.enter("table", last=True)
    space = region.top
    if grid.caption and grid.caption.children:
        renderer.ensure_space(space)
        renderer.is_last = False
        renderer.write(grid.caption)
        space = 0.0
    if grid.rows:
        widths = list(fit.widths)
        with painted_cell(styles):
            state = _TableState(grid, styles.current, widths)
        # Where each cell has one line, programs may find better widths.
        is_narrow = fit.has_one_line_cells and sum(widths) < renderer.available_width - 1
        renderer.start_table(space, sum(widths) if is_narrow else None, () if fit.has_one_line_cells else widths)
        for tag, first, rows in grid.parts:
            renderer.writer.start_line(tag)
            styles.enter(tag, last=rows[-1] is grid.rows[-1])
            with painted_cell(styles):
                _write_rows(renderer, state, rows, first)
            styles.leave()
            renderer.writer.end_line()
        renderer.end_table(region.bottom)
    styles.leave()
    styles.leave()


def _write_rows(renderer: WordLayout, state: _TableState, rows: Sequence[Row], first: int) -> None:
    writer, styles = renderer.writer, renderer.styles
    for position, row in enumerate(rows):
        styles.enter(row_element(row, position), last=row is rows[-1])
        writer.start_styled("tr", (("style", "page-break-inside:avoid"),))
        writer.line()
        right: str | None = None
        for cell in row.cells:
            right = _write_cell(renderer, state, cell, first + position, right, last=cell is row.cells[-1])
        writer.end_line()
        styles.leave()


def _write_cell(
    renderer: WordLayout, state: _TableState, cell: Cell, row: int, left: str | None, *, last: bool
) -> str | None:
    """Write a cell and return its right border."""
    style = renderer.styles.enter(cell.element if cell.token.children else cell.tag, last=last)
    edges = state.cell_borders(style, cell, row, left)
    if renderer.block_context.direction == "rtl":
        edges = edges.without_invisible(style)
    width = sum(state.widths[cell.first_column : cell.end_column])
    start = cell_tag(cell.tag, style, edges, state.cell_width(cell), (cell.column_span, cell.row_span))
    children = cell.token.children or ()
    with renderer.cell(style, width, start, text_indents(style, edges)):
        if isinstance(cell.token, nodes.HtmlElement):
            renderer.block_context = renderer.context_with(cell.token.attributes)
        if any(map(is_block, children)):
            renderer.write_flow(children)
        else:
            renderer.begin_text(style, children)
            if children:
                renderer.write_inlines(children)
            else:
                renderer.write_placeholder()
            renderer.writer.end_line()
    renderer.styles.leave()
    return edges.right
