"""Base class of chart types.

A series reads its data once the labels are known, reports ranges to the scales, and builds its elements after layout.
"""

import math
from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import ClassVar, Literal, NamedTuple, Protocol

from mdpublish_core.figures.boxes import Box
from mdpublish_core.figures.charts import values as js
from mdpublish_core.figures.charts.fonts import Label
from mdpublish_core.figures.charts.options import Options, Remarks
from mdpublish_core.figures.charts.palettes import Palette
from mdpublish_core.figures.charts.scales.base import Scale, ScaleContext, find_scale
from mdpublish_core.figures.charts.scales.options import NO_RANGE, Range
from mdpublish_core.figures.charts.shapes import elements as shapes

ElementType = Literal["bar", "point", "arc"]

# Index scale, value scale, stack, value on the index scale.
StackKey = tuple[str, str, str, float | None]


class FloatingBar(NamedTuple):
    """Ends of a floating bar, as written and by distance from zero."""

    first: float
    second: float
    near: float
    far: float


class StackGroup(NamedTuple):
    """Stacks at a position, and the number of stacks up to each series."""

    names: tuple[str | None, ...]
    counts: dict[int, int]


@dataclass(slots=True)
class Stack:
    """Values by series number, and the outermost visible series."""

    values: dict[int, float | None] = field(default_factory=dict)
    visual_values: dict[int, float | None] = field(default_factory=dict)
    top: int | None = None
    bottom: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class LegendItem:
    """An entry of a legend."""

    label_lines: Label
    fill: str
    stroke: shapes.Stroke
    shape: shapes.PointShape | None = None  # None if not set by the author
    rotation: float = 0.0
    corner: float
    is_hidden: bool = False


class SeriesContext(ScaleContext, Protocol):
    """The chart of a series."""

    palette: Palette
    remarks: Remarks
    stacks: dict[StackKey, Stack]
    stack_groups: dict[tuple[str, str, bool, float | None], StackGroup]

    @property
    def has_tooltips(self) -> bool: ...
    @property
    def series(self) -> "Sequence[Series]": ...
    @property
    def visible_series(self) -> "Sequence[Series]": ...
    @property
    def index_axis(self) -> str: ...


@dataclass(frozen=True, slots=True, kw_only=True)
class Dataset:
    """A dataset and its options. `color_index` is the index of its first color."""

    number: int
    source: js.Object
    type: str
    options: Options
    element_options: Options
    line_options: Options
    index_axis: str
    is_hidden: bool
    sort_order: float
    color_index: int


class Series(ABC):
    """A dataset shown as one type of chart."""

    DEFAULTS: ClassVar[js.Object] = js.EMPTY_OBJECT
    SCALES: ClassVar[Mapping[str, js.Object]] = {}
    """Default scales by id, or by role: `_index_` and `_value_`."""

    ELEMENT_TYPE: ClassVar[ElementType] = "point"
    INDEX_AXIS: ClassVar[str] = "x"
    """`r` for radial charts, which are square by default."""

    HAS_LABEL_ITEMS: ClassVar[bool] = False
    """Whether a legend lists labels, not datasets."""

    MAX_ITEMS: ClassVar[int] = 20_000
    VALUE_KEY: ClassVar[str] = "r"
    """Key of the value in data objects of a radial chart."""

    def __init__(self, dataset: Dataset, chart: SeriesContext) -> None:
        self.dataset = dataset
        self.chart = chart
        self.number, self.type = dataset.number, dataset.type
        self.options = dataset.options
        self.is_visible = not dataset.is_hidden
        self.positions: Sequence[float | None] = []  # on the index scale
        self.values: Sequence[float | None] = []  # on the value scale
        self.floating_bars: dict[int, FloatingBar] = {}
        self.stacks: list[Stack] = []  # one for each value; empty if not stacked
        self.points: list[shapes.PointElement] = []
        self.bars: list[shapes.BarElement] = []
        self.arcs: list[shapes.ArcElement] = []
        self.line: shapes.LineElement | None = None
        index = dataset.index_axis
        self.x_scale, self.y_scale, self.r_scale = (
            find_scale(chart.scales, dataset.source.get(f"{axis}AxisID"), axis) for axis in ("x", "y", "r")
        )
        self.index_scale = {"x": self.x_scale, "r": self.r_scale}.get(index, self.y_scale)
        self.value_scale = {"x": self.y_scale, "r": self.r_scale}.get(index, self.x_scale)

    @property
    def label(self) -> str:
        value = self.dataset.source.get("label")
        return js.to_string(value[0] if isinstance(value, list) and value else value)

    @cached_property
    def data(self) -> list[js.Json]:
        """Objects are read as their entries."""
        data = self.dataset.source.get("data")
        if isinstance(data, dict):
            if self.dataset.index_axis == "r":
                return [data.get(js.to_string(label)) for label in self.chart.labels]
            keys = ("x", "y") if self.dataset.index_axis != "y" else ("y", "x")
            return [{keys[0]: key, keys[1]: value} for key, value in data.items()]
        return js.as_list(data)

    def split_entry(self, entry: js.Json) -> tuple[js.Json, js.Json]:
        """Return the parts on the index and value scale."""
        is_across = self.dataset.index_axis != "y"
        if isinstance(entry, list):
            first, second = (entry[0] if entry else None), (entry[1] if len(entry) > 1 else None)
        else:
            first, second = js.get_path(entry, self._keys[0]), js.get_path(entry, self._keys[1])
        return (first, second) if is_across else (second, first)

    @cached_property
    def _keys(self) -> tuple[str, str]:
        keys = js.as_object(self.options.value("parsing"))
        if self.dataset.index_axis == "r":
            key = js.to_string(keys.get("key", self.VALUE_KEY))
            return "", key
        return js.to_string(keys.get("xAxisKey", "x")), js.to_string(keys.get("yAxisKey", "y"))

    # Scales

    def is_on(self, scale: Scale) -> bool:
        return scale in (self.x_scale, self.y_scale, self.r_scale)

    @property
    def stacked(self) -> bool | str:
        """`single` stacks positive and negative values on one another."""
        scale = self.value_scale
        if scale is None:
            return False
        stacked = scale.options.stacked
        return self.stack_name is not None if stacked is None else stacked

    @property
    def stack_name(self) -> str | None:
        name = self.dataset.source.get("stack")
        return None if name is None else js.to_string(name)

    # Data

    @abstractmethod
    def read_data(self) -> None:
        """Set `positions` and `values`."""

    def remark_on_data(self) -> None:
        data = self.dataset.source.get("data")
        path: js.Path = ("data", "datasets", self.number, "data")
        name = f"dataset {js.short_repr(self.label)}" if self.label else f"dataset {self.number + 1}"
        if data is not None and not isinstance(data, list | dict):
            self.chart.remarks.add(f"`data` of {name} must be a list (got {js.short_repr(data)})", path)
        wrong = [item for item, value in enumerate(self.values) if value is not None and math.isnan(value)]
        if wrong:
            first = js.short_repr(self.data[wrong[0]])
            self.chart.remarks.add(
                f"values of {name} are ignored: {len(wrong):,} are not numbers (first: {first})", path
            )
        scale = self.index_scale
        if scale is not None and scale.has_timestamps:
            nowhere = [
                item for item, position in enumerate(self.positions) if position is None and self.data[item] is not None
            ]
            if nowhere:
                first = js.short_repr(self.data[nowhere[0]])
                self.chart.remarks.add(
                    f"values of {name} are ignored: {len(nowhere):,} have no date (first: {first})", path
                )

    def join_stacks(self) -> None:
        """Add the values to the stacks of earlier series."""
        index, scale = self.index_scale, self.value_scale
        if not self.stacked or index is None or scale is None:
            return
        for position, value in zip(self.positions, self.values, strict=True):
            key = (index.name, scale.name, self.stack_name or self.type, position)
            stack = self.chart.stacks.setdefault(key, Stack())
            stack.values[self.number] = stack.visual_values[self.number] = value
            self.stacks.append(stack)

    @cached_property
    def visible_before(self) -> tuple[int, ...] | None:
        """Numbers of the visible series before this one; None if it is hidden."""
        numbers = [series.number for series in self.chart.visible_series]
        return tuple(numbers[: numbers.index(self.number)]) if self.number in numbers else None

    def stacked_value(self, item: int) -> float | None:
        value = self.values[item]
        if value is None or not self.stacks:
            return value
        is_single = self.stacked == "single"
        return _stacked_sum(self, value, self.stacks[item].visual_values, is_single=is_single)

    def range_on(self, scale: Scale, *, can_stack: bool) -> Range:
        """Return the range of the values visible on the other scale."""
        is_index = scale is self.index_scale
        other = self.value_scale if is_index else self.index_scale
        low, high = _shown_on(other)
        series_values, other_values = (self.positions, self.values) if is_index else (self.values, self.positions)
        is_stacked = can_stack and not is_index and bool(self.stacks) and self.is_visible
        minimum, maximum = NO_RANGE
        for item, value in enumerate(series_values):
            if value is None or not math.isfinite(value):
                continue
            other_value = other_values[item]
            if other_value is not None and (low > other_value or high < other_value):
                continue
            reached = _stacked_sum(self, value, self.stacks[item].values) if is_stacked else value
            minimum, maximum = min(minimum, reached), max(maximum, reached)
            if not is_index and item in self.floating_bars:
                ends = self.floating_bars[item]
                minimum, maximum = min(minimum, ends.first, ends.second), max(maximum, ends.first, ends.second)
        return Range(minimum, maximum)

    def values_on(self, scale: Scale) -> list[float]:
        series_values = self.positions if scale is self.index_scale else self.values
        return [value for value in series_values if value is not None and math.isfinite(value)]

    # Layout and elements

    def overflow(self) -> float | None:
        """Return the px by which elements may exceed the chart area; None disables clipping."""
        return None

    @abstractmethod
    def build_elements(self) -> None:
        """Create the elements. Runs after layout."""

    @property
    def has_line(self) -> bool:
        """Whether there is a line, even an invisible one."""
        return False

    @property
    def fill(self) -> shapes.Fill | None:
        return None

    @property
    def spans_gaps(self) -> bool:
        """Whether any gaps are spanned, even if only small ones."""
        return False

    def clip(self) -> Box | None:
        chart, x, y = self.chart, self.x_scale, self.y_scale
        clip_option = self.options.value("clip")
        area = chart.area
        if x is not None and y is not None:
            across = x.box if x.options.clips else area
            down = y.box if y.options.clips else area
            area = Box(across.left, down.top, across.right, down.bottom)
        if clip_option is None:
            return _with_overflow(area, x, y, self.overflow())
        if clip_option is False:
            return None
        if isinstance(clip_option, dict):
            sizes = [clip_option.get(side) for side in ("left", "top", "right", "bottom")]
        else:
            sizes = [clip_option] * 4
        return _widened(area, sizes, chart)

    # Names

    @abstractmethod
    def tooltip(self, item: int) -> str:
        """Return the tooltip of an element."""

    @abstractmethod
    def legend_items(self, *, uses_points: bool) -> list[LegendItem]:
        """Return the entries; with `uses_points`, in the style of the points."""

    def label_items(self) -> list[LegendItem]:
        """Return entries for the labels, if those are listed."""
        return []

    def format_tooltip(self, name: str, value: str) -> str:
        """Name the series if there is more than one."""
        several = len(self.chart.series) > 1
        label = self.label if several or not name else ""
        return ": ".join(part for part in (", ".join(part for part in (name, label) if part), value) if part)


def _shown_on(scale: Scale | None) -> tuple[float, float]:
    if scale is None:
        return -math.inf, math.inf
    bounds = scale.user_bounds()
    return (bounds.minimum if bounds.has_min else -math.inf), (bounds.maximum if bounds.has_max else math.inf)


def _stacked_sum(series: Series, value: float, values: Mapping[int, float | None], *, is_single: bool = False) -> float:
    """Add values of earlier series with the same sign; 0 if hidden."""
    if series.visible_before is None:
        return 0.0
    for other in map(values.get, series.visible_before):
        if other and (is_single or (value > 0) == (other > 0) or value == 0) and math.isfinite(other):
            value += other
    return value


def _with_overflow(area: Box, x: Scale | None, y: Scale | None, overflow: float | None) -> Box | None:
    """Extend the area to the author's limits of the scales."""
    if overflow is None:
        return None

    def ends(scale: Scale | None) -> tuple[float, float]:
        if scale is None:
            return overflow, overflow
        before = 0.0 if scale.raw_options.has("min") else overflow
        after = 0.0 if scale.raw_options.has("max") else overflow
        return (after, before) if scale.options.is_reversed else (before, after)

    left, right = ends(x)
    bottom, top = ends(y)
    return Box(area.left - left, area.top - top, area.right + right, area.bottom + bottom)


def _widened(area: Box, sizes: Sequence[js.Json], chart: SeriesContext) -> Box:
    whole = Box(0.0, 0.0, chart.width, chart.height)
    sides = []
    for name, size, sign in zip(("left", "top", "right", "bottom"), sizes, (-1, -1, 1, 1), strict=True):
        if size is False:
            sides.append(float(getattr(whole, name)))
        else:
            by = float(size) if isinstance(size, int | float) and size is not True else 0.0
            sides.append(float(getattr(area, name)) + sign * by)
    return Box(*sides)
