import re
from datetime import UTC, datetime
from math import isnan, nan
from typing import get_args

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from mdpublish_core.figures.charts.formatting.date_arithmetic import (
    DAY,
    MAX_TIMESTAMP,
    Unit,
    add_units,
    days_in_month,
    difference,
    split_timestamp,
    start_of,
    to_timestamp,
)
from mdpublish_core.figures.charts.formatting.date_formatting import format_date
from mdpublish_core.figures.charts.formatting.date_parsing import parse_date
from mdpublish_core.figures.charts.formatting.date_patterns import DISPLAY_FORMATS, MAX_PATTERN_LENGTH
from tests.sampling import each_row

# Expected values: date-fns 4.4 in the time zone UTC.

UNITS: tuple[Unit, ...] = get_args(Unit)
TIMESTAMPS = st.integers(-MAX_TIMESTAMP, MAX_TIMESTAMP)
NEAR_TIMESTAMPS = st.integers(-MAX_TIMESTAMP // 4, MAX_TIMESTAMP // 4)


def timestamp_of(string: str) -> int:
    """Unix time in ms of a date between the years 1 and 9999."""
    return round(datetime.fromisoformat(string).replace(tzinfo=UTC).timestamp() * 1000)


SATURDAY = timestamp_of("2024-02-03T15:04:05.067")


WRITTEN = {
    "pattern symbols format parts of a date": [
        ("G GGGG GGGGG", "AD Anno Domini A"),
        ("y yo yy yyyy yyyyyy", "2024 2024th 24 2024 002024"),
        ("YYY R u", "2024 2024 2024"),
        ("Q QQ Qo QQQ QQQQ QQQQQ", "1 01 1st Q1 1st quarter 1"),
        ("M Mo MM MMM MMMM MMMMM", "2 2nd 02 Feb February F"),
        ("L Lo LL LLL LLLL LLLLL", "2 2nd 02 Feb February F"),
        ("w wo ww I Io II", "5 5th 05 5 5th 05"),
        ("d do dd Do DDD", "3 3rd 03 34th 034"),
        ("E EEEE EEEEE EEEEEE", "Sat Saturday S Sa"),
        ("e eo ee eee eeee c i io iiii", "7 7th 07 Sat Saturday 7 6 6th Saturday"),
        ("a aaa aaaa aaaaa b bbbb B", "PM pm p.m. p PM p.m. in the afternoon"),
        ("h ho hh H Ho HH", "3 3rd 03 15 15th 15"),
        ("K Ko KK k ko kk", "3 3rd 03 15 15th 15"),
        ("m mo mm s so ss", "4 4th 04 5 5th 05"),
        ("S SS SSS SSSSSS", "0 06 067 067000"),
        ("X XXX x xx xxx xxxx xxxxx", "Z Z +00 +0000 +00:00 +0000 +00:00"),
        ("O OOOO z zzzz", "GMT+0 GMT+00:00 GMT+0 GMT+00:00"),
        ("t T", "1706972645 1706972645067"),
        ("P", "02/03/2024"),
        ("PP", "Feb 3, 2024"),
        ("PPP", "February 3rd, 2024"),
        ("PPPP", "Saturday, February 3rd, 2024"),
        ("p", "3:04 PM"),
        ("pppp", "3:04:05 PM GMT+00:00"),
        ("Pp", "02/03/2024, 3:04 PM"),
        ("PPpp", "Feb 3, 2024, 3:04:05 PM"),
        ("PPPppp", "February 3rd, 2024 at 3:04:05 PM GMT+0"),
        ("PPPPpppp", "Saturday, February 3rd, 2024 at 3:04:05 PM GMT+00:00"),
        ("MP", "Feb/03/2024"),
    ],
    "literals in a pattern are copied": [
        ("h 'o''clock' a", "3 o'clock PM"),
        ("''yy''", "'24'"),
        ("'unclosed", "unclosed"),
        ("'", ""),
        ("100% d %s", "100% 3 %5"),
        ("yyyy\nMM", "202402"),
        ("日 d 1_1", "日 3 1_1"),
        ("", ""),
    ],
}


@pytest.mark.parametrize(("pattern", "written"), each_row(WRITTEN))
def test_date_is_written_by_its_pattern(pattern: str, written: str) -> None:
    assert format_date(SATURDAY, pattern) == written


@pytest.mark.parametrize(
    ("unit", "written"),
    [
        ("datetime", "Feb 3, 2024, 3:04:05 p.m."),
        ("millisecond", "3:04:05.067 p.m."),
        ("minute", "3:04 p.m."),
        ("hour", "3PM"),
        ("day", "Feb 3"),
        ("week", "Feb 3, 2024"),
        ("month", "Feb 2024"),
        ("quarter", "Q1 - 2024"),
        ("year", "2024"),
    ],
)
def test_each_unit_has_its_labels(unit: str, written: str) -> None:
    assert format_date(SATURDAY, DISPLAY_FORMATS[unit]) == written


@pytest.mark.parametrize(
    ("date", "pattern", "written"),
    [
        ("2024-01-01T00:00", "h K k b B", "12 0 24 midnight at night"),
        ("2024-01-01T12:00", "h K k b B", "12 0 12 noon in the afternoon"),
        ("2024-01-01T04:00", "B", "in the morning"),
        ("2024-01-01T17:00", "B", "in the evening"),
        ("2021-01-03", "I R w YYY e i", "53 2020 2 2021 1 7"),
        ("2020-12-27", "I R w YYY", "52 2020 1 2021"),
        ("2024-12-30", "I R Do", "1 2025 365th"),
        ("2024-01-11", "do", "11th"),
        ("2024-01-21", "do", "21st"),
        ("0009-01-01", "yy yyyy y", "09 0009 9"),
    ],
)
def test_hours_weeks_and_ordinals_are_counted_as_people_do(date: str, pattern: str, written: str) -> None:
    assert format_date(timestamp_of(date), pattern) == written


@pytest.mark.parametrize(
    ("timestamp", "written"),
    [
        (to_timestamp(0), "0 1 BC"),
        (to_timestamp(-1), "-1 2 BC"),
        (MAX_TIMESTAMP, "275760 275760 AD"),
        (-0.9, "1970 1970 AD"),
    ],
)
def test_years_before_christ_and_far_off_are_formatted(timestamp: float, written: str) -> None:
    assert format_date(timestamp, "u y G") == written


@pytest.mark.parametrize(
    ("pattern", "problem"),
    [
        ("yyyy n", "has unknown letter 'n'; put text in single quotes"),
        ("o'clock", "has unknown letter 'o'"),
        ("YYYY-MM-DD", "has 'YYYY'; use 'yyyy'"),
        ("D", "has 'D'; use 'd'"),
        ("d" * (MAX_PATTERN_LENGTH + 1), "must be at most 200 characters (got 201)"),
    ],
)
def test_pattern_that_means_nothing_is_refused_with_the_remedy(pattern: str, problem: str) -> None:
    with pytest.raises(ValueError, match=re.escape(problem)):
        format_date(0, pattern)
    with pytest.raises(ValueError, match=re.escape(problem)):
        parse_date("2024", pattern)


@pytest.mark.parametrize("timestamp", [nan, MAX_TIMESTAMP + 1, -MAX_TIMESTAMP - 1])
def test_invalid_timestamp_is_not_formatted(timestamp: float) -> None:
    with pytest.raises(ValueError, match="timestamps must be within"):
        format_date(timestamp, "yyyy")


@pytest.mark.parametrize(
    ("string", "date"),
    [
        ("2024", "2024-01-01"),
        ("20", "2000-01-01"),
        ("2024-02", "2024-02-01"),
        ("202402", "2024-02-01"),
        ("2024-02-29", "2024-02-29"),
        ("20240229", "2024-02-29"),
        ("2024-060", "2024-02-29"),
        ("2024366", "2024-12-31"),
        ("2020-W53", "2020-12-28"),
        ("2020W537", "2021-01-03"),
        ("+002024-02-03", "2024-02-03"),
        ("2024-02-03T15", "2024-02-03T15:00"),
        ("2024-02-03 15:04", "2024-02-03T15:04"),
        ("2024-02-03T150405", "2024-02-03T15:04:05"),
        ("2024-02-03T15:04:05,5", "2024-02-03T15:04:05.500"),
        ("2024-02-03T15.5", "2024-02-03T15:30"),
        ("2024-02-03T24:00", "2024-02-04"),
        ("2024-02-03T15:04Z", "2024-02-03T15:04"),
        ("2024-02-03T15:04+05:30", "2024-02-03T09:34"),
        ("2024-02-03T15:04-0800", "2024-02-03T23:04"),
        ("2024-02-03Z", "2024-02-03"),
        ("2024-02-03T", "2024-02-03"),
        ("2024-02-03T15:04+soon", "2024-02-03T15:04"),
    ],
)
def test_iso_8601_dates_are_parsed(string: str, date: str) -> None:
    assert parse_date(string) == timestamp_of(date)


def test_years_with_six_digits_are_parsed() -> None:
    assert parse_date("-271821-04-20") == -MAX_TIMESTAMP
    assert parse_date("+275760-09-13") == MAX_TIMESTAMP


@pytest.mark.parametrize(
    "string",
    [
        *("", "now", "202", "2024-13", "2023-02-29", "2023-366", "2024-W54", "2024-W01-8", "2024-1-1", "10:00"),
        *("2024-02-03T24:01", "2024-02-03T15:60", "2024-02-03T25:00", "2024-02-03T15:04+01:60"),
        *("2024-02-03 15:04 Z", "2024-02-03z", "+275760-09-14", "２０２４", "2024\n", "2" * 201),
    ],
)
def test_invalid_date_is_not_parsed(string: str) -> None:
    assert parse_date(string) is None


@pytest.mark.parametrize(
    ("string", "pattern", "date"),
    [
        ("03/02/2024", "dd/MM/yyyy", "2024-02-03"),
        ("3.2.24", "d.M.yy", "2024-02-03"),
        ("3.2.50", "d.M.yy", "1950-02-03"),
        ("Feb 3, 2024", "MMM d, yyyy", "2024-02-03"),
        ("FEBRUARY 3rd, 2024", "MMMM do, y", "2024-02-03"),
        ("Saturday, February 3rd, 2024 at 3:04:05 PM", "PPPPpp", "2024-02-03T15:04:05"),
        ("Feb 3, 2024, 3:04 p.m.", "MMM d, y, h:mm aaaa", "2024-02-03T15:04"),
        ("12:30 am", "h:mm a", "2000-01-01T00:30"),
        ("noon 12", "b h", "2000-01-01T12:00"),
        ("in the evening 7", "B h", "2000-01-01T19:00"),
        ("24:15", "k:mm", "2000-01-01T00:15"),
        ("2024-02-03T15:04:05.067", "yyyy-MM-dd'T'HH:mm:ss.SSS", "2024-02-03T15:04:05.067"),
        ("2024-02-03 15:04 +05:30", "yyyy-MM-dd HH:mm xxx", "2024-02-03T09:34"),
        ("20240203150405Z", "yyyyMMddHHmmssX", "2024-02-03T15:04:05"),
        ("2020-W53-7", "RRRR-'W'II-i", "2021-01-03"),
        ("2021 2 1", "Y w e", "2021-01-03"),
        ("2024 060", "yyyy DDD", "2024-02-29"),
        ("Q3 2024", "QQQ yyyy", "2024-07-01"),
        ("2nd quarter 2024", "QQQQ yyyy", "2024-04-01"),
        ("Fri 3 Feb 2024", "EEE d MMM yyyy", "2024-02-03"),
        ("1706972645", "t", "2024-02-03T15:04:05"),
        ("1706972645067", "T", "2024-02-03T15:04:05.067"),
        ("2024  \t", "yyyy", "2024-01-01"),
        ("5", "SSS", "2000-01-01T00:00:00.005"),
        ("31/02/2024", "dd/MM/yyyy", None),
        ("2024-13", "yyyy-MM", None),
        ("0000", "yyyy", None),
        ("2024x", "yyyy", None),
        ("ſep", "MMM", None),
        ("", "yyyy", None),
    ],
)
def test_dates_are_parsed_by_their_pattern(string: str, pattern: str, date: str | None) -> None:
    assert parse_date(string, pattern) == (None if date is None else timestamp_of(date))


def test_era_moves_the_year_before_christ() -> None:
    assert parse_date("44 BC", "y G") == to_timestamp(-43)
    assert parse_date("Anno Domini 44", "GGGG y") == to_timestamp(44)


def test_missing_parts_come_from_the_reference_date() -> None:
    today = timestamp_of("1970-05-06T07:08:09")

    assert parse_date("10:00", "HH:mm", reference=today) == timestamp_of("1970-05-06T10:00")
    assert parse_date("9", "d", reference=today) == timestamp_of("1970-05-09")
    assert parse_date("24", "yy", reference=today) == timestamp_of("1924-01-01")
    assert parse_date("", "", reference=today) == today


@pytest.mark.parametrize("pattern", ["yyyy yy", "MM/QQ", "HH a", "T y", "y T", "RRRR MM", "X x", "e E"])
def test_parts_that_cannot_be_read_together_are_refused(pattern: str) -> None:
    with pytest.raises(ValueError, match="keep one of them"):
        parse_date("1 1", pattern)


@pytest.mark.parametrize(
    ("date", "amount", "unit", "later"),
    [
        ("2024-01-31T10:00", 1, "month", "2024-02-29T10:00"),
        ("2024-03-31", -1, "month", "2024-02-29"),
        ("2024-02-29", 1, "year", "2025-02-28"),
        ("2024-11-30", 1, "quarter", "2025-02-28"),
        ("2024-01-15", 1.9, "month", "2024-02-15"),
        ("2024-01-15", -0.5, "month", "2023-12-15"),
        ("2024-01-15", 1.5, "day", "2024-01-16"),
        ("2024-01-15", 0.5, "week", "2024-01-18"),
        ("2024-01-15", -0.5, "day", "2024-01-14"),
        ("2024-01-15", 1.5, "hour", "2024-01-15T01:30"),
        ("2024-01-15", 0, "year", "2024-01-15"),
    ],
)
def test_units_are_added_by_the_calendar(date: str, amount: float, unit: Unit, later: str) -> None:
    assert add_units(timestamp_of(date), amount, unit) == timestamp_of(later)


@pytest.mark.parametrize("amount", [nan, float("inf"), 1e300, 10**400, 400_000])
def test_timestamp_out_of_range_is_invalid(amount: float) -> None:
    assert isnan(add_units(0, amount, "year"))
    assert isnan(add_units(nan, 1, "day"))


@pytest.mark.parametrize(
    ("later", "earlier", "unit", "full"),
    [
        ("2024-03-31", "2024-02-29", "month", 1),
        ("2024-02-29", "2024-01-31", "month", 1),
        ("2024-02-29", "2024-01-30", "month", 1),
        ("2024-03-30", "2024-02-29T12:00", "month", 1),
        ("2024-03-29", "2024-02-29T12:00", "month", 0),
        ("2024-02-28", "2023-02-28T00:01", "year", 0),
        ("2025-02-28", "2024-02-29", "year", 0),
        ("2024-01-01", "2025-06-01", "quarter", -5),
        ("2024-01-14", "2024-01-01", "week", 1),
        ("2024-01-01", "2024-01-14", "week", -1),
        ("2024-01-02", "2024-01-01T00:00:01", "day", 0),
    ],
)
def test_full_units_are_counted(later: str, earlier: str, unit: Unit, full: int) -> None:
    assert difference(timestamp_of(later), timestamp_of(earlier), unit) == full


@pytest.mark.parametrize(
    ("unit", "start"),
    [
        ("second", "2024-02-03T15:04:05"),
        ("minute", "2024-02-03T15:04"),
        ("hour", "2024-02-03T15:00"),
        ("day", "2024-02-03"),
        ("week", "2024-01-28"),
        ("month", "2024-02-01"),
        ("quarter", "2024-01-01"),
        ("year", "2024-01-01"),
    ],
)
def test_units_begin(unit: Unit, start: str) -> None:
    assert start_of(SATURDAY, unit) == timestamp_of(start)


@pytest.mark.parametrize(("weekday", "start"), [(0, "2024-01-28"), (1, "2024-01-29"), (6, "2024-02-03")])
def test_weeks_begin_on_the_requested_day(weekday: int, start: str) -> None:
    assert start_of(SATURDAY, "week", weekday) == timestamp_of(start)


@given(st.integers(timestamp_of("0001-01-01"), timestamp_of("9999-12-31")))
def test_date_parts_equal_those_of_datetime(timestamp: int) -> None:
    parts = split_timestamp(timestamp)
    known = datetime.fromtimestamp(timestamp // 1000, UTC)

    assert parts[2:8] == known.timetuple()[:6]
    assert parts.weekday == known.isoweekday() % 7


@given(TIMESTAMPS)
def test_splitting_and_joining_a_timestamp_are_inverse(timestamp: int) -> None:
    parts = split_timestamp(timestamp)

    assert to_timestamp(parts.year, parts.month, parts.day_of_month) + timestamp % DAY == timestamp
    assert 1 <= parts.day_of_month <= days_in_month(parts.year, parts.month)


@given(TIMESTAMPS, st.sampled_from(UNITS))
@example(-MAX_TIMESTAMP, "year")
@example(MAX_TIMESTAMP, "week")
def test_unit_begins_before_what_is_in_it(timestamp: int, unit: Unit) -> None:
    start = start_of(timestamp, unit)

    assert isnan(start) or (start <= timestamp and start_of(start, unit) == start)


@given(NEAR_TIMESTAMPS, st.integers(-5000, 5000), st.sampled_from(UNITS))
def test_what_was_added_is_the_difference(timestamp: int, amount: int, unit: Unit) -> None:
    start = int(start_of(timestamp, unit))

    assert difference(add_units(start, amount, unit), start, unit) == amount


@given(TIMESTAMPS, TIMESTAMPS, st.sampled_from(UNITS))
def test_difference_has_the_sign_of_time(one: int, other: int, unit: Unit) -> None:
    assert (difference(one, other, unit) > 0) <= (one > other)
    assert (difference(one, other, unit) < 0) <= (one < other)


@given(st.integers(timestamp_of("0001-01-01"), timestamp_of("9999-12-31")))
@example(1001)
def test_formatted_date_can_be_parsed(timestamp: int) -> None:
    for pattern in ("yyyy-MM-dd'T'HH:mm:ss.SSSX", "MMMM do, y, hh:mm:ss.SSS aaaa", "R-II-iiii, H:m:s.SSS", "T"):
        assert parse_date(format_date(timestamp, pattern), pattern) == timestamp
    # date-fns counts floating-point seconds and may lose a millisecond: 1.001 s become 1000 ms.
    read = parse_date(format_date(timestamp, "yyyy-MM-dd'T'HH:mm:ss.SSSxxx"))
    assert read is not None
    assert abs(timestamp - read) <= 1


def assert_raises_only_value_errors(string: str, pattern: str, timestamp: int) -> None:
    """Format and parse with a pattern, which may be rejected. Parse without one, which never raises."""
    for use in (lambda: format_date(timestamp, pattern), lambda: parse_date(string, pattern, reference=timestamp)):
        try:
            use()
        except ValueError as error:
            assert "date pattern" in str(error)  # noqa: PT017  (either is right)
    read = parse_date(string)
    assert read is None or abs(read) <= MAX_TIMESTAMP


@given(st.text(), st.text(), TIMESTAMPS)
@example("1" * 200, "y" * 200, 0)
@example("9" * 5000, "T", 0)
@example("9" * 200, "Do yyyy", 0)
@example("'" * 200, "'" * 200, 0)
@example("0", "Pp" * 100, 0)
@example("2024", "w Y", -MAX_TIMESTAMP)
def test_hostile_strings_raise_nothing_but_value_errors(string: str, pattern: str, timestamp: int) -> None:
    assert_raises_only_value_errors(string, pattern, timestamp)


@given(
    st.text("0123456789-:+TZW., ", max_size=30),
    st.text("yMdHhmsSaEQwIRYuGtTXx'-:/ 0123456789", max_size=30),
    TIMESTAMPS,
)
def test_strings_like_dates_and_patterns_raise_nothing_but_value_errors(
    string: str, pattern: str, timestamp: int
) -> None:
    assert_raises_only_value_errors(string, pattern, timestamp)
