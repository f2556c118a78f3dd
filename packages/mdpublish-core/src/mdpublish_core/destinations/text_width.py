"""How wide text is where every character has a cell or two, as in terminals and in code blocks of mails and chats."""

from collections.abc import Sequence

# Columns that are padded; a longer cell sticks out of its column, or one of 50 KB would pad each other row to 50 KB.
_MAX_COLUMN_WIDTH = 100

_MIN_COLUMN_WIDTH = 3
"""Columns that a column's rule has at least, as GFM asks of a delimiter row."""


def display_width(string: str) -> int:
    """Return the columns that a terminal gives `string`."""
    if string.isascii():
        return len(string)
    # Late: most texts are told apart above, and wcwidth's tables take longer to load than a text to render.
    from wcwidth import wcswidth

    width = wcswidth(string)
    return width if width >= 0 else len(string)


def align_table(rows: Sequence[Sequence[str]], alignments: Sequence[int | None], *, head: int = 1) -> list[str]:
    """Return rows of cells, all of as many, as lines of aligned columns, with a rule below the first `head` rows.

    `alignments` is for each column None or -1 for left, 0 for centre, 1 for right.
    """
    widths = [
        max(_MIN_COLUMN_WIDTH, *(min(_MAX_COLUMN_WIDTH, display_width(row[column])) for row in rows))
        for column in range(len(alignments))
    ]
    lines = [" | ".join(_pad(*cell) for cell in zip(row, widths, alignments, strict=True)) for row in rows]
    if head:
        lines.insert(head, "-|-".join("-" * width for width in widths))
    return lines


def _pad(content: str, width: int, alignment: int | None) -> str:
    space = max(0, width - display_width(content))
    before = {None: 0, -1: 0, 0: space // 2, 1: space}[alignment]
    return f"{' ' * before}{content}{' ' * (space - before)}"
