"""Rounding and angles, as in Chart.js."""

import math

RIGHT_ANGLE = math.pi / 2

_MAX_DECIMALS = 300


def round_half_up(value: float) -> float:
    """Round half up; infinity and NaN are unchanged."""
    return float(math.floor(value + 0.5)) if math.isfinite(value) else value


def clamp(value: float, minimum: float, maximum: float) -> float:
    """If the bounds conflict, the minimum wins."""
    return max(minimum, min(maximum, value))


def sign(value: float) -> int:
    return (value > 0) - (value < 0)


def is_near(one: float, other: float, distance: float) -> bool:
    return abs(one - other) < distance


def is_nearly_whole(value: float, distance: float) -> bool:
    whole = round_half_up(value)
    return whole - distance <= value <= whole + distance


def nice_number(value: float) -> float:
    """Round a positive number up to 1, 2, 5 or 10 times a power of ten."""
    whole = round_half_up(value)
    value = whole if is_near(value, whole, value / 1000) else value
    if value <= 0 or not math.isfinite(value):
        return math.nan
    power = 10.0 ** math.floor(math.log10(value))
    share = value / power
    return next(step for step in (1, 2, 5, 10) if share <= step or step == 10) * power


def count_decimals(value: float) -> int:
    """Return the number of decimals, at most 300."""
    if not math.isfinite(value):
        return 0
    power, decimals = 1.0, 0
    while decimals < _MAX_DECIMALS and round_half_up(value * power) / power != value:
        power *= 10
        decimals += 1
    return decimals


def divisors(value: int) -> list[int]:
    """Return the divisors in order, without the number itself."""
    factors = {each for part in range(1, math.isqrt(value) + 1) if value % part == 0 for each in (part, value // part)}
    return sorted(factors)[:-1]


def normalize_angle(angle: float) -> float:
    """Normalize to 0 ≤ angle < 2π; NaN if not finite.

    Not idempotent to the bit: compare only angles normalized equally often.
    """
    return math.nan if math.isinf(angle) else math.fmod(math.fmod(angle, math.tau) + math.tau, math.tau)


def is_between_angles(angle: float, start: float, end: float, *, same_is_all: bool = False) -> bool:
    """Compare clockwise. With `same_is_all`, equal bounds are a full turn."""
    angle, start, end = normalize_angle(angle), normalize_angle(start), normalize_angle(end)
    if angle == start or angle == end:  # noqa: PLR1714, SIM109  (in a set, what is no number would be itself)
        return True
    if same_is_all and start == end:
        return True
    return normalize_angle(start - angle) > normalize_angle(end - angle) and normalize_angle(
        angle - start
    ) < normalize_angle(angle - end)
