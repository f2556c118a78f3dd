"""Limits of a scale."""

import math
from typing import NamedTuple

from mdpublish_core.figures.charts.values import Json, finite_number, leading_number


class Range(NamedTuple):
    """A range of values, infinite if empty."""

    minimum: float
    maximum: float


NO_RANGE = Range(math.inf, -math.inf)


class UserBounds(NamedTuple):
    """Limits of the author, fixed (`min`, `max`) or suggested."""

    minimum: float
    maximum: float
    has_min: bool
    has_max: bool


def add_grace(limits: Range, grace: Json, *, keeps_zero: bool) -> Range:
    """Extend both ends by a number or a percentage of half the span."""
    half = (limits.maximum - limits.minimum) / 2
    if isinstance(grace, str):
        number = leading_number(grace) or 0.0
        change = number / 100 * half if grace.endswith("%") else number
    else:
        change = finite_number(grace) or 0.0

    def widened(value: float, by: float) -> float:
        return 0.0 if keeps_zero and value == 0 else value + by

    return Range(widened(limits.minimum, -abs(change)), widened(limits.maximum, change))
