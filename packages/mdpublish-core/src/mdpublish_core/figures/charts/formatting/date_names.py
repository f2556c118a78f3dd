"""English names of months, weekdays and other parts of dates."""

from typing import NamedTuple


class Names(NamedTuple):
    """Names of a part's values. `short` is the form with six letters."""

    abbreviated: tuple[str, ...]
    wide: tuple[str, ...]
    narrow: tuple[str, ...]
    short: tuple[str, ...]


def _shortened(names: tuple[str, ...], length: int) -> tuple[str, ...]:
    return tuple(name[:length] for name in names)


_MONTHS = tuple("January February March April May June July August September October November December".split())  # noqa: SIM905
_WEEKDAYS = tuple("Sunday Monday Tuesday Wednesday Thursday Friday Saturday".split())  # noqa: SIM905
_QUARTERS = ("1st quarter", "2nd quarter", "3rd quarter", "4th quarter")
_PARTS_OF_DAY = ("at night", "in the morning", "in the afternoon", "in the evening")
_WIDE_PERIODS = ("a.m.", "p.m.", "midnight", "noon")

NAMES = {
    "era": Names(("BC", "AD"), ("Before Christ", "Anno Domini"), ("B", "A"), ("Before Christ", "Anno Domini")),
    "quarter": Names(("Q1", "Q2", "Q3", "Q4"), _QUARTERS, ("1", "2", "3", "4"), _QUARTERS),
    "month": Names(_shortened(_MONTHS, 3), _MONTHS, _shortened(_MONTHS, 1), _MONTHS),
    "weekday": Names(_shortened(_WEEKDAYS, 3), _WEEKDAYS, _shortened(_WEEKDAYS, 1), _shortened(_WEEKDAYS, 2)),
    "period": Names(("AM", "PM", "midnight", "noon"), _WIDE_PERIODS, ("a", "p", "mi", "n"), _WIDE_PERIODS),
    "part of day": Names(_PARTS_OF_DAY, _PARTS_OF_DAY, _PARTS_OF_DAY, _PARTS_OF_DAY),
}
"""Names by part, in the order of values."""
