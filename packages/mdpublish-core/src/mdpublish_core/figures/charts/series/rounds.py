"""Pies and doughnuts.

https://www.chartjs.org/docs/latest/charts/doughnut.html
"""

import math
from collections.abc import Mapping
from functools import cached_property
from typing import ClassVar, NamedTuple

from mdpublish_core.figures.charts.reckoning import RIGHT, is_between_angles
from mdpublish_core.figures.charts.scales.base import Scale
from mdpublish_core.figures.charts.series.base import Series
from mdpublish_core.figures.charts.series.data import values_around
from mdpublish_core.figures.charts.series.looks import Colours, percentage
from mdpublish_core.figures.charts.series.slices import SliceSeries
from mdpublish_core.figures.charts.shapes.marks import ArcMark
from mdpublish_core.figures.charts.values import Json, Object, coerced, number_of, said, said_at


class Spread(NamedTuple):
    """How much of a circle's box a part of it takes, and how far its middle is from the centre; shares of the radius."""

    width: float
    height: float
    x: float
    y: float


class DoughnutSeries(SliceSeries):
    """A ring that values share among them."""

    DEFAULTS: ClassVar[Object] = {
        "cutout": "50%",
        "rotation": 0,
        "circumference": 360,
        "radius": "100%",
        "spacing": 0,
        "spacingMode": "angular",
    }
    SCALES: ClassVar[Mapping[str, Object]] = {}
    VALUE_KEY: ClassVar[str] = "value"

    def _scale(self, axis: str) -> Scale | None:
        del axis
        return None

    def read_data(self) -> None:
        self.values = [_numbered(value) for value in values_around(self)]
        self.positions = [float(item) for item in range(len(self.values))]

    @cached_property
    def colours(self) -> Colours:
        options, palette, first = self.dataset.marks, self.chart.palette, self.dataset.colour
        fills = options.colours("backgroundColor")
        if not any(fills):
            fills = tuple(self.palette_colour(first + item) for item in range(max(1, len(self.data))))
        return Colours(fills, options.colours("borderColor", palette.ground))

    def palette_colour(self, number: int) -> str:
        return self.chart.palette.strong_of(number)

    # Angles and radii

    @property
    def rotation(self) -> float:
        """Where it begins, in radians from the right."""
        return math.radians(self.options.number("rotation") - 90)

    @property
    def circumference(self) -> float:
        return math.radians(self.options.number("circumference", 360.0))

    def make_marks(self) -> None:
        chart, number = self.chart, len(self.values)
        area, looks = chart.area, self.looks
        room = self._first_border() + looks.max_offset(number) + self.options.number("spacing")
        half = max((min(area.width, area.height) - room) / 2, 0.0)
        cutout = min(percentage(self.options.value("cutout"), half, is_share=True), 1.0)
        start, turn = self._extent()
        spread = spread_of(start, turn, cutout)
        wide = (area.width - room) / spread.width if spread.width else math.inf
        high = (area.height - room) / spread.height if spread.height else math.inf
        most = max(min(wide, high) / 2, 0.0)
        most = most if math.isfinite(most) else half
        radius = max(0.0, percentage(self.options.value("radius"), most, is_share=False))
        inner = max(radius * cutout, 0.0)
        # Whatever a dataset is shown as, Chart.js leaves room for its ring.
        thick = (radius - inner) / (sum(map(_weight, chart.visible)) or 1.0)
        before = sum(_weight(series) for series in chart.visible if series.number < self.number)
        outer = radius - thick * before
        x = (area.left + area.right) / 2 + spread.x * radius
        y = (area.top + area.bottom) / 2 + spread.y * radius
        self._make_arcs(x, y, max(outer - thick * _weight(self), 0.0), outer)

    def _make_arcs(self, x: float, y: float, inner: float, outer: float) -> None:
        total = sum(abs(value) for value in self.values if value is not None and not math.isnan(value))
        angle = self.rotation
        for item, value in enumerate(self.values):
            turn = 0.0
            if value is not None and not math.isnan(value) and total > 0:
                turn = abs(value) * self.circumference / math.tau / total * math.tau
            self.arcs.append(ArcMark(x, y, angle, angle + turn, inner, outer, self.looks.at(item), turn=turn))
            angle += turn

    def _first_border(self) -> float:
        """Return how wide the border of the first visible ring's slices is at most."""
        first = min(self.chart.visible, key=lambda series: series.number, default=self)
        return first.looks.max_border(len(first.values)) if isinstance(first, DoughnutSeries) else 0.0

    def _extent(self) -> tuple[float, float]:
        """Return where the first ring of this type begins, and how far the last goes around, in radians."""
        same = [each for each in self.chart.visible if isinstance(each, DoughnutSeries) and each.type == self.type]
        start = min([math.tau, *(each.rotation for each in same)])
        end = max([-math.tau, *(each.rotation + each.circumference for each in same)])
        return start, end - start

    def tip(self, item: int) -> str:
        return self.named(said_at(self.chart.labels, item), said(self.values[item]))


class PieSeries(DoughnutSeries):
    """A circle that values share among them."""

    DEFAULTS: ClassVar[Object] = {**DoughnutSeries.DEFAULTS, "cutout": 0}


def spread_of(start: float, turn: float, cutout: float) -> Spread:
    """Return what of a circle's box a part of it takes, from an angle and for another, with a hole of some share."""
    if turn >= math.tau:
        return Spread(1.0, 1.0, 0.0, 0.0)
    end = start + turn

    def reach(angle: float, one: float, other: float) -> float:
        """Return how far it reaches in the direction of an angle, whose sign is that of the greatest reach."""
        greatest = 1.0 if angle in {0.0, RIGHT} else -1.0
        if is_between_angles(angle, start, end, same_is_all=True):
            return greatest
        edges = (one, one * cutout, other, other * cutout)
        return max(edges) if greatest > 0 else min(edges)

    right = reach(0.0, math.cos(start), math.cos(end))
    bottom = reach(RIGHT, math.sin(start), math.sin(end))
    left = reach(math.pi, math.cos(start), math.cos(end))
    top = reach(math.pi + RIGHT, math.sin(start), math.sin(end))
    return Spread((right - left) / 2, (bottom - top) / 2, -(right + left) / 2, -(bottom + top) / 2)


def _weight(series: Series) -> float:
    """Return how thick a dataset's ring is beside the others'."""
    value = series.dataset.source.get("weight")
    return max(1.0 if value is None else number_of(value) or 0.0, 0.0)


def _numbered(value: Json) -> float | None:
    number = coerced(value) if value is not None else 0.0
    return number if not math.isinf(number) else None
