"""Filled areas between a line and its target.

As in Chart.js 4, each segment is filled separately and clipped to its range on the index axis; with two colors
it is filled twice, above and below. https://www.chartjs.org/docs/latest/charts/area.html
"""

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Literal, NamedTuple, get_args

from mdpublish_core.figures.boxes import Box
from mdpublish_core.figures.charts.geometry import normalize_angle
from mdpublish_core.figures.charts.shapes import elements as shapes
from mdpublish_core.figures.charts.shapes.curves import trace
from mdpublish_core.figures.charts.shapes.paths import Path
from mdpublish_core.figures.charts.shapes.segments import Axis, Bounds, LineIndex, StepBudget, segments_of
from mdpublish_core.figures.charts.values import Json, finite_number, leading_number, to_number

_PLAIN = shapes.LineStyle(stroke=shapes.Stroke())


class Circle(NamedTuple):
    """`radius` is None or NaN for a value off the scale."""

    x: float
    y: float
    radius: float


Ground = float | Circle | Sequence[tuple[float, float, float]]
"""What a scale has at a value: a position in px, a circle, or corners with the angles of their labels."""


def boundary_of(
    line: shapes.LineElement,
    fill: shapes.Fill,
    ground: Ground,
    *,
    lines: Mapping[int, shapes.LineElement],
    below: Sequence[shapes.LineElement],
    index_axis: Literal["x", "y"],
    budget: StepBudget | None = None,
) -> shapes.LineElement | Circle | None:
    """Return the target of a fill.

    `below` lists earlier lines on the same scale, in order. Lines of a radial chart are never stacked.
    """
    if isinstance(fill.target, int) and not fill.is_value:
        return lines.get(fill.target)
    if isinstance(ground, Circle):
        return None if fill.target == "stack" else ground
    if not isinstance(ground, int | float):
        points = [shapes.PointElement(x, y, angle=angle) for x, y, angle in ground]
        return _plain(points, is_loop=True) if points and fill.target != "stack" else None
    if fill.target == "stack":
        return _stacked(line, below, ground, budget or StepBudget.for_points(len(line.points)))
    return _straight(line, ground, is_upright=index_axis == "y") if math.isfinite(ground) else None


def _straight(line: shapes.LineElement, pixel: float, *, is_upright: bool = False) -> shapes.LineElement | None:
    """Return a straight line along the segments and gaps of `line`."""
    ends = [line.points[number] for segment in line.segments for number in segment[:2]]
    points = [shapes.PointElement(pixel, each.y) if is_upright else shapes.PointElement(each.x, pixel) for each in ends]
    return _plain(points) if points else None


def _plain(points: list[shapes.PointElement], *, is_loop: bool = False) -> shapes.LineElement:
    line = shapes.LineElement(points, _PLAIN, is_loop=is_loop, is_whole_loop=is_loop)
    line.segments = segments_of(line)
    return line


def _stacked(
    line: shapes.LineElement, below: Sequence[shapes.LineElement], bottom: float, budget: StepBudget
) -> shapes.LineElement:
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


def _points_below(x: float, line_indexes: Sequence[LineIndex]) -> list[shapes.PointElement]:
    """Return the nearest point below; while lines end there, those of the next ones, too."""
    points: list[shapes.PointElement] = []
    postponed: list[shapes.PointElement] = []
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


# px. Coordinates are written with two decimals.
_CLIP_TOLERANCE = 0.01

# Maximum length of a dataset number in a string.
_MAX_DIGITS = 32

# Limit of points in all areas: a minimum, and per point of both lines. Monotone lines need 3, others up to the square.
_MIN_POINTS = 20_000
_POINTS_PER_POINT = 4


@dataclass(frozen=True, slots=True, kw_only=True)
class FilledArea:
    """`clip_path` is filled by the nonzero rule. `clip` is None without overflow."""

    data: str
    color: str
    fill_rule: Literal["nonzero", "evenodd"] = "nonzero"
    clip: Box | None = None
    clip_path: str | None = None


# Targets


def read_fill(value: Json, *, number: int, count: int, color: str) -> shapes.Fill | None:
    """Parse `fill` for dataset `number` of `count`."""
    above = below = color
    if isinstance(value, dict):
        above, below = (
            side_color if isinstance(side_color := value.get(side), str) else color for side in ("above", "below")
        )
        value = value.get("target", value)
    if isinstance(value, dict):
        raw_level = value.get("value")
        level = math.nan if raw_level is None else to_number(raw_level)
        return None if math.isnan(level) else shapes.Fill(target=level, is_value=True, above=above, below=below)
    target = _read_target(value, number, count)
    return None if target is None else shapes.Fill(target=target, above=above, below=below)


def _read_target(value: Json, number: int, count: int) -> int | shapes.FillKeyword | None:
    if value is True:
        return "origin"
    parsed = leading_number(value[:_MAX_DIGITS]) if isinstance(value, str) else finite_number(value)
    if parsed is None or parsed != math.floor(parsed):
        return next((word for word in get_args(shapes.FillKeyword) if word == value), None)
    target = int(parsed)
    if isinstance(value, str) and value[0] in "+-":
        target += number
    return target if target != number and 0 <= target < count else None


def resolve_fill_target(
    fills: Mapping[int, shapes.Fill | None], number: int, *, visible: Sequence[bool], propagates: bool = True
) -> shapes.Fill | None:
    """Replace a hidden target line by its own target."""
    fill = resolved = fills.get(number)
    passed = {number}
    while propagates and resolved and isinstance(resolved.target, int) and not resolved.is_value:
        target = resolved.target
        if target in passed or target not in fills:
            return None
        if visible[target]:
            break
        passed.add(target)
        resolved = fills[target]
    return replace(fill, target=resolved.target, is_value=resolved.is_value) if fill and resolved else None


# Areas


def filled_areas(
    line: shapes.LineElement,
    fill: shapes.Fill,
    ground: Ground,
    *,
    lines: Mapping[int, shapes.LineElement],
    below: Sequence[shapes.LineElement],
    area: Box,
    clip: Box | None = None,
    index_axis: Literal["x", "y"] = "x",
    index_span: tuple[float, float] | None = None,
    budget: StepBudget | None = None,
) -> list[FilledArea]:
    """Return the filled areas in painting order.

    `below` lists earlier lines on the same value scale, in order. All lines have segments and control points.
    `index_span` is the px range of the index scale. All lines share `budget`; areas beyond it are not filled.
    """
    axis: Axis = "angle" if line.is_loop else index_axis
    if index_span:
        low, high = min(index_span), max(index_span)
        edges = Box(low, area.top, high, area.bottom) if index_axis == "x" else Box(area.left, low, area.right, high)
        clip_bounds = _ClipBounds(area.intersection(edges), area, clip, axis)
    else:
        clip_bounds = _ClipBounds(area, area, clip, axis)
    line_index = LineIndex(line, axis, budget)
    if fill.target == "shape":
        return [each for segment in line.segments if (each := _shape(line_index, segment, clip_bounds, fill.below))]
    boundary = boundary_of(line, fill, ground, lines=lines, below=below, index_axis=index_axis, budget=budget)
    if boundary is None:
        return []
    target = _Circle(boundary) if isinstance(boundary, Circle) else _Outline(boundary, axis, budget)
    halves = [(fill.below, None)] if fill.above == fill.below else _halves(target, area, axis, fill)
    pieces = list(_pieces_of(line_index, target, clip_bounds))
    return [replace(piece, color=color, clip_path=half) for color, half in halves for piece in pieces]


class _ClipBounds(NamedTuple):
    outer: Box
    area: Box
    clip: Box | None
    axis: Axis

    def cut(self, start: float, end: float) -> Box:
        left, top, right, bottom = self.area
        if self.axis == "angle":
            return self.outer
        if self.axis == "x":
            left, right = start, end
        else:
            top, bottom = start, end
        if self.clip:
            left, top = max(left, self.clip.left), max(top, self.clip.top)
            right, bottom = min(right, self.clip.right), min(bottom, self.clip.bottom)
        # A canvas normalizes rectangles of negative size.
        return self.outer.intersection(Box(min(left, right), min(top, bottom), max(left, right), max(top, bottom)))


class _Circle:
    size = 0

    def __init__(self, ring: Circle) -> None:
        self._x, self._y, self._radius = ring

    def pieces(self, line_index: LineIndex) -> Iterator["_Piece"]:
        points = line_index.line.points
        for segment in line_index.line.segments:
            start, end = points[segment.start].angle, points[segment.end].angle
            yield _Piece(segment, _bounds_of(line_index.line, segment, "angle"), start, end)

    def draw(self, path: Path, piece: "_Piece", *, is_joined: bool) -> bool:
        del is_joined  # arcs are always joined
        start, end = piece.target[1:] if isinstance(piece.target, Bounds) else (0.0, math.tau)
        path.arc(self._x, self._y, self._radius, end, start, is_backward=True)
        return True

    def draw_to(self, path: Path, angle: float) -> None:
        path.line(self._x + math.cos(angle) * self._radius, self._y + math.sin(angle) * self._radius)


class _Outline:
    def __init__(self, line: shapes.LineElement, axis: Axis, budget: StepBudget | None = None) -> None:
        self.line = line
        self.size = len(line.points)
        self._line_index = LineIndex(line, axis, budget)

    def pieces(self, line_index: LineIndex) -> Iterator["_Piece"]:
        axis = line_index.axis
        for number, segment in enumerate(line_index.line.segments):
            bounds = _bounds_of(line_index.line, segment, axis)
            for target in self._line_index.parts(bounds):
                limits = _bounds_of(self.line, target, axis)
                start, end = _shared_range(bounds, limits)
                for source in line_index.parts_of(number, limits):
                    yield _Piece(source, target, start, end, _size(target, self.line))

    def draw(self, path: Path, piece: "_Piece", *, is_joined: bool) -> bool:
        assert isinstance(piece.target, shapes.Segment)
        return trace(path, self.line, piece.target, is_joined=is_joined, is_backward=True)

    def draw_to(self, path: Path, value: float) -> None:
        point = self._line_index.point_at(value)
        if point:
            path.line(point.x, point.y)


class _Piece(NamedTuple):
    source: shapes.Segment
    target: shapes.Segment | Bounds | None
    start: float
    end: float
    target_size: int = 0


def _shape(line_index: LineIndex, segment: shapes.Segment, clip_bounds: _ClipBounds, color: str) -> FilledArea | None:
    path = Path()
    trace(path, line_index.line, segment)
    return _area(path.close(), clip_bounds.outer, color=color)


def _pieces_of(line_index: LineIndex, target: _Circle | _Outline, clip_bounds: _ClipBounds) -> Iterator[FilledArea]:
    points_left = _MIN_POINTS + _POINTS_PER_POINT * (len(line_index.line.points) + target.size)
    for piece in target.pieces(line_index):
        points_left -= _size(piece.source, line_index.line) + piece.target_size + 1
        if points_left < 0:
            return
        clip = clip_bounds.cut(piece.start, piece.end)
        if clip.is_empty:
            continue
        path = Path()
        is_loop = trace(path, line_index.line, piece.source)
        if is_loop:
            path.close()
        else:
            target.draw_to(path, piece.end)
        is_hole = target.draw(path, piece, is_joined=not is_loop) and is_loop
        if not is_hole:
            target.draw_to(path, piece.start)
        area = _area(path.close(), clip, is_hole=is_hole)
        if area:
            yield area


def _area(path: Path, clip: Box, *, color: str = "", is_hole: bool = False) -> FilledArea | None:
    if path.is_empty or clip.is_empty:
        return None
    return FilledArea(
        data=path.data,
        color=color,
        fill_rule="evenodd" if is_hole else "nonzero",
        clip=None if clip.contains(path.box, _CLIP_TOLERANCE) else clip,
    )


def _size(segment: shapes.Segment, line: shapes.LineElement) -> int:
    return (segment.end - segment.start) % len(line.points) + 1


def _bounds_of(line: shapes.LineElement, segment: shapes.Segment, axis: Axis) -> Bounds | None:
    if segment.is_loop:
        return None
    start, end = line.points[segment.start], line.points[segment.end]
    if axis == "angle":
        return Bounds(axis, normalize_angle(start.angle), normalize_angle(end.angle))
    return Bounds(axis, start.x, end.x) if axis == "x" else Bounds(axis, start.y, end.y)


def _shared_range(bounds: Bounds | None, limits: Bounds | None) -> tuple[float, float]:
    if bounds and limits:
        return max(bounds.start, limits.start), min(bounds.end, limits.end)
    either = bounds or limits
    return (either.start, either.end) if either else (0.0, 0.0)


# Halves


def _halves(target: _Circle | _Outline, area: Box, axis: Axis, fill: shapes.Fill) -> list[tuple[str, str | None]]:
    """Return the color and clip path of each side; a radial target has one."""
    if axis == "angle":
        return [(fill.below, None)]
    if isinstance(target, _Circle):
        return []
    if axis == "x":
        sides = ((fill.above, area.top), (fill.below, area.bottom))
    else:
        sides = ((fill.below, area.left), (fill.above, area.right))
    return [(color, _half(target.line, edge, axis)) for color, edge in sides]


def _half(line: shapes.LineElement, edge: float, axis: Axis) -> str:
    path = Path()

    def draw_to_edge(point: shapes.PointElement) -> None:
        if axis == "x":
            path.line(point.x, edge)
        else:
            path.line(edge, point.y)

    is_closed = False
    for segment in line.segments:
        first, last = line.points[segment.start], line.points[segment.end]
        if path.is_empty:
            path.move(first.x, first.y)
        else:
            draw_to_edge(first)
            path.line(first.x, first.y)
        is_closed = trace(path, line, segment, is_joined=not is_closed)
        if is_closed:
            path.close()
        else:
            draw_to_edge(last)
    if line.segments:
        draw_to_edge(line.points[line.segments[0].start])
    return path.close().data
