"""mistletoe's own scanners, made fit for use: one lock, clean globals before and after, and a lowered result.

They keep their state in module globals, so one text is scanned at a time. What they build is lowered here to the tokens
of a finished tree: raw HTML becomes text, an escape sequence becomes the character it stands for.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from threading import Lock

from mdpublish_core.document import (
    FileWrapper,
    RawText,
    Table,
    TableRow,
    Token,
    block_token,
    core_tokens,
    make_line_break,
    make_paragraph,
    span_token,
    token,
)
from mdpublish_core.limits import Limits

TableLines = tuple[list[str], int]
"""What mistletoe reads of a table before it makes one: its lines, and the number of the first."""

_LOCK = Lock()


class ParserFailure(Exception):  # noqa: N818
    """The scanner could not read a text; the message says why, for the author."""


@dataclass(frozen=True, slots=True)
class Scan:
    """What a text was read as: its lowered blocks, and the lines (1-based) of the tables that were ended early."""

    blocks: Sequence[Token]
    ended_tables: Sequence[int]


def scan(lines: list[str], limits: Limits) -> Scan:
    """Read a normalised text, given line by line without line ends.

    Raises `ParserFailure` where the scanners recurse too deeply.
    """
    with _LOCK:
        _reset_globals()
        ended_tables: list[int] = []
        table = _bounded_table(limits.padding, ended_tables)
        block_token._token_types[block_token._token_types.index(Table)] = table
        block_token.add_token(block_token.HtmlBlock)
        span_token.add_token(span_token.HtmlSpan)
        try:
            document = block_token.Document([line + "\n" for line in lines])
            return Scan(_lowered_children(document), ended_tables)
        except RecursionError:
            raise ParserFailure("the text nests too deeply to be read; it is shown as it stands") from None
        finally:
            _reset_globals()


def _bounded_table(padding: int, ended_tables: list[int]) -> type[Table]:
    """Return a class for the scanner that makes tables, but ends one before too many of its cells would be padding."""

    class BoundedTable(Table):
        def __new__(cls, result: TableLines) -> Table:  # type: ignore[misc]
            return Table(result)

        @classmethod
        def read(cls, lines: FileWrapper, check_only: bool = False) -> TableLines | bool | None:
            result = super().read(lines, check_only)
            if not isinstance(result, tuple):
                return result
            rows, start_line = result
            kept = _rows_within(rows, padding)
            if kept < len(rows):
                ended_tables.append(start_line)
                lines.set_pos(lines.get_pos() - (len(rows) - kept))
            # Without a header of its own, it is no table at all.
            return (rows[:kept], start_line) if kept else None

    return BoundedTable


def _rows_within(rows: list[str], padding: int) -> int:
    """Return how many lines of a table can be kept so that at most `padding` cells are filled up for each written."""
    header, delimiter, *body = rows
    columns = len(Table.split_delimiter(delimiter))
    written = padded = 0
    for number, row in enumerate([header, *body]):
        cells = row.strip().strip("|").count("|") + 1
        written += cells
        padded += max(0, columns - cells)
        if padded > padding * written:
            return number + 1 if number else 0
    return len(rows)


def _reset_globals() -> None:
    block_token.reset_tokens()
    span_token.reset_tokens()
    block_token.Paragraph.parse_setext = True
    core_tokens._code_matches = []
    token._root_node = None


def _lower(parent: Token) -> None:
    """Lower every token below `parent`, in place."""
    if isinstance(parent, Table):
        _lower_row(parent.header, len(parent.column_align))
        for row in parent.children:
            _lower_row(row, len(parent.column_align))
    elif parent.children:
        parent.children = _lowered_children(parent)


def _lower_row(row: TableRow, columns: int) -> None:
    """Lower the cells of a row, and cut what stands beyond the header's last cell, as GFM does."""
    row.children = row.children[:columns]
    for cell in row.children:
        _lower(cell)


def _lowered_children(parent: Token) -> list[Token]:
    """Return the children of `parent` lowered, neighbouring texts made one."""
    children: list[Token] = []
    for child in parent.children or ():
        for lowered in _lowered(child):
            last = children[-1] if children else None
            if isinstance(lowered, RawText) and isinstance(last, RawText):
                children[-1] = RawText(last.content + lowered.content)
            else:
                children.append(lowered)
    return children


def _lowered(child: Token) -> Iterator[Token]:
    """Yield what stands for `child` in a finished tree."""
    if isinstance(child, span_token.EscapeSequence):
        yield child.children[0]
    elif isinstance(child, span_token.HtmlSpan):
        yield from _source_inlines(child.content)
    elif isinstance(child, block_token.HtmlBlock):
        yield make_paragraph(list(_source_inlines(child.content)), line=child.line_number)
    else:
        _lower(child)
        yield child


def _source_inlines(source: str) -> Iterator[Token]:
    """Yield the text of raw HTML, its line ends as soft breaks."""
    for number, line in enumerate(source.split("\n")):
        if number:
            yield make_line_break(soft=True)
        yield RawText(line.strip())
