"""Patterns of dates, as date-fns 4 has them, in their tokens.

A pattern's letters each stand for a part of a date, and how many there are tells how it is written; what is text stands
between single quotes. What a letter stands for, `date_formatting` knows where dates are written, and `date_fields` where they
are read. https://date-fns.org/docs/format
"""

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
"""The pattern for a unit's labels where the author gives none.

https://github.com/chartjs/chartjs-adapter-date-fns
"""

MAX_PATTERN_LENGTH = 200
"""In characters; those that people write have 40."""

CACHE_SIZE = 128
"""Compiled patterns; a chart has a handful."""


class Token(NamedTuple):
    """A letter of a pattern, and how often it stands there; 0 tells of an ordinal, such as `do`."""

    symbol: str
    repeats: int


_DATES = ("MM/dd/yyyy", "MMM d, y", "MMMM do, y", "EEEE, MMMM do, y")
_TIMES = ("h:mm a", "h:mm:ss a", "h:mm:ss a z", "h:mm:ss a zzzz")
_QUOTED = r"''|'(?:''|[^'])+(?:'|\Z)"
# A pattern that breaks its line reads as if it did not.
_CHARACTER = r"[^\n\r\u2028\u2029]"
_LONG_FORMATS = re.compile(rf"P+p*|p+|{_QUOTED}|{_CHARACTER}")
_TOKENS = re.compile(rf"[yYQqMLwIdDecihHKkms]o|([a-zA-Z])\1*|{_QUOTED}|{_CHARACTER}")

# People who write these mean the lower-case letters, which is why date-fns refuses them.
_PROTECTED_TOKENS = {("D", 1), ("D", 2), ("Y", 2), ("Y", 4)}


def tokenize_pattern(pattern: str, symbols: Mapping[str, object]) -> Iterator[Token | str]:
    """Yield a pattern's tokens and texts; raises ValueError for a letter that is none of `symbols`."""
    if len(pattern) > MAX_PATTERN_LENGTH:
        raise ValueError(
            f"the date pattern {pattern[:20]!r}… has {len(pattern)} characters; allowed are {MAX_PATTERN_LENGTH}"
        )
    for match in _TOKENS.finditer(_expand_long_formats(pattern)):
        run = match[0]
        symbol = run[0]
        if symbol == "'":
            yield "'" if run == "''" else run[1:].removesuffix("'").replace("''", "'")
        elif symbol in symbols:
            token = Token(symbol, 0 if run[-1] == "o" else len(run))
            if token in _PROTECTED_TOKENS:
                raise ValueError(f"the date pattern {pattern!r} has {run!r}; write {run.lower()!r}")
            yield token
        elif symbol.isascii() and symbol.isalpha():
            raise ValueError(
                f"the date pattern {pattern!r} has {symbol!r}, which stands for nothing; write text between single quotes"
            )
        else:
            yield run


def _expand_long_formats(pattern: str) -> str:
    """Return a pattern with what `P` and `p` stand for in their place, a date and a time."""
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
