"""Tables of GFM: aligned where that is narrow, otherwise compact."""

from collections.abc import Iterable, Sequence

from mdpublish_core import nodes
from mdpublish_core.table_model import ALIGNMENTS
from mdpublish_core.writers.plain_text.text_width import display_width, pad

_MAX_ALIGNED_COLUMNS = 100
"""Width of the whole table: editors cut or wrap a longer line, aligned or not."""

_RULES = {None: ("-", "-"), -1: (":", "-"), 0: (":", ":"), 1: ("-", ":")}


def table_lines(rows: Sequence[Sequence[str]], alignments: Sequence[nodes.Alignment]) -> list[str]:
    """Return the lines of a table, whose first row is its header."""
    widths = [max(3, *map(display_width, column)) for column in zip(*rows, strict=True)]
    if sum(widths) + 3 * len(widths) + 1 > _MAX_ALIGNED_COLUMNS:
        widths = [3] * len(widths)
        lines = [_line(row) for row in rows]
    else:
        names = [ALIGNMENTS[alignment] for alignment in alignments]
        lines = [_line(map(pad, row, widths, names)) for row in rows]
    rules = [
        start + "-" * (width - 2) + end
        for (start, end), width in zip((_RULES[alignment] for alignment in alignments), widths, strict=True)
    ]
    return [lines[0], _line(rules), *lines[1:]]


def _line(cells: Iterable[str]) -> str:
    return f"| {' | '.join(cells)} |"
