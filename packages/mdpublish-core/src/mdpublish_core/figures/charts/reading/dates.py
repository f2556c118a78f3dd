"""Dates made by code: `new Date("2026-03-02")`, `new Date(2026, 2, 2)`, `Date.UTC(2026, 2, 2)`."""

from collections.abc import Sequence

from mdpublish_core.figures.charts.formatting.date_arithmetic import to_timestamp
from mdpublish_core.figures.charts.reading.trees import Date, Tree

_MAX_PART = 9999
# Hours, minutes, seconds and milliseconds, in milliseconds.
_LENGTHS = (3_600_000, 60_000, 1000, 1)


def date_of(arguments: Sequence[Tree]) -> Date | None:
    """Return the date of a call; None if it is not constant. Parts are read in UTC."""
    first = arguments[0] if arguments else None
    if len(arguments) == 1:
        return Date(first) if isinstance(first, str | int | float) and not isinstance(first, bool) else None
    parts = [part for part in arguments if isinstance(part, int) and not isinstance(part, bool)]
    is_constant = len(parts) == len(arguments) and 2 <= len(parts) <= 7
    if not is_constant or any(abs(part) > _MAX_PART for part in parts):
        return None
    year = 1900 + parts[0] if 0 <= parts[0] < 100 else parts[0]
    times = [*parts[3:], 0, 0, 0, 0][:4]
    timestamp = to_timestamp(year, parts[1] + 1, parts[2] if len(parts) > 2 else 1)
    timestamp += sum(number * length for number, length in zip(times, _LENGTHS, strict=True))
    return Date(timestamp)
