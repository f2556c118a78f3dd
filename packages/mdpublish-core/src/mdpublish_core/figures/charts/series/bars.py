"""Bar charts: https://www.chartjs.org/docs/latest/charts/bar.html."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import pairwise
from typing import ClassVar, Literal, NamedTuple

from mdpublish_core.figures.charts.geometry import sign
from mdpublish_core.figures.charts.options import Options, option, pick, read_options
from mdpublish_core.figures.charts.scales.base import Scale
from mdpublish_core.figures.charts.series.base import ElementType, FloatingBar, LegendItem, Series, Stack, StackGroup
from mdpublish_core.figures.charts.series.data import dataset_item, read_pairs
from mdpublish_core.figures.charts.series.styles import BarStyleResolver, bar_style, colors_of
from mdpublish_core.figures.charts.shapes.elements import BarElement, BarStyle
from mdpublish_core.figures.charts.values import Json, Object, finite_number, to_string

# px added to bars that touch, to hide seams.
_SEAM = 0.33

# px; border of translucent bars, and of patterns.
_OUTLINE_WIDTH = 1


@dataclass(frozen=True, slots=True, kw_only=True)
class BarOptions:
    """Options of a dataset's bars; lengths in px."""

    thickness: float | Literal["flex"] | None = option(
        lambda each: "flex" if each.value("barThickness") == "flex" else each.optional_number("barThickness")
    )
    category: float = option(Options.number, "categoryPercentage", 0.8)
    bar: float = option(Options.number, "barPercentage", 0.9)
    min_length: float = option(Options.number, "minBarLength")
    max_thickness: float = option(Options.number, "maxBarThickness", math.inf)
    is_grouped: bool = option(Options.flag, "grouped")
    skips_nothing: bool = option(Options.flag, "skipNull")


class Ruler(NamedTuple):
    """Bar positions on the index scale, in px."""

    min_spacing: float  # between two positions
    pixels: Sequence[float]
    start: float
    end: float
    stack_count: int
    ratio: float


class _Ends(NamedTuple):
    """Start, end and length of a bar on the value scale, in px."""

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
    ELEMENT_TYPE: ClassVar[ElementType] = "bar"

    # Data

    def read_data(self) -> None:
        # A list in the data is a floating bar.
        read_pairs(self, dict, self._read)

    def _read(self, value: Json, item: int) -> float | None:
        scale = self.value_scale
        assert scale is not None
        if not isinstance(value, list):
            return scale.parse(value, item)
        ends = [scale.parse(value[number] if number < len(value) else None, item) for number in (0, 1)]
        first, second = (math.nan if each is None else each for each in ends)
        if math.isnan(first) or math.isnan(second):
            return math.nan
        low, high = min(first, second), max(first, second)
        near, far = (high, low) if abs(low) > abs(high) else (low, high)
        self.floating_bars[item] = FloatingBar(first, second, near, far)
        return far

    def overflow(self) -> float | None:
        return 0.0

    # Marks

    @cached_property
    def styles(self) -> BarStyleResolver:
        palette, number = self.chart.palette, self.dataset.color_index
        options = self.dataset.element_options
        # Chart.js draws the first dataset last, so a line may be behind bars.
        is_alone = all(series.type == self.type for series in self.chart.visible_series)
        fill = pick(palette.bar_colors if is_alone else palette.overlay_colors, number)
        is_lined = palette.dress.fill == "outline" if is_alone else palette.has_outlines
        is_patterned = palette.has_patterns and not options.has("borderColor")
        # Below other bars, as in a waterfall, they are meant to be.
        is_hidden = not self.stacked and any(map(palette.hides, options.colors("backgroundColor")))
        if is_hidden or ((is_patterned or is_lined) and not options.has("backgroundColor")):
            options = options.with_default("borderWidth", _OUTLINE_WIDTH)
        colors = colors_of(options, fill, pick(palette.series_colors, number))
        if is_hidden and not options.has("borderColor"):
            borders = (palette.label_color if palette.hides(each) else each[:7] for each in colors.fills)
            colors = replace(colors, borders=tuple(borders))
        return BarStyleResolver(options, colors)

    def build_elements(self) -> None:
        index, scale = self.index_scale, self.value_scale
        assert index is not None
        assert scale is not None
        ruler = self._ruler(index)
        base = scale.base_pixel()
        is_horizontal = scale.is_horizontal
        resolver = self.styles
        style_cache: dict[tuple[object, ...], BarStyle] = {}
        seam = _SEAM if ruler.ratio == 1 else 0.0
        for item, value in enumerate(self.values):
            ends = _Ends(base, base, 0.0) if value is None else self._ends(item, value, scale)
            middle, thickness = self._bar_position(item, ruler, index)
            stack = self.stacks[item] if self.stacks else None
            x, y = (ends.head, middle) if is_horizontal else (middle, ends.head)
            border = resolver.border_at(item)
            skipped = _skipped_sides(border.skipped, ends, stack, self.number, is_horizontal=is_horizontal)
            is_outside = stack is None or item in self.floating_bars or self.number in {stack.top, stack.bottom}
            if border.skipped == "middle" and stack is not None:
                is_outside = True
            key = *resolver.colors(item), border, skipped, is_outside
            style = style_cache.get(key)
            if style is None:
                style = style_cache[key] = bar_style(*resolver.colors(item), border, skipped, has_corners=is_outside)
            self.bars.append(
                BarElement(
                    x=x,
                    y=y,
                    base=ends.base,
                    width=abs(ends.size) if is_horizontal else thickness,
                    height=thickness if is_horizontal else abs(ends.size),
                    is_horizontal=is_horizontal,
                    style=style,
                    inflation=seam if border.inflation is None else border.inflation,
                    is_drawn=value is not None,
                )
            )

    def tooltip(self, item: int) -> str:
        assert self.index_scale is not None
        assert self.value_scale is not None
        ends = self.floating_bars.get(item)
        format_value = self.value_scale.format_value
        value = (
            f"{format_value(ends.first)} \N{EN DASH} {format_value(ends.second)}"
            if ends
            else format_value(self.values[item])
        )
        return self.format_tooltip(self.index_scale.format_value(self.positions[item]), value)

    def _ends(self, item: int, value: float, scale: Scale) -> _Ends:
        options = self.options
        given = finite_number(options.value("base"))
        zero = given or 0.0
        floating = self.floating_bars.get(item)
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
        min_length = self._layout.min_length
        if abs(size) < min_length:
            size = _bar_sign(size, scale, zero) * min_length
            if value == zero:
                base -= size / 2
            low, high = sorted((scale.pixel_at(0.0), scale.pixel_at(1.0)))
            base = max(min(base, high), low)
            head = base + size
            if self.stacks and not floating:
                self.stacks[item].visual_values[self.number] = _value_at(scale, head) - _value_at(scale, base)
        if base == scale.pixel_for(zero):
            half = sign(size) * scale.grid_width_at(zero) / 2
            base += half
            size -= half
        return _Ends(base, head, size)

    # Places along the index scale

    def _ruler(self, index: Scale) -> Ruler:
        layout, thickness = self._layout, self._layout.thickness
        pixels = [index.pixel_for(position) for position in self.positions]
        fixed = thickness if thickness != "flex" else None
        return Ruler(
            min_spacing=fixed or self._min_distance(index),
            pixels=pixels,
            start=index.start_pixel,
            end=index.end_pixel,
            stack_count=len(self._stack_group(None).names) or 1,
            ratio=1.0 if thickness else layout.category * layout.bar,
        )

    def _min_distance(self, index: Scale) -> float:
        """Return the smallest distance of positions of this type's data, and of ticks."""
        values = {value for series in self.chart.series_on(index, self.type) for value in series.values_on(index)}
        distance = index.length
        for pixels in (
            [index.pixel_for(value) for value in sorted(values)],
            [index.tick_pixel(tick) for tick in range(len(index.ticks))],
        ):
            inside = [pixel for pixel in pixels if -32768 < pixel < 32767]
            for before, pixel in pairwise(inside):
                distance = min(distance, abs(pixel - before) or distance)
        return distance

    def _bar_position(self, item: int, ruler: Ruler, index: Scale) -> tuple[float, float]:
        """Return the middle and the thickness of a bar."""
        limit = self._layout.max_thickness
        if not self.is_grouped:
            return index.pixel_for(self.positions[item]), min(limit, ruler.min_spacing * ruler.ratio)
        axes = self._axes
        skips = self._layout.skips_nothing
        count = ((len(self._stack_group(item).names) or 1) if skips else ruler.stack_count) * len(axes)
        chunk, ratio, start = self._chunk(item, ruler, count)
        axis = axes.index(index.name) if index.name in axes else 0
        slot = self._stack_index(item if skips else None) + axis
        return start + chunk * slot + chunk / 2, min(limit, chunk * ratio)

    @cached_property
    def _layout(self) -> BarOptions:
        return read_options(BarOptions, self.options)

    @property
    def is_grouped(self) -> bool:
        """Tell whether bars stand side by side with those of other datasets."""
        return self._layout.is_grouped

    def _chunk(self, item: int, ruler: Ruler, count: int) -> tuple[float, float, float]:
        """Return the slot width, the share of it that a bar takes, and the start of the position's slots."""
        layout, thickness = self._layout, self._layout.thickness
        if thickness == "flex":
            return self._flexible_chunk(item, ruler, count)
        size, ratio = (
            (ruler.min_spacing * layout.category, layout.bar) if thickness is None else (thickness * count, 1.0)
        )
        return size / count, ratio, ruler.pixels[item] - size / 2

    def _flexible_chunk(self, item: int, ruler: Ruler, count: int) -> tuple[float, float, float]:
        category, pixels = self._layout.category, ruler.pixels
        here = pixels[item]
        before = pixels[item - 1] if item > 0 else None
        after = pixels[item + 1] if item < len(pixels) - 1 else None
        if before is None:
            before = here - (ruler.end - ruler.start if after is None else after - here)
        if after is None:
            after = here + here - before
        start = here - (here - min(before, after)) / 2 * category
        return abs(after - before) / 2 * category / count, self._layout.bar, start

    def _stack_group(self, item: int | None) -> StackGroup:
        """Return the stacks standing side by side: all, or those with a value at the position of `item`."""
        index = self.index_scale
        assert index is not None
        position = self.positions[item] if item is not None else None
        key = index.name, self.type, item is not None, position
        known = self.chart.stack_groups.get(key)
        if known is not None:
            return known
        stacked = index.options.stacked
        names: list[str | None] = []
        counts: dict[int, int] = {}
        for series in self.chart.series_on(index, self.type):
            if not (isinstance(series, BarSeries) and series.is_grouped):
                continue
            if item is None or series.has_value_at(position):
                name = series.stack_name
                if stacked is False or name not in names or (stacked is None and name is None):
                    names.append(name)
            counts[series.number] = len(names)
        group = self.chart.stack_groups[key] = StackGroup(tuple(names), counts)
        return group

    def has_value_at(self, position: float | None) -> bool:
        """`position` is a value on the index scale."""
        value = self._values_by_position.get(position)
        return value is not None and not math.isnan(value)

    @cached_property
    def _values_by_position(self) -> dict[float | None, float | None]:
        values: dict[float | None, float | None] = {}
        for position, value in zip(self.positions, self.values, strict=True):
            values.setdefault(position, value)
        return values

    def _stack_index(self, item: int | None) -> int:
        group = self._stack_group(item)
        names = group.names[: group.counts.get(self.number, len(group.names))] or (None,)
        name = self.stack_name
        return names.index(name) if name is not None and name in names else len(names) - 1

    @cached_property
    def _axes(self) -> list[str]:
        """Return the index scales of the datasets. They share the space."""
        axis = self.chart.index_axis
        first = next((name for name, scale in self.chart.scales.items() if scale.options.axis == axis), "")
        key = "xAxisID" if axis == "x" else "yAxisID"
        named = (series.dataset.source.get(key) for series in self.chart.series)
        return list(dict.fromkeys(name if isinstance(name, str) else first for name in named))

    def legend_items(self, *, uses_points: bool) -> list[LegendItem]:
        del uses_points
        fill, border = self.styles.colors(0)
        options = self.dataset.element_options
        if self.chart.palette.dress.fill == "outline" or self.chart.palette.hides(fill):
            options = options.with_default("borderWidth", _OUTLINE_WIDTH)
        return [dataset_item(self, fill, border, options.at(0), has_dash=False)]


def _bar_sign(size: float, scale: Scale, zero: float) -> int:
    if size != 0:
        return sign(size)
    return (1 if scale.is_horizontal else -1) * (1 if scale.minimum >= zero else -1)


def _value_at(scale: Scale, pixel: float) -> float:
    value_at = getattr(scale, "value_at", None)
    return float(value_at(pixel)) if value_at else 0.0


def _skipped_sides(
    edge: str | bool | None, ends: _Ends, stack: Stack | None, number: int, *, is_horizontal: bool
) -> frozenset[str]:
    """Return the sides of a bar without a border; by default, its start."""
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
    skipped.add(_side(to_string(edge), start, end, is_reversed=is_reversed))
    return frozenset(skipped)


def _side(edge: str, start: str, end: str, *, is_reversed: bool) -> str:
    if is_reversed:
        edge = {start: end, end: start}.get(edge, edge)
        return {"start": end, "end": start}.get(edge, edge)
    return {"start": start, "end": end}.get(edge, edge)
