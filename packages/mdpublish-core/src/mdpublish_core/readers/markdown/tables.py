"""GFM's tables: delimiter rows and cells. Source: GitHub Flavored Markdown, "Tables (extension)"."""

from bisect import bisect_left
from collections.abc import Iterable, Sequence
from itertools import pairwise

from mdpublish_core.nodes import Alignment
from mdpublish_core.strings.lazy_patterns import compile_lazily
from mdpublish_core.strings.positions import Span

_MARK = r"[ \t]*:?-+:?[ \t]*"
_DELIMITER_ROW = compile_lazily(rf"\|?{_MARK}(?:\|{_MARK})*\|?[ \t]*")
CELL = compile_lazily(r"(?:[^|\\]|\\[!-/:-@\[-`{-~]|\\)*")
_BAR_IN_DOLLARS = compile_lazily(r"\$(?=[^\s$])[^$|]*+\|[^$]*+(?<=\S)\$(?!\d)|\$\$")
_ESCAPE_OR_BAR = compile_lazily(r"\\[!-/:-@\[-`{-~]|\|")

_ALIGNMENTS: dict[tuple[bool, bool], Alignment] = {
    (False, False): None,
    (True, False): -1,
    (True, True): 0,
    (False, True): 1,
}


def column_alignments(line: str) -> list[Alignment] | None:
    if not _DELIMITER_ROW.fullmatch(line):
        return None
    marks = [mark.strip(" \t") for mark in line.strip(" \t").strip("|").split("|")]
    return [_ALIGNMENTS[mark.startswith(":"), mark.endswith(":")] for mark in marks]


def split_cells(line: str) -> list[str]:
    """Return stripped, unescaped cells; a lone bar has none."""
    line = line.strip(" \t")
    if line == "|":
        return []
    if "\\" not in line:
        cells = line.removeprefix("|").split("|")
        if len(cells) > 1 and not cells[-1].strip(" \t"):
            cells.pop()
        return [cell.strip(" \t") for cell in cells]
    position = 1 if line.startswith("|") else 0
    cells = []
    while position < len(line):
        match = CELL.match(line, position)
        assert match, "a cell may be empty"
        cells.append(match[0].strip(" \t").replace("\\|", "|"))
        position = match.end() + 1
    return cells or [""]


def cell_starts(line: str) -> list[int]:
    """Return where the cells of a row that are not empty start."""
    start = len(line) - len(line.lstrip(" \t"))
    row = line.strip(" \t")
    position = 1 if row.startswith("|") else 0
    starts = []
    while position < len(row):
        match = CELL.match(row, position)
        assert match, "a cell may be empty"
        cell = match[0]
        if cell.strip(" \t"):
            starts.append(start + position + len(cell) - len(cell.lstrip(" \t")))
        position = match.end() + 1
    return starts


def may_divide(row: str, cells: Iterable[str], *, has_math: bool) -> bool:
    """Return whether cells may divide code or a formula; False for most rows."""
    if "`" in row and ("``" in row or "\\`" in row or any(cell.count("`") % 2 for cell in cells)):
        return True
    return has_math and ("\\(" in row or ("$" in row and _BAR_IN_DOLLARS.search(row) is not None))


def dividing_bars(row: str, spans: Iterable[Span]) -> list[int]:
    """Return where bars without a backslash stand within spans of a row."""
    bars = [match.start() for match in _ESCAPE_OR_BAR.finditer(row) if match[0] == "|"]
    return [bar for start, end in spans for bar in bars[bisect_left(bars, start) : bisect_left(bars, end)]]


def are_spaced(row: str, bars: Iterable[int]) -> bool:
    """Return whether all bars have spaces around, as those between cells mostly have."""
    return all(row[bar - 1 : bar + 2] == " | " for bar in bars)


def escape_bars(row: str, bars: Sequence[int]) -> str:
    """Write bars of a row with a backslash, with which they do not divide it."""
    return "\\".join(row[start:end] for start, end in pairwise((0, *bars, len(row))))
