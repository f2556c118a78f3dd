"""Geometry as Chart.js does it: rounding, round numbers, angles."""

import math

RIGHT_ANGLE = math.pi / 2
"""A right angle, in radians."""

_MAX_DECIMALS = 300


def round_half_up(value: float) -> float:
    """Return the nearest whole number, of two the greater one; what is not finite stays."""
    return float(math.floor(value + 0.5)) if math.isfinite(value) else value


def clamp(value: float, minimum: float, maximum: float) -> float:
    """Return a value between two bounds, of which the lower one wins."""
    return max(minimum, min(maximum, value))


def sign(value: float) -> int:
    """Return 1, 0 or -1, as a number is above zero, zero, or below."""
    return (value > 0) - (value < 0)


def is_near(one: float, other: float, distance: float) -> bool:
    """Tell whether two numbers are less than a distance apart."""
    return abs(one - other) < distance


def is_nearly_whole(value: float, distance: float) -> bool:
    """Tell whether a number is at most a distance from a whole one."""
    whole = round_half_up(value)
    return whole - distance <= value <= whole + distance


def nice_number(value: float) -> float:
    """Return 1, 2, 5 or 10 times a power of ten: the least that is not below a value above zero."""
    whole = round_half_up(value)
    value = whole if is_near(value, whole, value / 1000) else value
    if value <= 0 or not math.isfinite(value):
        return math.nan
    power = 10.0 ** math.floor(math.log10(value))
    share = value / power
    return next(step for step in (1, 2, 5, 10) if share <= step or step == 10) * power


def count_decimals(value: float) -> int:
    """Return how many digits a number has behind its point, 300 at most."""
    if not math.isfinite(value):
        return 0
    power, decimals = 1.0, 0
    while decimals < _MAX_DECIMALS and round_half_up(value * power) / power != value:
        power *= 10
        decimals += 1
    return decimals


def divisors(value: int) -> list[int]:
    """Return the numbers that divide a whole number above zero, in order, but for itself."""
    factors = {each for part in range(1, math.isqrt(value) + 1) if value % part == 0 for each in (part, value // part)}
    return sorted(factors)[:-1]


def normalize_angle(angle: float) -> float:
    """Return an angle in radians as one from 0 up to a whole turn; what is no number, or infinite, is none.

    That of one that is there already may differ by a bit, so whether two are the same depends on how often each was turned.
    """
    return math.nan if math.isinf(angle) else math.fmod(math.fmod(angle, math.tau) + math.tau, math.tau)


def is_between_angles(angle: float, start: float, end: float, *, same_is_all: bool = False) -> bool:
    """Tell whether an angle lies between two others, clockwise; all do between two that are the same, if that is all."""
    angle, start, end = normalize_angle(angle), normalize_angle(start), normalize_angle(end)
    if angle == start or angle == end:  # noqa: PLR1714, SIM109  (in a set, what is no number would be itself)
        return True
    if same_is_all and start == end:
        return True
    return normalize_angle(start - angle) > normalize_angle(end - angle) and normalize_angle(
        angle - start
    ) < normalize_angle(angle - end)
