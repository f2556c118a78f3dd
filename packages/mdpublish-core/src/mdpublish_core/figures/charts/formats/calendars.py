"""Moments on the calendar, in UTC: what the clock shows then, steps between them, and when a unit of time begins.

A moment is a number of milliseconds since 1970, as JavaScript counts them: a fraction of one is cut off, and what is
farther than `FARTHEST` from 1970 is no moment. What would be farther is `nan`, as it is there, and so is what is reckoned
with it. The steps are those of date-fns 4, which charts' labels follow: https://date-fns.org/docs/Getting-Started
"""

from datetime import date
from math import nan
from typing import Literal, NamedTuple

from mdpublish_core.figures.charts.reckoning import sign

Unit = Literal["millisecond", "second", "minute", "hour", "day", "week", "month", "quarter", "year"]
"""A unit of time, by its name in a chart's configuration."""

FARTHEST = 8_640_000_000_000_000
"""The most milliseconds from 1970.

https://tc39.es/ecma262/#sec-time-values-and-time-range
"""

SECOND = 1000
MINUTE = 60 * SECOND
HOUR = 60 * MINUTE
DAY = 24 * HOUR
WEEK = 7 * DAY

# Units that are the same number of milliseconds each, and those that are a number of months.
_LENGTHS = {"millisecond": 1, "second": SECOND, "minute": MINUTE, "hour": HOUR, "day": DAY, "week": WEEK}
_MONTHS = {"month": 1, "quarter": 3, "year": 12}

# The calendar repeats after 400 years; `date` knows the first 400, whose day 1 is that many days before 1970.
_CYCLE_YEARS = 400
_CYCLE_DAYS = 146_097
_FIRST_DAY = -719_162

# A leap year, in which every day of every year has its place.
_LEAP_YEAR = 2000


class Clock(NamedTuple):
    """What calendar and clock show at a moment."""

    moment: int
    day: int
    """Days since 1970-01-01."""
    year: int
    """1 BC is year 0."""
    month: int
    """From 1 on."""
    date: int
    """The day of the month."""
    hour: int
    minute: int
    second: int
    millisecond: int
    weekday: int
    """0 is Sunday."""


def is_moment(value: float) -> bool:
    """Tell whether a number is a moment."""
    return -FARTHEST <= value <= FARTHEST


def clock_at(moment: float) -> Clock:
    """Return what calendar and clock show at a moment."""
    whole = int(moment)
    day, left = divmod(whole, DAY)
    left, millisecond = divmod(left, 1000)
    left, second = divmod(left, 60)
    hour, minute = divmod(left, 60)
    cycle, place = divmod(day - _FIRST_DAY, _CYCLE_DAYS)
    civil = date.fromordinal(place + 1)
    year = civil.year + cycle * _CYCLE_YEARS
    return Clock(whole, day, year, civil.month, civil.day, hour, minute, second, millisecond, (day + 4) % 7)


def moment_of(year: int, month: int = 1, day: int = 1) -> int:
    """Return when a day begins; months and days past the last, and before the first, are those of the years beside."""
    years, month = divmod(month - 1, 12)
    cycle, place = divmod(year + years - 1, _CYCLE_YEARS)
    first = date(place + 1, month + 1, 1).toordinal() - 1
    return (first + cycle * _CYCLE_DAYS + _FIRST_DAY + day - 1) * DAY


def days_in_month(year: int, month: int) -> int:
    """Return how many days a month has, from 1 on."""
    return (moment_of(year, month + 1) - moment_of(year, month)) // DAY


def days_in_year(year: int) -> int:
    """Return how many days a year has."""
    return 337 + days_in_month(year, 2)


def day_of_year(clock: Clock) -> int:
    """Return which day of its year a day is, from 1 on."""
    return clock.day - moment_of(clock.year) // DAY + 1


def counted_year(year: int) -> int:
    """Return a year as its era counts it, from 1 on."""
    return year if year > 0 else 1 - year


def week_year(clock: Clock) -> int:
    """Return the year that a week is counted in: weeks begin on Sunday, and the first holds the 1st of January."""
    return clock.year + (clock.day >= _first_week(clock.year + 1))


def week_of(clock: Clock) -> int:
    """Return which week of its `week_year` it is, from 1 on."""
    return (clock.day - _first_week(week_year(clock))) // 7 + 1


def iso_week_year(clock: Clock) -> int:
    """Return the year that a week is counted in by ISO 8601: that of its Thursday, where weeks begin on Monday."""
    return clock_at(_iso_thursday(clock) * DAY).year


def iso_week_of(clock: Clock) -> int:
    """Return which week of its `iso_week_year` it is, from 1 on."""
    return (_iso_thursday(clock) - moment_of(iso_week_year(clock)) // DAY) // 7 + 1


def added(moment: float, amount: float, unit: Unit) -> float:
    """Return the moment so many units later, or earlier where the amount is negative.

    A month later is the same day of the month, or the last one where that month is shorter. Of days, months and what is
    made of these, only whole ones are added.
    """
    # Past this, no unit leads from one moment to another.
    if not (is_moment(moment) and -2.0 * FARTHEST <= amount <= 2.0 * FARTHEST):
        return nan
    if not amount:
        return int(moment)
    if unit in _MONTHS:
        return _months_added(clock_at(moment), amount * _MONTHS[unit])
    if unit in {"day", "week"}:
        clock = clock_at(moment)
        # The day of the month is a whole number when the fraction has been added.
        days = int(clock.date + amount * (7 if unit == "week" else 1)) - clock.date
        return _known(clock.moment + days * DAY)
    return _known(int(moment) + amount * _LENGTHS[unit])


def difference(later: float, earlier: float, unit: Unit) -> int:
    """Return how many full units lie between two moments; negative where `later` is the earlier one, 0 without moments."""
    if not (is_moment(later) and is_moment(earlier)):
        return 0
    span = int(later) - int(earlier)
    if unit in _LENGTHS:
        full = abs(span) // _LENGTHS[unit]
        return full if span > 0 else -full
    if unit == "year":
        return _full_years(clock_at(later), clock_at(earlier))
    return int(_full_months(clock_at(later), clock_at(earlier)) / _MONTHS[unit])


def start_of(moment: float, unit: Unit, weekday: int | None = None) -> float:
    """Return when the unit began that a moment is in; weeks begin on Sunday, or on another `weekday`, whose number is to 6."""
    if not is_moment(moment):
        return nan
    if unit == "millisecond":
        return moment
    if unit in _MONTHS:
        clock = clock_at(moment)
        return _known(moment_of(clock.year, _first_month(clock, unit)))
    whole = int(moment)
    if unit == "week":
        day = whole // DAY
        return _known((day - (day + 4 - (weekday or 0)) % 7) * DAY)
    return whole - whole % _LENGTHS[unit]


def _first_week(year: int) -> int:
    """Return the day on which a year's first week begins, which holds the 1st of January."""
    day = moment_of(year) // DAY
    return day - (day + 4) % 7


def _iso_thursday(clock: Clock) -> int:
    """Return the day on which the week has its Thursday."""
    return clock.day - (clock.weekday - 1) % 7 + 3


def _known(value: float) -> float:
    """Return a moment, whole, or that there is none."""
    return int(value) if is_moment(value) else nan


def _first_month(clock: Clock, unit: Unit) -> int:
    length = _MONTHS[unit]
    return clock.month - (clock.month - 1) % length


def _months_added(clock: Clock, months: float) -> float:
    """Return the same time of the same day of another month, or of its last day."""
    # Counted to the month after, whose first day follows the last day that may be.
    month = int(clock.month + months)
    last = moment_of(clock.year, month + 1) - DAY
    if not is_moment(last + clock.moment % DAY):
        return nan
    days = days_in_month(clock.year, month)
    return _known(last - (days - min(clock.date, days)) * DAY + clock.moment % DAY)


def _full_years(later: Clock, earlier: Clock) -> int:
    way = sign(later.moment - earlier.moment)
    years = abs(later.year - earlier.year)
    is_short = sign(_in_leap_year(later) - _in_leap_year(earlier)) == -way
    return way * (years - is_short)


def _in_leap_year(clock: Clock) -> int:
    return moment_of(_LEAP_YEAR, clock.month, clock.date) + clock.moment % DAY


def _full_months(later: Clock, earlier: Clock) -> int:
    way = sign(later.moment - earlier.moment)
    months = abs((later.year - earlier.year) * 12 + later.month - earlier.month)
    if not months:
        return 0
    is_last_day = later.date == days_in_month(later.year, later.month)
    if is_last_day and months == 1 and way == 1:
        return 1
    # From the end of February, the months are counted as from the 30th.
    day = 30 if later.month == 2 and later.date > 27 else later.date
    year, month = clock_at(moment_of(later.year, later.month, day))[2:4]
    day = clock_at(moment_of(later.year, later.month, day)).date
    moved = moment_of(year, month - way * months, day) + later.moment % DAY
    return way * (months - (sign(moved - earlier.moment) == -way))
