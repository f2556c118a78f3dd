"""Dates as charts write them: in English, in UTC, by the patterns of date-fns 4.

A pattern is compiled once. What a moment shows is `calendars`' to know. https://date-fns.org/docs/format
"""

from collections.abc import Callable, Mapping
from functools import lru_cache
from operator import attrgetter

from mdpublish_core.figures.charts.formats.calendars import (
    SECOND,
    Clock,
    clock_at,
    counted_year,
    day_of_year,
    is_moment,
    iso_week_of,
    iso_week_year,
    week_of,
    week_year,
)
from mdpublish_core.figures.charts.formats.date_names import NAMES
from mdpublish_core.figures.charts.formats.date_patterns import MOST_KEPT, tokens_of

_Part = Callable[[Clock], int]
_Write = Callable[[Clock], str]

# A letter has a function that takes how often it stands there, and returns what writes it.


def written_date(moment: float, pattern: str) -> str:
    """Return a moment as a pattern says; raises ValueError for a pattern that means nothing, and for no moment."""
    template, writers = _writing(pattern)
    if not is_moment(moment):
        raise ValueError(f"no date is {moment} milliseconds from 1970; dates are within 8.64e15")
    clock = clock_at(moment)
    return template % tuple([write(clock) for write in writers])


def _quarter(clock: Clock) -> int:
    return (clock.month + 2) // 3


def _period(clock: Clock) -> int:
    """Return 0 for a.m., 1 for p.m., 2 for midnight, 3 for noon."""
    return {0: 2, 12: 3}.get(clock.hour, clock.hour // 12)


def _part_of_day(clock: Clock) -> int:
    return sum(clock.hour >= hour for hour in (4, 12, 17))


def _ordinal(number: int) -> str:
    ending = "th" if number // 10 % 10 == 1 else {1: "st", 2: "nd", 3: "rd"}.get(number % 10, "th")
    return f"{number}{ending}"


def _padded(number: int, width: int) -> str:
    """Return a number with so many digits, beside its sign."""
    return str(number).zfill(width + (number < 0))


def _numbers(part: _Part) -> Callable[[int], _Write]:
    """Return what writes a part as its number."""

    def write(repeats: int) -> _Write:
        if repeats == 0:
            return lambda clock: _ordinal(part(clock))
        if repeats == 1:
            return lambda clock: str(part(clock))
        return lambda clock: _padded(part(clock), repeats)

    return write


def _years(part: _Part) -> Callable[[int], _Write]:
    """Return what writes a year of its era; two letters are for its last two digits."""

    def write(repeats: int) -> _Write:
        if repeats == 2:
            return lambda clock: _padded(counted_year(part(clock)) % 100, 2)
        return _numbers(lambda clock: counted_year(part(clock)))(repeats)

    return write


def _named(part: _Part, key: str, number: _Part | None = None) -> Callable[[int], _Write]:
    """Return what writes a part by its name, or by its number where there is one and the letters are at most two."""
    names = NAMES[key]

    def write(repeats: int) -> _Write:
        if number and repeats < 3:
            return _numbers(number)(repeats)
        chosen = {4: names.wide, 5: names.narrow, 6: names.short}.get(
            repeats, names.wide if repeats > 3 else names.abbreviated
        )
        if key == "period" and repeats == 3:
            chosen = tuple(name.lower() for name in chosen)
        return lambda clock: chosen[part(clock)]

    return write


def _fraction(repeats: int) -> _Write:
    """Return what writes so many digits of the second's fraction."""
    return lambda clock: f"{clock.millisecond:03d}"[:repeats].ljust(repeats, "0")


def _always(*texts: str) -> Callable[[int], _Write]:
    """Return what writes the same at every moment: the text for so many letters, the last one for more."""

    def write(repeats: int) -> _Write:
        text = texts[min(repeats, len(texts)) - 1]
        return lambda _clock: text

    return write


_weekday: _Part = attrgetter("weekday")
_month: _Part = attrgetter("month")
_year: _Part = attrgetter("year")
_WEEKDAY = _named(_weekday, "weekday", lambda clock: clock.weekday + 1)
_MONTH = _named(lambda clock: clock.month - 1, "month", _month)
_QUARTER = _named(lambda clock: _quarter(clock) - 1, "quarter", _quarter)
_ZONE = _always("GMT+0", "GMT+0", "GMT+0", "GMT+00:00")
_WRITERS: Mapping[str, Callable[[int], _Write]] = {
    "G": _named(lambda clock: int(clock.year > 0), "era"),
    "y": _years(_year),
    "Y": _years(week_year),
    "R": _numbers(iso_week_year),
    "u": _numbers(_year),
    "Q": _QUARTER,
    "q": _QUARTER,
    "M": _MONTH,
    "L": _MONTH,
    "w": _numbers(week_of),
    "I": _numbers(iso_week_of),
    "d": _numbers(attrgetter("date")),
    "D": _numbers(day_of_year),
    "E": _named(_weekday, "weekday"),
    "e": _WEEKDAY,
    "c": _WEEKDAY,
    "i": _named(_weekday, "weekday", lambda clock: clock.weekday or 7),
    "a": _named(lambda clock: clock.hour // 12, "period"),
    "b": _named(_period, "period"),
    "B": _named(_part_of_day, "part of day"),
    "h": _numbers(lambda clock: clock.hour % 12 or 12),
    "H": _numbers(attrgetter("hour")),
    "K": _numbers(lambda clock: clock.hour % 12),
    "k": _numbers(lambda clock: clock.hour or 24),
    "m": _numbers(attrgetter("minute")),
    "s": _numbers(attrgetter("second")),
    "S": _fraction,
    "X": _always("Z"),
    "x": _always("+00", "+0000", "+00:00", "+0000", "+00:00"),
    "O": _ZONE,
    "z": _ZONE,
    "t": _numbers(lambda clock: int(clock.moment / SECOND)),
    "T": _numbers(attrgetter("moment")),
}


@lru_cache(maxsize=MOST_KEPT)
def _writing(pattern: str) -> tuple[str, tuple[_Write, ...]]:
    """Return a template, and what writes the parts that go into it."""
    template: list[str] = []
    writers: list[_Write] = []
    for token in tokens_of(pattern, _WRITERS):
        if isinstance(token, str):
            template.append(token.replace("%", "%%"))
        else:
            template.append("%s")
            writers.append(_WRITERS[token.letter](token.repeats))
    return "".join(template), tuple(writers)
