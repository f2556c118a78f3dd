"""Display width of monospaced text."""

from collections.abc import Sequence

# A 50 KB cell would add 50 KB to every row.
_MAX_COLUMN_WIDTH = 100

_MIN_COLUMN_WIDTH = 3
"""GFM's minimum for a delimiter row."""


def display_width(string: str) -> int:
    if string.isascii():
        return len(string)
    # wcwidth's tables are slow to load.
    from wcwidth import wcswidth

    width = wcswidth(string)
    return width if width >= 0 else len(string)


MAX_TABLE_WIDTH = 120
"""Columns of text beyond which lines wrap in a chat, so that nobody can read the table."""


def is_too_wide(lines: Sequence[str]) -> bool:
    """Return whether a table as text is too wide for a chat."""
    return any(len(line) > MAX_TABLE_WIDTH or display_width(line) > MAX_TABLE_WIDTH for line in lines)


def align_table(rows: Sequence[Sequence[str]], alignments: Sequence[str | None], *, head: int = 1) -> list[str]:
    """Return lines with a rule below `head` rows. `alignments`: None or `left`, `center`, `right`."""
    widths = [
        max(_MIN_COLUMN_WIDTH, *(min(_MAX_COLUMN_WIDTH, display_width(row[column])) for row in rows))
        for column in range(len(alignments))
    ]
    lines = [" | ".join(pad(*cell) for cell in zip(row, widths, alignments, strict=True)) for row in rows]
    if head:
        lines.insert(head, "-|-".join("-" * width for width in widths))
    return lines


def pad(content: str, width: int, alignment: str | None) -> str:
    """Return a cell with spaces up to a width."""
    space = max(0, width - display_width(content))
    before = {None: 0, "left": 0, "center": space // 2, "right": space}[alignment]
    return f"{' ' * before}{content}{' ' * (space - before)}"
