"""What is filled beside a line: up to another line, to a value, or to where a scale begins, ends, or has its base.

Chart.js 4 fills a line piece by piece, and clips each piece to where it lies along the index axis; where it is filled in two
colours, once above the target and once below it. https://www.chartjs.org/docs/latest/charts/area.html
"""

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Literal, NamedTuple, Self

from mdpublish_core.figures.charts.reckoning import turned
from mdpublish_core.figures.charts.shapes.boundaries import FlatScale, Ring, RoundScale, boundary_of
from mdpublish_core.figures.charts.shapes.boxes import Box
from mdpublish_core.figures.charts.shapes.marks import Fill, LineMark, PointMark, Segment
from mdpublish_core.figures.charts.shapes.paths import Path
from mdpublish_core.figures.charts.shapes.segments import Axis, Bounds, Steps, Track
from mdpublish_core.figures.charts.shapes.strokes import trace
from mdpublish_core.figures.charts.values import Json, coerced, finite, leading_number

# Coordinates are written to a hundredth of a px: what reaches that far out of a box needs no clip.
_INSIDE = 0.01

# A text that says which line is filled up to is not longer.
_MOST_DIGITS = 32

# Points of all pieces together, at least and for each of both lines. Lines that go one way need three for each; between
# such that go to and fro there can be the square of them.
_FEWEST_POINTS = 20_000
_POINTS_A_POINT = 4


@dataclass(frozen=True, slots=True, kw_only=True)
class FilledArea:
    """A path that is filled, and what it is clipped to; `clip_path` is path data that is filled by the nonzero rule.

    Without a `clip` nothing of it lies outside. All areas of a half share one `clip_path`.
    """

    data: str
    colour: str
    fill_rule: Literal["nonzero", "evenodd"] = "nonzero"
    clip: Box | None = None
    clip_path: str | None = None


# Targets


def read_fill(value: Json, *, number: int, count: int, colour: str) -> Fill | None:
    """Return what an author's `fill` means for the dataset of this number, of so many; None if it is not filled.

    `colour` is that of the dataset's background: what is filled takes it where no other is given.
    """
    above = below = colour
    if isinstance(value, dict):
        above, below = (own if isinstance(own := value.get(side), str) else colour for side in ("above", "below"))
        value = value.get("target", value)
    if isinstance(value, dict):
        place = value.get("value")
        level = math.nan if place is None else coerced(place)
        return None if math.isnan(level) else Fill(target=level, is_value=True, above=above, below=below)
    target = _read_target(value, number, count)
    return None if target is None else Fill(target=target, above=above, below=below)


def _read_target(
    value: Json, number: int, count: int
) -> int | Literal["origin", "start", "end", "stack", "shape"] | None:
    if value is True:
        return "origin"
    found = leading_number(value[:_MOST_DIGITS]) if isinstance(value, str) else finite(value)
    if found is None or found != math.floor(found):
        return next((word for word in ("origin", "start", "end", "stack", "shape") if word == value), None)
    target = int(found)
    if isinstance(value, str) and value[0] in "+-":
        target += number
    return target if target != number and 0 <= target < count else None


def resolved_target(
    fills: Mapping[int, Fill | None], number: int, *, visible: Sequence[bool], propagates: bool = True
) -> Fill | None:
    """Return what a line is filled up to, past lines that are not visible: what these are filled up to themselves.

    `fills` has all datasets that are lines, `visible` tells of all datasets.
    """
    fill = found = fills.get(number)
    passed = {number}
    while propagates and found and isinstance(found.target, int) and not found.is_value:
        target = found.target
        if target in passed or target not in fills:
            return None
        if visible[target]:
            break
        passed.add(target)
        found = fills[target]
    return replace(fill, target=found.target, is_value=found.is_value) if fill and found else None


# Areas


def filled_areas(
    line: LineMark,
    fill: Fill,
    *,
    lines: Mapping[int, LineMark],
    below: Sequence[LineMark],
    scale: FlatScale | RoundScale,
    area: Box,
    clip: Box | None = None,
    index_axis: Literal["x", "y"] = "x",
    index_span: tuple[float, float] | None = None,
    steps: Steps | None = None,
) -> list[FilledArea]:
    """Return what is filled of a line, in the order in which it is painted.

    `lines` are those that are visible, by the numbers of their datasets; `below` those that are drawn before this one on
    the same scale of values, in their order. `area` is the chart's, `clip` what the dataset is clipped to, and `index_span`
    from where to where, in px, the scale reaches along which values follow each other; a round one has none. All lines have
    their segments and their control points. `steps` bounds the work of all lines of a chart together; once they are used
    up, what is left is not filled.
    """
    axis: Axis = "angle" if line.is_loop else index_axis
    if index_span:
        low, high = min(index_span), max(index_span)
        edges = Box(low, area.top, high, area.bottom) if index_axis == "x" else Box(area.left, low, area.right, high)
        around = _Around(area.shared(edges), area, clip, axis)
    else:
        around = _Around(area, area, clip, axis)
    track = Track(line, axis, steps)
    if fill.target == "shape":
        return [each for segment in line.segments if (each := _shape(track, segment, around, fill.below))]
    boundary = boundary_of(line, fill, lines=lines, below=below, scale=scale, steps=steps)
    if boundary is None:
        return []
    target = _Circle(boundary) if isinstance(boundary, Ring) else _Outline(boundary, axis, steps)
    halves = [(fill.below, None)] if fill.above == fill.below else _halves(target, area, axis, fill)
    pieces = list(_pieces_of(track, target, around))
    return [replace(piece, colour=colour, clip_path=half) for colour, half in halves for piece in pieces]


class _Around(NamedTuple):
    """What pieces are clipped to: `outer` always, `area` across the axis, `clip` where there is one."""

    outer: Box
    area: Box
    clip: Box | None
    axis: Axis

    def cut(self, start: float, end: float) -> Box:
        """Return what a piece from one coordinate to another is clipped to; it may be empty."""
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
        # A canvas turns a rectangle around whose sides are the wrong way.
        return self.outer.shared(Box(min(left, right), min(top, bottom), max(left, right), max(top, bottom)))


class _Circle:
    """A circle that is filled up to; it has no parts."""

    size = 0
    """How many points it has."""

    def __init__(self, ring: Ring) -> None:
        self._x, self._y, self._radius = ring

    def pieces(self, track: Track) -> Iterator["_Piece"]:
        points = track.line.points
        for segment in track.line.segments:
            start, end = points[segment.start].angle, points[segment.end].angle
            yield _Piece(segment, _bounds_of(track.line, segment, "angle"), start, end)

    def size_of(self, piece: "_Piece") -> int:
        del piece
        return 0

    def draw(self, path: Path, piece: "_Piece", *, is_joined: bool) -> bool:
        del is_joined  # an arc is joined in any case
        start, end = piece.target[1:] if isinstance(piece.target, Bounds) else (0.0, math.tau)
        path.arc(self._x, self._y, self._radius, end, start, is_backward=True)
        return True

    def draw_to(self, path: Path, angle: float) -> None:
        path.line(self._x + math.cos(angle) * self._radius, self._y + math.sin(angle) * self._radius)


class _Outline:
    """A line that is filled up to."""

    def __init__(self, line: LineMark, axis: Axis, steps: Steps | None = None) -> None:
        self.line = line
        self.size = len(line.points)
        self._track = Track(line, axis, steps)

    def pieces(self, track: Track) -> Iterator["_Piece"]:
        """Pair what of a line lies within the parts of this one, and of this one, within those of the line."""
        axis = track.axis
        for number, segment in enumerate(track.line.segments):
            bounds = _bounds_of(track.line, segment, axis)
            for target in self._track.parts(bounds):
                limits = _bounds_of(self.line, target, axis)
                start, end = _shared(bounds, limits)
                for source in track.parts_of(number, limits):
                    yield _Piece(source, target, start, end)

    def size_of(self, piece: "_Piece") -> int:
        return _size(piece.target, self.line) if isinstance(piece.target, Segment) else 0

    def draw(self, path: Path, piece: "_Piece", *, is_joined: bool) -> bool:
        assert isinstance(piece.target, Segment)
        return trace(path, self.line, piece.target, is_joined=is_joined, is_backward=True)

    def draw_to(self, path: Path, value: float) -> None:
        point = self._track.point_at(value)
        if point:
            path.line(point.x, point.y)


class _Piece(NamedTuple):
    """What is filled at once: a part of a line, and one of the target; from where to where it is clipped."""

    source: Segment
    target: Segment | Bounds | None
    start: float
    end: float


class _MeasuredPath(Path):
    """A path that knows how far it reaches, its control points and the circles of its arcs included."""

    __slots__ = ("box",)

    def __init__(self) -> None:
        super().__init__()
        self.box = Box(math.inf, math.inf, -math.inf, -math.inf)

    def _reach(self, x: float, y: float, radius: float = 0.0) -> None:
        left, top, right, bottom = self.box
        self.box = Box(min(left, x - radius), min(top, y - radius), max(right, x + radius), max(bottom, y + radius))

    def move(self, x: float, y: float) -> Self:
        self._reach(x, y)
        return super().move(x, y)

    def line(self, x: float, y: float) -> Self:
        self._reach(x, y)
        return super().line(x, y)

    def curve(  # noqa: PLR0917  (three places, as a canvas takes them)
        self, x1: float, y1: float, x2: float, y2: float, x: float, y: float
    ) -> Self:
        for place in ((x1, y1), (x2, y2), (x, y)):
            self._reach(*place)
        return super().curve(x1, y1, x2, y2, x, y)

    def arc(self, x: float, y: float, radius: float, start: float, end: float, *, is_backward: bool = False) -> Self:
        self._reach(x, y, radius)
        return super().arc(x, y, radius, start, end, is_backward=is_backward)


def _shape(track: Track, segment: Segment, around: _Around, colour: str) -> FilledArea | None:
    """Return a part of a line, filled by itself."""
    path = _MeasuredPath()
    trace(path, track.line, segment)
    return _area(path.close(), around.outer, colour=colour)


def _pieces_of(track: Track, target: _Circle | _Outline, around: _Around) -> Iterator[FilledArea]:
    points_left = _FEWEST_POINTS + _POINTS_A_POINT * (len(track.line.points) + target.size)
    for piece in target.pieces(track):
        points_left -= _size(piece.source, track.line) + target.size_of(piece) + 1
        if points_left < 0:
            return
        clip = around.cut(piece.start, piece.end)
        if clip.is_empty:
            continue
        path = _MeasuredPath()
        is_loop = trace(path, track.line, piece.source)
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


def _area(path: _MeasuredPath, clip: Box, *, colour: str = "", is_hole: bool = False) -> FilledArea | None:
    if path.is_empty or clip.is_empty:
        return None
    return FilledArea(
        data=path.data,
        colour=colour,
        fill_rule="evenodd" if is_hole else "nonzero",
        clip=None if clip.covers(path.box, _INSIDE) else clip,
    )


def _size(segment: Segment, line: LineMark) -> int:
    """Return how many points a part of a line has."""
    return (segment.end - segment.start) % len(line.points) + 1


def _bounds_of(line: LineMark, segment: Segment, axis: Axis) -> Bounds | None:
    """Return from where to where a part of a line goes; a whole loop has no bounds."""
    if segment.is_loop:
        return None
    start, end = line.points[segment.start], line.points[segment.end]
    if axis == "angle":
        return Bounds(axis, turned(start.angle), turned(end.angle))
    return Bounds(axis, start.x, end.x) if axis == "x" else Bounds(axis, start.y, end.y)


def _shared(bounds: Bounds | None, limits: Bounds | None) -> tuple[float, float]:
    """Return the greater beginning and the smaller end: what two ranges share, if both grow."""
    if bounds and limits:
        return max(bounds.start, limits.start), min(bounds.end, limits.end)
    either = bounds or limits
    return (either.start, either.end) if either else (0.0, 0.0)


# Halves


def _halves(target: _Circle | _Outline, area: Box, axis: Axis, fill: Fill) -> list[tuple[str, str | None]]:
    """Return the colours of the two sides of a target, and the path of each side; around a centre there is one side."""
    if axis == "angle":
        return [(fill.below, None)]
    if isinstance(target, _Circle):
        return []
    if axis == "x":
        sides = ((fill.above, area.top), (fill.below, area.bottom))
    else:
        sides = ((fill.below, area.left), (fill.above, area.right))
    return [(colour, _half(target.line, edge, axis)) for colour, edge in sides]


def _half(line: LineMark, edge: float, axis: Axis) -> str:
    """Return the path around all between a line and an edge of the chart's area."""
    path = Path()

    def draw_to_edge(point: PointMark) -> None:
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
