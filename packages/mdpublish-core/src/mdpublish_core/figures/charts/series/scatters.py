"""Scatter charts: https://www.chartjs.org/docs/latest/charts/scatter.html."""

from collections.abc import Mapping
from typing import ClassVar

from mdpublish_core.figures.charts.series.lines import LineSeries
from mdpublish_core.figures.charts.values import Object, string_at


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
