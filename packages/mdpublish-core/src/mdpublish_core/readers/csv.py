"""CSV and TSV (RFC 4180) to a table, whose header is the first row."""

from __future__ import annotations

from csv import Error, reader
from io import StringIO

from mdpublish_core.arguments import require_input_size
from mdpublish_core.errors import InvalidFile
from mdpublish_core.nodes import Document
from mdpublish_core.nodes import open_nodes as nodes
from mdpublish_core.nodes.tokens import seal
from mdpublish_core.readers.formats import decode
from mdpublish_core.readers.imported import ReadFile
from mdpublish_core.readers.lines import inlines_of_lines
from mdpublish_core.readers.markdown.autolinks import link_bare

_DELIMITERS = ",;\t|"

MAX_CELLS = 200_000
"""Cells of the table, including those that short rows lack: each takes half a kilobyte."""


def read(content: bytes) -> ReadFile:
    """Read CSV whose cells are divided by what the first line has most: commas, semicolons, tabs or bars."""
    return _read(content, "")


def read_tabs(content: bytes) -> ReadFile:
    return _read(content, "\t")


def read_rows(content: bytes, delimiter: str = "") -> list[tuple[int, list[str]]]:
    """Return the rows that are not empty, with their numbers from 1. Raises `InvalidFile`, `LimitExceeded`."""
    require_input_size(len(content))
    source = decode(content).replace("\0", "")
    first = source.lstrip().partition("\n")[0]
    delimiter = delimiter or max(_DELIMITERS, key=first.count)
    try:
        numbered = enumerate(reader(StringIO(source, newline=""), delimiter=delimiter), start=1)
        rows = [(number, row) for number, row in numbered if any(map(str.strip, row))]
    except Error as error:
        raise InvalidFile(f"is no CSV: {error}; save it again with quotes around cells") from None
    if (cells := len(rows) * max((len(row) for _, row in rows), default=0)) > MAX_CELLS:
        raise InvalidFile(f"must be a table of at most {MAX_CELLS:,} cells (got {cells:,}); take rows or columns out")
    return rows


def _read(content: bytes, delimiter: str) -> ReadFile:
    rows = [row for _, row in read_rows(content, delimiter)]
    if not rows:
        return ReadFile(Document([]), ())
    columns = max(map(len, rows))
    header, *body = (_row(row, columns) for row in rows)
    document = nodes.Document([nodes.Table(header, body)], origin=nodes.Origin(len(content)))
    seal(document)
    return ReadFile(document, ())


def _row(cells: list[str], columns: int) -> nodes.TableRow:
    return nodes.TableRow(
        [
            nodes.TableCell(inlines_of_lines(cell.splitlines(), link_bare))
            for cell in [*cells, *[""] * (columns - len(cells))]
        ]
    )
