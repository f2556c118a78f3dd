"""Tick values of linear and logarithmic scales."""

import math
from dataclasses import dataclass

from mdpublish_core.figures.charts.geometry import (
    count_decimals,
    is_near,
    is_nearly_whole,
    nice_number,
    round_half_up,
)
from mdpublish_core.figures.charts.scales.options import Range
from mdpublish_core.figures.charts.scales.tick_labels import Tick
from mdpublish_core.figures.charts.values import number_to_string

MAX_TICKS = 1000
"""More than fit on any page."""

_MIN_SPACING = 1e-14


@dataclass(frozen=True, slots=True, kw_only=True)
class TickPlan:
    """Constraints on the ticks of a linear scale."""

    max_ticks: float
    limits: Range
    given_min: float | None
    given_max: float | None
    widens: bool  # extend to the ticks beyond the data
    step: float | None
    precision: float | None
    count: float | None
    max_digits: float  # lines of text that fit
    is_horizontal: bool
    min_rotation: float
    has_bounds: bool


def even_ticks(plan: TickPlan) -> list[float]:
    """Return round, evenly spaced values, at most as many as requested."""
    minimum, maximum = plan.limits
    unit = plan.step or 1.0
    spaces = plan.max_ticks - 1
    spacing = nice_number((maximum - minimum) / spaces / unit) * unit
    if not spacing >= _MIN_SPACING and plan.given_min is None and plan.given_max is None:
        return [minimum, maximum]
    if not (math.isfinite(spacing) and spacing > 0):
        return [each for each in (plan.given_min, plan.given_max) if each is not None]
    number = math.ceil(maximum / spacing) - math.floor(minimum / spacing)
    if number > spaces:
        spacing = nice_number(number * spacing / spaces / unit) * unit
    if plan.precision is not None:
        power = 10.0**plan.precision
        spacing = math.ceil(spacing * power) / power
    start, end, spacing, number = _spread(plan, spacing)
    return _build_ticks(plan, start, end, spacing, number)


def _spread(plan: TickPlan, spacing: float) -> tuple[float, float, float, int]:
    """Return the first and last tick, their spacing, and the number of intervals."""
    minimum, maximum = plan.limits
    low, high = plan.given_min, plan.given_max
    start = math.floor(minimum / spacing) * spacing if plan.widens else minimum
    end = math.ceil(maximum / spacing) * spacing if plan.widens else maximum
    if low is not None and high is not None and plan.step and is_nearly_whole((high - low) / plan.step, spacing / 1000):
        number = int(round_half_up(min((high - low) / spacing, plan.max_ticks))) or 1
        return low, high, (high - low) / number, number
    if plan.count is not None:
        start = start if low is None else low
        end = end if high is None else high
        number = max(1, int(plan.count) - 1)
        return start, end, (end - start) / number, number
    spaces = (end - start) / spacing
    number = int(round_half_up(spaces)) if is_near(spaces, round_half_up(spaces), spacing / 1000) else math.ceil(spaces)
    return start, end, spacing, number


def _build_ticks(plan: TickPlan, start: float, end: float, spacing: float, number: int) -> list[float]:
    """Return the ticks, including the author's limits."""
    decimals = float(max(count_decimals(spacing), count_decimals(start))) if plan.precision is None else plan.precision
    power = 10.0 ** min(decimals, 300.0)

    def round_decimals(value: float) -> float:
        return round_half_up(value * power) / power if math.isfinite(value * power) else value

    start, end = round_decimals(start), round_decimals(end)
    low, high = plan.given_min, plan.given_max
    ticks: list[float] = []
    first = 0
    room = (plan.limits.maximum - plan.limits.minimum) / (plan.max_digits + 1)
    if low is not None:
        if plan.has_bounds and start != low:
            ticks.append(low)
            first += start < low
            first += is_near(round_decimals(start + first * spacing), low, _label_room(low, room, plan))
        elif start < low:
            first += 1
    for step in range(first, min(number, MAX_TICKS)):
        value = round_decimals(start + step * spacing)
        if high is not None and value > high:
            break
        ticks.append(value)
    if high is not None and plan.has_bounds and end != high:
        if ticks and is_near(ticks[-1], high, _label_room(high, room, plan)):
            ticks[-1] = high
        else:
            ticks.append(high)
    elif high is None or end == high:
        ticks.append(end)
    return ticks


def _label_room(value: float, spacing: float, plan: TickPlan) -> float:
    """Return the minimum spacing, in units of the scale, for labels not to overlap."""
    angle = math.radians(plan.min_rotation)
    ratio = (math.sin(angle) if plan.is_horizontal else math.cos(angle)) or 0.001
    return min(spacing / ratio, 0.75 * spacing * len(number_to_string(value)))


def logarithmic_ticks(limits: Range, given_min: float | None, given_max: float | None) -> list[Tick]:
    """Return ticks at the multiples of powers of ten between positive limits."""
    minimum = limits.minimum if given_min is None else given_min
    maximum = limits.maximum
    lowest = _exponent(minimum)
    exponent = _first_exponent(minimum, maximum)
    precision = 10.0 ** abs(exponent) if exponent < 0 else 1.0
    size = 10.0**exponent
    base = 10.0**lowest if lowest > exponent else 0.0
    start = round_half_up((minimum - base) * precision) / precision
    offset = math.floor((minimum - base) / size / 10) * size * 10
    step = math.floor((start - offset) / 10.0**exponent)

    def value_at(step: float, exponent: int, precision: float) -> float:
        return round_half_up((base + offset + step * 10.0**exponent) * precision) / precision

    value = value_at(step, exponent, precision) if given_min is None else given_min
    ticks: list[Tick] = []
    while value < maximum and len(ticks) < MAX_TICKS:
        ticks.append(Tick(value, is_major=_is_power(value), step=step))
        step = (15 if step < 15 else 20) if step >= 10 else step + 1
        if step >= 20:
            exponent += 1
            step = 2
            precision = 1.0 if exponent >= 0 else precision
        value = value_at(step, exponent, precision)
    last = value if given_max is None else given_max
    return [*ticks, Tick(last, is_major=_is_power(last), step=step)]


def _exponent(value: float) -> int:
    return math.floor(math.log10(value)) if value > 0 and math.isfinite(value) else 0


def _is_power(value: float) -> bool:
    return value > 0 and value / 10.0 ** _exponent(value) == 1


def _first_exponent(minimum: float, maximum: float) -> int:
    """Return the exponent that yields about ten steps between two values."""

    def steps(exponent: int) -> float:
        size = 10.0**exponent
        return math.ceil(maximum / size) - math.floor(minimum / size)

    exponent = _exponent(maximum - minimum)
    if maximum > minimum:
        while steps(exponent) > 10:
            exponent += 1
        while steps(exponent) < 10 and exponent > -300:
            exponent -= 1
    return min(exponent, _exponent(minimum))
