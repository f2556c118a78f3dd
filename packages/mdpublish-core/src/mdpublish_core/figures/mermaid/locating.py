"""Find the line of an error.

Engines give no line, or that of the last one. The line is the first one with which the source has the same error; it
is found by bisecting.
"""

import re
from collections.abc import Callable, Sequence

Check = Callable[[str], str | None]
"""Returns the error of a source, if any."""

# An error at the end of the source is that of each shorter source, too.
_AT_END = re.compile(r"end of input|\bEOF\b", re.IGNORECASE)

# A further sentence may name the number of lines.
_DETAIL = re.compile(r"\. |\(Help")


def is_at_end(problem: str) -> bool:
    return _AT_END.search(problem) is not None


def find_line(lines: Sequence[str], first: int, problem: str, check: Check, max_bytes: int) -> int | None:
    """Return the index of the line with an error; None if checks would exceed `max_bytes`, or do not tell.

    `first` is the index of the header.
    """
    size = sum(len(line.encode()) + 1 for line in lines)
    if size * (len(lines) - first + 1).bit_length() > max_bytes:
        return None
    expected = _key(problem)

    def has_error(index: int) -> bool:
        actual = check("\n".join(lines[: index + 1]) + "\n")
        return actual is not None and _key(actual) == expected

    low, high = first, len(lines) - 1
    if not has_error(high):
        return None
    while low < high:
        middle = (low + high) // 2
        if has_error(middle):
            high = middle
        else:
            low = middle + 1
    return low


def _key(problem: str) -> str:
    return _DETAIL.split(problem, maxsplit=1)[0]
