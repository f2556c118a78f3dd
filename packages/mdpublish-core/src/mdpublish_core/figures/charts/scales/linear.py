"""The scale of numbers.

https://www.chartjs.org/docs/latest/axes/cartesian/linear.html
"""

import math
from abc import abstractmethod
from collections.abc import Sequence
from functools import cached_property, lru_cache

from mdpublish_core.figures.charts.formats.number_formats import NumberFormat, read_format
from mdpublish_core.figures.charts.formats.number_writing import written_number
from mdpublish_core.figures.charts.reckoning import sign
from mdpublish_core.figures.charts.scales.base import Scale
from mdpublish_core.figures.charts.scales.labelling import Tick
from mdpublish_core.figures.charts.scales.limits import Range, with_values
from mdpublish_core.figures.charts.scales.ticks import MOST_TICKS, TickPlan, even_ticks
from mdpublish_core.figures.charts.values import Json, coerced
from mdpublish_core.figures.request import FigureError

_USUAL_TICKS = 11


class NumberScale(Scale):
    """A scale of numbers, along a line or from a centre."""

    _start_value = 0.0
    _span = 1.0

    @abstractmethod
    def tick_limit(self) -> float:
        """Return how many ticks there is room for."""

    def parse(self, raw: Json, index: int | None = None) -> float | None:
        del index
        if raw is None:
            return None
        number = coerced(raw)
        if math.isinf(number) or (math.isnan(number) and isinstance(raw, float)):
            return None
        return number

    def round_limits(self) -> None:
        """Take in zero where that is asked for, and part limits that are the same."""
        begins_at_zero = self.options.begins_at_zero
        _, _, has_least, has_most = self.user_bounds()
        if begins_at_zero:
            if sign(self.least) < 0 and sign(self.most) < 0 and not has_most:
                self.most = 0.0
            elif sign(self.least) > 0 and sign(self.most) > 0 and not has_least:
                self.least = 0.0
        if self.least == self.most:
            apart = 1.0 if self.most == 0 else abs(self.most * 0.05)
            if not has_most:
                self.most += apart
            if not begins_at_zero and not has_least:
                self.least -= apart

    def build_ticks(self) -> list[Tick]:
        options = self.options.ticks
        _check_count(options.count, options.step)
        length = self.width if self.is_horizontal else self.height
        plan = TickPlan(
            most=max(2.0, self._most_ticks()),
            limits=self.range,
            least_given=self.user_least,
            most_given=self.user_most,
            widens=self.options.bounds == "ticks",
            step=options.step or None,
            precision=options.precision,
            count=options.count,
            most_digits=length / options.font.line_height if options.font.line_height else math.inf,
            is_horizontal=self.is_horizontal,
            min_rotation=options.min_rotation,
            has_bounds=options.has_bounds,
        )
        values = even_ticks(plan)
        if self.options.bounds == "ticks":
            self.least, self.most = with_values(Range(self.least, self.most), values)
        if self.options.is_reversed:
            values.reverse()
        return [Tick(value) for value in values]

    def _most_ticks(self) -> float:
        options = self.options.ticks
        if options.step:
            ends = self.least / options.step, self.most / options.step
            if not all(map(math.isfinite, ends)):
                return min(options.most or math.inf, MOST_TICKS)
            return min(options.most or math.inf, math.ceil(ends[1]) - math.floor(ends[0]) + 1, MOST_TICKS)
        return min(options.most or _USUAL_TICKS, self.tick_limit())

    def label_ticks(self, ticks: Sequence[Tick]) -> None:
        for tick in ticks:
            tick.label = (self.tick_label(tick, ticks),)

    def tick_label(self, tick: Tick, ticks: Sequence[Tick]) -> str:
        """Return a tick's value in as many digits as tell it from the next."""
        return numeric_label(tick.value, ticks, self.options.ticks.number_format, self.plot.locale)

    def configured(self) -> None:
        start, end = self.least, self.most
        if self.options.is_offset and self.ticks:
            half = (end - start) / max(len(self.ticks) - 1, 1) / 2
            start, end = start - half, end + half
        self._start_value, self._span = start, end - start

    def share_of(self, value: float) -> float:
        return (value - self._start_value) / self._span if self._span else math.nan

    def value_at(self, pixel: float) -> float:
        return self._start_value + self.share_at(pixel) * self._span

    def said_value(self, value: float | None) -> str:
        if value is None or math.isnan(value):
            return ""
        return written_number(value, self._format, self.plot.locale)

    @cached_property
    def _format(self) -> NumberFormat:
        # All digits, where nothing else is asked for: what a reader is told should be what the author wrote.
        return format_of({"maximumFractionDigits": 20, **self.options.ticks.number_format})


class LinearScale(NumberScale):
    """A scale of numbers along a line."""

    def find_limits(self) -> None:
        found = self.data_range(can_stack=True)
        self.least = found.least if math.isfinite(found.least) else 0.0
        self.most = found.most if math.isfinite(found.most) else 1.0
        self.round_limits()

    def tick_limit(self) -> float:
        options = self.options.ticks
        length = self.width if self.is_horizontal else self.height
        angle = math.radians(options.min_rotation)
        ratio = (math.sin(angle) if self.is_horizontal else math.cos(angle)) or 0.001
        size = min(40.0, options.font.line_height / ratio)
        return math.ceil(length / size) if size > 0 else math.inf


def numeric_label(value: float, ticks: Sequence[Tick], asked: object, locale: str) -> str:
    """Return a value of a scale in as many digits as tell it from the next."""
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
    return written_number(value, _tick_format(digits, is_scientific, _frozen(asked)), locale)


def format_of(asked: object) -> NumberFormat:
    """Return the format that an author asks for; raises `FigureError`."""
    try:
        return read_format(dict(asked) if isinstance(asked, dict) else {})
    except ValueError as error:
        raise FigureError(f"`ticks.format` cannot be used: {error}") from None


@lru_cache(maxsize=256)
def _tick_format(digits: int, is_scientific: bool, asked: tuple[tuple[str, object], ...]) -> NumberFormat:
    own = dict(asked)
    # An author who asks for fewer digits than a scale has, or for more, need not say so twice.
    least, most = own.get("minimumFractionDigits"), own.get("maximumFractionDigits")
    usual: dict[str, object] = {
        "minimumFractionDigits": min(digits, most) if isinstance(most, int | float) else digits,
        "maximumFractionDigits": max(digits, least) if isinstance(least, int | float) else digits,
    }
    if is_scientific:
        usual["notation"] = "scientific"
    return format_of({**usual, **own})


def _frozen(asked: object) -> tuple[tuple[str, object], ...]:
    if not isinstance(asked, dict):
        return ()
    return tuple((key, value) for key, value in asked.items() if isinstance(value, str | int | float))


def _check_count(count: float | None, step: float | None) -> None:
    if count is not None and not 2 <= count <= MOST_TICKS:
        raise FigureError(f"`ticks.count` is {count:,.12g}; 2 to {MOST_TICKS:,} ticks are allowed")
    if step is not None and step < 0:
        raise FigureError(f"`ticks.stepSize` is {step:,.12g}; allowed: more than 0")
