"""Tables: Markdown's and those of HTML alike, with a header row that Word repeats on each page.

Where two cells meet, both have the same border, so that it does not matter whose Word draws. Widths are given, from the
lengths of texts: some readers make columns too narrow that they have to measure themselves.
"""

from mdpublish_core import nodes
from mdpublish_core.destinations.grids import Cell, Grid, grid_of
from mdpublish_core.destinations.plain_text import PlainTextRenderer
from mdpublish_core.destinations.runs import is_block
from mdpublish_core.destinations.widths import display_width
from mdpublish_core.destinations.word.looks import Look
from mdpublish_core.destinations.word.rendering import Rendering
from mdpublish_core.destinations.word.styles import Edges, cell_style, text_indents

# The width of a character in font sizes: that of most texts in most fonts, and a little to be on the safe side.
_CHARACTER = 0.62

# How much wider the characters of a header are.
_BOLD = 1.15

# How often the room that is left is shared anew: enough for any table made by hand, and no more work for others.
_TURNS = 8

# Characters that a cell may hold beside its text, such as the mark of a footnote.
_SLACK = 2

# What is left free beside the text of a cell, in font sizes: as much as any template asks for.
_PADDING = 2.0


class _Writing:
    """A table that is being written: its grid, its look, and the borders of what is written already."""

    def __init__(self, grid: Grid, look: Look, widths: list[float]) -> None:
        self.grid = grid
        self.look = look
        self.widths = widths
        # By column: the lower border of the cell above, and whether a cell has told how wide the column is.
        self.above: dict[int, str | None] = {}
        self.sized: set[int] = set()

    def edges(self, look: Look, cell: Cell, row: int, left: str | None) -> Edges:
        """Return the borders of a cell; at the table's edges, the table's are its own where it has none."""
        end = cell.number + cell.columns
        bottom = look.border("bottom")
        if row + cell.rows >= len(self.grid.rows):
            bottom = bottom or self.look.border("bottom")
        top = self.above.get(cell.number) or look.border("top") or (self.look.border("top") if row == 0 else None)
        left, right = left or look.border("left"), look.border("right")
        if cell.number == 0:
            left = left or self.look.border("left") or look.unseen_border
        if end >= self.grid.columns:
            right = right or self.look.border("right") or look.unseen_border
        self.above.update(dict.fromkeys(range(cell.number, end), bottom))
        return Edges(top, right, bottom, left)

    def width(self, cell: Cell) -> int | None:
        """Return the width of a cell in px, if it is the first of its column."""
        if cell.columns > 1 or cell.number in self.sized:
            return None
        self.sized.add(cell.number)
        return round(self.widths[cell.number])


def table(rendering: Rendering, token: nodes.Table) -> None:
    _write_table(rendering, grid_of(token))


def html_table(rendering: Rendering, token: nodes.HtmlElement) -> None:
    _write_table(rendering, grid_of(token))


def _write_table(rendering: Rendering, grid: Grid) -> None:
    styles = rendering.styles
    region = styles.enter("div.table", last=rendering.last)
    look = styles.enter("table", last=True)
    space = region.top
    if grid.caption and grid.caption.children:
        rendering.set_apart(space)
        rendering.last = False
        rendering.write(grid.caption)
        space = 0.0
    if grid.rows:
        widths = _widths(grid, look, rendering.room)
        writing = _Writing(grid, look, widths)
        rendering.start_table(space, sum(widths) if sum(widths) < rendering.room - 1 else None)
        for tag, first, rows in (("thead", 0, len(grid.head)), ("tbody", len(grid.head), len(grid.body))):
            if rows:
                rendering.writer.start(tag)
                rendering.writer.line()
                styles.enter(tag, last=first + rows == len(grid.rows))
                _write_rows(rendering, writing, range(first, first + rows))
                styles.leave()
                rendering.writer.end()
                rendering.writer.line()
        rendering.end_table(region.bottom)
    styles.leave()
    styles.leave()


def _write_rows(rendering: Rendering, writing: _Writing, rows: range) -> None:
    writer, styles = rendering.writer, rendering.styles
    for number in rows:
        row = writing.grid.rows[number]
        element = "tr" if row.is_header else ("tr.odd", "tr.even")[(number - rows.start) % 2]
        styles.enter(element, last=number == rows.stop - 1)
        writer.start("tr", (("style", "page-break-inside:avoid"),))
        writer.line()
        right: str | None = None
        for cell in row.cells:
            edges = _write_cell(rendering, writing, cell, number, right, last=cell is row.cells[-1])
            right = edges.right
        writer.end()
        writer.line()
        styles.leave()


def _write_cell(
    rendering: Rendering, writing: _Writing, cell: Cell, row: int, left: str | None, *, last: bool
) -> Edges:
    tag = "th" if cell.is_header else "td"
    look = rendering.styles.enter(f"{tag}.{cell.align}" if cell.align else tag, last=last)
    edges = writing.edges(look, cell, row, left)
    left_indent, right_indent = text_indents(look, edges)
    rendering.start_cell(
        tag,
        look,
        sum(writing.widths[cell.number : cell.number + cell.columns]),
        (
            ("valign", "bottom" if look.computed.get("vertical-align") == "bottom" else "top"),
            ("width", writing.width(cell)),
            ("colspan", cell.columns if cell.columns > 1 else None),
            ("rowspan", cell.rows if cell.rows > 1 else None),
            ("style", cell_style(look, edges)),
        ),
    )
    children = list(cell.token.children or ())
    if isinstance(cell.token, nodes.HtmlElement):
        rendering.frame = rendering.attributed(cell.token.attributes)
    rendering.frame = rendering.frame._replace(indent=left_indent, right=right_indent)
    if children and any(map(is_block, children)):
        rendering.flow(children)
    else:
        rendering.start_paragraph(look)
        if children:
            rendering.tokens(children)
        else:
            rendering.write_nothing()
        rendering.end_paragraph()
    rendering.end_cell()
    rendering.styles.leave()
    return edges


def table_row(rendering: Rendering, token: nodes.TableRow) -> None:
    """Write a row that stands in no table, as only a tree built by hand can have it."""
    rendering.children(token)


def table_cell(rendering: Rendering, token: nodes.TableCell) -> None:
    """Write a cell that stands in no row, as only a tree built by hand can have it."""
    rendering.flow(token.children)


def _widths(grid: Grid, look: Look, room: float) -> list[float]:
    """Return the widths of a table's columns in px: what their texts take in one line, as far as there is room for it."""
    character = look.computed.font_size * _CHARACTER
    padding = _PADDING * look.computed.font_size
    widths, words = [0.0] * grid.columns, [0.0] * grid.columns
    for row in grid.rows:
        for cell in row.cells:
            if cell.columns == 1:
                letter = character * _BOLD if cell.is_header else character
                line, longest = _lengths(cell.token)
                widths[cell.number] = max(widths[cell.number], (line + _SLACK) * letter + padding)
                words[cell.number] = max(words[cell.number], longest * letter + padding)
    # Columns that need no more than their share have what they need; the others share what is left by what they need.
    wide, left = set(range(grid.columns)), room
    for turn in range(_TURNS):
        if sum(widths[column] for column in wide) <= left:
            break
        fitting = {column for column in wide if widths[column] <= left / len(wide)}
        # A column takes more than its share where its longest word does.
        fitting = fitting or {column for column in wide if left / len(wide) < words[column] < left / 2}
        if not fitting or turn == _TURNS - 1:
            widths = [min(width, room / 2) for width in widths]
            needed = sum(widths[column] for column in wide)
            widths = [width * left / needed if column in wide else width for column, width in enumerate(widths)]
            break
        for column in fitting:
            widths[column] = min(widths[column], max(words[column], left / len(wide)))
        left -= sum(widths[column] for column in fitting)
        wide -= fitting
    return widths


def _lengths(cell: nodes.Token) -> tuple[int, int]:
    """Return the lengths of a cell's longest line and of its longest word, in characters."""
    if isinstance(cell, nodes.HtmlElement) and any(map(is_block, cell.children)):
        lines = PlainTextRenderer().render_html_element(cell)
    else:
        lines = [nodes.text_of(cell)]
    words = (word for line in lines for word in line.split())
    return max(map(display_width, lines), default=0), max(map(display_width, words), default=0)
