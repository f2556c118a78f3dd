"""The bars of a table stand below each other: cells get blanks, and the row below the header dashes.

Tables stay that would be wider than a window or mostly blanks, and those in which programs find different cells: those
directly below text, with a row without a bar or with too many, and with bars in code, formulas or behind backslashes.
"""

from collections.abc import Iterable, Iterator, Sequence
from unicodedata import combining, east_asian_width

from mdpublish_core.formatting.source import BLANKS, MarkedSource, Unit
from mdpublish_core.readers.markdown.tables import CELL
from mdpublish_core.strings.positions import Span

_MIN_WIDTH, _MAX_WIDTH, _MAX_GROWTH = 3, 200, 8


_Column = tuple[int, bool, bool]
"""A width, and whether there is a colon before and after the dashes."""


def propose(source: MarkedSource, name: str) -> Iterable[Unit]:
    """Propose a unit for each table."""
    for (first, start), last in source.marks.tables:
        lines = [line.rstrip(BLANKS) for line in source.lines[first : last + 1]]
        starts = [start, *(len(line) - len(line.lstrip(f"{BLANKS}>")) for line in lines[1:])]
        rows = list(map(_cells, lines, starts))
        columns = list(_columns([[line[slice(*each)] for each in row] for line, row in zip(lines, rows, strict=True)]))
        width = sum(width + 3 for width, *_ in columns)
        is_plain = all("|" in line and "\\\\|" not in line for line in lines)
        if is_plain and width <= _MAX_WIDTH and width * len(lines) <= _MAX_GROWTH * sum(map(len, lines)):
            changes = [
                source.change((first + index, begin), end - begin, written)
                for index, (line, row) in enumerate(zip(lines, rows, strict=True))
                for begin, end, written in _parts(line, starts[index], row, columns, is_delimiter=index == 1)
                if line[begin:end] != written
            ]
            if changes:
                yield Unit(name, changes)


def _cells(line: str, start: int) -> Sequence[Span]:
    """Return where the contents of a row's cells are."""
    cells: list[Span] = []
    start += line.startswith("|", start)
    while start < len(line) and (match := CELL.match(line, start)):
        first = match.end() - len(match[0].lstrip(BLANKS))
        cells.append((first, max(first, start + len(match[0].rstrip(BLANKS)))))
        start = match.end() + 1
    return cells


def _columns(rows: Sequence[Sequence[str]]) -> Iterator[_Column]:
    for index, dashes in enumerate(rows[1]):
        widths = [_width(row[index]) for row in (rows[0], *rows[2:]) if index < len(row)]
        yield max(_MIN_WIDTH, *widths), dashes.startswith(":"), dashes.endswith(":")


def _width(content: str) -> int:
    """Return how many columns of a monospaced font characters take."""
    return sum(2 if east_asian_width(each) in "WF" else not combining(each) for each in content)


def _parts(
    line: str, position: int, row: Sequence[Span], columns: Sequence[_Column], *, is_delimiter: bool
) -> Iterator[tuple[int, int, str]]:
    """Yield what is written from a start to an end in a line."""
    gap = "| " if line.startswith("|", position) else ""
    for (start, end), (width, left, right) in zip(row, columns, strict=False):
        dashes = f"{':' * left}{'-' * (width - left - right)}{':' * right}"
        content = dashes if is_delimiter else line[start:end]
        missing = width - _width(content)
        before = missing // (1 + left) if right and gap else 0  # blanks may not begin a row
        yield position, start, f"{gap}{' ' * before}"
        yield start, end, content
        position, gap = end, f"{' ' * (missing - before)} | "
    if position < len(line):
        yield position, len(line), gap[:-1]
