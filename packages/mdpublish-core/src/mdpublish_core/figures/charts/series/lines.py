"""Line and radar charts: https://www.chartjs.org/docs/latest/charts/line.html and radar.html."""

import math
from collections.abc import Mapping
from dataclasses import replace
from functools import cached_property
from typing import ClassVar

from mdpublish_core.figures.charts.geometry import RIGHT_ANGLE
from mdpublish_core.figures.charts.options import Options, color_of, pick
from mdpublish_core.figures.charts.scales.radial import RadialScale
from mdpublish_core.figures.charts.series.base import LegendItem, Series
from mdpublish_core.figures.charts.series.data import dataset_item, read_pairs, read_radial
from mdpublish_core.figures.charts.series.styles import Colors, PointStyleResolver, colors_of, line_style
from mdpublish_core.figures.charts.shapes.elements import Fill, LineElement, LineStyle, PointElement
from mdpublish_core.figures.charts.shapes.fills import read_fill
from mdpublish_core.figures.charts.values import Json, Object, finite_number, parse_number, short_repr, string_at


class LineSeries(Series):
    """A point for each value, and a line."""

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
    def colors(self) -> Colors:
        marks, line = self._point_options, self.line_colors
        fills = marks.colors("backgroundColor", self._point_fill())
        return Colors(fills, marks.colors("borderColor", line.borders[0]))

    def _point_fill(self) -> str:
        """Return the inside of points, which is opaque where their form matters."""
        if self.chart.palette.dress.point == "ring":
            return self.chart.palette.background
        is_faint = self.chart.palette.has_patterns and not self.dataset.line_options.has("backgroundColor")
        return (self.line_colors.borders if is_faint else self.line_colors.fills)[0]

    @cached_property
    def line_colors(self) -> Colors:
        palette, number = self.chart.palette, self.dataset.color_index
        area, line = pick(palette.area_colors, number), pick(palette.series_colors, number)
        options = self.dataset.line_options
        colors = colors_of(options, area, line)
        is_hidden, is_chosen = palette.hides(colors.borders[0]), any(options.colors("borderColor"))
        if is_hidden and is_chosen and options.value("fill"):
            # What it separates is seen.
            return colors
        if is_hidden and is_chosen:
            options.remark("borderColor", "is the color of the background; the line has the default one")
        return replace(colors, borders=(line,)) if is_hidden else colors

    @cached_property
    def styles(self) -> PointStyleResolver:
        return PointStyleResolver(self._point_options, self.colors)

    @cached_property
    def _point_options(self) -> Options:
        options = self.dataset.element_options
        if options.has("borderColor"):
            return options
        return options.with_default("pointStyle", self.chart.palette.point_shape(self.dataset.color_index))

    @cached_property
    def _line_options(self) -> Options:
        options, dash = self.dataset.line_options, self.chart.palette.dash(self.dataset.color_index)
        return options.with_default("borderDash", list(dash)) if dash and not options.has("borderColor") else options

    def overflow(self) -> float | None:
        number = len(self.values)
        if not number:
            return self._line_width
        return max(self._line_width, self.styles.size(0), self.styles.size(number - 1)) / 2

    @property
    def _line_width(self) -> float:
        """Return 0 during layout, when the line does not exist yet."""
        return self.line.style.stroke.width if self.line else 0.0

    # Marks

    def build_elements(self) -> None:
        self.points = [self._point(item) for item in range(len(self.values))]
        self._break_gaps()
        if self.has_line:
            self.line = LineElement(self.points, self.line_style)

    @cached_property
    def line_style(self) -> LineStyle:
        style = line_style(self._line_options, self.line_colors)
        if self.options.flag("showLine"):
            return style
        return replace(style, stroke=style.stroke._replace(width=0.0))

    @cached_property
    def fill(self) -> Fill | None:
        if not self.has_line:
            return None
        number, count = self.number, len(self.chart.series)
        color = self.line_style.fill_color
        parsed = read_fill(self.dataset.line_options.raw("fill"), number=number, count=count, color=color)
        if parsed is None:
            value = self.dataset.line_options.raw("fill")
            if isinstance(value, str) and value and finite_number(parse_number(value)) is None:
                self.dataset.line_options.remark("fill", f"is ignored: unknown target {short_repr(value)}")
            return None
        return replace(parsed, above=color_of(parsed.above) or "", below=color_of(parsed.below) or "")

    def _point(self, item: int) -> PointElement:
        index, scale = self.index_scale, self.value_scale
        assert index is not None
        assert scale is not None
        value = self.values[item]
        along = index.pixel_for(self.positions[item])
        across = scale.base_pixel() if value is None else scale.pixel_for(self.stacked_value(item))
        is_skipped = value is None or math.isnan(along) or math.isnan(across)
        x, y = (along, across) if self.dataset.index_axis != "y" else (across, along)
        return PointElement(x, y, self.styles.at(item), is_skipped=is_skipped)

    def _break_gaps(self) -> None:
        """Start a new segment at each point farther from the previous one than `spanGaps` allows."""
        max_gap = finite_number(self.options.value("spanGaps"))
        if max_gap is None:
            return
        for item in range(1, len(self.points)):
            here, before = self.positions[item], self.positions[item - 1]
            if here is not None and before is not None and abs(here - before) > max_gap:
                self.points[item].starts_segment = True

    @property
    def spans_gaps(self) -> bool:
        value: Json = self.dataset.line_options.value("spanGaps")
        return bool(value)

    def tooltip(self, item: int) -> str:
        assert self.index_scale is not None
        assert self.value_scale is not None
        return self.format_tooltip(
            self.index_scale.format_value(self.positions[item]), self.value_scale.format_value(self.values[item])
        )

    def legend_items(self, *, uses_points: bool) -> list[LegendItem]:
        has_dash = self.has_line and not uses_points
        options = self._line_options if has_dash else self._point_options.at(0)
        colors = self.line_colors if has_dash else self.colors
        return [dataset_item(self, colors.fills[0], colors.borders[0], options, has_dash=has_dash)]


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
