"""The shapes of slices: parts of a pie or a ring, apart from each other, with round corners.

As Chart.js 4 draws them: an offset moves a slice from the centre and lets it grow, spacing is taken off at its sides. Where
borders stay inside, one of double width is clipped to the slice.
"""

import math
from dataclasses import dataclass
from typing import Literal, NamedTuple

from mdpublish_core.figures.charts.reckoning import RIGHT, turned
from mdpublish_core.figures.charts.shapes.marks import ArcMark, Join
from mdpublish_core.figures.charts.shapes.paths import Path

# An inner border reaches this far over the slice, in px, so that no seam shows between two borders.
_SEAM = 0.33

# What is left of a slice between its spacing, in radians.
_LEAST_ANGLE = 0.001

# Angles this much short of a turn, in radians, make a whole circle.
_NEARLY = 1e-4

# By this much, in radians, an angle must be beyond a turn to be more than one: that of a single slice is not exact.
_BEYOND = 1e-9

# A slice that goes around more often looks the same.
_MOST_TURNS = 8

# What is larger, in px or radians, is not drawn.
_FARTHEST = 1e9


class Clip(NamedTuple):
    """Path data that something is clipped to, and the rule by which it is filled."""

    data: str
    rule: Literal["nonzero", "evenodd"] = "nonzero"


@dataclass(frozen=True, slots=True, kw_only=True)
class SlicePaths:
    """What is painted of a slice, all of it moved by `dx` and `dy`.

    There is one path to fill, but several for a slice that goes around more than once. `border` is stroked with
    `border_width`, clipped to each of the clips; without a border it is None.
    """

    dx: float
    dy: float
    fills: tuple[str, ...]
    border: str | None
    border_width: float
    join: Join
    clips: tuple[Clip, ...] = ()


class _Slice(NamedTuple):
    """A slice as it is drawn: radii in px, angles in radians, those of its two edges."""

    inner: float
    outer: float
    inner_start: float
    inner_end: float
    outer_start: float
    outer_end: float


def slice_paths(mark: ArcMark, *, is_join_given: bool = True) -> SlicePaths | None:
    """Return the paths of a slice; None where nothing shows.

    `is_join_given` tells whether the author said how borders join: a slice that joins itself is clipped otherwise then.
    """
    if not _is_drawn(mark):
        return None
    style = mark.style
    offset = style.offset / 4
    middle = (mark.start + mark.end) / 2
    angle = mark.turn or 0.0
    growth = offset * (1 - math.sin(min(math.pi, angle)))
    turns = int(angle / math.tau) if angle > math.tau + _BEYOND else 0
    rest = mark.start + (math.fmod(angle, math.tau) or math.tau) if turns else mark.end
    fills = [_path(mark, growth, rest).data]
    if turns:
        fills = [_path(mark, growth, mark.end).data] * min(turns, _MOST_TURNS) + fills
    has_border = style.stroke.width > 0
    return SlicePaths(
        dx=math.cos(middle) * offset,
        dy=math.sin(middle) * offset,
        fills=tuple(fills),
        border=fills[0] if has_border else None,
        border_width=style.stroke.width * (2 if style.has_inner_border else 1),
        join=style.stroke.join,
        clips=_clips(mark, is_join_given=is_join_given) if has_border and not turns else (),
    )


def _is_drawn(mark: ArcMark) -> bool:
    style = mark.style
    numbers = (mark.x, mark.y, mark.start, mark.end, mark.turn or 0.0, mark.inner_radius, mark.outer_radius)
    if not all(abs(each) < _FARTHEST for each in (*numbers, style.offset, style.spacing, style.stroke.width)):
        return False
    return mark.turn != 0 and mark.inner_radius >= 0 and mark.outer_radius >= 0


def _margin(mark: ArcMark) -> float:
    return _SEAM if mark.style.has_inner_border else 0.0


def _path(mark: ArcMark, growth: float, end: float) -> Path:
    """Return the path of a slice up to an angle."""
    style = mark.style
    margin, spacing = _margin(mark), style.spacing / 2
    outer = max(mark.outer_radius + spacing + growth - margin, 0.0)
    inner = max(mark.inner_radius + spacing + growth + margin, 0.0) if mark.inner_radius > 0 else 0.0
    if style.is_circular and style.joins_itself and abs(end - mark.start) >= math.tau - _NEARLY:
        return _ring(mark, inner, outer)
    angle = end - mark.start
    kept = max(_LEAST_ANGLE, angle * outer - growth / math.pi) / outer if outer > 0 else _LEAST_ANGLE
    inner, inner_trim, outer_trim = _spaced(mark, inner, outer, angle, kept)
    trim = (angle - kept) / 2
    shape = _Slice(
        inner=inner,
        outer=outer,
        inner_start=mark.start + trim + inner_trim,
        inner_end=end - trim - inner_trim,
        outer_start=mark.start + trim + outer_trim,
        outer_end=end - trim - outer_trim,
    )
    return _rounded(mark, shape)


def _ring(mark: ArcMark, inner: float, outer: float) -> Path:
    """Return a whole circle, without a seam; with a hole if it has one."""
    path = Path().arc(mark.x, mark.y, outer, mark.start, mark.start + math.tau)
    if inner > 0:
        path.move(mark.x + math.cos(mark.start) * inner, mark.y + math.sin(mark.start) * inner)
        path.arc(mark.x, mark.y, inner, mark.start + math.tau, mark.start, is_backward=True)
    return path.close()


def _spaced(mark: ArcMark, inner: float, outer: float, angle: float, kept: float) -> tuple[float, float, float]:
    """Return the inner radius, and the angles that spacing takes off at each side, within and without.

    `kept` is what an offset leaves of the slice's angle.
    """
    spacing = mark.style.spacing / 2
    if not spacing:
        return inner, 0.0, 0.0
    most = max(0.0, kept / 2 - _LEAST_ANGLE)
    within = mark.inner_radius - spacing if mark.inner_radius > 0 else 0.0
    mean = (within + (outer - spacing if outer > 0 else 0.0)) / 2
    by_angle = _angle_at(mean, spacing) if mean > 0 else 0.0
    if mark.style.spacing_mode == "parallel":
        return _parallel(spacing, inner, outer, most, by_angle)
    if mark.style.spacing_mode == "proportional":
        share = mean / (mean + spacing) if mean and mean + spacing else 1.0
        by_angle = (angle - angle * share) / 2
    trim = min(most, by_angle)
    return inner, trim, trim


def _parallel(spacing: float, inner: float, outer: float, most: float, by_angle: float) -> tuple[float, float, float]:
    """Take off as much at each radius as makes the sides of two slices parallel; a tip is cut off for that."""
    reach = math.sin(most)
    if inner == 0 and reach > 0:
        inner = min(spacing / reach, max(0.0, outer - _LEAST_ANGLE))
    for radius in (outer, inner):
        if radius > 0:
            spacing = min(spacing, radius * reach)
    outer_trim = _angle_at(outer, spacing) if outer > 0 else min(most, by_angle)
    return inner, _angle_at(inner, spacing) if inner > 0 else outer_trim, outer_trim


def _angle_at(radius: float, length: float) -> float:
    return math.asin(max(-1.0, min(1.0, length / radius)))


def _rounded(mark: ArcMark, shape: _Slice) -> Path:
    """Return the path of a slice with its corners: around outside, to the inside, back around, and out again."""
    pen, corners = _Pen(mark), _Corners(mark, shape)
    if not mark.style.is_circular:
        pen.path.move(mark.x, mark.y)
        pen.line(shape.outer, corners.outer_from)
        pen.line(shape.outer, corners.outer_to)
        return pen.path.close()
    pen.arc(shape.outer, corners.outer_from, corners.outer_to)
    distance, angle = shape.outer - corners.outer_end, corners.outer_to
    pen.corner(distance, angle, corners.outer_end, (angle, shape.outer_end + RIGHT))
    distance, angle = shape.inner + corners.inner_end, corners.inner_from
    pen.line(distance, shape.inner_end)
    pen.corner(distance, angle, corners.inner_end, (shape.inner_end + RIGHT, angle + math.pi))
    if shape.inner > 0:
        pen.arc(shape.inner, corners.inner_at_end, corners.inner_at_start, is_backward=True)
    distance, angle = shape.inner + corners.inner_start, corners.inner_to
    pen.corner(distance, angle, corners.inner_start, (angle + math.pi, shape.inner_start - RIGHT))
    distance, angle = shape.outer - corners.outer_start, corners.outer_from
    pen.line(distance, shape.outer_start)
    pen.corner(distance, angle, corners.outer_start, (shape.outer_start - RIGHT, angle))
    return pen.path.close()


class _Pen:
    """Draws around the centre of a slice."""

    def __init__(self, mark: ArcMark) -> None:
        self._x, self._y = mark.x, mark.y
        self.path = Path()

    def line(self, distance: float, angle: float) -> None:
        self.path.line(*self._at(distance, angle))

    def arc(self, radius: float, start: float, end: float, *, is_backward: bool = False) -> None:
        """Draw an arc in two halves: what goes around more than once is drawn as often."""
        middle = (start + end) / 2
        self.path.arc(self._x, self._y, radius, start, middle, is_backward=is_backward)
        self.path.arc(self._x, self._y, radius, middle, end, is_backward=is_backward)

    def corner(self, distance: float, angle: float, radius: float, turn: tuple[float, float]) -> None:
        """Draw a round corner, from one angle to another, around a place at a distance in a direction."""
        if radius > 0:
            self.path.arc(*self._at(distance, angle), radius, *turn)

    def _at(self, distance: float, angle: float) -> tuple[float, float]:
        return self._x + distance * math.cos(angle), self._y + distance * math.sin(angle)


class _Corners:
    """The radii of a slice's corners as far as there is room for them, and at which angles they are.

    `outer_from` and `outer_to` are those of the middles of the outer circles, `inner_to` and `inner_from` of the inner ones,
    `inner_at_start` and `inner_at_end` those where the inner arc ends.
    """

    def __init__(self, mark: ArcMark, shape: _Slice) -> None:
        asked = mark.style.corners
        angle = min(shape.outer_end - shape.outer_start, shape.inner_end - shape.inner_start)
        half = (shape.outer - shape.inner) / 2
        # A corner's circle stands nearer to the centre than the arc: what counts is how long that is there.
        self.outer_start, self.outer_end = (
            _limited(radius, half, (shape.outer - min(half, radius)) * angle / 2)
            for radius in (asked.outer_start, asked.outer_end)
        )
        self.inner_start, self.inner_end = (
            _limited(radius, half, angle * shape.inner / 2) for radius in (asked.inner_start, asked.inner_end)
        )
        self.outer_from = shape.outer_start + _share(self.outer_start, shape.outer - self.outer_start)
        self.outer_to = shape.outer_end - _share(self.outer_end, shape.outer - self.outer_end)
        self.inner_to = shape.inner_start + _share(self.inner_start, shape.inner + self.inner_start)
        self.inner_from = shape.inner_end - _share(self.inner_end, shape.inner + self.inner_end)
        self.inner_at_start = shape.inner_start + _share(self.inner_start, shape.inner)
        self.inner_at_end = shape.inner_end - _share(self.inner_end, shape.inner)


def _limited(radius: float, *most: float) -> float:
    return max(0.0, min(radius, *most))


def _share(length: float, radius: float) -> float:
    """Return the angle of an arc of a length."""
    return length / radius if radius > 0 else 0.0


# Clips of borders


def _clips(mark: ArcMark, *, is_join_given: bool) -> tuple[Clip, ...]:
    """Return what the border of a slice is clipped to."""
    style = mark.style
    angle = mark.end - mark.start
    is_whole_ring = abs(angle) >= math.tau - _NEARLY and mark.inner_radius > 0
    joins_itself = (
        style.joins_itself
        and not is_whole_ring
        and angle >= math.pi
        and not any(style.corners)
        and not (is_join_given and style.stroke.join == "miter")
    )
    clips: list[Clip] = []
    if style.has_inner_border:
        clips.append(Clip(_inside(mark).data))
    if joins_itself:
        clips.append(Clip(_beside(mark, style.stroke.join if is_join_given else None).data, "evenodd"))
    return tuple(clips)


def _inside(mark: ArcMark) -> Path:
    """Return the path of the slice alone, a seam wider than it is."""
    margin = _margin(mark)
    path = Path()
    more = _share(margin, mark.outer_radius)
    path.arc(mark.x, mark.y, mark.outer_radius, mark.start - more, mark.end + more)
    if mark.inner_radius > margin:
        more = _share(margin, mark.inner_radius)
        path.arc(mark.x, mark.y, mark.inner_radius, mark.end + more, mark.start - more, is_backward=True)
    else:
        path.arc(mark.x, mark.y, margin, mark.end + RIGHT, mark.start - RIGHT)
    return path.close()


def _beside(mark: ArcMark, join: str | None) -> Path:
    """Return the path of all but what is within the slice's border, so that its ends don't show on the slice itself."""
    width, path = mark.style.stroke.width, Path()
    x, y, start, end = mark.x, mark.y, mark.start, mark.end
    room = turned(start - end)
    less = min(_share(width, mark.outer_radius), room) / 2
    path.arc(x, y, mark.outer_radius - width / 2, start + less, end - less)
    if mark.inner_radius > 0:
        less = min(_share(width, mark.inner_radius), room) / 2
        path.arc(x, y, mark.inner_radius + width / 2, end - less, start + less, is_backward=True)
    else:
        size = min(width / 2, mark.outer_radius * room)
        if join == "round":
            path.arc(x, y, size, end - RIGHT, start + RIGHT, is_backward=True)
        elif join == "bevel":
            size = 2 * size * size
            path.line(x - size * math.cos(end + RIGHT), y - size * math.sin(end + RIGHT))
            path.line(x + size * math.cos(start + RIGHT), y + size * math.sin(start + RIGHT))
    path.close()
    reach = mark.outer_radius + 2 * width + abs(mark.style.offset) + abs(mark.style.spacing) + 1
    return path.rectangle(x - reach, y - reach, 2 * reach, 2 * reach)
