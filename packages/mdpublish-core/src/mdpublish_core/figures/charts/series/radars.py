"""Radar charts: https://www.chartjs.org/docs/latest/charts/radar.html."""

import math
from collections.abc import Mapping
from typing import ClassVar

from mdpublish_core.figures.charts.geometry import RIGHT_ANGLE
from mdpublish_core.figures.charts.scales.radial import RadialScale
from mdpublish_core.figures.charts.series.data import read_radial
from mdpublish_core.figures.charts.series.lines import LineSeries
from mdpublish_core.figures.charts.shapes.elements import LineElement, PointElement
from mdpublish_core.figures.charts.values import Object, string_at


class RadarSeries(LineSeries):
    """A closed line around the center."""

    DEFAULTS: ClassVar[Object] = {"showLine": True, "elements": {"line": {"fill": "start"}}}
    SCALES: ClassVar[Mapping[str, Object]] = {"r": {"type": "radialLinear"}}
    INDEX_AXIS: ClassVar[str] = "r"

    def read_data(self) -> None:
        read_radial(self)

    def overflow(self) -> float | None:
        return None

    def build_elements(self) -> None:
        scale = self.r_scale
        assert isinstance(scale, RadialScale)
        for item, value in enumerate(self.values):
            position = scale.position_for(item, value)
            is_skipped = math.isnan(position.x) or math.isnan(position.y)
            point = PointElement(position.x, position.y, self.styles.at(item), is_skipped=is_skipped)
            point.angle = scale.angle_of(item) - RIGHT_ANGLE
            self.points.append(point)
        is_whole = len(scale.labels()) == len(self.points)
        self.line = LineElement(self.points, self.line_style, is_loop=True, is_whole_loop=is_whole)

    def tooltip(self, item: int) -> str:
        assert self.r_scale is not None
        return self.format_tooltip(string_at(self.r_scale.labels(), item), self.r_scale.format_value(self.values[item]))
