"""Tokenizer for date patterns of date-fns 4: https://date-fns.org/docs/format."""

import re
from collections.abc import Iterator, Mapping
from typing import NamedTuple

DISPLAY_FORMATS: Mapping[str, str] = {
    "datetime": "MMM d, yyyy, h:mm:ss aaaa",
    "millisecond": "h:mm:ss.SSS aaaa",
    "second": "h:mm:ss aaaa",
    "minute": "h:mm aaaa",
    "hour": "ha",
    "day": "MMM d",
    "week": "PP",
    "month": "MMM yyyy",
    "quarter": "qqq - yyyy",
    "year": "yyyy",
}
"""From https://github.com/chartjs/chartjs-adapter-date-fns."""

MAX_PATTERN_LENGTH = 200  # characters; real ones have 40

CACHE_SIZE = 128  # compiled patterns


class DateToken(NamedTuple):
    """A repeated letter. `repeats` is 0 for an ordinal such as `do`."""

    symbol: str
    repeats: int


_DATES = ("MM/dd/yyyy", "MMM d, y", "MMMM do, y", "EEEE, MMMM do, y")
_TIMES = ("h:mm a", "h:mm:ss a", "h:mm:ss a z", "h:mm:ss a zzzz")
_QUOTED = r"''|'(?:''|[^'])+(?:'|\Z)"
# Line breaks match nothing and are dropped.
_CHARACTER = r"[^\n\r\u2028\u2029]"
_LONG_FORMATS = re.compile(rf"P+p*|p+|{_QUOTED}|{_CHARACTER}")
_TOKENS = re.compile(rf"[yYQqMLwIdDecihHKkms]o|([a-zA-Z])\1*|{_QUOTED}|{_CHARACTER}")

# Rejected as in date-fns: authors usually mean lower-case letters.
_PROTECTED_TOKENS = {("D", 1), ("D", 2), ("Y", 2), ("Y", 4)}


def tokenize_pattern(pattern: str, symbols: Mapping[str, object]) -> Iterator[DateToken | str]:
    """Yield tokens and literals. Raises ValueError for a letter not in `symbols`."""
    if len(pattern) > MAX_PATTERN_LENGTH:
        raise ValueError(
            f"date pattern {pattern[:20]!r}… must be at most {MAX_PATTERN_LENGTH} characters (got {len(pattern)})"
        )
    for match in _TOKENS.finditer(_expand_long_formats(pattern)):
        run = match[0]
        symbol = run[0]
        if symbol == "'":
            yield "'" if run == "''" else run[1:].removesuffix("'").replace("''", "'")
        elif symbol in symbols:
            token = DateToken(symbol, 0 if run[-1] == "o" else len(run))
            if token in _PROTECTED_TOKENS:
                raise ValueError(f"date pattern {pattern!r} has {run!r}; use {run.lower()!r}")
            yield token
        elif symbol.isascii() and symbol.isalpha():
            raise ValueError(f"date pattern {pattern!r} has unknown letter {symbol!r}; put text in single quotes")
        else:
            yield run


def _expand_long_formats(pattern: str) -> str:
    """Expand `P` (date) and `p` (time)."""
    return "".join(
        _long_format(run.count("P"), run.count("p")) if run[0] in "Pp" else run
        for run in _LONG_FORMATS.findall(pattern)
    )


def _long_format(date_length: int, time_length: int) -> str:
    date = _DATES[min(date_length, 4) - 1] if date_length else ""
    time = _TIMES[min(time_length, 4) - 1] if time_length else ""
    if not (date and time):
        return date or time
    return f"{date}, {time}" if date_length < 3 else f"{date} 'at' {time}"
