"""What a pattern's letters stand for where a date is read: what finds a letter's value, and what puts it into a moment.

Both are as in date-fns 4: https://date-fns.org/docs/parse
"""

import re
from collections.abc import Callable, Mapping
from typing import NamedTuple

from mdpublish_core.figures.charts.formats.calendars import (
    DAY,
    HOUR,
    MINUTE,
    SECOND,
    WEEK,
    clock_at,
    counted_year,
    days_in_month,
    days_in_year,
    iso_week_of,
    moment_of,
    start_of,
    week_of,
)
from mdpublish_core.figures.charts.formats.date_names import NAMES

_Found = tuple[int, int] | None
"""The value of a token, and where in the text it ends."""
Find = Callable[[str, int], _Found]
"""Returns the value that a text has from a place on; None where it has none."""
Put = Callable[[int, int], float | None]
"""Returns a moment with a part replaced and all that is smaller at its start; None where there is no such part."""


def _choice(*choices: tuple[str, int]) -> Find:
    """Return what finds the first of some expressions that is there, and tells the value beside it."""
    expression = re.compile("|".join(f"({choice})" for choice, _ in choices), re.IGNORECASE | re.ASCII)
    values = [value for _, value in choices]

    def find(text: str, position: int) -> _Found:
        found = expression.match(text, position)
        return (values[(found.lastindex or 0) - 1], found.end()) if found else None

    return find


def _digits(expression: str, less: int = 0) -> Find:
    """Return what finds digits, and tells the number that they and a sign are, less so much."""
    compiled = re.compile(f"({expression})", re.ASCII)

    def find(text: str, position: int) -> _Found:
        found = compiled.match(text, position)
        return (int(found[0]) - less, found.end()) if found else None

    return find


def _ordinal_digits(less: int) -> Find:
    compiled = re.compile("([0-9]+)(?:th|st|nd|rd)?", re.IGNORECASE | re.ASCII)

    def find(text: str, position: int) -> _Found:
        found = compiled.match(text, position)
        return (int(found[1]) - less, found.end()) if found else None

    return find


def _either(*finds: Find) -> Find:
    """Return what finds with the first of some that finds anything."""

    def find(text: str, position: int) -> _Found:
        return next((found for each in finds if (found := each(text, position))), None)

    return find


def _listed(names: tuple[str, ...], first: int = 0) -> tuple[tuple[str, int], ...]:
    return tuple((name, value) for value, name in enumerate(names, first))


BLANK = r"[\s\u00a0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000\ufeff]"
"""White space, as JavaScript has it, where `\\s` is that of ASCII."""

_NARROW_ERA = _choice(("b", 0), ("a", 1))
_SHORT_ERA = _choice((rf"b\.?{BLANK}?c\.?", 0), (rf"a\.?{BLANK}?d\.?|c\.?{BLANK}?e\.?", 1))
_WIDE_ERA = _choice(("before christ|before common era", 0), ("anno domini|common era", 1))
_NARROW_QUARTER = _digits("[1-4]")
_SHORT_QUARTER = _choice(*_listed(NAMES["quarter"].abbreviated, 1))
_WIDE_QUARTER = _choice(*((f"{number}(?:th|st|nd|rd)? quarter", number) for number in range(1, 5)))
_NARROW_MONTH = _choice(*_listed(NAMES["month"].narrow, 1))
_SHORT_MONTH = _choice(*_listed(NAMES["month"].abbreviated, 1))
_WIDE_MONTH = _choice(*_listed(NAMES["month"].wide, 1))
# The hour with which a part of a day begins.
_PARTS = tuple(
    (f"in the {name}", hour) for name, hour in (("night", 0), ("morning", 4), ("afternoon", 12), ("evening", 17))
)
_NARROW_PERIOD = _choice(("a", 0), ("p", 12), ("mi|n", 0), *_PARTS)
_PERIOD = _choice(
    (rf"a\.?{BLANK}?m\.?", 0),
    (rf"p\.?{BLANK}?m\.?", 12),
    ("midnight", 0),
    ("noon", 12),
    ("at (?:morning|afternoon|evening|night)", 0),
    *_PARTS,
)


def _days(sunday: int) -> tuple[Find, ...]:
    """Return what finds a weekday, from Sunday's number on to 6, Monday being 1."""
    names = NAMES["weekday"]
    return tuple(
        _choice(*((name, number or sunday) for name, number in _listed(each)))
        for each in (names.wide, names.abbreviated, names.short, names.narrow)
    )


def _called(*finds: Find) -> Callable[[int], Find]:
    """Return what finds a name by the letters' number; the names are given from the widest on."""

    def choose(repeats: int) -> Find:
        # Six letters are for a form that weekdays alone have.
        first = {5: len(finds) - 1, 6: 2 if len(finds) == 4 else 0}.get(repeats, int(repeats < 4))
        return _either(*finds[first:])

    return choose


def _counted(
    expression: str, *, less: int = 0, sign: str = "", named: Callable[[int], Find] | None = None
) -> Callable[[int], Find]:
    """Return what finds a number: by the expression for one letter, else of so many digits, or a name from three on."""

    def choose(repeats: int) -> Find:
        if repeats == 0:
            return _ordinal_digits(less)
        if repeats > 2 and named:
            return named(repeats)
        return _digits(expression if repeats == 1 else f"{sign}[0-9]{{1,{repeats}}}", less)

    return choose


def _milliseconds(repeats: int) -> Find:
    """Return what finds so many digits of a second's fraction."""
    find_digits = _digits(f"[0-9]{{1,{repeats}}}")

    def find(text: str, position: int) -> _Found:
        found = find_digits(text, position)
        return (found[0] * 1000 // 10**repeats, found[1]) if found else None

    return find


def _offset(repeats: int) -> Find:
    """Return what finds a distance from UTC, in milliseconds."""
    colon = ":" if repeats in {3, 5} or repeats > 5 else ""
    minutes = f"{colon}([0-9]{{2}})" + "?" * (repeats == 1)
    seconds = f"(?:{colon}([0-9]{{2}}))?" if repeats in {4, 5} else "()"
    expression = re.compile(f"([+-])([0-9]{{2}}){minutes}{seconds}|Z")

    def find(text: str, position: int) -> _Found:
        found = expression.match(text, position)
        if not found:
            return None
        hour, minute, second = (int(each or 0) for each in found.groups()[1:])
        offset = hour * HOUR + minute * MINUTE + second * SECOND
        return (-offset if found[1] == "-" else offset), found.end()

    return find


_BEFORE_CHRIST = moment_of(0)
"""What an era puts into the moment: the start of its year 1."""


def _put_year(moment: int, year: int) -> float | None:
    if year < 1:
        return None
    return moment_of(1 - year if moment == _BEFORE_CHRIST else year)


def put_short_year(moment: int, digits: int) -> float:
    """Put the year with these last two digits that is less than 50 years after the moment's, and not longer ago."""
    year = clock_at(moment).year
    counted = counted_year(year)
    if counted <= 50:
        near = digits or 100
    else:
        end = counted + 50
        near = digits + end // 100 * 100 - 100 * (digits >= end % 100)
    return moment_of(near if year > 0 else 1 - near)


def _put_week_year(moment: int, year: int) -> float | None:
    first = _put_year(moment, year)
    return None if first is None else start_of(first, "week")


def _put_iso_week_year(_moment: int, year: int) -> float:
    return start_of(moment_of(year, 1, 4), "week", 1)


def _put_quarter(moment: int, quarter: int) -> float:
    return moment_of(clock_at(moment).year, 3 * quarter - 2)


def _put_month(moment: int, month: int) -> float:
    return moment_of(clock_at(moment).year, month)


def _put_week(moment: int, week: int) -> float:
    return start_of(moment + (week - week_of(clock_at(moment))) * WEEK, "week")


def _put_iso_week(moment: int, week: int) -> float:
    return start_of(moment + (week - iso_week_of(clock_at(moment))) * WEEK, "week", 1)


def _put_day(moment: int, day: int) -> float | None:
    clock = clock_at(moment)
    return moment_of(clock.year, clock.month, day) if 1 <= day <= days_in_month(clock.year, clock.month) else None


def _put_day_of_year(moment: int, day: int) -> float | None:
    year = clock_at(moment).year
    return moment_of(year, 1, day) if 1 <= day <= days_in_year(year) else None


def _put_hour(moment: int, hour: int) -> float:
    return start_of(moment, "day") + hour * HOUR


def _put_hour_of_half(moment: int, hour: int) -> float:
    """Put an hour into the half of the day that the moment is in."""
    return _put_hour(moment, hour % 12 + clock_at(moment).hour // 12 * 12)


def _within(least: int, most: int, put: Put) -> Put:
    """Return what puts values from the least to the most."""
    return lambda moment, value: put(moment, value) if least <= value <= most else None


class Field(NamedTuple):
    """What a letter is when read: fields of larger units are put first, and one field alone of each size."""

    size: int
    refused: str
    """The letters that may not stand before it; `*` is for all."""
    find: Callable[[int], Find]
    put: Put


_ERAS = _called(_WIDE_ERA, _SHORT_ERA, _NARROW_ERA)
_QUARTERS = _counted("[0-9]", named=_called(_WIDE_QUARTER, _SHORT_QUARTER, _NARROW_QUARTER))
_MONTHS_OR_NUMBERS = _counted("1[0-2]|0?[0-9]", named=_called(_WIDE_MONTH, _SHORT_MONTH, _NARROW_MONTH))
_WEEKS = _counted("5[0-3]|[0-4]?[0-9]")
_PERIODS = _called(_PERIOD, _PERIOD, _NARROW_PERIOD)
_SIXTIETHS = _counted("[0-5]?[0-9]")
_put_weekday = _within(0, 6, lambda moment, day: start_of(moment, "week") + day * DAY)
_put_iso_weekday = _within(1, 7, lambda moment, day: start_of(moment, "week", 1) + (day - 1) * DAY)
FIELDS: Mapping[str, Field] = {
    "G": Field(140, "RutT", _ERAS, lambda _moment, era: moment_of(era)),
    "y": Field(130, "YRuwIiectT", _counted("[0-9]{1,4}"), _put_year),
    "Y": Field(130, "yRuQqMLIdDitT", _counted("[0-9]{1,4}"), _put_week_year),
    "R": Field(130, "GyYuQqMLwdDectT", _counted("-?[0-9]{1,4}", sign="-?"), _put_iso_week_year),
    "u": Field(130, "GyYRwIiectT", _counted("-?[0-9]{1,4}", sign="-?"), lambda _moment, year: moment_of(year)),
    "Q": Field(120, "YRqMLwIdDiectT", _QUARTERS, _within(1, 4, _put_quarter)),
    "q": Field(120, "YRQMLwIdDiectT", _QUARTERS, _within(1, 4, _put_quarter)),
    "M": Field(110, "YRqQLwIDiectT", _MONTHS_OR_NUMBERS, _within(1, 12, _put_month)),
    "L": Field(110, "YRqQMwIDiectT", _MONTHS_OR_NUMBERS, _within(1, 12, _put_month)),
    "w": Field(100, "yRuqQMLIdDitT", _WEEKS, _within(1, 53, _put_week)),
    "I": Field(100, "yYuqQMLwdDectT", _WEEKS, _within(1, 53, _put_iso_week)),
    "d": Field(90, "YRqQwIDiectT", _counted("3[01]|[0-2]?[0-9]"), _put_day),
    "D": Field(90, "YRqQMLwIdEiectT", _counted(""), _put_day_of_year),
    "E": Field(90, "DiectT", _called(*_days(0)), _put_weekday),
    "e": Field(90, "yRuqQMLIdDEictT", _counted("[0-9]", less=1, named=_called(*_days(0))), _put_weekday),
    "c": Field(90, "yRuqQMLIdDEietT", _counted("[0-9]", less=1, named=_called(*_days(0))), _put_weekday),
    "i": Field(90, "yYuqQMLwdDEectT", _counted("[0-9]", named=_called(*_days(7))), _put_iso_weekday),
    "a": Field(80, "bBHktT", _PERIODS, _put_hour),
    "b": Field(80, "aBHktT", _PERIODS, _put_hour),
    "B": Field(80, "abtT", _PERIODS, _put_hour),
    "h": Field(70, "HKktT", _counted("1[0-2]|0?[0-9]"), _within(1, 12, _put_hour_of_half)),
    "H": Field(70, "abhKktT", _counted("2[0-3]|[01]?[0-9]"), _within(0, 23, _put_hour)),
    "K": Field(70, "hHktT", _counted("1[01]|0?[0-9]"), _within(0, 11, _put_hour_of_half)),
    "k": Field(70, "abhHKtT", _counted("2[0-4]|[01]?[0-9]"), _within(1, 24, lambda at, hour: _put_hour(at, hour % 24))),
    "m": Field(60, "tT", _SIXTIETHS, _within(0, 59, lambda moment, part: start_of(moment, "hour") + part * MINUTE)),
    "s": Field(50, "tT", _SIXTIETHS, _within(0, 59, lambda moment, part: start_of(moment, "minute") + part * SECOND)),
    "t": Field(40, "*", lambda _repeats: _digits("-?[0-9]+"), lambda _moment, seconds: seconds * SECOND),
    "S": Field(30, "tT", _milliseconds, lambda moment, part: start_of(moment, "second") + part),
    "T": Field(20, "*", lambda _repeats: _digits("-?[0-9]+"), lambda _moment, value: value),
    "X": Field(10, "xtT", _offset, lambda moment, offset: moment - offset),
    "x": Field(10, "XtT", _offset, lambda moment, offset: moment - offset),
}
