"""Values around a centre, and a line through them.

https://www.chartjs.org/docs/latest/charts/radar.html
"""

import math
from collections.abc import Mapping
from typing import ClassVar

from mdpublish_core.figures.charts.reckoning import HALF
from mdpublish_core.figures.charts.scales.radial import RadialScale
from mdpublish_core.figures.charts.series.base import Series
from mdpublish_core.figures.charts.series.lines import LineSeries
from mdpublish_core.figures.charts.shapes.marks import LineMark, PointMark
from mdpublish_core.figures.charts.values import Object, said


class RadarSeries(LineSeries):
    """A point for each value around the centre, and a line through them that ends where it begins."""

    DEFAULTS: ClassVar[Object] = {"showLine": True, "elements": {"line": {"fill": "start"}}}
    SCALES: ClassVar[Mapping[str, Object]] = {"r": {"type": "radialLinear"}}
    INDEX_AXIS: ClassVar[str] = "r"
    IS_RADIAL: ClassVar[bool] = True

    def read_data(self) -> None:
        read_radial(self)

    def overflow(self) -> float | None:
        return None

    def make_marks(self) -> None:
        scale = self.r_scale
        assert isinstance(scale, RadialScale)
        for item, value in enumerate(self.values):
            place = scale.position_for(item, value)
            is_skipped = math.isnan(place.x) or math.isnan(place.y)
            point = PointMark(place.x, place.y, self.looks.at(item), is_skipped=is_skipped)
            point.angle = scale.angle_of(item) - HALF
            self.points.append(point)
        is_whole = len(scale.labels()) == len(self.points)
        self.line = LineMark(self.points, self.line_style, is_loop=True, is_whole_loop=is_whole)

    def tip(self, item: int) -> str:
        assert self.r_scale is not None
        labels = self.r_scale.labels()
        name = said(labels[item]) if item < len(labels) else ""
        return self.named(name, self.r_scale.said_value(self.values[item]))


def read_radial(series: Series) -> None:
    """Read data that has a value for each label."""
    scale, data = series.r_scale, series.data
    assert scale is not None
    has_objects = bool(data) and isinstance(data[0], dict)
    entries = [series.pair(entry)[1] if has_objects else entry for entry in data]
    series.values = [scale.parse(entry, item) for item, entry in enumerate(entries)]
    series.positions = series.values
