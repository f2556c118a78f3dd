"""Lines, and points on them.

https://www.chartjs.org/docs/latest/charts/line.html
"""

import math
from collections.abc import Mapping
from dataclasses import replace
from functools import cached_property
from typing import ClassVar

from mdpublish_core.figures.charts.options import colour_of
from mdpublish_core.figures.charts.series.base import LegendItem, Series
from mdpublish_core.figures.charts.series.data import read_pairs
from mdpublish_core.figures.charts.series.items import item_of
from mdpublish_core.figures.charts.series.looks import Colours, PointLooks, colours_of, line_style
from mdpublish_core.figures.charts.shapes.fills import read_fill
from mdpublish_core.figures.charts.shapes.marks import Fill, LineMark, LineStyle, PointMark
from mdpublish_core.figures.charts.values import Json, Object, finite, number_of, shown


class LineSeries(Series):
    """A point for each value, and a line through them."""

    DEFAULTS: ClassVar[Object] = {"showLine": True, "spanGaps": False}
    SCALES: ClassVar[Mapping[str, Object]] = {"_index_": {"type": "category"}, "_value_": {"type": "linear"}}

    # Data

    def read_data(self) -> None:
        assert self.value_scale is not None
        read_pairs(self, list | dict, self.value_scale.parse)

    @property
    def has_line(self) -> bool:
        return True

    @cached_property
    def colours(self) -> Colours:
        marks, line = self.dataset.marks, self.line_colours
        return Colours(marks.colours("backgroundColor", line.fills[0]), marks.colours("borderColor", line.borders[0]))

    @cached_property
    def line_colours(self) -> Colours:
        palette, number = self.chart.palette, self.dataset.colour
        return colours_of(self.dataset.line, palette.area_of(number), palette.strong_of(number))

    @cached_property
    def looks(self) -> PointLooks:
        return PointLooks(self.dataset.marks, self.colours)

    def overflow(self) -> float | None:
        number = len(self.values)
        if not number:
            return self._line_width
        return max(self._line_width, self.looks.size(0), self.looks.size(number - 1)) / 2

    @property
    def _line_width(self) -> float:
        """Return the width of the line once it is there: how the chart is laid out does not depend on it."""
        return self.line.style.stroke.width if self.line else 0.0

    # Marks

    def make_marks(self) -> None:
        self.points = [self._point(item) for item in range(len(self.values))]
        self._break_gaps()
        if self.has_line:
            self.line = LineMark(self.points, self.line_style)

    @cached_property
    def line_style(self) -> LineStyle:
        """How the line looks, if there is one."""
        style = line_style(self.dataset.line, self.line_colours)
        if self.options.flag("showLine"):
            return style
        return replace(style, stroke=style.stroke._replace(width=0.0))

    @cached_property
    def fill(self) -> Fill | None:
        if not self.has_line:
            return None
        number, count = self.number, len(self.chart.series)
        colour = self.line_style.fill_colour
        asked = read_fill(self.dataset.line.whole("fill"), number=number, count=count, colour=colour)
        if asked is None:
            value = self.dataset.line.whole("fill")
            if isinstance(value, str) and value and finite(number_of(value)) is None:
                self.dataset.line.remark(f"`fill` is {shown(value)}, which is nothing that a line is filled up to")
            return None
        return replace(asked, above=colour_of(asked.above) or "", below=colour_of(asked.below) or "")

    def _point(self, item: int) -> PointMark:
        index, scale = self.index_scale, self.value_scale
        assert index is not None
        assert scale is not None
        value = self.values[item]
        along = index.pixel_for(self.positions[item])
        across = scale.base_pixel() if value is None else scale.pixel_for(self.stacked_value(item))
        is_skipped = value is None or math.isnan(along) or math.isnan(across)
        x, y = (along, across) if self.dataset.index_axis != "y" else (across, along)
        return PointMark(x, y, self.looks.at(item), is_skipped=is_skipped)

    def _break_gaps(self) -> None:
        """Break the line before a point that is farther from the one before than the author allows."""
        most = finite(self.options.value("spanGaps"))
        if most is None:
            return
        for item in range(1, len(self.points)):
            here, before = self.positions[item], self.positions[item - 1]
            if here is not None and before is not None and abs(here - before) > most:
                self.points[item].begins_anew = True

    @property
    def spans_gaps(self) -> bool:
        value: Json = self.dataset.line.value("spanGaps")
        return bool(value)

    def tip(self, item: int) -> str:
        assert self.index_scale is not None
        assert self.value_scale is not None
        return self.named(
            self.index_scale.said_value(self.positions[item]), self.value_scale.said_value(self.values[item])
        )

    def legend_items(self, *, uses_points: bool) -> list[LegendItem]:
        has_dash = self.has_line and not uses_points
        options = self.dataset.line if has_dash else self.dataset.marks.at(0)
        colours = self.line_colours if has_dash else self.colours
        return [item_of(self, colours.fills[0], colours.borders[0], options, has_dash=has_dash)]
