"""From where to where a scale goes: what its data reaches, and what its author says."""

import math
from collections.abc import Sequence
from typing import NamedTuple

from mdpublish_core.figures.charts.values import Json, finite, leading_number


class Range(NamedTuple):
    """The least and the greatest of some values; infinite where there are none."""

    least: float
    most: float


NO_RANGE = Range(math.inf, -math.inf)


class UserBounds(NamedTuple):
    """What an author says of a scale's limits, and whether a limit is one rather than a proposal."""

    least: float
    most: float
    has_least: bool
    has_most: bool


def with_grace(limits: Range, grace: Json, *, keeps_zero: bool) -> Range:
    """Return limits with room added at both ends: so much of the half of them, or a number."""
    half = (limits.most - limits.least) / 2
    if isinstance(grace, str):
        number = leading_number(grace) or 0.0
        change = number / 100 * half if grace.endswith("%") else number
    else:
        change = finite(grace) or 0.0

    def widened(value: float, by: float) -> float:
        return 0.0 if keeps_zero and value == 0 else value + by

    return Range(widened(limits.least, -abs(change)), widened(limits.most, change))


def with_values(limits: Range, values: Sequence[float]) -> Range:
    """Return limits that reach to values beyond them."""
    return Range(min([limits.least, *values]), max([limits.most, *values]))
