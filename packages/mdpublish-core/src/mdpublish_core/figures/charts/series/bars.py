"""Bars.

https://www.chartjs.org/docs/latest/charts/bar.html
"""

import math
from collections.abc import Mapping, Sequence
from functools import cached_property
from itertools import pairwise
from typing import ClassVar, Literal, NamedTuple

from mdpublish_core.figures.charts.reckoning import sign
from mdpublish_core.figures.charts.scales.base import Scale
from mdpublish_core.figures.charts.series.base import Beside, Float, LegendItem, MarkKind, Series, Stack
from mdpublish_core.figures.charts.series.data import read_pairs
from mdpublish_core.figures.charts.series.items import item_of
from mdpublish_core.figures.charts.series.looks import BarFrame, BarLooks, bar_style, colours_of
from mdpublish_core.figures.charts.shapes.marks import BarMark, BarStyle
from mdpublish_core.figures.charts.values import Json, Object, finite, said

# By how much bars are drawn larger that touch one another, in px: no seam shows then.
_SEAM = 0.33

# The border of bars that others are seen through, in px.
_OUTLINE = 1


class Ruler(NamedTuple):
    """Where the bars of a series stand along its index scale, in px."""

    least: float
    """The least distance between two places."""
    pixels: Sequence[float]
    start: float
    end: float
    stack_count: int
    ratio: float


class _Ends(NamedTuple):
    """A bar along the scale of values, in px: where it begins, where it ends, and how far that is."""

    base: float
    head: float
    size: float


class BarSeries(Series):
    """A bar for each value."""

    DEFAULTS: ClassVar[Object] = {"categoryPercentage": 0.8, "barPercentage": 0.9, "grouped": True}
    SCALES: ClassVar[Mapping[str, Object]] = {
        "_index_": {"type": "category", "offset": True, "grid": {"offset": True}},
        "_value_": {"type": "linear", "beginAtZero": True},
    }
    MARK: ClassVar[MarkKind] = "bar"

    # Data

    def read_data(self) -> None:
        # A list among the data is a bar from one value to another.
        read_pairs(self, dict, self._read)

    def _read(self, value: Json, item: int) -> float | None:
        scale = self.value_scale
        assert scale is not None
        if not isinstance(value, list):
            return scale.parse(value, item)
        ends = [scale.parse(value[place] if place < len(value) else None, item) for place in (0, 1)]
        first, second = (math.nan if each is None else each for each in ends)
        if math.isnan(first) or math.isnan(second):
            return math.nan
        low, high = min(first, second), max(first, second)
        near, far = (high, low) if abs(low) > abs(high) else (low, high)
        self.floats[item] = Float(first, second, near, far)
        return far

    def overflow(self) -> float | None:
        return 0.0

    # Marks

    @cached_property
    def looks(self) -> BarLooks:
        palette, number = self.chart.palette, self.dataset.colour
        options = self.dataset.marks
        # Chart.js draws the first dataset last: a line may well be behind its bars.
        is_alone = all(series.type == self.type for series in self.chart.visible)
        fill = palette.bar_of(number) if is_alone else palette.area_of(number)
        if not is_alone and palette.outlines and not options.has("backgroundColor"):
            options = options.with_default("borderWidth", _OUTLINE)
        return BarLooks(options, colours_of(options, fill, palette.strong_of(number)))

    def make_marks(self) -> None:
        index, scale = self.index_scale, self.value_scale
        assert index is not None
        assert scale is not None
        ruler = self._ruler(index)
        base = scale.base_pixel()
        is_horizontal = scale.is_horizontal
        looks = self.looks
        styles: dict[tuple[object, ...], BarStyle] = {}
        for item, value in enumerate(self.values):
            ends = _Ends(base, base, 0.0) if value is None else self._ends(item, value, scale)
            middle, thickness = self._place(item, ruler, index)
            stack = self.stacks[item] if self.stacks else None
            x, y = (ends.head, middle) if is_horizontal else (middle, ends.head)
            frame = looks.frame(item)
            skipped = _skipped(frame.skipped, ends, stack, self.number, is_horizontal=is_horizontal)
            is_outside = stack is None or item in self.floats or self.number in {stack.top, stack.bottom}
            if frame.skipped == "middle" and stack is not None:
                is_outside = True
            key = *looks.colours(item), frame, skipped, is_outside
            style = styles.get(key)
            if style is None:
                style = styles[key] = bar_style(*looks.colours(item), frame, skipped, has_corners=is_outside)
            self.bars.append(
                BarMark(
                    x=x,
                    y=y,
                    base=ends.base,
                    width=abs(ends.size) if is_horizontal else thickness,
                    height=thickness if is_horizontal else abs(ends.size),
                    is_horizontal=is_horizontal,
                    style=style,
                    inflation=_inflation(frame, ruler),
                    is_drawn=value is not None,
                )
            )

    def tip(self, item: int) -> str:
        assert self.index_scale is not None
        assert self.value_scale is not None
        ends = self.floats.get(item)
        said_value = self.value_scale.said_value
        value = (
            f"{said_value(ends.first)} \N{EN DASH} {said_value(ends.second)}" if ends else said_value(self.values[item])
        )
        return self.named(self.index_scale.said_value(self.positions[item]), value)

    def _ends(self, item: int, value: float, scale: Scale) -> _Ends:
        options = self.options
        given = finite(options.value("base"))
        zero = given or 0.0
        floating = self.floats.get(item)
        length = self.stacked_value(item)
        start = 0.0
        if length is not None and length != value and not math.isnan(value):
            start = length - value
        length = value
        if floating:
            length = floating.far - floating.near
            if floating.near != 0 and sign(floating.near) != sign(floating.far):
                start = 0.0
            start += floating.near
            value = floating.near
        base = scale.pixel_for(given if given is not None and not floating else start)
        head = scale.pixel_for(start + length)
        size = head - base
        least = self._least_length
        if abs(size) < least:
            size = _bar_sign(size, scale, zero) * least
            if value == zero:
                base -= size / 2
            low, high = sorted((scale.pixel_at(0.0), scale.pixel_at(1.0)))
            base = max(min(base, high), low)
            head = base + size
            if self.stacks and not floating:
                self.stacks[item].seen[self.number] = _value_at(scale, head) - _value_at(scale, base)
        if base == scale.pixel_for(zero):
            half = sign(size) * scale.grid_width_at(zero) / 2
            base += half
            size -= half
        return _Ends(base, head, size)

    @cached_property
    def _least_length(self) -> float:
        return self.options.number("minBarLength")

    # Places along the index scale

    def _ruler(self, index: Scale) -> Ruler:
        thickness = self._thickness
        pixels = [index.pixel_for(position) for position in self.positions]
        fixed = thickness if thickness != "flex" else None
        category, bar = self._percentages
        return Ruler(
            least=fixed or self._least_distance(index),
            pixels=pixels,
            start=index.start_pixel,
            end=index.end_pixel,
            stack_count=len(self._beside(None).names) or 1,
            ratio=1.0 if thickness else category * bar,
        )

    def _least_distance(self, index: Scale) -> float:
        """Return how far apart two places are at least: of this type's data, and of the scale's ticks."""
        values = {value for series in self.chart.series_on(index, self.type) for value in series.values_on(index)}
        least = index.length
        for pixels in (
            [index.pixel_for(value) for value in sorted(values)],
            [index.tick_pixel(tick) for tick in range(len(index.ticks))],
        ):
            inside = [pixel for pixel in pixels if -32768 < pixel < 32767]
            for before, pixel in pairwise(inside):
                least = min(least, abs(pixel - before) or least)
        return least

    def _place(self, item: int, ruler: Ruler, index: Scale) -> tuple[float, float]:
        """Return a bar's middle and its thickness."""
        options = self.options
        most = options.optional("maxBarThickness") if self._has_most else None
        limit = math.inf if most is None else most
        if not self.is_grouped:
            return index.pixel_for(self.positions[item]), min(limit, ruler.least * ruler.ratio)
        axes = self._axes
        skips = self._skips_nothing
        count = ((len(self._beside(item).names) or 1) if skips else ruler.stack_count) * len(axes)
        chunk, ratio, start = self._chunk(item, ruler, count)
        axis = axes.index(index.name) if index.name in axes else 0
        place = self._stack_place(item if skips else None) + axis
        return start + chunk * place + chunk / 2, min(limit, chunk * ratio)

    @cached_property
    def _has_most(self) -> bool:
        return self.options.has("maxBarThickness")

    @cached_property
    def is_grouped(self) -> bool:
        """Whether its bars stand beside those of others, rather than on them."""
        return self.options.flag("grouped")

    @cached_property
    def _skips_nothing(self) -> bool:
        return self.options.flag("skipNull")

    @cached_property
    def _thickness(self) -> float | Literal["flex"] | None:
        if self.options.value("barThickness") == "flex":
            return "flex"
        return self.options.optional("barThickness")

    @cached_property
    def _percentages(self) -> tuple[float, float]:
        return self.options.number("categoryPercentage", 0.8), self.options.number("barPercentage", 0.9)

    def _chunk(self, item: int, ruler: Ruler, count: int) -> tuple[float, float, float]:
        """Return how much room a bar has, how much of that it takes, and where the room of its place begins."""
        category, bar = self._percentages
        thickness = self._thickness
        if thickness == "flex":
            return self._flexible_chunk(item, ruler, count)
        size, ratio = (ruler.least * category, bar) if thickness is None else (thickness * count, 1.0)
        return size / count, ratio, ruler.pixels[item] - size / 2

    def _flexible_chunk(self, item: int, ruler: Ruler, count: int) -> tuple[float, float, float]:
        category, bar = self._percentages
        pixels = ruler.pixels
        here = pixels[item]
        before = pixels[item - 1] if item > 0 else None
        behind = pixels[item + 1] if item < len(pixels) - 1 else None
        if before is None:
            before = here - (ruler.end - ruler.start if behind is None else behind - here)
        if behind is None:
            behind = here + here - before
        start = here - (here - min(before, behind)) / 2 * category
        return abs(behind - before) / 2 * category / count, bar, start

    def _beside(self, item: int | None) -> Beside:
        """Return the stacks that stand beside one another: everywhere, or at the place of an item with a value there."""
        index = self.index_scale
        assert index is not None
        place = self.positions[item] if item is not None else None
        key = index.name, self.type, item is not None, place
        known = self.chart.beside.get(key)
        if known is not None:
            return known
        stacked = index.options.stacked
        names: list[str | None] = []
        reached: dict[int, int] = {}
        for series in self.chart.series_on(index, self.type):
            if not (isinstance(series, BarSeries) and series.is_grouped):
                continue
            if item is None or series.has_value_at(place):
                name = series.stack_name
                if stacked is False or name not in names or (stacked is None and name is None):
                    names.append(name)
            reached[series.number] = len(names)
        found = self.chart.beside[key] = Beside(tuple(names), reached)
        return found

    def has_value_at(self, place: float | None) -> bool:
        """Tell whether there is a value at a place along the index scale."""
        value = self._values_by_place.get(place)
        return value is not None and not math.isnan(value)

    @cached_property
    def _values_by_place(self) -> dict[float | None, float | None]:
        found: dict[float | None, float | None] = {}
        for place, value in zip(self.positions, self.values, strict=True):
            found.setdefault(place, value)
        return found

    def _stack_place(self, item: int | None) -> int:
        """Return which of the stacks beside one another is its own."""
        beside = self._beside(item)
        names = beside.names[: beside.reached.get(self.number, len(beside.names))] or (None,)
        name = self.stack_name
        return names.index(name) if name is not None and name in names else len(names) - 1

    @cached_property
    def _axes(self) -> list[str]:
        """Return the index scales of the chart's datasets, which share the room between them."""
        axis = self.chart.index_axis
        first = next((name for name, scale in self.chart.scales.items() if scale.options.axis == axis), "")
        key = "xAxisID" if axis == "x" else "yAxisID"
        named = (series.dataset.source.get(key) for series in self.chart.series)
        return list(dict.fromkeys(name if isinstance(name, str) else first for name in named))

    def legend_items(self, *, uses_points: bool) -> list[LegendItem]:
        del uses_points
        fill, border = self.looks.colours(0)
        return [item_of(self, fill, border, self.dataset.marks.at(0), has_dash=False)]


def _bar_sign(size: float, scale: Scale, zero: float) -> int:
    if size != 0:
        return sign(size)
    return (1 if scale.is_horizontal else -1) * (1 if scale.least >= zero else -1)


def _value_at(scale: Scale, pixel: float) -> float:
    value_at = getattr(scale, "value_at", None)
    return float(value_at(pixel)) if value_at else 0.0


def _inflation(frame: BarFrame, ruler: Ruler) -> float:
    if frame.inflation is not None:
        return frame.inflation
    return _SEAM if ruler.ratio == 1 else 0.0


def _skipped(
    edge: str | bool | None, ends: _Ends, stack: Stack | None, number: int, *, is_horizontal: bool
) -> frozenset[str]:
    """Return at which sides of a bar no border is drawn: by default, where it begins."""
    if edge is None or edge is False or edge == "":
        return frozenset()
    if edge is True:
        return frozenset({"top", "right", "bottom", "left"})
    start, end = ("left", "right") if is_horizontal else ("bottom", "top")
    is_reversed = ends.base > ends.head if is_horizontal else ends.base < ends.head
    first, last = ("end", "start") if is_reversed else ("start", "end")
    skipped = set()
    if edge == "middle" and stack is not None:
        if (stack.top or 0) == number:
            edge = first
        elif (stack.bottom or 0) == number:
            edge = last
        else:
            skipped.add(_side(last, start, end, is_reversed=is_reversed))
            edge = first
    skipped.add(_side(said(edge), start, end, is_reversed=is_reversed))
    return frozenset(skipped)


def _side(edge: str, start: str, end: str, *, is_reversed: bool) -> str:
    """Return the side that is meant; what begins at the other end, has its sides the other way round."""
    if is_reversed:
        edge = {start: end, end: start}.get(edge, edge)
        return {"start": end, "end": start}.get(edge, edge)
    return {"start": start, "end": end}.get(edge, edge)
