"""Time scales: https://www.chartjs.org/docs/latest/axes/cartesian/time.html.

Values are milliseconds since 1970; dates without a time zone are in UTC. Labels match
https://github.com/chartjs/chartjs-adapter-date-fns in English.
"""

import math
from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import ClassVar, get_args

from mdpublish_core.data_files import read_table
from mdpublish_core.figures.charts.formatting import date_arithmetic as dates
from mdpublish_core.figures.charts.formatting.date_formatting import format_date
from mdpublish_core.figures.charts.formatting.date_parsing import parse_date
from mdpublish_core.figures.charts.formatting.date_patterns import DISPLAY_FORMATS, as_date_fns
from mdpublish_core.figures.charts.geometry import clamp, round_half_up
from mdpublish_core.figures.charts.options import Options, option, read_options
from mdpublish_core.figures.charts.scales.base import Scale
from mdpublish_core.figures.charts.scales.tick_labels import Tick
from mdpublish_core.figures.charts.values import Json, Object, finite_number, is_truthy
from mdpublish_core.figures.errors import FigureError

MAX_TIMESTAMPS = 20_000
"""Timestamps generated for the scales of a chart, before skipping."""

_UNITS: tuple[dates.Unit, ...] = get_args(dates.Unit)

# Approximate length in ms, and number of units in the next larger one.
_UNIT_LENGTHS = {unit: (float(length), int(count)) for unit, length, count in read_table(__file__, "units.tsv")}

# Used only if the author asks for them.
_UNCOMMON = frozenset({"week", "quarter"})


def _unit_of(options: Options, name: str) -> dates.Unit | None:
    return options.optional_choice(name, _UNITS) if is_truthy(options.value(name)) else None


def _parser(options: Options) -> str | None:
    parser = options.value("parser")
    return as_date_fns(parser) if isinstance(parser, str) and parser else None


def _weekday(options: Options) -> int | None:
    weekday = options.value("isoWeekday")
    number = 1.0 if weekday is True else finite_number(weekday)
    return None if number is None else int(number)


def _formats(options: Options) -> dict[str, str]:
    formats = options.nested("displayFormats")
    return {unit: as_date_fns(formats.string(unit, known)) for unit, known in DISPLAY_FORMATS.items()}


@dataclass(frozen=True, slots=True, kw_only=True)
class TimeOptions:
    """Options of time scales."""

    unit: dates.Unit | None = option(_unit_of, "unit")
    min_unit: dates.Unit = option(lambda each: _unit_of(each, "minUnit") or "millisecond")
    parser: str | None = option(_parser)
    rounding: dates.Unit | None = option(_unit_of, "round")
    weekday: int | None = option(_weekday)  # start of the week, 0 is Sunday; None for the default
    formats: dict[str, str] = option(_formats)
    tooltip_format: str = option(lambda each: as_date_fns(each.string("tooltipFormat")))


class TimeScale(Scale):
    """A scale proportional to time."""

    DEFAULTS: ClassVar[Object] = {"bounds": "data", "ticks": {"source": "auto"}}
    has_timestamps: ClassVar[bool] = True

    parts = 0.0  # number of units

    _unit: dates.Unit = "day"
    _major_unit: dates.Unit | None = None
    _offset_before = 0.0
    _offset_factor = 1.0
    _label_timestamps: list[float] | None = None
    _data_timestamps: list[float] | None = None

    @cached_property
    def time(self) -> TimeOptions:
        return read_options(TimeOptions, self.raw_options.nested("time"))

    def parse(self, raw: Json, index: int | None = None) -> float | None:
        del index
        timestamp = self._read(raw)
        if timestamp is None or self.time.rounding is None:
            return timestamp
        weekday = self.time.weekday if self.time.rounding == "week" else None
        return float(dates.start_of(timestamp, self.time.rounding, weekday))

    def _read(self, raw: Json) -> float | None:
        if isinstance(raw, str):
            try:
                parsed = parse_date(raw, self.time.parser)
            except ValueError as error:
                raise FigureError(f"`time.parser` is invalid: {error}") from None
            return None if parsed is None else float(parsed)
        number = finite_number(raw)
        return number if number is not None and dates.is_valid_timestamp(number) else None

    def begin_layout(self) -> None:
        super().begin_layout()
        self._label_timestamps = self._data_timestamps = None

    def find_limits(self) -> None:
        minimum, maximum, has_min, has_max = self.user_bounds()
        if not (has_min and has_max):
            timestamps = self.label_timestamps()
            ranges = [(timestamps[0], timestamps[-1])] if timestamps else []
            if self.options.bounds != "ticks" or self.options.ticks.source != "labels":
                ranges.append(self.data_range(can_stack=False))
            for low, high in ranges:
                minimum = minimum if has_min else min(minimum, low)
                maximum = maximum if has_max else max(maximum, high)
        # Chart.js uses the current day, but output must not depend on it.
        minimum = minimum if math.isfinite(minimum) else 0.0
        maximum = maximum if math.isfinite(maximum) else _UNIT_LENGTHS[self.time.unit or "day"][0]
        self.minimum, self.maximum = min(minimum, maximum - 1), max(minimum + 1, maximum)

    def label_timestamps(self) -> list[float]:
        if self._label_timestamps is None:
            parsed = (self.parse(label) for label in self.labels())
            self._label_timestamps = sorted({timestamp for timestamp in parsed if timestamp is not None})
        return self._label_timestamps

    def data_timestamps(self) -> list[float]:
        if self._data_timestamps is None:
            timestamps = {value for series in self.chart.series_on(self) for value in series.values_on(self)}
            self._data_timestamps = sorted(timestamps)
        return self._data_timestamps

    def build_ticks(self) -> list[Tick]:
        options, ticks = self.options, self.options.ticks
        timestamps = self.label_timestamps() if ticks.source == "labels" else self.generate_timestamps()
        if options.bounds == "ticks" and timestamps:
            self.minimum = self.user_min or timestamps[0]
            self.maximum = self.user_max or timestamps[-1]
        shown = [timestamp for timestamp in timestamps if self.minimum <= timestamp <= self.maximum]
        self._unit = self.time.unit or (self._unit_by_room() if ticks.skips else self._unit_by_count(len(shown)))
        self._major_unit = None if not ticks.has_major or self._unit == "year" else _next_unit(self._unit)
        self.set_offsets(timestamps)
        if options.is_reversed:
            shown.reverse()
        major = self._major_unit
        return [Tick(each, is_major=major is not None and dates.start_of(each, major) == each) for each in shown]

    def after_skipping(self) -> None:
        if self.raw_options.flag("offsetAfterAutoskip"):
            self.set_offsets([tick.value for tick in self.ticks])

    def generate_timestamps(self) -> list[float]:
        """Return the starts of units, or with `source: data`, the nearest timestamps of the data."""
        unit = self.time.unit or self._unit_by_room()
        step = self.options.ticks.step or 1.0
        weekday = self.time.weekday if unit == "week" else None
        first = self.minimum if weekday is None else dates.start_of(self.minimum, "week", weekday)
        time = float(dates.start_of(first, unit if weekday is None else "day"))
        if step < 0:
            raise FigureError(f"`ticks.stepSize` must be more than 0 (got {step:g})")
        self.parts = dates.difference(self.maximum, self.minimum, unit) / step
        axes = (scale for scale in self.chart.scales.values() if isinstance(scale, TimeScale))
        if sum(axis.parts for axis in axes) > MAX_TIMESTAMPS:
            raise FigureError(
                f"time scales must have at most {MAX_TIMESTAMPS:,} steps in total (got steps of {step:g} {unit} on "
                f"`{self.name}`); use a longer `time.unit` or `ticks.stepSize`"
            )
        data = self.data_timestamps() if self.options.ticks.source == "data" else None
        timestamps: set[float] = set()
        count = 0
        while time < self.maximum and count <= 2 * MAX_TIMESTAMPS:
            _add_timestamp(timestamps, time, data)
            following = float(dates.add_units(time, step, unit))
            count += 1
            if following <= time:
                break
            time = following
        if time == self.maximum or self.options.bounds == "ticks" or count == 1:
            _add_timestamp(timestamps, time, data)
        return sorted(timestamps)

    def _unit_by_room(self) -> dates.Unit:
        """Return the smallest unit whose labels fit."""
        capacity = self._capacity()
        for unit in _UNITS[_UNITS.index(self.time.min_unit) : -1]:
            length, steps = _UNIT_LENGTHS[unit]
            if unit not in _UNCOMMON and math.ceil((self.maximum - self.minimum) / (steps * length)) <= capacity:
                return unit
        return _UNITS[-1]

    def _unit_by_count(self, ticks: int) -> dates.Unit:
        """Return the largest unit with at least as many units as ticks."""
        for unit in reversed(_UNITS[_UNITS.index(self.time.min_unit) :]):
            if unit not in _UNCOMMON and dates.difference(self.maximum, self.minimum, unit) >= ticks - 1:
                return unit
        return self.time.min_unit

    def _capacity(self) -> float:
        formats = self.time.formats
        label = self._format(self.minimum, formats.get(self.time.unit or "") or formats["millisecond"])
        options = self.options.ticks
        width, size = options.font.width(label), options.font.size
        angle = math.radians(options.max_rotation if self.is_horizontal else options.min_rotation)
        cos, sin = math.cos(angle), math.sin(angle)
        room, each = (
            (self.width, width * cos + size * sin) if self.is_horizontal else (self.height, width * sin + size * cos)
        )
        number = math.floor(room / each) - 1 if each > 0 and math.isfinite(room / each) else 1
        return number if number > 0 else 1

    def label_ticks(self, ticks: Sequence[Tick]) -> None:
        formats = self.time.formats
        minor = formats[self._unit]
        major = formats[self._major_unit] if self._major_unit else minor
        for tick in ticks:
            tick.label = (self._format(tick.value, major if tick.is_major else minor),)

    def _format(self, timestamp: float, pattern: str) -> str:
        try:
            return format_date(timestamp, pattern)
        except ValueError as error:
            raise FigureError(f"invalid date format: {error}") from None

    def set_offsets(self, timestamps: Sequence[float]) -> None:
        """With `offset`, reserve half a step at both ends."""
        before = after = 0.0
        if self.options.is_offset and timestamps:
            first, last = self.decimal(timestamps[0]), self.decimal(timestamps[-1])
            if len(timestamps) == 1:
                before, after = 1 - first, last
            else:
                before = (self.decimal(timestamps[1]) - first) / 2
                after = (last - self.decimal(timestamps[-2])) / 2
        limit = 0.5 if len(timestamps) < 3 else 0.25
        before, after = clamp(before, 0.0, limit), clamp(after, 0.0, limit)
        self._offset_before, self._offset_factor = before, 1 / (before + 1 + after)

    def decimal(self, value: float) -> float:
        """Map a timestamp to 0 (minimum) to 1 (maximum)."""
        return (value - self.minimum) / (self.maximum - self.minimum)

    def fraction_of(self, value: float) -> float:
        return (self._offset_before + self.decimal(value)) * self._offset_factor

    def format_value(self, value: float | None) -> str:
        if value is None or not math.isfinite(value):
            return ""
        return self._format(value, self.time.tooltip_format or self.time.formats["datetime"])


class TimeSeriesScale(TimeScale):
    """A scale with evenly spaced timestamps of the data."""

    _table: tuple[list[float], list[float]] = ([], [])
    _first = 0.0
    _table_span = 1.0

    def set_offsets(self, timestamps: Sequence[float]) -> None:
        del timestamps
        known = self._all_timestamps()
        self._table = self._build_table(known)
        self._first = self._interpolate(self.minimum)
        self._table_span = self._interpolate(self.maximum) - self._first
        super().set_offsets(known)

    def _all_timestamps(self) -> list[float]:
        data, labels = self.data_timestamps(), self.label_timestamps()
        return sorted({*data, *labels}) if data and labels else data or labels

    def _build_table(self, timestamps: Sequence[float]) -> tuple[list[float], list[float]]:
        """Return timestamps and positions, without those that can be interpolated."""
        inside = [timestamp for timestamp in timestamps if self.minimum <= timestamp <= self.maximum]
        if len(inside) < 2:
            return [self.minimum, self.maximum], [0.0, 1.0]
        times: list[float] = []
        fractions: list[float] = []
        for number, timestamp in enumerate(inside):
            is_between = 0 < number < len(inside) - 1
            if is_between and round_half_up((inside[number - 1] + inside[number + 1]) / 2) == timestamp:
                continue
            times.append(timestamp)
            fractions.append(number / (len(inside) - 1))
        return times, fractions

    def _interpolate(self, timestamp: float) -> float:
        times, fractions = self._table
        low, high = 0, len(times) - 1
        if times[low] <= timestamp <= times[high]:
            high = min(max(1, bisect_left(times, timestamp)), high)
            low = high - 1
        span = times[high] - times[low]
        return (
            fractions[low] + (fractions[high] - fractions[low]) * (timestamp - times[low]) / span
            if span
            else fractions[low]
        )

    def generate_timestamps(self) -> list[float]:
        return sorted({*self.data_timestamps(), self.minimum, self.maximum})

    def decimal(self, value: float) -> float:
        return (self._interpolate(value) - self._first) / self._table_span if self._table_span else 0.0


def _next_unit(unit: dates.Unit) -> dates.Unit | None:
    longer = _UNITS[_UNITS.index(unit) + 1 :]
    return next((each for each in longer if each not in _UNCOMMON), None)


def _add_timestamp(timestamps: set[float], time: float, data: Sequence[float] | None) -> None:
    if data is None:
        timestamps.add(time)
    elif data:
        index = bisect_left(data, time)
        low = min(max(index - 1, 0), len(data) - 1)
        timestamps.add(data[low] if data[low] >= time else data[min(low + 1, len(data) - 1)])
