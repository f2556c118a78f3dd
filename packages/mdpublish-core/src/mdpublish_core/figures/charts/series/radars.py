"""Values around a centre, and a line through them.

https://www.chartjs.org/docs/latest/charts/radar.html
"""

import math
from collections.abc import Mapping
from typing import ClassVar

from mdpublish_core.figures.charts.reckoning import RIGHT
from mdpublish_core.figures.charts.scales.radial import RadialScale
from mdpublish_core.figures.charts.series.data import read_radial
from mdpublish_core.figures.charts.series.lines import LineSeries
from mdpublish_core.figures.charts.shapes.marks import LineMark, PointMark
from mdpublish_core.figures.charts.values import Object, said_at


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
            point.angle = scale.angle_of(item) - RIGHT
            self.points.append(point)
        is_whole = len(scale.labels()) == len(self.points)
        self.line = LineMark(self.points, self.line_style, is_loop=True, is_whole_loop=is_whole)

    def tip(self, item: int) -> str:
        assert self.r_scale is not None
        return self.named(said_at(self.r_scale.labels(), item), self.r_scale.said_value(self.values[item]))
