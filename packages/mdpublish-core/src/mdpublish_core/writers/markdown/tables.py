"""Tables of GFM: aligned where that is narrow, otherwise compact."""

from collections.abc import Sequence

from mdpublish_core import nodes
from mdpublish_core.writers.plain_text.text_width import display_width

_MAX_ALIGNED_COLUMNS = 100
"""Of the whole table: a longer line is cut or wrapped by editors, aligned or not."""

_RULES = {None: ("-", "-"), -1: (":", "-"), 0: (":", ":"), 1: ("-", ":")}


def table_lines(rows: Sequence[Sequence[str]], alignments: Sequence[nodes.Alignment]) -> list[str]:
    """Return the lines of a table, whose first row is its header."""
    sizes = [[display_width(cell) for cell in row] for row in rows]
    widths = [max(3, *column) for column in zip(*sizes, strict=True)]
    if sum(widths) + 3 * len(widths) + 1 > _MAX_ALIGNED_COLUMNS:
        widths = [3] * len(widths)
        sizes = [[3] * len(widths)] * len(rows)
    lines = [_line(map(_padded, row, size, widths, alignments)) for row, size in zip(rows, sizes, strict=True)]
    rules = [
        start + "-" * (width - 2) + end
        for (start, end), width in zip((_RULES[alignment] for alignment in alignments), widths, strict=True)
    ]
    return [lines[0], _line(rules), *lines[1:]]


def _line(cells: "map[str] | list[str]") -> str:
    return f"| {' | '.join(cells)} |"


def _padded(cell: str, size: int, width: int, alignment: nodes.Alignment) -> str:
    space = max(0, width - size)
    before = {None: 0, -1: 0, 0: space // 2, 1: space}[alignment]
    return f"{' ' * before}{cell}{' ' * (space - before)}"
