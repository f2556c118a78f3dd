"""Linear and logarithmic scales: https://www.chartjs.org/docs/latest/axes/cartesian/linear.html and logarithmic.html."""

import math
from abc import abstractmethod
from collections.abc import Sequence
from functools import cached_property, lru_cache
from typing import ClassVar

from mdpublish_core.figures.charts.formatting.number_formats import NumberFormat, read_number_format
from mdpublish_core.figures.charts.formatting.number_formatting import format_number
from mdpublish_core.figures.charts.geometry import sign
from mdpublish_core.figures.charts.scales.base import Scale
from mdpublish_core.figures.charts.scales.options import Range
from mdpublish_core.figures.charts.scales.tick_labels import Tick
from mdpublish_core.figures.charts.scales.ticks import MAX_TICKS, TickPlan, even_ticks, logarithmic_ticks
from mdpublish_core.figures.charts.values import Json, Object, to_number
from mdpublish_core.figures.errors import FigureError

_DEFAULT_TICKS = 11


class NumberScale(Scale):
    """A scale of numbers, along a line or from a center."""

    EMPTY_MAXIMUM: ClassVar[float] = 1.0
    """Of a scale without values."""

    def find_limits(self) -> None:
        data_range = self.data_range(can_stack=self.options.axis != "r")
        self.minimum = data_range.minimum if math.isfinite(data_range.minimum) else 0.0
        self.maximum = data_range.maximum if math.isfinite(data_range.maximum) else self.EMPTY_MAXIMUM
        self.round_limits()

    @abstractmethod
    def tick_limit(self) -> float:
        """Return the number of ticks that fit."""

    def parse(self, raw: Json, index: int | None = None) -> float | None:
        del index
        if raw is None:
            return None
        number = to_number(raw)
        if math.isinf(number) or (math.isnan(number) and isinstance(raw, float)):
            return None
        return number

    def round_limits(self) -> None:
        """Include zero if requested, and separate equal limits."""
        begins_at_zero = self.options.begins_at_zero
        _, _, has_min, has_max = self.user_bounds()
        if begins_at_zero:
            if sign(self.minimum) < 0 and sign(self.maximum) < 0 and not has_max:
                self.maximum = 0.0
            elif sign(self.minimum) > 0 and sign(self.maximum) > 0 and not has_min:
                self.minimum = 0.0
        if self.minimum == self.maximum:
            apart = 1.0 if self.maximum == 0 else abs(self.maximum * 0.05)
            if not has_max:
                self.maximum += apart
            if not begins_at_zero and not has_min:
                self.minimum -= apart

    def build_ticks(self) -> list[Tick]:
        options = self.options.ticks
        _check_count(options.count, options.step)
        length = self.width if self.is_horizontal else self.height
        plan = TickPlan(
            max_ticks=max(2.0, self._max_ticks()),
            limits=self.range,
            given_min=self.user_min,
            given_max=self.user_max,
            widens=self.options.bounds == "ticks",
            step=options.step or None,
            precision=options.precision,
            count=options.count,
            max_digits=length / options.font.line_height if options.font.line_height else math.inf,
            is_horizontal=self.is_horizontal,
            min_rotation=options.min_rotation,
            has_bounds=options.has_bounds,
        )
        return self.extend_to([Tick(value) for value in even_ticks(plan)])

    def _max_ticks(self) -> float:
        options = self.options.ticks
        if options.step:
            ends = self.minimum / options.step, self.maximum / options.step
            if not all(map(math.isfinite, ends)):
                return min(options.max_ticks or math.inf, MAX_TICKS)
            return min(options.max_ticks or math.inf, math.ceil(ends[1]) - math.floor(ends[0]) + 1, MAX_TICKS)
        return min(options.max_ticks or _DEFAULT_TICKS, self.tick_limit())

    def label_ticks(self, ticks: Sequence[Tick]) -> None:
        for tick in ticks:
            tick.label = (numeric_label(tick.value, ticks, self.options.ticks.number_format, self.chart.locale),)

    def after_configure(self) -> None:
        start, end = self.minimum, self.maximum
        if self.options.is_offset and self.ticks:
            half = (end - start) / max(len(self.ticks) - 1, 1) / 2
            start, end = start - half, end + half
        self._start_value, self._span = start, end - start

    def fraction_of(self, value: float) -> float:
        return (value - self._start_value) / self._span if self._span else math.nan

    def value_at(self, pixel: float) -> float:
        return self._start_value + self.fraction_at(pixel) * self._span

    def format_value(self, value: float | None) -> str:
        if value is None or math.isnan(value):
            return ""
        return format_number(value, self._format, self.chart.locale)

    @cached_property
    def _format(self) -> NumberFormat:
        # By default, tooltips show all digits that the author wrote.
        return read_tick_format({"maximumFractionDigits": 20, **self.options.ticks.number_format})


class LinearScale(NumberScale):
    """A scale of numbers along a line."""

    def tick_limit(self) -> float:
        options = self.options.ticks
        length = self.width if self.is_horizontal else self.height
        angle = math.radians(options.min_rotation)
        ratio = (math.sin(angle) if self.is_horizontal else math.cos(angle)) or 0.001
        size = min(40.0, options.font.line_height / ratio)
        return math.ceil(length / size) if size > 0 else math.inf


def numeric_label(value: float, ticks: Sequence[Tick], format_options: object, locale: str) -> str:
    """Format a tick with enough digits to distinguish it from the next."""
    if value == 0:
        return "0"
    is_scientific = False
    apart = value
    if len(ticks) > 1:
        greatest = max(abs(ticks[0].value), abs(ticks[-1].value))
        is_scientific = greatest < 1e-4 or greatest > 1e15
        apart = ticks[2].value - ticks[1].value if len(ticks) > 3 else ticks[1].value - ticks[0].value
        if abs(apart) >= 1 and value != math.floor(value):
            apart = value - math.floor(value)
    digits = max(min(-math.floor(math.log10(abs(apart))), 20), 0) if apart else 20
    return format_number(value, _tick_format(digits, is_scientific, _frozen(format_options)), locale)


def read_tick_format(format_options: object) -> NumberFormat:
    """Return the number format of ticks. Raises `FigureError`."""
    try:
        return read_number_format(dict(format_options) if isinstance(format_options, dict) else {})
    except ValueError as error:
        raise FigureError(f"`ticks.format` is invalid: {error}") from None


@lru_cache(maxsize=256)
def _tick_format(digits: int, is_scientific: bool, format_options: tuple[tuple[str, object], ...]) -> NumberFormat:
    given = dict(format_options)
    # If the author sets one limit beyond the other's default, move that default.
    minimum, maximum = given.get("minimumFractionDigits"), given.get("maximumFractionDigits")
    defaults: dict[str, object] = {
        "minimumFractionDigits": min(digits, maximum) if isinstance(maximum, int | float) else digits,
        "maximumFractionDigits": max(digits, minimum) if isinstance(minimum, int | float) else digits,
    }
    if is_scientific:
        defaults["notation"] = "scientific"
    return read_tick_format({**defaults, **given})


def _frozen(format_options: object) -> tuple[tuple[str, object], ...]:
    if not isinstance(format_options, dict):
        return ()
    return tuple((key, value) for key, value in format_options.items() if isinstance(value, str | int | float))


def _check_count(count: float | None, step: float | None) -> None:
    if count is not None and not 2 <= count <= MAX_TICKS:
        raise FigureError(f"`ticks.count` must be 2 to {MAX_TICKS:,} (got {count:,.12g})")
    if step is not None and step < 0:
        raise FigureError(f"`ticks.stepSize` must be more than 0 (got {step:,.12g})")


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
