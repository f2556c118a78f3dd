"""Patterns of dates as in date-fns 4, https://date-fns.org/docs/format, and English names of their parts."""

import re
from collections.abc import Iterator, Mapping
from typing import NamedTuple

from mdpublish_core.data_files import read_data, read_names


class Names(NamedTuple):
    """Names of a part's values. `short` is the form with six letters."""

    abbreviated: tuple[str, ...]
    wide: tuple[str, ...]
    narrow: tuple[str, ...]
    short: tuple[str, ...]


def _shortened(names: tuple[str, ...], length: int) -> tuple[str, ...]:
    return tuple(name[:length] for name in names)


_MONTHS = tuple("January February March April May June July August September October November December".split())  # noqa: SIM905
_WEEKDAYS = tuple("Sunday Monday Tuesday Wednesday Thursday Friday Saturday".split())  # noqa: SIM905
_QUARTERS = ("1st quarter", "2nd quarter", "3rd quarter", "4th quarter")
_PARTS_OF_DAY = ("at night", "in the morning", "in the afternoon", "in the evening")
_WIDE_PERIODS = ("a.m.", "p.m.", "midnight", "noon")

NAMES = {
    "era": Names(("BC", "AD"), ("Before Christ", "Anno Domini"), ("B", "A"), ("Before Christ", "Anno Domini")),
    "quarter": Names(("Q1", "Q2", "Q3", "Q4"), _QUARTERS, ("1", "2", "3", "4"), _QUARTERS),
    "month": Names(_shortened(_MONTHS, 3), _MONTHS, _shortened(_MONTHS, 1), _MONTHS),
    "weekday": Names(_shortened(_WEEKDAYS, 3), _WEEKDAYS, _shortened(_WEEKDAYS, 1), _shortened(_WEEKDAYS, 2)),
    "period": Names(("AM", "PM", "midnight", "noon"), _WIDE_PERIODS, ("a", "p", "mi", "n"), _WIDE_PERIODS),
    "part of day": Names(_PARTS_OF_DAY, _PARTS_OF_DAY, _PARTS_OF_DAY, _PARTS_OF_DAY),
}
"""Names by part, in the order of values."""


DISPLAY_FORMATS = read_names(__file__, "../names.tsv")["display format"]

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


_MOMENT_TOKENS: Mapping[str, str] = read_data(__file__, "moment_tokens.json")

_SAME = "Mo|MMMM|MMM|MM|M|Qo|Q|wo|ww|w|HH|H|hh|h|kk|k|mm|m|ss|s|S{1,3}"
_PIECES = re.compile(
    rf"\[([^\[\]]*)\]|('[^']*')|(?:{'|'.join(sorted(_MOMENT_TOKENS, key=len, reverse=True))}|{_SAME})|([a-zA-Z])|."
)

# What only Moment's patterns have; date-fns refuses most of it.
_QUOTES = re.compile(r"'[^']*'")
_ONLY_IN_MOMENT = re.compile(r"Y{2}|(?<!D)D{1,2}(?!D)|A|ddd|\[[^\[\]]*[a-zA-Z][^\[\]]*\]|L(?:T|TS)\b")


def as_date_fns(pattern: str) -> str:
    """Return a pattern of Moment (https://momentjs.com/docs/#/displaying/format/) as date-fns's; others are unchanged.

    Chart.js 2 used Moment, and its patterns (`YYYY-MM-DD`) are still common. Luxon's (`yyyy-MM-dd`) are date-fns's.
    """
    if len(pattern) > MAX_PATTERN_LENGTH or not _ONLY_IN_MOMENT.search(_QUOTES.sub("", pattern)):
        return pattern
    return _PIECES.sub(_as_date_fns, pattern)


def _as_date_fns(match: "re.Match[str]") -> str:
    escaped, quoted, literal = match.groups()
    if escaped is not None:
        return _quote(escaped)
    if quoted is not None:
        return quoted
    return _quote(literal) if literal else _MOMENT_TOKENS.get(match[0], match[0])


def _quote(words: str) -> str:
    doubled = words.replace("'", "''")
    return f"'{doubled}'" if doubled else ""
