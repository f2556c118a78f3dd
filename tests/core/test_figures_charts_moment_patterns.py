"""Date patterns of Moment, which Chart.js 2 used, as those of date-fns."""

import pytest

from mdpublish_core.figures.charts.formatting.date_formatting import format_date
from mdpublish_core.figures.charts.formatting.date_parsing import parse_date
from mdpublish_core.figures.charts.formatting.date_patterns import as_date_fns

# Sunday, 2024-02-04 at 15:06:07.089.
MOMENT = 1707059167089


@pytest.mark.parametrize(
    ("pattern", "formatted"),
    [
        ("YYYY-MM-DD", "2024-02-04"),
        ("D.M.YY", "4.2.24"),
        ("MMM D", "Feb 4"),
        ("MMMM Do, YYYY", "February 4th, 2024"),
        ("ddd DD MMM YYYY", "Sun 04 Feb 2024"),
        ("dddd", "Sunday"),
        ("dd D", "Su 4"),
        ("hA", "3PM"),
        ("YYYY h:mm:ss a", "2024 3:06:07 pm"),
        ("DD HH:mm:ss.SSS", "04 15:06:07.089"),
        ("YYYY-MM-DDTHH:mm:ss", "2024-02-04T15:06:07"),
        ("YYYY [Q]Q", "2024 Q1"),
        ("[week] W", "week 5"),
        ("[o'clock] H", "o'clock 15"),
        ("H[h]", "15h"),
        ("LTS", "3:06:07 PM"),
        ("DDDD YYYY", "035 2024"),
        ("YYYY年M月D日", "2024年2月4日"),
    ],
)
def test_pattern_of_moment_is_understood(pattern: str, formatted: str) -> None:
    assert format_date(MOMENT, as_date_fns(pattern)) == formatted


@pytest.mark.parametrize("pattern", ["YYYY-MM-DD", "DD/MM/YYYY", "YYYY-MM-DDTHH:mm:ss", "MMM D, YYYY"])
def test_pattern_of_moment_reads_dates(pattern: str) -> None:
    read = parse_date(format_date(MOMENT, as_date_fns(pattern)), as_date_fns(pattern))

    assert read is not None
    assert format_date(read, "yyyy-MM-dd") == "2024-02-04"


@pytest.mark.parametrize(
    "pattern",
    [
        "yyyy-MM-dd",
        "MMM d",
        "do MMM",
        "EEE",
        "h:mm a",
        "PPP",
        "qqq - yyyy",
        "LLL",
        "DDD",
        "'YYYY'",
        "foo",
        "",
        "Y" * 300,
    ],
)
def test_other_pattern_is_unchanged(pattern: str) -> None:
    assert as_date_fns(pattern) == pattern
