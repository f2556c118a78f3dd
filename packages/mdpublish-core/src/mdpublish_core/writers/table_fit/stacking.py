"""Rows as labelled pairs, for tables that are too wide: the header's cells become labels in a table of two columns.

The first pair of a row is its heading. Empty cells have no pair, but each label is shown at least once.
"""

from collections.abc import Iterator, Mapping, Sequence
from itertools import islice

from mdpublish_core import nodes
from mdpublish_core.notices import Notice
from mdpublish_core.table_model import Cell, Grid, Row
from mdpublish_core.writers.structure.block_runs import is_block

_COLUMNS = 2

# Labels are repeated in each row, so they are bounded.
_MAX_LABEL_CHARACTERS = 60
_MAX_LABEL_TOKENS = 12

_MAX_LABEL_ROWS = 3

# Others have ids or media, or are long.
_REPEATABLE = (nodes.RawText, nodes.InlineCode, nodes.Emphasis, nodes.Strong, nodes.Strikethrough, nodes.LineBreak)


def stacked_notice(columns: int, line: int | None) -> Notice:
    message = f"a table of {columns:,} columns is too wide to be readable; each row is shown as labelled pairs"
    return Notice("table-stacked", message, line)


def column_labels(grid: Grid, max_cells: int) -> Mapping[int, tuple[str, ...]]:
    """Return the headers of each column, from top to bottom; none for a table without a header or of more cells."""
    if sum(len(row.cells) for row in grid.rows) > max_cells:
        return {}
    labels: dict[int, tuple[str, ...]] = {}
    for row in grid.head[:_MAX_LABEL_ROWS]:
        for cell in row.cells:
            label = _short(" ".join(nodes.text_content(cell.token).split()))
            for column in range(cell.first_column, min(grid.columns, cell.end_column)):
                labels[column] = (*labels.get(column, ()), *([label] if label else []))
    return labels


def _short(label: str) -> str:
    return label if len(label) <= _MAX_LABEL_CHARACTERS else f"{label[: _MAX_LABEL_CHARACTERS - 1]}…"


def stack_rows(grid: Grid) -> Grid:
    """Return a grid of two columns with the content of `grid`, which has at least one row."""
    head, body = grid.split_header()
    # Without a body, there is nothing that the header's cells are labels of.
    above, labels = (head[:-1], head[-1:]) if body else (head, ())
    rows = [Row((_spanning(cell),), is_header=False) for row in above for cell in row.cells if cell.token.children]
    first_labels = {cell.first_column: cell for row in labels for cell in row.cells}
    repeated = {column: _repeated(cell) for column, cell in first_labels.items()}
    for number, row in enumerate(body):
        rows += _pairs(row, repeated if number else first_labels, has_all=not number)
    return Grid(tuple(rows), _COLUMNS, grid.caption)


def stacked_blocks(grid: Grid) -> list[nodes.Token]:
    """Return the rows as paragraphs with a pair on each line, for outputs without tables."""
    blocks: list[nodes.Token] = [_paragraph(grid.caption.children)] if grid.caption else []
    line: list[nodes.Token] = []
    for row in stack_rows(grid).rows:
        *labels, content = (cell.token.children for cell in row.cells)
        has_blocks = any(map(is_block, content))
        if line and (row.cells[-1].is_header or has_blocks):
            blocks.append(nodes.Paragraph(line))
            line = []
        line += [nodes.LineBreak(soft=False)] if line else []
        line += [nodes.Strong([*_inlines(labels[0]), nodes.RawText(":")]), nodes.RawText(" ")] if labels else []
        if has_blocks:
            blocks += [*([nodes.Paragraph(line)] if line else []), *content]
            line = []
        else:
            line += content
    return [*blocks, *([nodes.Paragraph(line)] if line else [])]


def _paragraph(tokens: Sequence[nodes.Token]) -> nodes.Token:
    return nodes.HtmlElement("div", {}, tokens) if any(map(is_block, tokens)) else nodes.Paragraph(tokens)


def _inlines(tokens: Sequence[nodes.Token]) -> Sequence[nodes.Token]:
    """Return inlines, of blocks their text."""
    if not any(map(is_block, tokens)):
        return tokens
    return [nodes.RawText(" ".join(" ".join(map(nodes.text_content, tokens)).split()))]


def _pairs(row: Row, labels: dict[int, Cell], *, has_all: bool) -> Iterator[Row]:
    is_first = True
    for cell in row.cells:
        label = labels.get(cell.first_column)
        if not cell.token.children and not (has_all and label and label.token.children):
            continue
        if label is None or not label.token.children:
            yield Row((_spanning(cell, is_header=is_first),), is_header=False)
        else:
            cells = (Cell(_strong(label.token), is_first, None, 0), Cell(cell.token, is_first, None, 1))
            yield Row(cells, is_header=False)
        is_first = False


def _strong(label: nodes.Token) -> nodes.Token:
    return label if any(map(is_block, label.children)) else nodes.TableCell([nodes.Strong(label.children)])


def _spanning(cell: Cell, *, is_header: bool = True) -> Cell:
    return Cell(cell.token, is_header, None, 0, column_span=_COLUMNS)


def _repeated(label: Cell) -> Cell:
    """Return a label without what must not be repeated."""
    tokens = list(islice(nodes.walk(label.token), 1, _MAX_LABEL_TOKENS + 2))
    label_text = " ".join(nodes.text_content(label.token).split())
    is_short = len(label_text) <= _MAX_LABEL_CHARACTERS
    if is_short and len(tokens) <= _MAX_LABEL_TOKENS and all(isinstance(token, _REPEATABLE) for token in tokens):
        return label
    short = [nodes.RawText(_short(label_text))] if label_text else []
    return Cell(nodes.TableCell(short), is_header=True, align=None, first_column=0)
