"""Tables in Word. Adjacent cells declare the same border, whichever Word draws.

Widths are estimated from the text: some programs make columns too narrow otherwise.
"""

from mdpublish_core import nodes
from mdpublish_core.destinations.block_runs import is_block
from mdpublish_core.destinations.plain_text import PlainTextRenderer
from mdpublish_core.destinations.table_model import Cell, Grid, build_grid
from mdpublish_core.destinations.text_width import display_width
from mdpublish_core.destinations.word.computed_styles import ComputedStyle
from mdpublish_core.destinations.word.layout import Layout
from mdpublish_core.destinations.word.styles import CellBorders, cell_style, text_indents

# Average, in font sizes, with a margin.
_CHARACTER_WIDTH = 0.62

# Factor for bold header text.
_BOLD_FACTOR = 1.15

# Bounds the work; enough for real tables.
_MAX_ROUNDS = 8

# For footnote marks.
_EXTRA_CHARACTERS = 2

# In font sizes; covers every template.
_PADDING = 2.0

# In px: long words in other columns can use up the width.
_MIN_COLUMN_WIDTH = 8.0


class _TableState:
    def __init__(self, grid: Grid, style: ComputedStyle, widths: list[float]) -> None:
        self.grid = grid
        self.style = style
        self.widths = widths
        # By column: the border above, and whether its width was declared.
        self.borders_above: dict[int, str | None] = {}
        self.sized_columns: set[int] = set()

    def cell_borders(self, style: ComputedStyle, cell: Cell, row: int, left: str | None) -> CellBorders:
        """Return a cell's borders; at the table's edges, the table's."""
        end = cell.first_column + cell.column_span
        bottom = style.border("bottom")
        if row + cell.row_span >= len(self.grid.rows):
            bottom = bottom or self.style.border("bottom")
        top = (
            self.borders_above.get(cell.first_column)
            or style.border("top")
            or (self.style.border("top") if row == 0 else None)
        )
        left, right = left or style.border("left"), style.border("right")
        if cell.first_column == 0:
            left = left or self.style.border("left") or style.invisible_border
        if end >= self.grid.columns:
            right = right or self.style.border("right") or style.invisible_border
        self.borders_above.update(dict.fromkeys(range(cell.first_column, end), bottom))
        return CellBorders(top, right, bottom, left)

    def cell_width(self, cell: Cell) -> int | None:
        """In px, for the first cell of a column."""
        if cell.column_span > 1 or cell.first_column in self.sized_columns:
            return None
        self.sized_columns.add(cell.first_column)
        return round(self.widths[cell.first_column])


def table(renderer: Layout, token: nodes.Table) -> None:
    _write_table(renderer, build_grid(token))


def html_table(renderer: Layout, token: nodes.HtmlElement) -> None:
    _write_table(renderer, build_grid(token))


def _write_table(renderer: Layout, grid: Grid) -> None:
    styles = renderer.styles
    region = styles.enter("div.table", last=renderer.is_last)
    style = styles.enter("table", last=True)
    space = region.top
    if grid.caption and grid.caption.children:
        renderer.ensure_space(space)
        renderer.is_last = False
        renderer.write(grid.caption)
        space = 0.0
    if grid.rows:
        widths = _column_widths(grid, style, renderer.available_width)
        state = _TableState(grid, style, widths)
        renderer.start_table(space, sum(widths) if sum(widths) < renderer.available_width - 1 else None)
        for tag, first, rows in (("thead", 0, len(grid.head)), ("tbody", len(grid.head), len(grid.body))):
            if rows:
                renderer.writer.start(tag)
                renderer.writer.line()
                styles.enter(tag, last=first + rows == len(grid.rows))
                _write_rows(renderer, state, range(first, first + rows))
                styles.leave()
                renderer.writer.end()
                renderer.writer.line()
        renderer.end_table(region.bottom)
    styles.leave()
    styles.leave()


def _write_rows(renderer: Layout, state: _TableState, rows: range) -> None:
    writer, styles = renderer.writer, renderer.styles
    for number in rows:
        row = state.grid.rows[number]
        element = "tr" if row.is_header else ("tr.odd", "tr.even")[(number - rows.start) % 2]
        styles.enter(element, last=number == rows.stop - 1)
        writer.start("tr", (("style", "page-break-inside:avoid"),))
        writer.line()
        right: str | None = None
        for cell in row.cells:
            edges = _write_cell(renderer, state, cell, number, right, last=cell is row.cells[-1])
            right = edges.right
        writer.end()
        writer.line()
        styles.leave()


def _write_cell(
    renderer: Layout, state: _TableState, cell: Cell, row: int, left: str | None, *, last: bool
) -> CellBorders:
    tag = "th" if cell.is_header else "td"
    style = renderer.styles.enter(f"{tag}.{cell.align}" if cell.align else tag, last=last)
    edges = state.cell_borders(style, cell, row, left)
    left_indent, right_indent = text_indents(style, edges)
    renderer.start_cell(
        tag,
        style,
        sum(state.widths[cell.first_column : cell.first_column + cell.column_span]),
        (
            ("valign", "bottom" if style.computed.get("vertical-align") == "bottom" else "top"),
            ("width", state.cell_width(cell)),
            ("colspan", cell.column_span if cell.column_span > 1 else None),
            ("rowspan", cell.row_span if cell.row_span > 1 else None),
            ("style", cell_style(style, edges)),
        ),
    )
    children = list(cell.token.children or ())
    if isinstance(cell.token, nodes.HtmlElement):
        renderer.block_context = renderer.with_attributes(cell.token.attributes)
    renderer.block_context = renderer.block_context._replace(indent=left_indent, right=right_indent)
    if children and any(map(is_block, children)):
        renderer.write_flow(children)
    else:
        renderer.start_paragraph(style)
        if children:
            renderer.write_tokens(children)
        else:
            renderer.write_placeholder()
        renderer.end_paragraph()
    renderer.end_cell()
    renderer.styles.leave()
    return edges


def table_row(renderer: Layout, token: nodes.TableRow) -> None:
    """Only in trees built by hand."""
    renderer.write_children(token)


def table_cell(renderer: Layout, token: nodes.TableCell) -> None:
    """Only in trees built by hand."""
    renderer.write_flow(token.children)


def _column_widths(grid: Grid, style: ComputedStyle, available_width: float) -> list[float]:
    """In px: the text in one line if it fits."""
    widths, words = [0.0] * grid.columns, [0.0] * grid.columns
    for row in grid.rows:
        for cell in row.cells:
            if cell.column_span == 1:
                line, longest = _needed_widths(cell, style)
                widths[cell.first_column] = max(widths[cell.first_column], line)
                words[cell.first_column] = max(words[cell.first_column], longest)
    _widen_spanned_columns(grid, style, widths)
    # Columns below an equal share get what they need; the others divide the rest.
    wide, left = set(range(grid.columns)), available_width
    for round_number in range(_MAX_ROUNDS):
        if sum(widths[column] for column in wide) <= left:
            break
        fitting = {column for column in wide if widths[column] <= left / len(wide)}
        # Its longest word may need more than a share.
        fitting = fitting or {column for column in wide if left / len(wide) < words[column] < left / 2}
        if not fitting or round_number == _MAX_ROUNDS - 1:
            widths = [min(width, available_width / 2) for width in widths]
            needed = sum(widths[column] for column in wide)
            widths = [width * left / needed if column in wide else width for column, width in enumerate(widths)]
            break
        for column in fitting:
            widths[column] = min(widths[column], max(words[column], left / len(wide)))
        left = max(left - sum(widths[column] for column in fitting), _MIN_COLUMN_WIDTH)
        wide -= fitting
    return widths


def _widen_spanned_columns(grid: Grid, style: ComputedStyle, widths: list[float]) -> None:
    """Divide what a cell needs among its columns that have no cell of their own."""
    padding = _PADDING * style.computed.font_size
    for row in grid.rows:
        for cell in row.cells:
            columns = range(cell.first_column, cell.first_column + cell.column_span)
            if empty := [column for column in columns if not widths[column]]:
                missing = _needed_widths(cell, style)[0] - sum(widths[column] for column in columns)
                for column in empty:
                    widths[column] = max(missing / len(empty), padding)


def _needed_widths(cell: Cell, style: ComputedStyle) -> tuple[float, float]:
    """Return the width of the text in one line, and of its longest word."""
    character = style.computed.font_size * _CHARACTER_WIDTH
    if cell.is_header:
        character *= _BOLD_FACTOR
    padding = _PADDING * style.computed.font_size
    line, longest = _text_lengths(cell.token)
    return (line + _EXTRA_CHARACTERS) * character + padding, longest * character + padding


def _text_lengths(cell: nodes.Token) -> tuple[int, int]:
    if isinstance(cell, nodes.HtmlElement) and any(map(is_block, cell.children)):
        lines = PlainTextRenderer().render_html_element(cell)
    else:
        lines = [nodes.text_content(cell)]
    words = (word for line in lines for word in line.split())
    return max(map(display_width, lines), default=0), max(map(display_width, words), default=0)
