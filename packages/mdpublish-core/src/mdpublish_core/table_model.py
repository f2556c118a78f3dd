"""Markdown and HTML tables as a grid."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal, NamedTuple

from mdpublish_core import nodes

Alignment = Literal["left", "center", "right"]

ALIGNMENTS: Mapping[nodes.Alignment, Alignment | None] = {None: None, -1: "left", 0: "center", 1: "right"}

_SECTIONS = frozenset({"thead", "tbody", "tfoot"})

MAX_COLUMNS = 100
"""Limits the grid that a few bytes of spans can create; cells to the right of it span no rows."""


class Cell(NamedTuple):
    """A table cell; `first_column` counts from 0. Spans end at a cell from above, and with the table's part."""

    token: nodes.Token
    is_header: bool
    align: Alignment | None
    first_column: int
    column_span: int = 1
    row_span: int = 1

    @property
    def end_column(self) -> int:
        return self.first_column + self.column_span

    @property
    def tag(self) -> str:
        return "th" if self.is_header else "td"

    @property
    def element(self) -> str:
        """The element that stylesheets know, such as `td.right`."""
        return f"{self.tag}.{self.align}" if self.align else self.tag


class Row(NamedTuple):
    """A row, without cells that span into it from above."""

    cells: tuple[Cell, ...]
    is_header: bool

    def element(self, position: int) -> str:
        """Return the element that stylesheets know, of a row at a position in its part, from 0."""
        return "tr" if self.is_header else ("tr.odd", "tr.even")[position % 2]


class Slot(NamedTuple):
    """A piece of a row: a cell and how many of its rows are left, or a gap."""

    first_column: int
    end_column: int
    cell: Cell | None = None
    rows_left: int = 1

    @property
    def is_continued(self) -> bool:
        """Whether its cell began in a row above."""
        return self.cell is not None and self.rows_left < self.cell.row_span


@dataclass(frozen=True, slots=True)
class Grid:
    """A table: header rows first, below `caption`."""

    rows: tuple[Row, ...]
    columns: int
    caption: nodes.HtmlElement | None = None
    measured: dict[object, object] = field(default_factory=dict, compare=False, repr=False)
    """What `table_fit` found out about it, for other destinations."""

    @property
    def head(self) -> tuple[Row, ...]:
        return tuple(row for row in self.rows if row.is_header)

    @property
    def body(self) -> tuple[Row, ...]:
        return tuple(row for row in self.rows if not row.is_header)

    @property
    def parts(self) -> tuple[tuple[str, int, tuple[Row, ...]], ...]:
        """The parts that have rows: the tag, the number of the first row, and the rows."""
        head, body = self.head, self.body
        return tuple(part for part in (("thead", 0, head), ("tbody", len(head), body)) if part[2])

    def split_header(self) -> tuple[Sequence[Row], Sequence[Row]]:
        """Split off the header: the marked rows, else a first row of header cells, with the rows that they span."""
        head, body = self.head, self.body
        if head or not body:
            return head, body
        spanned = max((cell.row_span for cell in body[0].cells), default=0)
        for number, row in enumerate(body[:spanned]):
            if not all(cell.is_header and number + cell.row_span <= spanned for cell in row.cells):
                return head, body
        return body[:spanned], body[spanned:]

    def slots(self, rows: Sequence[Row]) -> Iterator[list[Slot]]:
        """Yield the slots of each row of a part; they fill all columns."""
        above: list[Slot] = []
        for row in rows:
            cells = (Slot(cell.first_column, cell.end_column, cell, cell.row_span) for cell in row.cells)
            slots: list[Slot] = []
            column = 0
            for slot in sorted([*above, *cells]):
                if slot.first_column > column:
                    slots.append(Slot(column, slot.first_column))
                slots.append(slot)
                column = slot.end_column
            if column < self.columns:
                slots.append(Slot(column, self.columns))
            yield slots
            above = [slot._replace(rows_left=slot.rows_left - 1) for slot in slots if slot.rows_left > 1]


class Grids:
    """The grids of a document's tables, built once for all destinations."""

    def __init__(self, _document: nodes.Document) -> None:
        # With each table, so that its `id()` is not given to another.
        self._grids: dict[int, tuple[nodes.Token, Grid]] = {}

    def of(self, table: nodes.Table | nodes.HtmlElement) -> Grid:
        known = self._grids.get(id(table))
        if known is None:
            known = self._grids[id(table)] = table, build_grid(table)
        return known[1]


def build_grid(table: nodes.Table | nodes.HtmlElement) -> Grid:
    """Keep all content of malformed HTML tables."""
    if isinstance(table, nodes.Table):
        rows = tuple(
            Row(
                tuple(_markdown_cell(cell, number, row is table.header) for number, cell in enumerate(row.children)),
                row is table.header,
            )
            for row in (table.header, *table.children)
        )
        return Grid(rows, len(table.column_align))
    return _html_grid(table)


def _markdown_cell(cell: nodes.TableCell, number: int, is_header: bool) -> Cell:
    return Cell(cell, is_header, ALIGNMENTS[cell.align], number)


def _html_grid(table: nodes.HtmlElement) -> Grid:
    caption = next((child for child in table.children if _tag(child) == "caption"), None)
    head: list[list[nodes.Token]] = []
    body: list[list[nodes.Token]] = []
    for section, tokens in _html_rows(table):
        (head if section == "thead" else body).append(tokens)
    rows = (*_placed_rows(head, is_header=True), *_placed_rows(body, is_header=False))
    columns = max((cell.end_column for row in rows for cell in row.cells), default=0)
    return Grid(rows, columns, caption if isinstance(caption, nodes.HtmlElement) else None)


def _placed_rows(rows: Sequence[Sequence[nodes.Token]], *, is_header: bool) -> Iterator[Row]:
    """Place the cells of a part of the table between those that span rows from above."""
    # Rows left to span, by column.
    open_spans: dict[int, int] = {}
    for rows_left, tokens in zip(range(len(rows), 0, -1), rows, strict=True):
        cells: list[Cell] = []
        column = 0
        for token in tokens:
            while column in open_spans:
                column += 1
            cell = _html_cell(token, column, is_header=is_header)
            columns = next(
                (span for span in range(1, cell.column_span) if column + span in open_spans), cell.column_span
            )
            if columns < cell.column_span or rows_left < cell.row_span:
                cell = cell._replace(column_span=columns, row_span=min(cell.row_span, rows_left))
            cells.append(cell)
            column += columns
        open_spans = {column: left - 1 for column, left in open_spans.items() if left > 1}
        for cell in cells:
            if cell.row_span > 1:
                open_spans.update(dict.fromkeys(range(cell.first_column, cell.end_column), cell.row_span - 1))
        yield Row(tuple(cells), is_header)


def _html_rows(table: nodes.HtmlElement) -> Iterator[tuple[str, list[nodes.Token]]]:
    """Misplaced tokens become rows."""
    for child in table.children:
        tag = _tag(child)
        if tag in _SECTIONS:
            for row in child.children or ():
                yield tag, list(row.children or ()) if _is_row(row) else [row]
        elif tag != "caption":
            yield "tbody", list(child.children or ()) if _is_row(child) else [child]


def _is_row(token: nodes.Token) -> bool:
    return _tag(token) == "tr" or isinstance(token, nodes.TableRow)


def _html_cell(token: nodes.Token, number: int, *, is_header: bool) -> Cell:
    if isinstance(token, nodes.TableCell):
        return _markdown_cell(token, number, is_header)
    if not isinstance(token, nodes.HtmlElement) or token.tag not in {"td", "th"}:
        # A misplaced token becomes a cell.
        return Cell(nodes.HtmlElement("td", {}, [token]), is_header=False, align=None, first_column=number)
    attributes = token.attributes
    align = attributes.get("align")
    columns = min(int(attributes.get("colspan", 1)), max(1, MAX_COLUMNS - number))
    return Cell(
        token,
        is_header=token.tag == "th",
        align=align if align in {"left", "center", "right"} else None,  # type: ignore[arg-type]
        first_column=number,
        column_span=columns,
        row_span=int(attributes.get("rowspan", 1)) if number < MAX_COLUMNS else 1,
    )


def _tag(token: nodes.Token) -> str:
    return token.tag if isinstance(token, nodes.HtmlElement) else ""
