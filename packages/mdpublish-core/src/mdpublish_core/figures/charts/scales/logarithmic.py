"""Logarithmic scale: https://www.chartjs.org/docs/latest/axes/cartesian/logarithmic.html."""

import math
from collections.abc import Sequence
from functools import cached_property
from typing import ClassVar

from mdpublish_core.figures.charts.formatting.number_formats import NumberFormat
from mdpublish_core.figures.charts.formatting.number_formatting import format_number
from mdpublish_core.figures.charts.scales.base import Scale
from mdpublish_core.figures.charts.scales.linear import numeric_label, read_tick_format
from mdpublish_core.figures.charts.scales.options import Range
from mdpublish_core.figures.charts.scales.tick_labels import Tick
from mdpublish_core.figures.charts.scales.ticks import logarithmic_ticks
from mdpublish_core.figures.charts.values import Json, Object, to_number

# Multiples of a power of ten that are labeled. In the last fifth of a scale, all are.
_LABELED_STEPS = frozenset({1, 2, 3, 5, 10, 15})
_LABEL_ALL_AFTER = 0.8


class LogarithmicScale(Scale):
    """A scale of positive numbers. Zero is shown at its start."""

    DEFAULTS: ClassVar[Object] = {"ticks": {"major": {"enabled": True}}}

    _has_zero = False

    def parse(self, raw: Json, index: int | None = None) -> float | None:
        del index
        if raw is None:
            return None
        value = to_number(raw)
        if value == 0:
            self._has_zero = True
            return None
        return value if math.isfinite(value) and value > 0 else None

    def find_limits(self) -> None:
        data_range = self.data_range(can_stack=True)
        self.minimum = max(0.0, data_range.minimum) if math.isfinite(data_range.minimum) else 0.0
        self.maximum = max(0.0, data_range.maximum) if math.isfinite(data_range.maximum) else 0.0
        if self.options.begins_at_zero:
            self._has_zero = True
        if self._has_zero and self.minimum != self.suggested_min and self.user_min is None:
            power = _power(self.minimum, 0)
            self.minimum = _power(self.minimum, -1) if data_range.minimum == power else power
        self.round_limits()

    def round_limits(self) -> None:
        """Separate equal limits and keep them positive."""
        _, _, has_min, has_max = self.user_bounds()
        minimum, maximum = self.minimum, self.maximum
        if minimum == maximum:
            low, high = (1.0, 10.0) if minimum <= 0 else (_power(minimum, -1), _power(maximum, 1))
            minimum = minimum if has_min else low
            maximum = maximum if has_max else high
        if minimum <= 0 and not has_min:
            minimum = _power(maximum, -1)
        if maximum <= 0 and not has_max:
            maximum = _power(minimum, 1)
        self.minimum, self.maximum = (minimum, maximum) if minimum > 0 and maximum > 0 else (1.0, 10.0)

    def build_ticks(self) -> list[Tick]:
        return self.extend_to(logarithmic_ticks(Range(self.minimum, self.maximum), self.user_min, self.user_max))

    def label_ticks(self, ticks: Sequence[Tick]) -> None:
        for index, tick in enumerate(ticks):
            tick.label = (self._label(index, tick, ticks),)

    def _label(self, index: int, tick: Tick, ticks: Sequence[Tick]) -> str:
        if tick.value == 0:
            return "0"
        step = tick.step or tick.value / _power(tick.value, 0)
        if step in _LABELED_STEPS or index > _LABEL_ALL_AFTER * len(ticks):
            return numeric_label(tick.value, ticks, self.options.ticks.number_format, self.chart.locale)
        return ""

    def after_configure(self) -> None:
        self._start_value = math.log10(self.minimum) if self.minimum > 0 else 0.0
        self._span = math.log10(self.maximum) - self._start_value if self.maximum > 0 else 0.0

    def fraction_of(self, value: float) -> float:
        if value in {0, self.minimum}:
            return 0.0
        return (math.log10(value) - self._start_value) / self._span if value > 0 and self._span else math.nan

    def pixel_for(self, value: float | None) -> float:
        # Missing values are placed like zero.
        return self.pixel_at(0.0) if value is None else self.pixel_at(self.fraction_of(value))

    def value_at(self, pixel: float) -> float:
        return float(10 ** (self._start_value + self.fraction_at(pixel) * self._span))

    def format_value(self, value: float | None) -> str:
        if value is None:
            return "0"
        return format_number(value, self._format, self.chart.locale)

    @cached_property
    def _format(self) -> NumberFormat:
        return read_tick_format(self.options.ticks.number_format)


def _power(value: float, change: int) -> float:
    """Return the power of ten at or below a positive number, times 10 to the `change`."""
    exponent = math.floor(math.log10(value)) if value > 0 else 0
    return float(10.0 ** (exponent + change))
