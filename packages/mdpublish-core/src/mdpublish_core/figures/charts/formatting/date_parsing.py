"""Date parsing in English and UTC, as in date-fns 4: https://date-fns.org/docs/parse.

Values of all tokens are applied to the reference date, larger units first (see `date_fields`).
"""

import re
from collections.abc import Callable
from functools import lru_cache
from typing import NamedTuple

from mdpublish_core.figures.charts.formatting import date_arithmetic as dates
from mdpublish_core.figures.charts.formatting.date_fields import FIELDS, WHITESPACE, Setter, set_two_digit_year
from mdpublish_core.figures.charts.formatting.date_patterns import CACHE_SIZE, DateToken, tokenize_pattern

_DATE = re.compile(
    r"([0-9]{4}|[+-][0-9]{6})-?(?:([0-9]{3})|([0-9]{2})(?:-?([0-9]{2}))?|W([0-9]{2})(?:-?([0-9]))?|)"
    r"|([0-9]{2}|[+-][0-9]{4})"
)
_PART = r"([0-9]{2}(?:[.,][0-9]*)?)"
_TIME = re.compile(f"{_PART}(?::?{_PART})?(?::?{_PART})?")
# As in JavaScript, `.` ends at a line break.
_ZONE = re.compile(r"[Z+-][^\n\r\u2028\u2029]*\Z")
_OFFSET = re.compile("([+-])([0-9]{2})(?::?([0-9]{2}))?")


def parse_iso_date(string: str) -> int | None:
    """Parse an ISO 8601 date, in all forms that date-fns 4 has; UTC without an offset."""
    date_part, time_part = _split_date_time(string)
    zone = _ZONE.search(time_part)
    offset = _offset(zone[0]) if zone else 0
    time = _time(time_part[: zone.start()] if zone else time_part)
    day = _day(date_part)
    if (
        day is None
        or time is None
        or offset is None
        or not (dates.is_valid_timestamp(day) and dates.is_valid_timestamp(day + time))
    ):
        return None
    timestamp = int(day + time - offset)
    return timestamp if dates.is_valid_timestamp(timestamp) else None


def _split_date_time(string: str) -> tuple[str, str]:
    """Split date and time. The date may be empty."""
    halves = re.split("[T ]", string)
    if len(halves) > 2 or ":" in halves[0]:
        return "", ""
    # A date without a time may have an offset.
    zone = re.search("[Zz]", halves[0])
    if zone:
        return string[: zone.start()], string[zone.start() :]
    return halves[0], "".join(halves[1:])


def _day(string: str) -> int | None:
    match = _DATE.fullmatch(string)
    if not match:
        return None
    century = match[7]
    year = int(century) * 100 if century else int(match[1])
    day_of_year, month, day, week, weekday = (int(each or 1) for each in match.group(2, 3, 4, 5, 6))
    if match[5]:
        if not (1 <= week <= 53 and 1 <= weekday <= 7):
            return None
        # Week 1 contains January 4.
        fourth = dates.to_timestamp(year, 1, 4) // dates.DAY
        return (fourth - (fourth + 3) % 7 + (week - 1) * 7 + weekday - 1) * dates.DAY
    if not (1 <= month <= 12 and 1 <= day <= dates.days_in_month(year, month)):
        return None
    if not 1 <= day_of_year <= dates.days_in_year(year):
        return None
    return dates.to_timestamp(year, month, max(day, day_of_year))


def _time(string: str) -> float | None:
    if not string:
        return 0
    match = _TIME.fullmatch(string)
    if not match:
        return None
    hour, minute, second = (float(each.replace(",", ".")) if each else 0.0 for each in match.groups())
    if hour >= 25 or minute >= 60 or second >= 60 or (hour == 24 and (minute or second)):
        return None
    return hour * dates.HOUR + minute * dates.MINUTE + second * dates.SECOND


def _offset(string: str) -> int | None:
    """Return a UTC offset in milliseconds: 0 if malformed, as in date-fns; None if out of range."""
    match = _OFFSET.fullmatch(string)
    if not match:
        return 0
    minute = int(match[3] or 0)
    if minute > 59:
        return None
    offset = int(match[2]) * dates.HOUR + minute * dates.MINUTE
    return -offset if match[1] == "-" else offset


MAX_DATE_LENGTH = 200  # characters; real ones have 40

REFERENCE_DATE = dates.to_timestamp(2000)
"""Default for missing parts, constant for reproducible output. Two-digit years are 1950 to 2049."""


def parse_date(value: str, pattern: str | None = None, *, reference: int = REFERENCE_DATE) -> int | None:
    """Parse a date; None if it does not match.

    Without a pattern, the date is ISO 8601. With one, missing parts are taken from `reference`, and two-digit
    years are from 50 years before it to 49 after. Raises ValueError for an invalid pattern.
    """
    if pattern is None:
        return parse_iso_date(value) if len(value) <= MAX_DATE_LENGTH else None
    if not pattern:
        return None if value else reference
    compiled = _compile(pattern)
    return compiled.parse(value, reference) if len(value) <= MAX_DATE_LENGTH else None


class _CompiledPattern(NamedTuple):
    """`values` are in order of the pattern, `setters` in order of application."""

    expression: re.Pattern[str]
    values: tuple[Callable[[str], int], ...]
    setters: tuple[tuple[int, Setter], ...]  # index of the value

    def parse(self, string: str, reference: int) -> int | None:
        match = self.expression.fullmatch(string)
        if match is None:
            return None
        values = [value(part) for value, part in zip(self.values, match.groups(), strict=True)]
        timestamp = reference
        for index, setter in self.setters:
            moved = setter(timestamp, values[index])
            if moved is None or not dates.is_valid_timestamp(moved):
                return None
            timestamp = int(moved)
        return timestamp


@lru_cache(maxsize=CACHE_SIZE)
def _compile(pattern: str) -> _CompiledPattern:
    pieces: list[str] = []
    values: list[Callable[[str], int]] = []
    tokens: list[DateToken] = []
    setters: list[Setter] = []
    for token in tokenize_pattern(pattern, FIELDS):
        if isinstance(token, str):
            pieces.append(re.escape(token))
            continue
        field = FIELDS[token.symbol]
        for other in tokens:
            if field.incompatible == "*" or other.symbol in field.incompatible or other.symbol == token.symbol:
                raise ValueError(
                    f"date pattern {pattern!r} has both {other.symbol!r} and {token.symbol!r}; keep one of them"
                )
        tokens.append(token)
        expression, value = field.reader(token.repeats)
        pieces.append(expression)
        values.append(value)
        setters.append(set_two_digit_year if token == ("y", 2) else field.setter)
    # A day of the month takes precedence over a weekday.
    indexes = sorted(
        range(len(tokens)), key=lambda index: (-FIELDS[tokens[index].symbol].priority, tokens[index].symbol != "d")
    )
    by_priority = {FIELDS[tokens[index].symbol].priority: index for index in reversed(indexes)}
    return _CompiledPattern(
        re.compile(f"{''.join(pieces)}{WHITESPACE}*", re.ASCII),
        tuple(values),
        tuple((index, setters[index]) for index in indexes if index in by_priority.values()),
    )
