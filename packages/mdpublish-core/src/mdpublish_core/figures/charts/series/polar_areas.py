"""Slices of one angle, as long as their values.

https://www.chartjs.org/docs/latest/charts/polar.html
"""

import math
from collections.abc import Mapping
from functools import cached_property
from typing import ClassVar

from mdpublish_core.figures.charts.reckoning import RIGHT
from mdpublish_core.figures.charts.scales.base import Scale
from mdpublish_core.figures.charts.scales.limits import NO_RANGE, Range
from mdpublish_core.figures.charts.scales.radial import RadialScale
from mdpublish_core.figures.charts.series.data import read_radial
from mdpublish_core.figures.charts.series.looks import Colours
from mdpublish_core.figures.charts.series.slices import SliceSeries
from mdpublish_core.figures.charts.shapes.marks import ArcMark
from mdpublish_core.figures.charts.values import Object, said_at


class PolarAreaSeries(SliceSeries):
    """A slice for each value."""

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
        found = [value for value in self.values if value is not None and not math.isnan(value)]
        return Range(min(found), max(found)) if found else NO_RANGE

    @cached_property
    def colours(self) -> Colours:
        options, palette, first = self.dataset.marks, self.chart.palette, self.dataset.colour
        fills = options.colours("backgroundColor")
        borders = options.colours("borderColor")
        if not any(fills):
            numbers = range(first, first + max(1, len(self.data)))
            fills = tuple(map(palette.area_of, numbers))
            if not any(borders) and palette.outlines:
                borders = tuple(map(palette.strong_of, numbers))
        return Colours(fills, borders if any(borders) else (palette.ground,))

    def make_marks(self) -> None:
        scale = self.r_scale
        assert isinstance(scale, RadialScale)
        shown = sum(value is None or not math.isnan(value) for value in self.values)
        usual = 360 / shown if shown else 360.0
        angle = scale.angle_of(0) - RIGHT
        for item, value in enumerate(self.values):
            turn = math.radians(self.dataset.marks.at(item).number("angle") or usual)
            outer = scale.distance_for(value)
            self.arcs.append(
                ArcMark(scale.x_centre, scale.y_centre, angle, angle + turn, 0.0, outer, self.looks.at(item))
            )
            angle += turn

    def tip(self, item: int) -> str:
        assert self.r_scale is not None
        return self.named(said_at(self.chart.labels, item), self.r_scale.said_value(self.values[item]))
