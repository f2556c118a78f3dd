"""ISO 8601 dates, in all forms supported by date-fns 4."""

import re

from mdpublish_core.figures.charts.formatting.date_arithmetic import (
    DAY,
    HOUR,
    MINUTE,
    SECOND,
    days_in_month,
    days_in_year,
    is_valid_timestamp,
    to_timestamp,
)

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
    """Parse a date; UTC without an offset."""
    date_part, time_part = _split_date_time(string)
    zone = _ZONE.search(time_part)
    offset = _offset(zone[0]) if zone else 0
    time = _time(time_part[: zone.start()] if zone else time_part)
    day = _day(date_part)
    if (
        day is None
        or time is None
        or offset is None
        or not (is_valid_timestamp(day) and is_valid_timestamp(day + time))
    ):
        return None
    timestamp = int(day + time - offset)
    return timestamp if is_valid_timestamp(timestamp) else None


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
        fourth = to_timestamp(year, 1, 4) // DAY
        return (fourth - (fourth + 3) % 7 + (week - 1) * 7 + weekday - 1) * DAY
    if not (1 <= month <= 12 and 1 <= day <= days_in_month(year, month)):
        return None
    if not 1 <= day_of_year <= days_in_year(year):
        return None
    return to_timestamp(year, month, max(day, day_of_year))


def _time(string: str) -> float | None:
    if not string:
        return 0
    match = _TIME.fullmatch(string)
    if not match:
        return None
    hour, minute, second = (float(each.replace(",", ".")) if each else 0.0 for each in match.groups())
    if hour >= 25 or minute >= 60 or second >= 60 or (hour == 24 and (minute or second)):
        return None
    return hour * HOUR + minute * MINUTE + second * SECOND


def _offset(string: str) -> int | None:
    """Return a UTC offset in milliseconds: 0 if malformed, as in date-fns; None if out of range."""
    match = _OFFSET.fullmatch(string)
    if not match:
        return 0
    minute = int(match[3] or 0)
    if minute > 59:
        return None
    offset = int(match[2]) * HOUR + minute * MINUTE
    return -offset if match[1] == "-" else offset
