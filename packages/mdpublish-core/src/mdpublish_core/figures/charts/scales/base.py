"""Base class of scales. Lengths are in px.

A scale is laid out several times, since its size depends on the others'.
"""

import math
from abc import abstractmethod
from collections.abc import Mapping, Sequence
from typing import ClassVar, Protocol

from mdpublish_core.figures.boxes import Box
from mdpublish_core.figures.charts.fonts import label_of
from mdpublish_core.figures.charts.functions import Function, read_function
from mdpublish_core.figures.charts.geometry import clamp
from mdpublish_core.figures.charts.operators import NotEvaluated
from mdpublish_core.figures.charts.options import Options, Remarks, pick
from mdpublish_core.figures.charts.scales import tick_labels
from mdpublish_core.figures.charts.scales.options import Range, ScaleOptions, UserBounds, add_grace
from mdpublish_core.figures.charts.shapes.elements import Fill, LayoutItem, Sides
from mdpublish_core.figures.charts.shapes.fills import Ground
from mdpublish_core.figures.charts.values import Json, Object, format_path, short_repr
from mdpublish_core.figures.errors import FigureError

MAX_UNSKIPPED_LABELS = 2000
"""Labels of a scale with `autoSkip: false`."""

_MAX_PIXEL = 32767.0
"""Limit of canvas coordinates, in px."""


class SeriesRange(Protocol):
    """A series, as seen by a scale."""

    def range_on(self, scale: "Scale", *, can_stack: bool) -> Range: ...
    def values_on(self, scale: "Scale") -> list[float]: ...


class ScaleContext(Protocol):
    """The chart of a scale."""

    width: float
    height: float
    area: Box
    locale: str
    remarks: Remarks

    @property
    def labels(self) -> list[Json]: ...
    @property
    def scales(self) -> "Mapping[str, Scale]": ...
    def axis_labels(self, *, is_horizontal: bool) -> list[Json]: ...
    def series_on(self, scale: "Scale", kind: str | None = None) -> Sequence[SeriesRange]: ...


class Scale(LayoutItem):
    """A scale of a chart."""

    DEFAULTS: ClassVar[Object] = {}
    has_timestamps: ClassVar[bool] = False

    _start_value, _span = 0.0, 1.0

    def __init__(self, name: str, options: ScaleOptions, raw_options: Options, chart: ScaleContext) -> None:
        self.name = name
        self.options = options
        self.raw_options = raw_options
        self.chart = chart
        self.is_horizontal = options.axis == "x"
        self.weight = options.weight
        self.position = options.position
        self.placement = options.axis if self.position == "center" else self.position
        self.shares_space = options.display is not False
        self.stack, self.stack_weight = options.stack, options.stack_weight
        self.max_width = self.max_height = 0.0
        self.padding = Sides()
        self.margins = Sides()
        self.minimum, self.maximum = 0.0, 1.0
        self.range = Range(0.0, 1.0)
        self.ticks: list[tick_labels.Tick] = []
        self.rotation = 0.0
        self.start_pixel = self.end_pixel = self.length = 0.0
        self.max_length = 0.0
        self.is_backward = False
        self.annotated_values: list[float] = []
        self._sizes: tick_labels.LabelSizes | None = None
        self._has_limits = False

    def read_limits(self) -> None:
        """Read the author's limits. Called once labels are known."""
        self.user_min = self._limit("min")
        self.user_max = self._limit("max")
        self.suggested_min = self._limit("suggestedMin")
        self.suggested_max = self._limit("suggestedMax")

    def _limit(self, name: str) -> float | None:
        """Return an author's limit, or None if it is not valid on this scale."""
        raw = self.raw_options.value(name)
        if raw is None:
            return None
        value = self.parse(raw)
        if value is None or not math.isfinite(value):
            self.raw_options.remark(name, f"is ignored: not a value of scale `{self.name}` (got {short_repr(raw)})")
            return None
        return value

    @property
    def overhang(self) -> Sides:
        return self.padding

    # Implemented by each type

    @abstractmethod
    def parse(self, raw: Json, index: int | None = None) -> float | None:
        """Parse a value of the data: None if missing, NaN if invalid."""

    @abstractmethod
    def find_limits(self) -> None:
        """Set `minimum` and `maximum`."""

    @abstractmethod
    def build_ticks(self) -> list[tick_labels.Tick]:
        """Return the ticks between the limits. May extend the limits."""

    @abstractmethod
    def label_ticks(self, ticks: Sequence[tick_labels.Tick]) -> None:
        """Label the ticks. Unlabeled ticks are removed."""

    @abstractmethod
    def fraction_of(self, value: float) -> float:
        """Map a value to 0 (start of the scale) to 1 (end)."""

    @abstractmethod
    def format_value(self, value: float | None) -> str:
        """Format a value for tooltips and tables."""

    def after_configure(self) -> None:
        """Update what depends on limits, ticks and position."""

    def after_skipping(self) -> None:
        """Update what depends on the remaining ticks."""

    def base_value(self) -> float:
        if self.minimum < 0 and self.maximum < 0:
            return self.maximum
        return self.minimum if self.minimum > 0 and self.maximum > 0 else 0.0

    def ground_of(self, fill: Fill) -> Ground:
        """Return where a fill ends: at bottom and top for `start` and `end` even if horizontal, as in Chart.js."""
        if fill.is_value:
            return self.pixel_for(fill.target if isinstance(fill.target, int | float) else None)
        ends = {"start": self.box.bottom, "stack": self.box.bottom, "end": self.box.top}
        return ends.get(str(fill.target), self.base_pixel())

    def base_pixel(self) -> float:
        return self.pixel_for(self.base_value())

    # Values

    def user_bounds(self) -> UserBounds:
        minimum = self.suggested_min if self.user_min is None else self.user_min
        maximum = self.suggested_max if self.user_max is None else self.user_max
        return UserBounds(
            math.inf if minimum is None else minimum or 0.0,
            -math.inf if maximum is None else maximum or 0.0,
            self.user_min is not None,
            self.user_max is not None,
        )

    def data_range(self, *, can_stack: bool) -> Range:
        """Return the range of visible data; infinite if empty."""
        minimum, maximum, has_min, has_max = self.user_bounds()
        if has_min and has_max:
            return Range(minimum, maximum)
        for series in self.chart.series_on(self):
            series_range = series.range_on(self, can_stack=can_stack)
            if not has_min:
                minimum = min(minimum, series_range.minimum)
            if not has_max:
                maximum = max(maximum, series_range.maximum)
        if has_max and minimum > maximum:
            minimum = maximum
        if has_min and minimum > maximum:
            maximum = minimum
        return Range(minimum if math.isfinite(minimum) else maximum, maximum if math.isfinite(maximum) else minimum)

    def labels(self) -> list[Json]:
        option_labels = self.options.labels
        return option_labels if option_labels is not None else self.chart.axis_labels(is_horizontal=self.is_horizontal)

    def pixel_for(self, value: float | None) -> float:
        """Return the px of a value; NaN if invalid."""
        return math.nan if value is None else self.pixel_at(self.fraction_of(value))

    def pixel_at(self, share: float) -> float:
        if math.isnan(share):
            return share
        if self.is_backward:
            share = 1 - share
        return max(-_MAX_PIXEL - 1, min(_MAX_PIXEL, self.start_pixel + share * self.length))

    def fraction_at(self, pixel: float) -> float:
        share = (pixel - self.start_pixel) / self.length if self.length else 0.0
        return 1 - share if self.is_backward else share

    def tick_pixel(self, index: int) -> float:
        return self.pixel_for(self.ticks[index].value) if 0 <= index < len(self.ticks) else 0.0

    def grid_width_at(self, value: float) -> float:
        """Return the width of the grid line at a value; 0 if there is none."""
        grid = self.options.grid
        if not self.is_visible or not grid.is_displayed:
            return 0.0
        for index, tick in enumerate(self.ticks):
            if tick.value == value:
                return pick(grid.widths, index)
        return 0.0

    @property
    def is_visible(self) -> bool:
        display = self.options.display
        return bool(self.chart.series_on(self)) if display == "auto" else bool(display)

    # Layout

    def begin_layout(self) -> None:
        self._has_limits = False

    def update(self, max_width: float, max_height: float, margins: Sides) -> None:
        options = self.options
        self.max_width, self.max_height, self.margins = max_width, max_height, margins
        self._sizes = None
        self.set_dimensions()
        self.max_length = (
            self.width + margins.left + margins.right
            if self.is_horizontal
            else self.height + margins.top + margins.bottom
        )
        if not self._has_limits:
            self.find_limits()
            self._include_annotations()
            self.range = add_grace(Range(self.minimum, self.maximum), options.grace, keeps_zero=options.begins_at_zero)
            self._has_limits = True
        self.ticks = self.build_ticks()
        if not options.ticks.skips and len(self.ticks) > MAX_UNSKIPPED_LABELS and options.ticks.is_displayed:
            raise FigureError(
                f"scale `{self.name[:40]}` must have at most {MAX_UNSKIPPED_LABELS:,} labels without `ticks.autoSkip` "
                f"(got {len(self.ticks):,})"
            )
        is_sampled = 0 < options.ticks.sample_size < len(self.ticks)
        self._assign_labels(
            tick_labels.sample_ticks(self.ticks, options.ticks.sample_size) if is_sampled else self.ticks
        )
        self.configure()
        self.rotation = self._label_rotation()
        if options.ticks.is_displayed and (options.ticks.skips or options.ticks.source == "auto"):
            self.ticks = tick_labels.skip_ticks(self.ticks, options.ticks, self._max_labels())
            self._sizes = None
            self.after_skipping()
        if is_sampled:
            self._assign_labels(self.ticks)
        self.fit()

    def _include_annotations(self) -> None:
        """Extend the limits to annotations, unless the author has set them."""
        values = self.annotated_values
        minimum, maximum = self.minimum, self.maximum
        if values and self.user_min is None and self.suggested_min is None:
            self.minimum = min(minimum, *values)
        if values and self.user_max is None and self.suggested_max is None:
            self.maximum = max(maximum, *values)
        if (minimum, maximum) != (self.minimum, self.maximum):
            self.round_limits()

    def round_limits(self) -> None:
        """Make the limits suitable for ticks."""

    def extend_to(self, ticks: list[tick_labels.Tick]) -> list[tick_labels.Tick]:
        """With `bounds: ticks`, extend the limits; return the ticks in the scale's direction."""
        if self.options.bounds == "ticks":
            values = [tick.value for tick in ticks]
            self.minimum, self.maximum = min([self.minimum, *values]), max([self.maximum, *values])
        return ticks[::-1] if self.options.is_reversed else ticks

    def set_dimensions(self) -> None:
        if self.is_horizontal:
            self.width = self.max_width
            self.box = Box(0.0, self.box.top, self.width, self.box.bottom)
        else:
            self.height = self.max_height
            self.box = Box(self.box.left, 0.0, self.box.right, self.height)
        self.padding = Sides()

    def configure(self) -> None:
        is_backward = self.options.is_reversed
        if self.is_horizontal:
            self.start_pixel, self.end_pixel = self.box.left, self.box.right
        else:
            self.start_pixel, self.end_pixel = self.box.top, self.box.bottom
            is_backward = not is_backward
        self.is_backward = is_backward
        self.length = self.end_pixel - self.start_pixel
        self.after_configure()

    def _assign_labels(self, ticks: Sequence[tick_labels.Tick]) -> None:
        self.label_ticks(ticks)
        if function := read_function(self.options.ticks.callback):
            self._label_by(function, ticks)
        if any(tick.label is None for tick in ticks):
            self.ticks = [tick for tick in self.ticks if tick.label is not None]

    def _label_by(self, function: Function, ticks: Sequence[tick_labels.Tick]) -> None:
        """Label ticks by the author's function; null is no tick."""
        values: list[Json] = [tick.value for tick in ticks]
        for index, tick in enumerate(ticks):
            try:
                label = function(tick.value, index, values, this={"labels": self.labels()})
            except NotEvaluated as error:
                path = ("options", "scales", self.name, "ticks", "callback")
                self.chart.remarks.add(f"`{format_path(path)}` is ignored: {error}; ticks show their values", path)
                return
            tick.label = None if label is None else label_of(label)

    def _label_rotation(self) -> float:
        options, ticks = self.options, self.options.ticks
        number = int(min(ticks.max_ticks or len(self.ticks), len(self.ticks)))
        min_rotation = ticks.min_rotation
        if (
            not self.is_visible
            or not ticks.is_displayed
            or min_rotation >= ticks.max_rotation
            or number <= 1
            or not self.is_horizontal
        ):
            return min_rotation
        sizes = self.label_sizes()
        width, height = sizes.widest.width, sizes.highest.height
        room = clamp(self.chart.width - width, 0.0, self.max_width)
        each = self.max_width / number if options.is_offset else room / (number - 1)
        if width + 6 <= each:
            return min_rotation
        each = room / (number - (0.5 if options.is_offset else 1))
        high = self.max_height - options.grid.mark_length - ticks.padding - options.title.height
        diagonal = math.hypot(width, height) or 1.0
        by_width = math.asin(clamp((height + 6) / each, -1, 1)) if each else math.pi / 2
        by_height = math.asin(clamp(high / diagonal, -1, 1)) - math.asin(clamp(height / diagonal, -1, 1))
        return max(min_rotation, min(ticks.max_rotation, math.degrees(min(by_width, by_height))))

    def fit(self) -> None:
        """Set the size."""
        options, ticks = self.options, self.options.ticks
        width = height = 0.0
        if self.is_visible:
            margin = options.grid.mark_length + options.title.height
            if self.is_horizontal:
                width, height = self.max_width, margin
            else:
                width, height = margin, self.max_height
            if ticks.is_displayed and self.ticks:
                sizes = self.label_sizes()
                angle = math.radians(self.rotation)
                cos, sin = math.cos(angle), math.sin(angle)
                if self.is_horizontal:
                    label_size = 0.0 if ticks.is_mirrored else sin * sizes.widest.width + cos * sizes.highest.height
                    height = min(self.max_height, height + label_size + 2 * ticks.padding)
                else:
                    label_size = 0.0 if ticks.is_mirrored else cos * sizes.widest.width + sin * sizes.highest.height
                    width = min(self.max_width, width + label_size + 2 * ticks.padding)
                self.padding = self._overhang(sizes, sin, cos)
        self.margins = Sides(*(max(one, other) for one, other in zip(self.padding, self.margins, strict=True)))
        if self.is_horizontal:
            self.width = self.length = self.chart.width - self.margins.left - self.margins.right
            self.height = height
        else:
            self.width = width
            self.height = self.length = self.chart.height - self.margins.top - self.margins.bottom

    def _overhang(self, sizes: tick_labels.LabelSizes, sin: float, cos: float) -> Sides:
        """Return how far the first and last label exceed the scale."""
        ticks = self.options.ticks
        first, last = sizes.first, sizes.last
        if not self.is_horizontal:
            top = {"start": 0.0, "end": last.height}.get(ticks.align, last.height / 2)
            bottom = {"start": first.height, "end": 0.0}.get(ticks.align, first.height / 2)
            return Sides(top + ticks.padding, 0.0, bottom + ticks.padding, 0.0)
        before = self.tick_pixel(0) - self.box.left
        after = self.box.right - self.tick_pixel(len(self.ticks) - 1)
        left = right = 0.0
        if self.rotation:
            if self.position != "top":
                left, right = cos * first.width, sin * last.height
            else:
                left, right = sin * first.height, cos * last.width
        elif ticks.align == "start":
            right = last.width
        elif ticks.align == "end":
            left = first.width
        elif ticks.align != "inner":
            left, right = first.width / 2, last.width / 2
        return Sides(
            0.0,
            self._scaled(right - after + ticks.padding, after),
            0.0,
            self._scaled(left - before + ticks.padding, before),
        )

    def _scaled(self, overhang: float, inside: float) -> float:
        room = self.width - inside
        return max(overhang * self.width / room, 0.0) if room else 0.0

    def label_sizes(self) -> tick_labels.LabelSizes:
        """Return the sizes of tick labels, or of a sample."""
        if self._sizes is None:
            ticks: Sequence[tick_labels.Tick] = self.ticks
            sample_size = self.options.ticks.sample_size
            self._sizes = tick_labels.measure_labels(
                tick_labels.sample_ticks(ticks, sample_size) if 0 < sample_size < len(ticks) else ticks,
                self.options.ticks,
            )
        return self._sizes

    def _max_labels(self) -> float:
        size = self._tick_size()
        if not size:
            return math.inf
        fitting = self.length / size + (0 if self.options.is_offset else 1)
        maximum = min(fitting, self.max_length / size)
        return math.floor(maximum) if math.isfinite(maximum) else maximum

    def _tick_size(self) -> float:
        angle = math.radians(self.rotation)
        cos, sin = abs(math.cos(angle)), abs(math.sin(angle))
        sizes, padding = self.label_sizes(), self.options.ticks.skip_padding
        width, height = sizes.widest.width + padding, sizes.highest.height + padding
        if self.is_horizontal:
            return tick_labels.divide(width, cos) if height * cos > width * sin else tick_labels.divide(height, sin)
        return tick_labels.divide(height, cos) if height * sin < width * cos else tick_labels.divide(width, sin)


def find_scale(scales: Mapping[str, Scale], name: Json, axis: str) -> Scale | None:
    """Return the scale of a name; without one, the first on an axis."""
    if isinstance(name, str) and name:
        return scales.get(name)
    return next((scale for scale in scales.values() if scale.options.axis == axis), None)
