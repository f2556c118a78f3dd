"""The scale of powers of ten.

https://www.chartjs.org/docs/latest/axes/cartesian/logarithmic.html
"""

import math
from collections.abc import Sequence
from functools import cached_property
from typing import ClassVar

from mdpublish_core.figures.charts.formats.number_formats import NumberFormat
from mdpublish_core.figures.charts.formats.number_writing import written_number
from mdpublish_core.figures.charts.scales.base import Scale
from mdpublish_core.figures.charts.scales.labelling import Tick
from mdpublish_core.figures.charts.scales.limits import Range, with_values
from mdpublish_core.figures.charts.scales.linear import format_of, numeric_label
from mdpublish_core.figures.charts.scales.ticks import powers
from mdpublish_core.figures.charts.values import Json, Object, coerced, finite

# Which steps of a power of ten have labels; the last fifth of a scale has all.
_LABELLED = frozenset({1, 2, 3, 5, 10, 15})
_ALL_BEHIND = 0.8


class LogarithmicScale(Scale):
    """Values above zero, by their logarithms; a zero in the data is shown at the scale's beginning."""

    DEFAULTS: ClassVar[Object] = {"ticks": {"major": {"enabled": True}}}

    _has_zero = False
    _start_value = 0.0
    _span = 1.0

    def parse(self, raw: Json, index: int | None = None) -> float | None:
        del index
        if raw is None:
            return None
        value = coerced(raw)
        if value == 0:
            self._has_zero = True
            return None
        return value if math.isfinite(value) and value > 0 else None

    def find_limits(self) -> None:
        found = self.data_range(can_stack=True)
        self.least = max(0.0, found.least) if math.isfinite(found.least) else 0.0
        self.most = max(0.0, found.most) if math.isfinite(found.most) else 0.0
        if self.options.begins_at_zero:
            self._has_zero = True
        if self._has_zero and self.least != self.proposed_least and finite(self.user_least) is None:
            power = _power(self.least, 0)
            self.least = _power(self.least, -1) if found.least == power else power
        self._part_limits()

    def _part_limits(self) -> None:
        """Part limits that are the same, and keep them above zero."""
        _, _, has_least, has_most = self.user_bounds()
        least, most = self.least, self.most
        if least == most:
            low, high = (1.0, 10.0) if least <= 0 else (_power(least, -1), _power(most, 1))
            least = least if has_least else low
            most = most if has_most else high
        if least <= 0 and not has_least:
            least = _power(most, -1)
        if most <= 0 and not has_most:
            most = _power(least, 1)
        self.least, self.most = (least, most) if least > 0 and most > 0 else (1.0, 10.0)

    def build_ticks(self) -> list[Tick]:
        ticks = powers(Range(self.least, self.most), finite(self.user_least), finite(self.user_most))
        if self.options.bounds == "ticks":
            self.least, self.most = with_values(Range(self.least, self.most), [tick.value for tick in ticks])
        if self.options.is_reversed:
            ticks.reverse()
        return ticks

    def label_ticks(self, ticks: Sequence[Tick]) -> None:
        for index, tick in enumerate(ticks):
            tick.label = (self._label(index, tick, ticks),)

    def _label(self, index: int, tick: Tick, ticks: Sequence[Tick]) -> str:
        if tick.value == 0:
            return "0"
        step = tick.step or tick.value / _power(tick.value, 0)
        if step in _LABELLED or index > _ALL_BEHIND * len(ticks):
            return numeric_label(tick.value, ticks, self.options.ticks.number_format, self.plot.locale)
        return ""

    def configured(self) -> None:
        self._start_value = math.log10(self.least) if self.least > 0 else 0.0
        self._span = math.log10(self.most) - self._start_value if self.most > 0 else 0.0

    def share_of(self, value: float) -> float:
        if value in {0, self.least}:
            return 0.0
        return (math.log10(value) - self._start_value) / self._span if value > 0 and self._span else math.nan

    def pixel_for(self, value: float | None) -> float:
        # What is no value stands where zero does.
        return self.pixel_at(0.0) if value is None else self.pixel_at(self.share_of(value))

    def value_at(self, pixel: float) -> float:
        return float(10 ** (self._start_value + self.share_at(pixel) * self._span))

    def said_value(self, value: float | None) -> str:
        if value is None:
            return "0"
        return written_number(value, self._format, self.plot.locale)

    @cached_property
    def _format(self) -> NumberFormat:
        return format_of(self.options.ticks.number_format)


def _power(value: float, change: int) -> float:
    """Return the power of ten that a number above zero begins with, or so many more or fewer."""
    exponent = math.floor(math.log10(value)) if value > 0 else 0
    return float(10.0 ** (exponent + change))
