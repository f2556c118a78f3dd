"""Polar area charts: https://www.chartjs.org/docs/latest/charts/polar.html."""

import math
from collections.abc import Mapping
from functools import cached_property
from typing import ClassVar

from mdpublish_core.figures.charts.geometry import RIGHT_ANGLE
from mdpublish_core.figures.charts.options import pick
from mdpublish_core.figures.charts.scales.base import Scale
from mdpublish_core.figures.charts.scales.limits import NO_RANGE, Range
from mdpublish_core.figures.charts.scales.radial import RadialScale
from mdpublish_core.figures.charts.series.data import read_radial
from mdpublish_core.figures.charts.series.slices import SliceSeries
from mdpublish_core.figures.charts.series.styles import Colors
from mdpublish_core.figures.charts.shapes.elements import ArcElement
from mdpublish_core.figures.charts.values import Object, string_at


class PolarAreaSeries(SliceSeries):
    """Slices of equal angle, with the values as radii."""

    DEFAULTS: ClassVar[Object] = {"startAngle": 0, "spacing": 0, "spacingMode": "proportional"}
    SCALES: ClassVar[Mapping[str, Object]] = {
        "r": {
            "type": "radialLinear",
            "angleLines": {"display": False},
            "beginAtZero": True,
            "grid": {"circular": True},
            "pointLabels": {"display": False},
            "startAngle": 0,
        }
    }

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
            fills = tuple(pick(palette.overlay_colors, number) for number in numbers)
            if not any(borders) and palette.has_outlines:
                borders = tuple(pick(palette.series_colors, number) for number in numbers)
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
