"""Scatter and bubble charts: https://www.chartjs.org/docs/latest/charts/scatter.html and bubble.html."""

from collections.abc import Mapping
from typing import ClassVar

from mdpublish_core.figures.charts.options import pick
from mdpublish_core.figures.charts.series.lines import LineSeries
from mdpublish_core.figures.charts.shapes.elements import PointElement
from mdpublish_core.figures.charts.values import EMPTY_OBJECT, Object, number_to_string, parse_number, string_at


class ScatterSeries(LineSeries):
    """A point for each pair of numbers, and optionally a line."""

    DEFAULTS: ClassVar[Object] = {"showLine": False, "fill": False}
    SCALES: ClassVar[Mapping[str, Object]] = {"x": {"type": "linear"}, "y": {"type": "linear"}}

    @property
    def has_line(self) -> bool:
        return self.options.flag("showLine")

    def overflow(self) -> float | None:
        if self.has_line:
            return super().overflow()
        styles, number = self.styles, len(self.values)
        sizes = [styles.size(0)] if styles.are_alike else [styles.size(item) for item in range(number)]
        return max(sizes, default=0.0) / 2 or None if number else None

    def tooltip(self, item: int) -> str:
        name = string_at(self.chart.labels, item) or self.label
        return self.format_tooltip(name, f"({', '.join(self.coordinates(item))})")

    def coordinates(self, item: int) -> list[str]:
        """Return the tooltip's x and y."""
        pair = [
            (self.index_scale, self.positions[item]),
            (self.value_scale, self.values[item]),
        ]
        formatted = [scale.format_value(value) for scale, value in pair if scale is not None]
        return formatted if self.dataset.index_axis != "y" else formatted[::-1]

    def format_tooltip(self, name: str, value: str) -> str:
        return f"{name}: {value}" if name else value


class BubbleSeries(ScatterSeries):
    """A circle for each point, with a radius in px."""

    DEFAULTS: ClassVar[Object] = EMPTY_OBJECT

    @property
    def has_line(self) -> bool:
        return False

    def read_data(self) -> None:
        super().read_data()
        self._radii = [self._radius(item) for item in range(len(self.values))]

    def _radius(self, item: int) -> float:
        entry = self.data[item]
        if isinstance(entry, list) and len(entry) > 2:
            size = entry[2]
        elif isinstance(entry, dict) and "r" in entry:
            size = entry["r"]
        else:
            return max(0.0, pick(self.styles.radii, item))
        return max(0.0, parse_number(size) or 0.0)

    def _point_fill(self) -> str:
        palette, options = self.chart.palette, self.dataset.line_options
        if palette.has_patterns and not options.has("backgroundColor") and not options.has("borderColor"):
            return pick(palette.overlay_colors, self.dataset.color_index)
        return self.line_colors.fills[0]

    def overflow(self) -> float | None:
        sizes = [2 * self.styles.size_of(radius, item) for item, radius in enumerate(self._radii)]
        return max(sizes, default=0.0) / 2 or None

    def _point(self, item: int) -> PointElement:
        point = super()._point(item)
        assert point.style is not None
        radius = self._radii[item]
        point.style = point.style._replace(radius=radius, reach=self.styles.size_of(radius, item))
        return point

    def coordinates(self, item: int) -> list[str]:
        radius = self._radii[item]
        return [*super().coordinates(item), *([number_to_string(radius)] if radius else [])]
