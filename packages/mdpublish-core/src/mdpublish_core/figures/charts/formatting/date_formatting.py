"""Date formatting in English and UTC, as in date-fns 4: https://date-fns.org/docs/format."""

from collections.abc import Callable, Mapping
from functools import lru_cache
from operator import attrgetter

from mdpublish_core.figures.charts.formatting import date_arithmetic as dates
from mdpublish_core.figures.charts.formatting.date_patterns import CACHE_SIZE, NAMES, tokenize_pattern

_Getter = Callable[[dates.DateParts], int]
_Writer = Callable[[dates.DateParts], str]

# Each letter has a function of its number of repeats that returns a writer.


def format_date(timestamp: float, pattern: str) -> str:
    """Format a timestamp. Raises ValueError for an invalid pattern or timestamp."""
    template, writers = _compile(pattern)
    if not dates.is_valid_timestamp(timestamp):
        raise ValueError(f"timestamps must be within 8.64e15 ms of 1970 (got {timestamp})")
    parts = dates.split_timestamp(timestamp)
    return template % tuple([write(parts) for write in writers])


def _quarter(parts: dates.DateParts) -> int:
    return (parts.month + 2) // 3


def _period(parts: dates.DateParts) -> int:
    """Return 0 for a.m., 1 for p.m., 2 for midnight, 3 for noon."""
    return {0: 2, 12: 3}.get(parts.hour, parts.hour // 12)


def _ordinal(number: int) -> str:
    ending = "th" if number // 10 % 10 == 1 else {1: "st", 2: "nd", 3: "rd"}.get(number % 10, "th")
    return f"{number}{ending}"


def _padded(number: int, width: int) -> str:
    return str(number).zfill(width + (number < 0))


def _number_writer(getter: _Getter) -> Callable[[int], _Writer]:
    def write(repeats: int) -> _Writer:
        if repeats == 0:
            return lambda parts: _ordinal(getter(parts))
        if repeats == 1:
            return lambda parts: str(getter(parts))
        return lambda parts: _padded(getter(parts), repeats)

    return write


def _year_writer(getter: _Getter) -> Callable[[int], _Writer]:
    """Two letters write the last two digits."""

    def write(repeats: int) -> _Writer:
        if repeats == 2:
            return lambda parts: _padded(dates.era_year(getter(parts)) % 100, 2)
        return _number_writer(lambda parts: dates.era_year(getter(parts)))(repeats)

    return write


def _name_writer(getter: _Getter, key: str, number: _Getter | None = None) -> Callable[[int], _Writer]:
    """Up to two letters write the number, if there is one."""
    names = NAMES[key]

    def write(repeats: int) -> _Writer:
        if number and repeats < 3:
            return _number_writer(number)(repeats)
        chosen = {4: names.wide, 5: names.narrow, 6: names.short}.get(
            repeats, names.wide if repeats > 3 else names.abbreviated
        )
        if key == "period" and repeats == 3:
            chosen = tuple(name.lower() for name in chosen)
        return lambda parts: chosen[getter(parts)]

    return write


def _constant_writer(*strings: str) -> Callable[[int], _Writer]:
    """Write a constant for each number of letters."""

    def write(repeats: int) -> _Writer:
        string = strings[min(repeats, len(strings)) - 1]
        return lambda _parts: string

    return write


_weekday: _Getter = attrgetter("weekday")
_month: _Getter = attrgetter("month")
_year: _Getter = attrgetter("year")
_WEEKDAY = _name_writer(_weekday, "weekday", lambda parts: parts.weekday + 1)
_MONTH = _name_writer(lambda parts: parts.month - 1, "month", _month)
_QUARTER = _name_writer(lambda parts: _quarter(parts) - 1, "quarter", _quarter)
_ZONE = _constant_writer("GMT+0", "GMT+0", "GMT+0", "GMT+00:00")
_WRITERS: Mapping[str, Callable[[int], _Writer]] = {
    "G": _name_writer(lambda parts: int(parts.year > 0), "era"),
    "y": _year_writer(_year),
    "Y": _year_writer(dates.week_year),
    "R": _number_writer(dates.iso_week_year),
    "u": _number_writer(_year),
    "Q": _QUARTER,
    "q": _QUARTER,
    "M": _MONTH,
    "L": _MONTH,
    "w": _number_writer(dates.week_of),
    "I": _number_writer(dates.iso_week_of),
    "d": _number_writer(attrgetter("day_of_month")),
    "D": _number_writer(dates.day_of_year),
    "E": _name_writer(_weekday, "weekday"),
    "e": _WEEKDAY,
    "c": _WEEKDAY,
    "i": _name_writer(_weekday, "weekday", lambda parts: parts.weekday or 7),
    "a": _name_writer(lambda parts: parts.hour // 12, "period"),
    "b": _name_writer(_period, "period"),
    "B": _name_writer(lambda parts: sum(parts.hour >= hour for hour in (4, 12, 17)), "part of day"),
    "h": _number_writer(lambda parts: parts.hour % 12 or 12),
    "H": _number_writer(attrgetter("hour")),
    "K": _number_writer(lambda parts: parts.hour % 12),
    "k": _number_writer(lambda parts: parts.hour or 24),
    "m": _number_writer(attrgetter("minute")),
    "s": _number_writer(attrgetter("second")),
    "S": lambda repeats: lambda parts: f"{parts.millisecond:03d}"[:repeats].ljust(repeats, "0"),
    "X": _constant_writer("Z"),
    "x": _constant_writer("+00", "+0000", "+00:00", "+0000", "+00:00"),
    "O": _ZONE,
    "z": _ZONE,
    "t": _number_writer(lambda parts: int(parts.timestamp / dates.SECOND)),
    "T": _number_writer(attrgetter("timestamp")),
}


@lru_cache(maxsize=CACHE_SIZE)
def _compile(pattern: str) -> tuple[str, tuple[_Writer, ...]]:
    template: list[str] = []
    writers: list[_Writer] = []
    for token in tokenize_pattern(pattern, _WRITERS):
        if isinstance(token, str):
            template.append(token.replace("%", "%%"))
        else:
            template.append("%s")
            writers.append(_WRITERS[token.symbol](token.repeats))
    return "".join(template), tuple(writers)
