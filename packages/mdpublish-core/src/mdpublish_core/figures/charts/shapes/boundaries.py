"""Targets of fills: other lines, stacks, and lines or circles at a value."""

import math
from collections.abc import Mapping, Sequence
from typing import NamedTuple, Protocol, runtime_checkable

from mdpublish_core.figures.boxes import Box
from mdpublish_core.figures.charts.shapes.elements import Fill, LineElement, LineStyle, PointElement, Stroke
from mdpublish_core.figures.charts.shapes.segments import LineIndex, StepBudget, segments_of

_PLAIN = LineStyle(stroke=Stroke())


class CartesianScale(Protocol):
    """A scale with positions in px."""

    is_horizontal: bool
    box: Box

    def base_pixel(self) -> float:
        """Return zero, or the value closest to it, in px."""
        ...

    def pixel_for(self, value: float | None) -> float: ...


@runtime_checkable
class PolarScale(Protocol):
    """A scale with distances from a center in px."""

    minimum: float
    maximum: float

    @property
    def is_reversed(self) -> bool: ...

    @property
    def is_circular(self) -> bool:
        """Whether grid lines are circles, not polygons."""
        ...

    @property
    def label_count(self) -> int: ...

    def base_value(self) -> float:
        """Return zero, or the value closest to it."""
        ...

    def distance_for(self, value: float | None) -> float: ...

    def position_for(self, index: int, value: float | None) -> tuple[float, float]: ...

    def angle_of(self, index: int) -> float:
        """Radians clockwise from the top."""
        ...


class Circle(NamedTuple):
    """`radius` is None or NaN for a value off the scale."""

    x: float
    y: float
    radius: float


def boundary_of(
    line: LineElement,
    fill: Fill,
    *,
    lines: Mapping[int, LineElement],
    below: Sequence[LineElement],
    scale: CartesianScale | PolarScale,
    budget: StepBudget | None = None,
) -> LineElement | Circle | None:
    """Return the target of a fill.

    `below` lists earlier lines on the same scale, in order. Lines of a radial chart are never stacked.
    """
    if isinstance(fill.target, int) and not fill.is_value:
        return lines.get(fill.target)
    if isinstance(scale, PolarScale):
        return None if fill.target == "stack" else _polar_boundary(fill, scale)
    if fill.target == "stack":
        return _stacked(line, below, scale.box.bottom, budget or StepBudget.for_points(len(line.points)))
    return _cartesian_boundary(line, fill, scale)


def _cartesian_boundary(line: LineElement, fill: Fill, scale: CartesianScale) -> LineElement | None:
    """Use bottom and top for `start` and `end` even of a horizontal scale, as in Chart.js."""
    if fill.is_value:
        pixel = scale.pixel_for(fill.target if isinstance(fill.target, int | float) else None)
    elif fill.target in {"start", "end"}:
        pixel = scale.box.bottom if fill.target == "start" else scale.box.top
    else:
        pixel = scale.base_pixel()
    return _straight(line, pixel, is_upright=scale.is_horizontal) if math.isfinite(pixel) else None


def _straight(line: LineElement, pixel: float, *, is_upright: bool = False) -> LineElement | None:
    """Return a straight line along the segments and gaps of `line`."""
    ends = [line.points[number] for segment in line.segments for number in segment[:2]]
    points = [PointElement(pixel, each.y) if is_upright else PointElement(each.x, pixel) for each in ends]
    return _plain(points) if points else None


def _plain(points: list[PointElement], *, is_loop: bool = False) -> LineElement:
    line = LineElement(points, _PLAIN, is_loop=is_loop, is_whole_loop=is_loop)
    line.segments = segments_of(line)
    return line


def _polar_boundary(fill: Fill, scale: PolarScale) -> LineElement | Circle | None:
    start, end = (scale.maximum, scale.minimum) if scale.is_reversed else (scale.minimum, scale.maximum)
    if fill.is_value:
        value = float(fill.target) if isinstance(fill.target, int | float) else start
    elif fill.target in {"start", "end"}:
        value = start if fill.target == "start" else end
    else:
        value = scale.base_value()
    if scale.is_circular:
        x, y = scale.position_for(0, start)
        return Circle(x, y, scale.distance_for(value))
    angles = [scale.angle_of(index) - math.pi / 2 for index in range(scale.label_count)]
    positions = [scale.position_for(index, value) for index in range(scale.label_count)]
    points = [PointElement(*position, angle=angle) for position, angle in zip(positions, angles, strict=True)]
    return _plain(points, is_loop=True) if points else None


def _stacked(line: LineElement, below: Sequence[LineElement], bottom: float, budget: StepBudget) -> LineElement:
    """Return the highest points below each point of `line`."""
    ground = _straight(line, bottom)
    line_indexes = [LineIndex(each, "x", budget) for each in (*reversed(below), *([ground] if ground else []))]
    points = [
        point
        for segment in line.segments
        for number in range(segment.start, segment.end + 1)
        if budget.remaining > 0
        for point in _points_below(line.points[number].x, line_indexes)
    ]
    return _plain(points)


def _points_below(x: float, line_indexes: Sequence[LineIndex]) -> list[PointElement]:
    """Return the nearest point below; while lines end there, those of the next ones, too."""
    points: list[PointElement] = []
    postponed: list[PointElement] = []
    for line_index in line_indexes:
        point = line_index.point_at(x)
        if point is None:
            continue
        segment = line_index.segment_at(point.x)
        is_first = segment is not None and point.x == line_index.line.points[segment.start].x
        is_last = segment is not None and point.x == line_index.line.points[segment.end].x
        if is_first and is_last:
            continue
        if is_first:
            postponed.insert(0, point)
            continue
        points.append(point)
        if not is_last:
            break
    return [*points, *postponed]
