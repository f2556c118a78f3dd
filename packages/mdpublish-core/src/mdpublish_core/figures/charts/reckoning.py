"""Reckoning as Chart.js does it: rounding, round numbers, angles."""

import math

RIGHT = math.pi / 2
"""A right angle, in radians."""

_MOST_PLACES = 300


def rounded(value: float) -> float:
    """Return the nearest whole number, of two the greater one; what is not finite stays."""
    return float(math.floor(value + 0.5)) if math.isfinite(value) else value


def limited(value: float, least: float, most: float) -> float:
    """Return a value between two bounds, of which the lower one wins."""
    return max(least, min(most, value))


def sign(value: float) -> int:
    """Return 1, 0 or -1, as a number is above zero, zero, or below."""
    return (value > 0) - (value < 0)


def is_near(one: float, other: float, distance: float) -> bool:
    """Tell whether two numbers are less than a distance apart."""
    return abs(one - other) < distance


def is_nearly_whole(value: float, distance: float) -> bool:
    """Tell whether a number is at most a distance from a whole one."""
    whole = rounded(value)
    return whole - distance <= value <= whole + distance


def nice_number(value: float) -> float:
    """Return 1, 2, 5 or 10 times a power of ten: the least that is not below a value above zero."""
    whole = rounded(value)
    value = whole if is_near(value, whole, value / 1000) else value
    if value <= 0 or not math.isfinite(value):
        return math.nan
    power = 10.0 ** math.floor(math.log10(value))
    share = value / power
    return next(step for step in (1, 2, 5, 10) if share <= step or step == 10) * power


def decimal_places(value: float) -> int:
    """Return how many digits a number has behind its point, 300 at most."""
    if not math.isfinite(value):
        return 0
    power, places = 1.0, 0
    while places < _MOST_PLACES and rounded(value * power) / power != value:
        power *= 10
        places += 1
    return places


def divisors(value: int) -> list[int]:
    """Return the numbers that divide a whole number above zero, in order, but for itself."""
    found = {each for part in range(1, math.isqrt(value) + 1) if value % part == 0 for each in (part, value // part)}
    return sorted(found)[:-1]


def turned(angle: float) -> float:
    """Return an angle in radians as one from 0 up to a whole turn; what is no number, or infinite, is none.

    That of one that is there already may differ by a bit, so whether two are the same depends on how often each was turned.
    """
    return math.nan if math.isinf(angle) else math.fmod(math.fmod(angle, math.tau) + math.tau, math.tau)


def is_between_angles(angle: float, start: float, end: float, *, same_is_all: bool = False) -> bool:
    """Tell whether an angle lies between two others, clockwise; all do between two that are the same, if that is all."""
    angle, start, end = turned(angle), turned(start), turned(end)
    if angle == start or angle == end:  # noqa: PLR1714, SIM109  (in a set, what is no number would be itself)
        return True
    if same_is_all and start == end:
        return True
    return turned(start - angle) > turned(end - angle) and turned(angle - start) < turned(angle - end)
