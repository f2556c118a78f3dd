"""Pie, doughnut and polar area charts: https://www.chartjs.org/docs/latest/charts/doughnut.html and polar.html."""

import math
from abc import abstractmethod
from collections.abc import Mapping
from functools import cached_property
from typing import ClassVar, NamedTuple

from mdpublish_core.figures.charts.defaults import TYPE_DEFAULTS
from mdpublish_core.figures.charts.fonts import label_of
from mdpublish_core.figures.charts.geometry import RIGHT_ANGLE, is_between_angles
from mdpublish_core.figures.charts.options import pick
from mdpublish_core.figures.charts.scales.base import Scale
from mdpublish_core.figures.charts.scales.options import NO_RANGE, Range
from mdpublish_core.figures.charts.scales.radial import RadialScale
from mdpublish_core.figures.charts.series.base import ElementType, LegendItem, Series
from mdpublish_core.figures.charts.series.data import dataset_item, radial_values, read_radial
from mdpublish_core.figures.charts.series.styles import ArcStyleResolver, Colors, percentage
from mdpublish_core.figures.charts.shapes.elements import ArcElement
from mdpublish_core.figures.charts.values import Object, parse_number, string_at, to_number, to_string


class SliceSeries(Series):
    """A slice for each value."""

    ELEMENT_TYPE: ClassVar[ElementType] = "arc"
    INDEX_AXIS: ClassVar[str] = "r"
    HAS_LABEL_ITEMS: ClassVar[bool] = True
    MAX_ITEMS: ClassVar[int] = 1000

    @property
    @abstractmethod
    def colors(self) -> Colors:
        """Return the slices' colors."""

    @cached_property
    def styles(self) -> ArcStyleResolver:
        return ArcStyleResolver(self.dataset.element_options, self.colors)

    def legend_items(self, *, uses_points: bool) -> list[LegendItem]:
        del uses_points
        style, options = self.styles.at(0), self.dataset.element_options.at(0)
        return [dataset_item(self, style.fill, style.stroke.color, options, has_dash=False)]

    def label_items(self) -> list[LegendItem]:
        options, styles = self.dataset.element_options, self.styles
        return [
            LegendItem(
                label_lines=label_of(label),
                fill=styles.at(item).fill,
                stroke=styles.at(item).stroke,
                corner=parse_number(options.at(item).value("borderRadius")) or 0.0,
            )
            for item, label in enumerate(self.chart.labels)
        ]


class ArcExtent(NamedTuple):
    """Bounding box of an arc, relative to the radius: its size, and the offset of its middle from the center."""

    width: float
    height: float
    x: float
    y: float


class DoughnutSeries(SliceSeries):
    """A ring of slices, each a share of the total."""

    DEFAULTS: ClassVar[Object] = TYPE_DEFAULTS["doughnut"]
    SCALES: ClassVar[Mapping[str, Object]] = {}
    VALUE_KEY: ClassVar[str] = "value"

    def read_data(self) -> None:
        numbers = (0.0 if value is None else to_number(value) for value in radial_values(self))
        self.values = [None if math.isinf(number) else number for number in numbers]
        self.positions = [float(item) for item in range(len(self.values))]

    @cached_property
    def colors(self) -> Colors:
        options, palette, first = self.dataset.element_options, self.chart.palette, self.dataset.color_index
        fills = options.colors("backgroundColor")
        fills = fills if any(fills) else ("",) * max(1, len(self.data))
        fills = tuple(each or pick(palette.slice_colors, first + item) for item, each in enumerate(fills))
        if options.has("borderColor"):
            return Colors(fills, options.colors("borderColor", palette.background))
        return Colors(
            fills, tuple(palette.label_color if palette.hides(each) else palette.background for each in fills)
        )

    # Angles and radii

    @property
    def rotation(self) -> float:
        """Radians from the positive x axis."""
        return math.radians(self.options.number("rotation") - 90)

    @property
    def circumference(self) -> float:
        return math.radians(self.options.number("circumference", 360.0))

    def build_elements(self) -> None:
        chart, number = self.chart, len(self.values)
        area, styles = chart.area, self.styles
        room = self._first_border() + styles.max_offset(number) + self.options.number("spacing")
        half = max((min(area.width, area.height) - room) / 2, 0.0)
        cutout = min(percentage(self.options.value("cutout"), half, is_share=True), 1.0)
        start, angle_span = self._extent()
        extent = arc_extent(start, angle_span, cutout)
        wide = (area.width - room) / extent.width if extent.width else math.inf
        high = (area.height - room) / extent.height if extent.height else math.inf
        max_radius = max(min(wide, high) / 2, 0.0)
        max_radius = max_radius if math.isfinite(max_radius) else half
        radius = max(0.0, percentage(self.options.value("radius"), max_radius, is_share=False))
        inner = max(radius * cutout, 0.0)
        # Chart.js reserves a ring for each dataset, whatever its type.
        thick = (radius - inner) / (sum(map(_weight, chart.visible_series)) or 1.0)
        before = sum(_weight(series) for series in chart.visible_series if series.number < self.number)
        outer = radius - thick * before
        x = (area.left + area.right) / 2 + extent.x * radius
        y = (area.top + area.bottom) / 2 + extent.y * radius
        self._build_arcs(x, y, max(outer - thick * _weight(self), 0.0), outer)

    def _build_arcs(self, x: float, y: float, inner: float, outer: float) -> None:
        total = sum(abs(value) for value in self.values if value is not None and not math.isnan(value))
        angle = self.rotation
        for item, value in enumerate(self.values):
            angle_span = 0.0
            if value is not None and not math.isnan(value) and total > 0:
                angle_span = abs(value) * self.circumference / math.tau / total * math.tau
            self.arcs.append(
                ArcElement(x, y, angle, angle + angle_span, inner, outer, self.styles.at(item), angle_span=angle_span)
            )
            angle += angle_span

    def _first_border(self) -> float:
        first = min(self.chart.visible_series, key=lambda series: series.number, default=self)
        return first.styles.max_border(len(first.values)) if isinstance(first, DoughnutSeries) else 0.0

    def _extent(self) -> tuple[float, float]:
        """Return the start of the first ring of this type and the largest circumference, in radians."""
        same = [
            each for each in self.chart.visible_series if isinstance(each, DoughnutSeries) and each.type == self.type
        ]
        start = min([math.tau, *(each.rotation for each in same)])
        end = max([-math.tau, *(each.rotation + each.circumference for each in same)])
        return start, end - start

    def tooltip(self, item: int) -> str:
        return self.format_tooltip(string_at(self.chart.labels, item), to_string(self.values[item]))


class PieSeries(DoughnutSeries):
    """A doughnut without a hole."""

    DEFAULTS: ClassVar[Object] = {**DoughnutSeries.DEFAULTS, "cutout": 0}


def arc_extent(start: float, angle_span: float, cutout: float) -> ArcExtent:
    """Angles are in radians, `cutout` is relative to the radius."""
    if angle_span >= math.tau:
        return ArcExtent(1.0, 1.0, 0.0, 0.0)
    end = start + angle_span

    def reach(angle: float, one: float, other: float) -> float:
        greatest = 1.0 if angle in {0.0, RIGHT_ANGLE} else -1.0
        if is_between_angles(angle, start, end, same_is_all=True):
            return greatest
        edges = (one, one * cutout, other, other * cutout)
        return max(edges) if greatest > 0 else min(edges)

    right = reach(0.0, math.cos(start), math.cos(end))
    bottom = reach(RIGHT_ANGLE, math.sin(start), math.sin(end))
    left = reach(math.pi, math.cos(start), math.cos(end))
    top = reach(math.pi + RIGHT_ANGLE, math.sin(start), math.sin(end))
    return ArcExtent((right - left) / 2, (bottom - top) / 2, -(right + left) / 2, -(bottom + top) / 2)


def _weight(series: Series) -> float:
    value = series.dataset.source.get("weight")
    return max(1.0 if value is None else parse_number(value) or 0.0, 0.0)


class PolarAreaSeries(SliceSeries):
    """Slices of equal angle, with the values as radii."""

    DEFAULTS: ClassVar[Object] = {"startAngle": 0, "spacing": 0, "spacingMode": "proportional"}
    SCALES: ClassVar[Mapping[str, Object]] = TYPE_DEFAULTS["polarArea"]

    def read_data(self) -> None:
        read_radial(self)

    def range_on(self, scale: Scale, *, can_stack: bool) -> Range:
        del scale, can_stack
        values = [value for value in self.values if value is not None and not math.isnan(value)]
        return Range(min(values), max(values)) if values else NO_RANGE

    @cached_property
    def colors(self) -> Colors:
        options, palette, first = self.dataset.element_options, self.chart.palette, self.dataset.color_index
        fills = options.colors("backgroundColor")
        borders = options.colors("borderColor")
        if not any(fills):
            numbers = range(first, first + max(1, len(self.data)))
            fills = ("",) * len(numbers)
            if not any(borders) and palette.has_outlines:
                borders = tuple(pick(palette.series_colors, number) for number in numbers)
        fills = tuple(each or pick(palette.overlay_colors, first + item) for item, each in enumerate(fills))
        return Colors(fills, borders if any(borders) else (palette.background,))

    def build_elements(self) -> None:
        scale = self.r_scale
        assert isinstance(scale, RadialScale)
        shown = sum(value is None or not math.isnan(value) for value in self.values)
        default = 360 / shown if shown else 360.0
        angle = scale.angle_of(0) - RIGHT_ANGLE
        for item, value in enumerate(self.values):
            angle_span = math.radians(self.dataset.element_options.at(item).number("angle") or default)
            outer = scale.distance_for(value)
            self.arcs.append(
                ArcElement(scale.center_x, scale.center_y, angle, angle + angle_span, 0.0, outer, self.styles.at(item))
            )
            angle += angle_span

    def tooltip(self, item: int) -> str:
        assert self.r_scale is not None
        return self.format_tooltip(string_at(self.chart.labels, item), self.r_scale.format_value(self.values[item]))
