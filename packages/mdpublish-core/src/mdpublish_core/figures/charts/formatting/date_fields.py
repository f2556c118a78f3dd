"""Fields of date patterns, as in date-fns 4: https://date-fns.org/docs/parse."""

import re
from collections.abc import Callable, Mapping
from itertools import chain
from typing import NamedTuple

from mdpublish_core.figures.charts.formatting.date_arithmetic import (
    DAY,
    HOUR,
    MINUTE,
    SECOND,
    WEEK,
    days_in_month,
    days_in_year,
    era_year,
    iso_week_of,
    split_timestamp,
    start_of,
    to_timestamp,
    week_of,
)
from mdpublish_core.figures.charts.formatting.date_patterns import NAMES

Reading = tuple[str, Callable[[str], int]]
"""An expression that does not backtrack, and the value of what its group matches."""

Setter = Callable[[int, int], float | None]
"""Replaces a part of a timestamp and resets smaller ones; None if out of range."""

_Choices = tuple[tuple[str, int], ...]
"""Expressions without groups, and their values."""


def _choice(choices: _Choices) -> Reading:
    def value(written: str) -> int:
        return next(each for choice, each in choices if re.fullmatch(choice, written, re.IGNORECASE | re.ASCII))

    return f"(?>(?i:({'|'.join(choice for choice, _ in choices)})))", value


def _digits(expression: str, less: int = 0, ending: str = "") -> Reading:
    """Read a signed number minus `less`."""
    return f"(?>(?i:({expression}){ending}))", lambda digits: int(digits) - less


def _enumerated(names: tuple[str, ...], first: int = 1) -> _Choices:
    return tuple((name, value) for value, name in enumerate(names, first))


WHITESPACE = r"[\s\u00a0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000\ufeff]"
r"""JavaScript's `\s`, for expressions compiled with `re.ASCII`."""

# Names from wide to narrow.
_ERAS: tuple[_Choices, ...] = (
    (("before christ|before common era", 0), ("anno domini|common era", 1)),
    ((rf"b\.?{WHITESPACE}?c\.?", 0), (rf"a\.?{WHITESPACE}?d\.?|c\.?{WHITESPACE}?e\.?", 1)),
    (("b", 0), ("a", 1)),
)
_QUARTERS = (
    tuple((f"{number}(?:th|st|nd|rd)? quarter", number) for number in range(1, 5)),
    _enumerated(NAMES["quarter"].abbreviated),
    _enumerated(NAMES["quarter"].narrow),
)
_MONTHS = tuple(map(_enumerated, (NAMES["month"].wide, NAMES["month"].abbreviated, NAMES["month"].narrow)))
# The hour at which a part of the day starts.
_PARTS = tuple(
    (f"in the {name}", hour) for name, hour in (("night", 0), ("morning", 4), ("afternoon", 12), ("evening", 17))
)
_PERIOD = (
    (rf"a\.?{WHITESPACE}?m\.?", 0),
    (rf"p\.?{WHITESPACE}?m\.?", 12),
    ("midnight", 0),
    ("noon", 12),
    ("at (?:morning|afternoon|evening|night)", 0),
    *_PARTS,
)
_NARROW_PERIOD = (("a", 0), ("p", 12), ("mi|n", 0), *_PARTS)


def _weekdays(sunday: int) -> tuple[_Choices, ...]:
    names = NAMES["weekday"]
    return tuple(
        tuple((name, number or sunday) for name, number in _enumerated(each, 0))
        for each in (names.wide, names.abbreviated, names.short, names.narrow)
    )


def _name_reader(*forms: _Choices) -> Callable[[int], Reading]:
    """Select forms, from wide to narrow, by the number of letters."""

    def choose(repeats: int) -> Reading:
        # Only weekdays have a form with six letters.
        first = {5: len(forms) - 1, 6: 2 if len(forms) == 4 else 0}.get(repeats, int(repeats < 4))
        return _choice(tuple(chain.from_iterable(forms[first:])))

    return choose


def _number_reader(
    expression: str, *, less: int = 0, sign: str = "", names: tuple[_Choices, ...] = ()
) -> Callable[[int], Reading]:
    """Read `expression` for one letter, digits for more, names for three or more."""

    def choose(repeats: int) -> Reading:
        if repeats == 0:
            return _digits("[0-9]+", less, "(?:th|st|nd|rd)?")
        if repeats > 2 and names:
            return _name_reader(*names)(repeats)
        return _digits(expression if repeats == 1 else f"{sign}[0-9]{{1,{repeats}}}", less)

    return choose


def _milliseconds_reader(repeats: int) -> Reading:
    return f"(?>([0-9]{{1,{repeats}}}))", lambda digits: int(digits) * 1000 // 10**repeats


def _offset_reader(repeats: int) -> Reading:
    """Read a UTC offset in milliseconds."""
    colon = ":" if repeats in {3, 5} or repeats > 5 else ""
    minutes = f"{colon}[0-9]{{2}}" if repeats != 1 else "(?:[0-9]{2})?"
    seconds = f"(?:{colon}[0-9]{{2}})?" if repeats in {4, 5} else ""

    def value(written: str) -> int:
        parts = map(int, re.findall("[0-9]{2}", written))
        offset = sum(part * unit for part, unit in zip(parts, (HOUR, MINUTE, SECOND), strict=False))
        return -offset if written.startswith("-") else offset

    return f"(?>([+-][0-9]{{2}}{minutes}{seconds}|Z))", value


_BEFORE_CHRIST = to_timestamp(0)  # start of 1 BC


def _set_year(timestamp: int, year: int) -> float | None:
    if year < 1:
        return None
    return to_timestamp(1 - year if timestamp == _BEFORE_CHRIST else year)


def set_two_digit_year(timestamp: int, digits: int) -> float:
    """Set a two-digit year, from 50 years before the timestamp to 49 after."""
    year = split_timestamp(timestamp).year
    counted = era_year(year)
    if counted <= 50:
        near = digits or 100
    else:
        end = counted + 50
        near = digits + end // 100 * 100 - 100 * (digits >= end % 100)
    return to_timestamp(near if year > 0 else 1 - near)


def _set_week_year(timestamp: int, year: int) -> float | None:
    first = _set_year(timestamp, year)
    return None if first is None else start_of(first, "week")


def _set_iso_week_year(_timestamp: int, year: int) -> float:
    return start_of(to_timestamp(year, 1, 4), "week", 1)


def _set_quarter(timestamp: int, quarter: int) -> float:
    return to_timestamp(split_timestamp(timestamp).year, 3 * quarter - 2)


def _set_month(timestamp: int, month: int) -> float:
    return to_timestamp(split_timestamp(timestamp).year, month)


def _set_week(timestamp: int, week: int) -> float:
    return start_of(timestamp + (week - week_of(split_timestamp(timestamp))) * WEEK, "week")


def _set_iso_week(timestamp: int, week: int) -> float:
    return start_of(timestamp + (week - iso_week_of(split_timestamp(timestamp))) * WEEK, "week", 1)


def _set_day(timestamp: int, day: int) -> float | None:
    parts = split_timestamp(timestamp)
    return to_timestamp(parts.year, parts.month, day) if 1 <= day <= days_in_month(parts.year, parts.month) else None


def _set_day_of_year(timestamp: int, day: int) -> float | None:
    year = split_timestamp(timestamp).year
    return to_timestamp(year, 1, day) if 1 <= day <= days_in_year(year) else None


def _set_hour(timestamp: int, hour: int) -> float:
    return start_of(timestamp, "day") + hour * HOUR


def _set_half_day_hour(timestamp: int, hour: int) -> float:
    """Set a 12-hour clock's hour within the same half of the day."""
    return _set_hour(timestamp, hour % 12 + split_timestamp(timestamp).hour // 12 * 12)


def _in_range(minimum: int, maximum: int, setter: Setter) -> Setter:
    return lambda timestamp, value: setter(timestamp, value) if minimum <= value <= maximum else None


class Field(NamedTuple):
    """Larger units are set first; a pattern may have one field per unit."""

    priority: int
    incompatible: str  # preceding letters that conflict; `*` for all
    reader: Callable[[int], Reading]
    setter: Setter


_QUARTERS_OR_NUMBERS = _number_reader("[0-9]", names=_QUARTERS)
_MONTHS_OR_NUMBERS = _number_reader("1[0-2]|0?[0-9]", names=_MONTHS)
_WEEKDAYS_OR_NUMBERS = _number_reader("[0-9]", less=1, names=_weekdays(0))
_WEEKS = _number_reader("5[0-3]|[0-4]?[0-9]")
_PERIODS = _name_reader(_PERIOD, _PERIOD, _NARROW_PERIOD)
_SIXTIETHS = _number_reader("[0-5]?[0-9]")
_set_weekday = _in_range(0, 6, lambda timestamp, day: start_of(timestamp, "week") + day * DAY)
_set_iso_weekday = _in_range(1, 7, lambda timestamp, day: start_of(timestamp, "week", 1) + (day - 1) * DAY)
FIELDS: Mapping[str, Field] = {
    "G": Field(140, "RutT", _name_reader(*_ERAS), lambda _timestamp, era: to_timestamp(era)),
    "y": Field(130, "YRuwIiectT", _number_reader("[0-9]{1,4}"), _set_year),
    "Y": Field(130, "yRuQqMLIdDitT", _number_reader("[0-9]{1,4}"), _set_week_year),
    "R": Field(130, "GyYuQqMLwdDectT", _number_reader("-?[0-9]{1,4}", sign="-?"), _set_iso_week_year),
    "u": Field(
        130, "GyYRwIiectT", _number_reader("-?[0-9]{1,4}", sign="-?"), lambda _timestamp, year: to_timestamp(year)
    ),
    "Q": Field(120, "YRqMLwIdDiectT", _QUARTERS_OR_NUMBERS, _in_range(1, 4, _set_quarter)),
    "q": Field(120, "YRQMLwIdDiectT", _QUARTERS_OR_NUMBERS, _in_range(1, 4, _set_quarter)),
    "M": Field(110, "YRqQLwIDiectT", _MONTHS_OR_NUMBERS, _in_range(1, 12, _set_month)),
    "L": Field(110, "YRqQMwIDiectT", _MONTHS_OR_NUMBERS, _in_range(1, 12, _set_month)),
    "w": Field(100, "yRuqQMLIdDitT", _WEEKS, _in_range(1, 53, _set_week)),
    "I": Field(100, "yYuqQMLwdDectT", _WEEKS, _in_range(1, 53, _set_iso_week)),
    "d": Field(90, "YRqQwIDiectT", _number_reader("3[01]|[0-2]?[0-9]"), _set_day),
    "D": Field(90, "YRqQMLwIdEiectT", _number_reader(""), _set_day_of_year),
    "E": Field(90, "DiectT", _name_reader(*_weekdays(0)), _set_weekday),
    "e": Field(90, "yRuqQMLIdDEictT", _WEEKDAYS_OR_NUMBERS, _set_weekday),
    "c": Field(90, "yRuqQMLIdDEietT", _WEEKDAYS_OR_NUMBERS, _set_weekday),
    "i": Field(90, "yYuqQMLwdDEectT", _number_reader("[0-9]", names=_weekdays(7)), _set_iso_weekday),
    "a": Field(80, "bBHktT", _PERIODS, _set_hour),
    "b": Field(80, "aBHktT", _PERIODS, _set_hour),
    "B": Field(80, "abtT", _PERIODS, _set_hour),
    "h": Field(70, "HKktT", _number_reader("1[0-2]|0?[0-9]"), _in_range(1, 12, _set_half_day_hour)),
    "H": Field(70, "abhKktT", _number_reader("2[0-3]|[01]?[0-9]"), _in_range(0, 23, _set_hour)),
    "K": Field(70, "hHktT", _number_reader("1[01]|0?[0-9]"), _in_range(0, 11, _set_half_day_hour)),
    "k": Field(
        70, "abhHKtT", _number_reader("2[0-4]|[01]?[0-9]"), _in_range(1, 24, lambda at, hour: _set_hour(at, hour % 24))
    ),
    "m": Field(
        60, "tT", _SIXTIETHS, _in_range(0, 59, lambda timestamp, part: start_of(timestamp, "hour") + part * MINUTE)
    ),
    "s": Field(
        50, "tT", _SIXTIETHS, _in_range(0, 59, lambda timestamp, part: start_of(timestamp, "minute") + part * SECOND)
    ),
    "t": Field(40, "*", lambda _repeats: _digits("-?[0-9]+"), lambda _timestamp, seconds: seconds * SECOND),
    "S": Field(30, "tT", _milliseconds_reader, lambda timestamp, part: start_of(timestamp, "second") + part),
    "T": Field(20, "*", lambda _repeats: _digits("-?[0-9]+"), lambda _timestamp, value: value),
    "X": Field(10, "xtT", _offset_reader, lambda timestamp, offset: timestamp - offset),
    "x": Field(10, "XtT", _offset_reader, lambda timestamp, offset: timestamp - offset),
}
