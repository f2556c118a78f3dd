"""Fields of date patterns, as in date-fns 4: https://date-fns.org/docs/parse."""

import re
from collections.abc import Callable, Mapping
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
from mdpublish_core.figures.charts.formatting.date_names import NAMES

_Parsed = tuple[int, int] | None  # value and end index
Parser = Callable[[str, int], _Parsed]
Setter = Callable[[int, int], float | None]
"""Replaces a part of a timestamp and resets smaller ones; None if out of range."""


def _choice_parser(*choices: tuple[str, int]) -> Parser:
    expression = re.compile("|".join(f"({choice})" for choice, _ in choices), re.IGNORECASE | re.ASCII)
    values = [value for _, value in choices]

    def parse(string: str, position: int) -> _Parsed:
        match = expression.match(string, position)
        return (values[(match.lastindex or 0) - 1], match.end()) if match else None

    return parse


def _digits_parser(expression: str, less: int = 0, ending: str = "") -> Parser:
    """Parse a signed number minus `less`."""
    compiled = re.compile(f"({expression}){ending}", re.IGNORECASE | re.ASCII)

    def parse(string: str, position: int) -> _Parsed:
        match = compiled.match(string, position)
        return (int(match[1]) - less, match.end()) if match else None

    return parse


def _first_parser(*parsers: Parser) -> Parser:
    def parse(string: str, position: int) -> _Parsed:
        return next((parsed for each in parsers if (parsed := each(string, position))), None)

    return parse


def _enumerated(names: tuple[str, ...], first: int = 0) -> tuple[tuple[str, int], ...]:
    return tuple((name, value) for value, name in enumerate(names, first))


WHITESPACE = r"[\s\u00a0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000\ufeff]"
r"""JavaScript's `\s`, for expressions compiled with `re.ASCII`."""

_NARROW_ERA = _choice_parser(("b", 0), ("a", 1))
_SHORT_ERA = _choice_parser((rf"b\.?{WHITESPACE}?c\.?", 0), (rf"a\.?{WHITESPACE}?d\.?|c\.?{WHITESPACE}?e\.?", 1))
_WIDE_ERA = _choice_parser(("before christ|before common era", 0), ("anno domini|common era", 1))
_NARROW_QUARTER = _digits_parser("[1-4]")
_SHORT_QUARTER = _choice_parser(*_enumerated(NAMES["quarter"].abbreviated, 1))
_WIDE_QUARTER = _choice_parser(*((f"{number}(?:th|st|nd|rd)? quarter", number) for number in range(1, 5)))
_NARROW_MONTH = _choice_parser(*_enumerated(NAMES["month"].narrow, 1))
_SHORT_MONTH = _choice_parser(*_enumerated(NAMES["month"].abbreviated, 1))
_WIDE_MONTH = _choice_parser(*_enumerated(NAMES["month"].wide, 1))
# The hour at which a part of the day starts.
_PARTS = tuple(
    (f"in the {name}", hour) for name, hour in (("night", 0), ("morning", 4), ("afternoon", 12), ("evening", 17))
)
_NARROW_PERIOD = _choice_parser(("a", 0), ("p", 12), ("mi|n", 0), *_PARTS)
_PERIOD = _choice_parser(
    (rf"a\.?{WHITESPACE}?m\.?", 0),
    (rf"p\.?{WHITESPACE}?m\.?", 12),
    ("midnight", 0),
    ("noon", 12),
    ("at (?:morning|afternoon|evening|night)", 0),
    *_PARTS,
)


def _weekday_parsers(sunday: int) -> tuple[Parser, ...]:
    names = NAMES["weekday"]
    return tuple(
        _choice_parser(*((name, number or sunday) for name, number in _enumerated(each)))
        for each in (names.wide, names.abbreviated, names.short, names.narrow)
    )


def _name_parser(*parsers: Parser) -> Callable[[int], Parser]:
    """Select parsers, from wide to narrow, by the number of letters."""

    def choose(repeats: int) -> Parser:
        # Only weekdays have a form with six letters.
        first = {5: len(parsers) - 1, 6: 2 if len(parsers) == 4 else 0}.get(repeats, int(repeats < 4))
        return _first_parser(*parsers[first:])

    return choose


def _number_parser(
    expression: str, *, less: int = 0, sign: str = "", named: Callable[[int], Parser] | None = None
) -> Callable[[int], Parser]:
    """Parse `expression` for one letter, digits for more, names for three or more."""

    def choose(repeats: int) -> Parser:
        if repeats == 0:
            return _digits_parser("[0-9]+", less, "(?:th|st|nd|rd)?")
        if repeats > 2 and named:
            return named(repeats)
        return _digits_parser(expression if repeats == 1 else f"{sign}[0-9]{{1,{repeats}}}", less)

    return choose


def _milliseconds_parser(repeats: int) -> Parser:
    parse_digits = _digits_parser(f"[0-9]{{1,{repeats}}}")

    def parse(string: str, position: int) -> _Parsed:
        parsed = parse_digits(string, position)
        return (parsed[0] * 1000 // 10**repeats, parsed[1]) if parsed else None

    return parse


def _offset_parser(repeats: int) -> Parser:
    """Parse a UTC offset in milliseconds."""
    colon = ":" if repeats in {3, 5} or repeats > 5 else ""
    minutes = f"{colon}([0-9]{{2}})" + "?" * (repeats == 1)
    seconds = f"(?:{colon}([0-9]{{2}}))?" if repeats in {4, 5} else "()"
    expression = re.compile(f"([+-])([0-9]{{2}}){minutes}{seconds}|Z")

    def parse(string: str, position: int) -> _Parsed:
        match = expression.match(string, position)
        if not match:
            return None
        hour, minute, second = (int(each or 0) for each in match.groups()[1:])
        offset = hour * HOUR + minute * MINUTE + second * SECOND
        return (-offset if match[1] == "-" else offset), match.end()

    return parse


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
    parser: Callable[[int], Parser]
    setter: Setter


_ERAS = _name_parser(_WIDE_ERA, _SHORT_ERA, _NARROW_ERA)
_QUARTERS = _number_parser("[0-9]", named=_name_parser(_WIDE_QUARTER, _SHORT_QUARTER, _NARROW_QUARTER))
_MONTHS_OR_NUMBERS = _number_parser("1[0-2]|0?[0-9]", named=_name_parser(_WIDE_MONTH, _SHORT_MONTH, _NARROW_MONTH))
_WEEKS = _number_parser("5[0-3]|[0-4]?[0-9]")
_PERIODS = _name_parser(_PERIOD, _PERIOD, _NARROW_PERIOD)
_SIXTIETHS = _number_parser("[0-5]?[0-9]")
_set_weekday = _in_range(0, 6, lambda timestamp, day: start_of(timestamp, "week") + day * DAY)
_set_iso_weekday = _in_range(1, 7, lambda timestamp, day: start_of(timestamp, "week", 1) + (day - 1) * DAY)
FIELDS: Mapping[str, Field] = {
    "G": Field(140, "RutT", _ERAS, lambda _timestamp, era: to_timestamp(era)),
    "y": Field(130, "YRuwIiectT", _number_parser("[0-9]{1,4}"), _set_year),
    "Y": Field(130, "yRuQqMLIdDitT", _number_parser("[0-9]{1,4}"), _set_week_year),
    "R": Field(130, "GyYuQqMLwdDectT", _number_parser("-?[0-9]{1,4}", sign="-?"), _set_iso_week_year),
    "u": Field(
        130, "GyYRwIiectT", _number_parser("-?[0-9]{1,4}", sign="-?"), lambda _timestamp, year: to_timestamp(year)
    ),
    "Q": Field(120, "YRqMLwIdDiectT", _QUARTERS, _in_range(1, 4, _set_quarter)),
    "q": Field(120, "YRQMLwIdDiectT", _QUARTERS, _in_range(1, 4, _set_quarter)),
    "M": Field(110, "YRqQLwIDiectT", _MONTHS_OR_NUMBERS, _in_range(1, 12, _set_month)),
    "L": Field(110, "YRqQMwIDiectT", _MONTHS_OR_NUMBERS, _in_range(1, 12, _set_month)),
    "w": Field(100, "yRuqQMLIdDitT", _WEEKS, _in_range(1, 53, _set_week)),
    "I": Field(100, "yYuqQMLwdDectT", _WEEKS, _in_range(1, 53, _set_iso_week)),
    "d": Field(90, "YRqQwIDiectT", _number_parser("3[01]|[0-2]?[0-9]"), _set_day),
    "D": Field(90, "YRqQMLwIdEiectT", _number_parser(""), _set_day_of_year),
    "E": Field(90, "DiectT", _name_parser(*_weekday_parsers(0)), _set_weekday),
    "e": Field(
        90, "yRuqQMLIdDEictT", _number_parser("[0-9]", less=1, named=_name_parser(*_weekday_parsers(0))), _set_weekday
    ),
    "c": Field(
        90, "yRuqQMLIdDEietT", _number_parser("[0-9]", less=1, named=_name_parser(*_weekday_parsers(0))), _set_weekday
    ),
    "i": Field(
        90, "yYuqQMLwdDEectT", _number_parser("[0-9]", named=_name_parser(*_weekday_parsers(7))), _set_iso_weekday
    ),
    "a": Field(80, "bBHktT", _PERIODS, _set_hour),
    "b": Field(80, "aBHktT", _PERIODS, _set_hour),
    "B": Field(80, "abtT", _PERIODS, _set_hour),
    "h": Field(70, "HKktT", _number_parser("1[0-2]|0?[0-9]"), _in_range(1, 12, _set_half_day_hour)),
    "H": Field(70, "abhKktT", _number_parser("2[0-3]|[01]?[0-9]"), _in_range(0, 23, _set_hour)),
    "K": Field(70, "hHktT", _number_parser("1[01]|0?[0-9]"), _in_range(0, 11, _set_half_day_hour)),
    "k": Field(
        70, "abhHKtT", _number_parser("2[0-4]|[01]?[0-9]"), _in_range(1, 24, lambda at, hour: _set_hour(at, hour % 24))
    ),
    "m": Field(
        60, "tT", _SIXTIETHS, _in_range(0, 59, lambda timestamp, part: start_of(timestamp, "hour") + part * MINUTE)
    ),
    "s": Field(
        50, "tT", _SIXTIETHS, _in_range(0, 59, lambda timestamp, part: start_of(timestamp, "minute") + part * SECOND)
    ),
    "t": Field(40, "*", lambda _repeats: _digits_parser("-?[0-9]+"), lambda _timestamp, seconds: seconds * SECOND),
    "S": Field(30, "tT", _milliseconds_parser, lambda timestamp, part: start_of(timestamp, "second") + part),
    "T": Field(20, "*", lambda _repeats: _digits_parser("-?[0-9]+"), lambda _timestamp, value: value),
    "X": Field(10, "xtT", _offset_parser, lambda timestamp, offset: timestamp - offset),
    "x": Field(10, "XtT", _offset_parser, lambda timestamp, offset: timestamp - offset),
}
