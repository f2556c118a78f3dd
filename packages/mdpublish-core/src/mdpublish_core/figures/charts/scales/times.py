"""The scales of time.

https://www.chartjs.org/docs/latest/axes/cartesian/time.html

Values are milliseconds since 1970; dates and times without a zone are in UTC. Labels are those of
https://github.com/chartjs/chartjs-adapter-date-fns, in English.
"""

import math
from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import ClassVar, get_args

from mdpublish_core.figures.charts.formats.calendars import Unit, added, difference, start_of
from mdpublish_core.figures.charts.formats.date_patterns import DISPLAY_FORMATS
from mdpublish_core.figures.charts.formats.date_reading import read_date
from mdpublish_core.figures.charts.formats.date_writing import written_date
from mdpublish_core.figures.charts.options import Options
from mdpublish_core.figures.charts.reckoning import limited, rounded
from mdpublish_core.figures.charts.scales.base import Scale
from mdpublish_core.figures.charts.scales.labelling import Tick
from mdpublish_core.figures.charts.values import Json, Object, finite, is_true
from mdpublish_core.figures.request import FigureError

MOST_MOMENTS = 20_000
"""Moments that a chart's scales are divided into, before those that there is no room for are skipped."""

_UNITS: tuple[Unit, ...] = get_args(Unit)

# How long a unit is about, in ms, and how many of it make up the next.
_LENGTHS = {
    "millisecond": (1.0, 1000),
    "second": (1000.0, 60),
    "minute": (60_000.0, 60),
    "hour": (3_600_000.0, 24),
    "day": (86_400_000.0, 30),
    "week": (604_800_000.0, 4),
    "month": (2.628e9, 12),
    "quarter": (7.884e9, 4),
    "year": (3.154e10, 0),
}

# The units that nobody counts in unless asked to.
_UNCOMMON = frozenset({"week", "quarter"})

# JavaScript's years end there, in ms.
_END_OF_TIME = 8.64e15


@dataclass(frozen=True, slots=True, kw_only=True)
class TimeOptions:
    """What is said of a scale of time alone."""

    unit: Unit | None
    least_unit: Unit
    parser: str | None
    rounding: Unit | None
    weekday: int | None
    """The day that weeks begin on, 0 for Sunday; None where no week begins on another."""
    formats: dict[str, str]
    tip_format: str


class TimeScale(Scale):
    """Moments as far apart as they are in time."""

    DEFAULTS: ClassVar[Object] = {"bounds": "data", "ticks": {"source": "auto"}}

    has_moments: ClassVar[bool] = True

    parts = 0.0
    """How many units it is divided into."""

    _unit: Unit = "day"
    _major_unit: Unit | None = None
    _offset_before = 0.0
    _offset_factor = 1.0
    _label_moments: list[float] | None = None
    _data_moments: list[float] | None = None

    @cached_property
    def time(self) -> TimeOptions:
        own = self.own.under("time")
        formats = own.under("displayFormats")
        weekday = own.value("isoWeekday")
        parser = own.value("parser")
        return TimeOptions(
            unit=_unit_of(own, "unit"),
            least_unit=_unit_of(own, "minUnit") or "millisecond",
            parser=parser if isinstance(parser, str) and parser else None,
            rounding=_unit_of(own, "round"),
            weekday=1 if weekday is True else _whole(finite(weekday)),
            formats={unit: formats.text(unit, known) for unit, known in DISPLAY_FORMATS.items()},
            tip_format=own.text("tooltipFormat"),
        )

    def parse(self, raw: Json, index: int | None = None) -> float | None:
        del index
        moment = self._read(raw)
        if moment is None or self.time.rounding is None:
            return moment
        weekday = self.time.weekday if self.time.rounding == "week" else None
        return float(start_of(moment, self.time.rounding, weekday))

    def _read(self, raw: Json) -> float | None:
        if isinstance(raw, str):
            try:
                found = read_date(raw, self.time.parser)
            except ValueError as error:
                raise FigureError(f"`time.parser` cannot be used: {error}") from None
            return None if found is None else float(found)
        number = finite(raw)
        return number if number is not None and abs(number) <= _END_OF_TIME else None

    def begin_layout(self) -> None:
        super().begin_layout()
        self._label_moments = self._data_moments = None

    def find_limits(self) -> None:
        least, most, has_least, has_most = self.user_bounds()
        if not (has_least and has_most):
            moments = self.label_moments()
            ranges = [(moments[0], moments[-1])] if moments else []
            if self.options.bounds != "ticks" or self.options.ticks.source != "labels":
                ranges.append(self.data_range(can_stack=False))
            for low, high in ranges:
                least = least if has_least else min(least, low)
                most = most if has_most else max(most, high)
        # Chart.js takes the day it is drawn on; a chart that is drawn on another day should be the same.
        least = least if math.isfinite(least) else 0.0
        most = most if math.isfinite(most) else _LENGTHS[self.time.unit or "day"][0]
        self.least, self.most = min(least, most - 1), max(least + 1, most)

    def label_moments(self) -> list[float]:
        if self._label_moments is None:
            parsed = (self.parse(label) for label in self.labels())
            self._label_moments = sorted({moment for moment in parsed if moment is not None})
        return self._label_moments

    def data_moments(self) -> list[float]:
        if self._data_moments is None:
            found = {value for series in self.plot.series_on(self) for value in series.values_on(self)}
            self._data_moments = sorted(found)
        return self._data_moments

    def build_ticks(self) -> list[Tick]:
        options, ticks = self.options, self.options.ticks
        moments = self.label_moments() if ticks.source == "labels" else self.generated()
        if options.bounds == "ticks" and moments:
            self.least = finite(self.user_least) or moments[0]
            self.most = finite(self.user_most) or moments[-1]
        shown = [moment for moment in moments if self.least <= moment <= self.most]
        self._unit = self.time.unit or (self._unit_by_room() if ticks.skips else self._unit_by_number(len(shown)))
        self._major_unit = None if not ticks.has_major or self._unit == "year" else _next_unit(self._unit)
        self.set_offsets(moments)
        if options.is_reversed:
            shown.reverse()
        return self._with_majors([Tick(moment) for moment in shown])

    def after_skipping(self) -> None:
        if self.own.flag("offsetAfterAutoskip"):
            self.set_offsets([tick.value for tick in self.ticks])

    def generated(self) -> list[float]:
        """Return the moments at which units begin, or those of the data next to them."""
        unit = self.time.unit or self._unit_by_room()
        step = self.options.ticks.step or 1.0
        weekday = self.time.weekday if unit == "week" else None
        first = self.least if weekday is None else start_of(self.least, "week", weekday)
        time = float(start_of(first, unit if weekday is None else "day"))
        if step < 0:
            raise FigureError(f"`ticks.stepSize` is {step:g}; allowed: more than 0")
        self.parts = difference(self.most, self.least, unit) / step
        axes = (scale for scale in self.plot.scales.values() if isinstance(scale, TimeScale))
        if sum(axis.parts for axis in axes) > MOST_MOMENTS:
            raise FigureError(
                f"the axes of time would be divided into more than {MOST_MOMENTS:,} parts, "
                f"`{self.name}` into parts of {step:g} {unit}; give it a longer `time.unit` or `ticks.stepSize`"
            )
        data = self.data_moments() if self.options.ticks.source == "data" else None
        found: set[float] = set()
        count = 0
        while time < self.most and count <= 2 * MOST_MOMENTS:
            _add_moment(found, time, data)
            following = float(added(time, step, unit))
            count += 1
            if following <= time:
                break
            time = following
        if time == self.most or self.options.bounds == "ticks" or count == 1:
            _add_moment(found, time, data)
        return sorted(found)

    def _unit_by_room(self) -> Unit:
        """Return the smallest unit of which there is room for a label each."""
        capacity = self._capacity()
        for unit in _UNITS[_UNITS.index(self.time.least_unit) : -1]:
            length, steps = _LENGTHS[unit]
            if unit not in _UNCOMMON and math.ceil((self.most - self.least) / (steps * length)) <= capacity:
                return unit
        return _UNITS[-1]

    def _unit_by_number(self, ticks: int) -> Unit:
        """Return the largest unit of which there are as many as ticks."""
        for unit in reversed(_UNITS[_UNITS.index(self.time.least_unit) :]):
            if unit not in _UNCOMMON and difference(self.most, self.least, unit) >= ticks - 1:
                return unit
        return self.time.least_unit

    def _capacity(self) -> float:
        """Return how many labels there is room for."""
        formats = self.time.formats
        label = self._written(self.least, formats.get(self.time.unit or "") or formats["millisecond"])
        options = self.options.ticks
        width, size = options.font.width(label), options.font.size
        angle = math.radians(options.max_rotation if self.is_horizontal else options.min_rotation)
        cos, sin = math.cos(angle), math.sin(angle)
        room, each = (
            (self.width, width * cos + size * sin) if self.is_horizontal else (self.height, width * sin + size * cos)
        )
        number = math.floor(room / each) - 1 if each > 0 and math.isfinite(room / each) else 1
        return number if number > 0 else 1

    def _with_majors(self, ticks: list[Tick]) -> list[Tick]:
        """Return ticks of which those are major at which a longer unit begins."""
        unit = self._major_unit
        if unit is None or not ticks:
            return ticks
        for tick in ticks:
            tick.is_major = start_of(tick.value, unit) == tick.value
        return ticks

    def label_ticks(self, ticks: Sequence[Tick]) -> None:
        formats = self.time.formats
        minor = formats[self._unit]
        major = formats[self._major_unit] if self._major_unit else minor
        for tick in ticks:
            tick.label = (self._written(tick.value, major if tick.is_major else minor),)

    def _written(self, moment: float, pattern: str) -> str:
        try:
            return written_date(moment, pattern)
        except ValueError as error:
            raise FigureError(f"a format of dates cannot be used: {error}") from None

    def set_offsets(self, moments: Sequence[float]) -> None:
        """Leave half a step of room at both ends, where the scale is to have that."""
        before = behind = 0.0
        if self.options.is_offset and moments:
            first, last = self.decimal(moments[0]), self.decimal(moments[-1])
            if len(moments) == 1:
                before, behind = 1 - first, last
            else:
                before = (self.decimal(moments[1]) - first) / 2
                behind = (last - self.decimal(moments[-2])) / 2
        most = 0.5 if len(moments) < 3 else 0.25
        before, behind = limited(before, 0.0, most), limited(behind, 0.0, most)
        self._offset_before, self._offset_factor = before, 1 / (before + 1 + behind)

    def decimal(self, value: float) -> float:
        """Return where a moment is between the limits, which are 0 and 1."""
        return (value - self.least) / (self.most - self.least)

    def share_of(self, value: float) -> float:
        return (self._offset_before + self.decimal(value)) * self._offset_factor

    def said_value(self, value: float | None) -> str:
        if value is None or not math.isfinite(value):
            return ""
        return self._written(value, self.time.tip_format or self.time.formats["datetime"])


class TimeSeriesScale(TimeScale):
    """Moments of the data evenly apart, however far they are apart in time."""

    _table: tuple[list[float], list[float]] = ([], [])
    _first = 0.0
    _table_span = 1.0

    def set_offsets(self, moments: Sequence[float]) -> None:
        del moments
        known = self._all_moments()
        self._table = self._places(known)
        self._first = self._place_of(self.least)
        self._table_span = self._place_of(self.most) - self._first
        super().set_offsets(known)

    def _all_moments(self) -> list[float]:
        data, labels = self.data_moments(), self.label_moments()
        return sorted({*data, *labels}) if data and labels else data or labels

    def _places(self, moments: Sequence[float]) -> tuple[list[float], list[float]]:
        """Return moments and where they stand, but for those that stand where their neighbours say."""
        inside = [moment for moment in moments if self.least <= moment <= self.most]
        if len(inside) < 2:
            return [self.least, self.most], [0.0, 1.0]
        times: list[float] = []
        places: list[float] = []
        for number, moment in enumerate(inside):
            is_between = 0 < number < len(inside) - 1
            if is_between and rounded((inside[number - 1] + inside[number + 1]) / 2) == moment:
                continue
            times.append(moment)
            places.append(number / (len(inside) - 1))
        return times, places

    def _place_of(self, moment: float) -> float:
        times, places = self._table
        low, high = 0, len(times) - 1
        if times[low] <= moment <= times[high]:
            high = min(max(1, bisect_left(times, moment)), high)
            low = high - 1
        span = times[high] - times[low]
        return places[low] + (places[high] - places[low]) * (moment - times[low]) / span if span else places[low]

    def generated(self) -> list[float]:
        return sorted({*self.data_moments(), self.least, self.most})

    def decimal(self, value: float) -> float:
        return (self._place_of(value) - self._first) / self._table_span if self._table_span else 0.0


def _whole(value: float | None) -> int | None:
    return None if value is None else int(value)


def _unit_of(options: Options, name: str) -> Unit | None:
    return options.optional_word(name, _UNITS) if is_true(options.value(name)) else None


def _next_unit(unit: Unit) -> Unit | None:
    longer = _UNITS[_UNITS.index(unit) + 1 :]
    return next((each for each in longer if each not in _UNCOMMON), None)


def _add_moment(found: set[float], time: float, data: Sequence[float] | None) -> None:
    """Add a moment, or that of the data which comes next to it."""
    if data is None:
        found.add(time)
    elif data:
        place = bisect_left(data, time)
        low = min(max(place - 1, 0), len(data) - 1)
        found.add(data[low] if data[low] >= time else data[min(low + 1, len(data) - 1)])
