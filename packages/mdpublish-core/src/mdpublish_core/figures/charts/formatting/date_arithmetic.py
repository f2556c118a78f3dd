"""Calendar arithmetic in UTC, as in date-fns 4.

Timestamps are integer milliseconds since 1970, as in JavaScript. Results beyond `MAX_TIMESTAMP` are NaN.
"""

from datetime import date
from math import nan
from typing import Literal, NamedTuple

from mdpublish_core.figures.charts.geometry import sign

Unit = Literal["millisecond", "second", "minute", "hour", "day", "week", "month", "quarter", "year"]

MAX_TIMESTAMP = 8_640_000_000_000_000
"""https://tc39.es/ecma262/#sec-time-values-and-time-range"""

SECOND = 1000
MINUTE = 60 * SECOND
HOUR = 60 * MINUTE
DAY = 24 * HOUR
WEEK = 7 * DAY

_UNIT_MILLISECONDS = {"millisecond": 1, "second": SECOND, "minute": MINUTE, "hour": HOUR, "day": DAY, "week": WEEK}
_UNIT_MONTHS = {"month": 1, "quarter": 3, "year": 12}

# The calendar repeats every 400 years. Day 1 of `date` is this many days before 1970.
_CYCLE_YEARS = 400
_CYCLE_DAYS = 146_097
_FIRST_DAY = -719_162

_LEAP_YEAR = 2000


class DateParts(NamedTuple):
    """Calendar date and time in UTC."""

    timestamp: int
    epoch_day: int  # since 1970-01-01
    year: int  # 1 BC is 0
    month: int  # from 1
    day_of_month: int
    hour: int
    minute: int
    second: int
    millisecond: int
    weekday: int  # 0 is Sunday


def is_valid_timestamp(value: float) -> bool:
    return -MAX_TIMESTAMP <= value <= MAX_TIMESTAMP


def split_timestamp(timestamp: float) -> DateParts:
    whole = int(timestamp)
    day, left = divmod(whole, DAY)
    left, millisecond = divmod(left, 1000)
    left, second = divmod(left, 60)
    hour, minute = divmod(left, 60)
    cycle, cycle_day = divmod(day - _FIRST_DAY, _CYCLE_DAYS)
    civil = date.fromordinal(cycle_day + 1)
    year = civil.year + cycle * _CYCLE_YEARS
    return DateParts(whole, day, year, civil.month, civil.day, hour, minute, second, millisecond, (day + 4) % 7)


def to_timestamp(year: int, month: int = 1, day: int = 1) -> int:
    """Return the start of a day. `month` and `day` may overflow."""
    years, month = divmod(month - 1, 12)
    cycle, cycle_year = divmod(year + years - 1, _CYCLE_YEARS)
    first = date(cycle_year + 1, month + 1, 1).toordinal() - 1
    return (first + cycle * _CYCLE_DAYS + _FIRST_DAY + day - 1) * DAY


def days_in_month(year: int, month: int) -> int:
    return (to_timestamp(year, month + 1) - to_timestamp(year, month)) // DAY


def days_in_year(year: int) -> int:
    return 337 + days_in_month(year, 2)


def day_of_year(parts: DateParts) -> int:
    return parts.epoch_day - to_timestamp(parts.year) // DAY + 1


def era_year(year: int) -> int:
    """Count from 1."""
    return year if year > 0 else 1 - year


def week_year(parts: DateParts) -> int:
    """Return the year of a week that starts on Sunday. Week 1 contains January 1."""
    return parts.year + (parts.epoch_day >= _first_week_start(parts.year + 1))


def week_of(parts: DateParts) -> int:
    """Return the week of `week_year`, from 1."""
    return (parts.epoch_day - _first_week_start(week_year(parts))) // 7 + 1


def iso_week_year(parts: DateParts) -> int:
    """Return the year of an ISO 8601 week: that of its Thursday."""
    return split_timestamp(_iso_thursday(parts) * DAY).year


def iso_week_of(parts: DateParts) -> int:
    """Return the week of `iso_week_year`, from 1."""
    return (_iso_thursday(parts) - to_timestamp(iso_week_year(parts)) // DAY) // 7 + 1


def add_units(timestamp: float, amount: float, unit: Unit) -> float:
    """Add or subtract units.

    Adding months clamps to the last day of a shorter month. Amounts of days and longer units are truncated.
    """
    if not (is_valid_timestamp(timestamp) and -2.0 * MAX_TIMESTAMP <= amount <= 2.0 * MAX_TIMESTAMP):
        return nan
    if not amount:
        return int(timestamp)
    if unit in _UNIT_MONTHS:
        return _add_months(split_timestamp(timestamp), amount * _UNIT_MONTHS[unit])
    if unit in {"day", "week"}:
        parts = split_timestamp(timestamp)
        # As in date-fns, truncate the sum.
        days = int(parts.day_of_month + amount * (7 if unit == "week" else 1)) - parts.day_of_month
        return _valid_timestamp(parts.timestamp + days * DAY)
    return _valid_timestamp(int(timestamp) + amount * _UNIT_MILLISECONDS[unit])


def difference(later: float, earlier: float, unit: Unit) -> int:
    """Count full units: negative if `later` is earlier, 0 if a timestamp is invalid."""
    if not (is_valid_timestamp(later) and is_valid_timestamp(earlier)):
        return 0
    span = int(later) - int(earlier)
    if unit in _UNIT_MILLISECONDS:
        full = abs(span) // _UNIT_MILLISECONDS[unit]
        return full if span > 0 else -full
    if unit == "year":
        return _full_years(split_timestamp(later), split_timestamp(earlier))
    return int(_full_months(split_timestamp(later), split_timestamp(earlier)) / _UNIT_MONTHS[unit])


def start_of(timestamp: float, unit: Unit, weekday: int | None = None) -> float:
    """Return the start of a unit. Weeks start on `weekday`, by default 0 (Sunday)."""
    if not is_valid_timestamp(timestamp):
        return nan
    if unit == "millisecond":
        return timestamp
    if unit in _UNIT_MONTHS:
        parts = split_timestamp(timestamp)
        first_month = parts.month - (parts.month - 1) % _UNIT_MONTHS[unit]
        return _valid_timestamp(to_timestamp(parts.year, first_month))
    whole = int(timestamp)
    if unit == "week":
        day = whole // DAY
        return _valid_timestamp((day - (day + 4 - (weekday or 0)) % 7) * DAY)
    return whole - whole % _UNIT_MILLISECONDS[unit]


def _first_week_start(year: int) -> int:
    day = to_timestamp(year) // DAY
    return day - (day + 4) % 7


def _iso_thursday(parts: DateParts) -> int:
    return parts.epoch_day - (parts.weekday - 1) % 7 + 3


def _valid_timestamp(value: float) -> float:
    return int(value) if is_valid_timestamp(value) else nan


def _add_months(parts: DateParts, months: float) -> float:
    # The last day of the month is the one before the next month.
    month = int(parts.month + months)
    last = to_timestamp(parts.year, month + 1) - DAY
    if not is_valid_timestamp(last + parts.timestamp % DAY):
        return nan
    days = days_in_month(parts.year, month)
    return _valid_timestamp(last - (days - min(parts.day_of_month, days)) * DAY + parts.timestamp % DAY)


def _full_years(later: DateParts, earlier: DateParts) -> int:
    direction = sign(later.timestamp - earlier.timestamp)
    years = abs(later.year - earlier.year)
    is_short = sign(_in_leap_year(later) - _in_leap_year(earlier)) == -direction
    return direction * (years - is_short)


def _in_leap_year(parts: DateParts) -> int:
    return to_timestamp(_LEAP_YEAR, parts.month, parts.day_of_month) + parts.timestamp % DAY


def _full_months(later: DateParts, earlier: DateParts) -> int:
    direction = sign(later.timestamp - earlier.timestamp)
    months = abs((later.year - earlier.year) * 12 + later.month - earlier.month)
    if not months:
        return 0
    is_last_day = later.day_of_month == days_in_month(later.year, later.month)
    if is_last_day and months == 1 and direction == 1:
        return 1
    # As in date-fns, count from the 30th.
    day = 30 if later.month == 2 and later.day_of_month > 27 else later.day_of_month
    start = split_timestamp(to_timestamp(later.year, later.month, day))
    moved = to_timestamp(start.year, start.month - direction * months, start.day_of_month) + later.timestamp % DAY
    return direction * (months - (sign(moved - earlier.timestamp) == -direction))
