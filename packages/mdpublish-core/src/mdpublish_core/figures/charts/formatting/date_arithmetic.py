"""Moments on the calendar, in UTC: what the clock shows then, steps between them, and when a unit of time begins.

A moment is a number of milliseconds since 1970, as JavaScript counts them: a fraction of one is cut off, and what is
farther than `MAX_TIMESTAMP` from 1970 is no moment. What would be farther is `nan`, as it is there, and so is what is reckoned
with it. The steps are those of date-fns 4, which charts' labels follow: https://date-fns.org/docs/Getting-Started
"""

from datetime import date
from math import nan
from typing import Literal, NamedTuple

from mdpublish_core.figures.charts.geometry import sign

Unit = Literal["millisecond", "second", "minute", "hour", "day", "week", "month", "quarter", "year"]
"""A unit of time, by its name in a chart's configuration."""

MAX_TIMESTAMP = 8_640_000_000_000_000
"""The most milliseconds from 1970.

https://tc39.es/ecma262/#sec-time-values-and-time-range
"""

SECOND = 1000
MINUTE = 60 * SECOND
HOUR = 60 * MINUTE
DAY = 24 * HOUR
WEEK = 7 * DAY

# Units that are the same number of milliseconds each, and those that are a number of months.
_UNIT_MILLISECONDS = {"millisecond": 1, "second": SECOND, "minute": MINUTE, "hour": HOUR, "day": DAY, "week": WEEK}
_UNIT_MONTHS = {"month": 1, "quarter": 3, "year": 12}

# The calendar repeats after 400 years; `date` knows the first 400, whose day 1 is that many days before 1970.
_CYCLE_YEARS = 400
_CYCLE_DAYS = 146_097
_FIRST_DAY = -719_162

# A leap year, in which every day of every year has its place.
_LEAP_YEAR = 2000


class DateParts(NamedTuple):
    """What calendar and clock show at a moment."""

    timestamp: int
    epoch_day: int
    """Days since 1970-01-01."""
    year: int
    """1 BC is year 0."""
    month: int
    """From 1 on."""
    day_of_month: int
    """The day of the month."""
    hour: int
    minute: int
    second: int
    millisecond: int
    weekday: int
    """0 is Sunday."""


def is_valid_timestamp(value: float) -> bool:
    """Tell whether a number is a moment."""
    return -MAX_TIMESTAMP <= value <= MAX_TIMESTAMP


def split_timestamp(timestamp: float) -> DateParts:
    """Return what calendar and clock show at a moment."""
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
    """Return when a day begins; months and days past the last, and before the first, are those of the years beside."""
    years, month = divmod(month - 1, 12)
    cycle, cycle_year = divmod(year + years - 1, _CYCLE_YEARS)
    first = date(cycle_year + 1, month + 1, 1).toordinal() - 1
    return (first + cycle * _CYCLE_DAYS + _FIRST_DAY + day - 1) * DAY


def days_in_month(year: int, month: int) -> int:
    """Return how many days a month has, from 1 on."""
    return (to_timestamp(year, month + 1) - to_timestamp(year, month)) // DAY


def days_in_year(year: int) -> int:
    """Return how many days a year has."""
    return 337 + days_in_month(year, 2)


def day_of_year(parts: DateParts) -> int:
    """Return which day of its year a day is, from 1 on."""
    return parts.epoch_day - to_timestamp(parts.year) // DAY + 1


def era_year(year: int) -> int:
    """Return a year as its era counts it, from 1 on."""
    return year if year > 0 else 1 - year


def week_year(parts: DateParts) -> int:
    """Return the year that a week is counted in: weeks begin on Sunday, and the first holds the 1st of January."""
    return parts.year + (parts.epoch_day >= _first_week_start(parts.year + 1))


def week_of(parts: DateParts) -> int:
    """Return which week of its `week_year` it is, from 1 on."""
    return (parts.epoch_day - _first_week_start(week_year(parts))) // 7 + 1


def iso_week_year(parts: DateParts) -> int:
    """Return the year that a week is counted in by ISO 8601: that of its Thursday, where weeks begin on Monday."""
    return split_timestamp(_iso_thursday(parts) * DAY).year


def iso_week_of(parts: DateParts) -> int:
    """Return which week of its `iso_week_year` it is, from 1 on."""
    return (_iso_thursday(parts) - to_timestamp(iso_week_year(parts)) // DAY) // 7 + 1


def add_units(timestamp: float, amount: float, unit: Unit) -> float:
    """Return the moment so many units later, or earlier where the amount is negative.

    A month later is the same day of the month, or the last one where that month is shorter. Of days, months and what is
    made of these, only whole ones are added.
    """
    # Past this, no unit leads from one moment to another.
    if not (is_valid_timestamp(timestamp) and -2.0 * MAX_TIMESTAMP <= amount <= 2.0 * MAX_TIMESTAMP):
        return nan
    if not amount:
        return int(timestamp)
    if unit in _UNIT_MONTHS:
        return _add_months(split_timestamp(timestamp), amount * _UNIT_MONTHS[unit])
    if unit in {"day", "week"}:
        parts = split_timestamp(timestamp)
        # The day of the month is a whole number when the fraction has been added.
        days = int(parts.day_of_month + amount * (7 if unit == "week" else 1)) - parts.day_of_month
        return _valid_timestamp(parts.timestamp + days * DAY)
    return _valid_timestamp(int(timestamp) + amount * _UNIT_MILLISECONDS[unit])


def difference(later: float, earlier: float, unit: Unit) -> int:
    """Return how many full units lie between two moments; negative where `later` is the earlier one, 0 without moments."""
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
    """Return when the unit began that a moment is in; weeks begin on Sunday, or on another `weekday`, whose number is to 6."""
    if not is_valid_timestamp(timestamp):
        return nan
    if unit == "millisecond":
        return timestamp
    if unit in _UNIT_MONTHS:
        parts = split_timestamp(timestamp)
        return _valid_timestamp(to_timestamp(parts.year, _first_month(parts, unit)))
    whole = int(timestamp)
    if unit == "week":
        day = whole // DAY
        return _valid_timestamp((day - (day + 4 - (weekday or 0)) % 7) * DAY)
    return whole - whole % _UNIT_MILLISECONDS[unit]


def _first_week_start(year: int) -> int:
    """Return the day on which a year's first week begins, which holds the 1st of January."""
    day = to_timestamp(year) // DAY
    return day - (day + 4) % 7


def _iso_thursday(parts: DateParts) -> int:
    """Return the day on which the week has its Thursday."""
    return parts.epoch_day - (parts.weekday - 1) % 7 + 3


def _valid_timestamp(value: float) -> float:
    """Return a moment, whole, or that there is none."""
    return int(value) if is_valid_timestamp(value) else nan


def _first_month(parts: DateParts, unit: Unit) -> int:
    length = _UNIT_MONTHS[unit]
    return parts.month - (parts.month - 1) % length


def _add_months(parts: DateParts, months: float) -> float:
    """Return the same time of the same day of another month, or of its last day."""
    # Counted to the month after, whose first day follows the last day that may be.
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
    # From the end of February, the months are counted as from the 30th.
    day = 30 if later.month == 2 and later.day_of_month > 27 else later.day_of_month
    year, month = split_timestamp(to_timestamp(later.year, later.month, day))[2:4]
    day = split_timestamp(to_timestamp(later.year, later.month, day)).day_of_month
    moved = to_timestamp(year, month - direction * months, day) + later.timestamp % DAY
    return direction * (months - (sign(moved - earlier.timestamp) == -direction))
