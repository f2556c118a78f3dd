"""Slices of pie and doughnut charts, as in Chart.js 4.

An offset moves a slice outward and enlarges it; spacing is subtracted at its sides. An inner border is clipped.
"""

import math
from dataclasses import dataclass
from typing import Literal, NamedTuple

from mdpublish_core.figures.charts.geometry import RIGHT_ANGLE, normalize_angle
from mdpublish_core.figures.charts.shapes.elements import ArcElement, Join
from mdpublish_core.figures.charts.shapes.paths import Path

# px by which an inner border overlaps the slice, to hide seams.
_SEAM = 0.33

# Minimum angle left after spacing, in radians.
_MIN_ANGLE = 0.001

# An angle this close to a full turn, in radians, is a full circle.
_FULL_CIRCLE_TOLERANCE = 1e-4

# Tolerance for rounding of a single slice's angle, in radians.
_FULL_CIRCLE_MARGIN = 1e-9

# More turns look the same.
_MAX_FULL_CIRCLES = 8

# px or radians; larger values are not drawn.
_MAX_VALUE = 1e9


class Clip(NamedTuple):
    """Path data and its fill rule."""

    data: str
    rule: Literal["nonzero", "evenodd"] = "nonzero"


@dataclass(frozen=True, slots=True, kw_only=True)
class SlicePaths:
    """`dx` and `dy` translate all paths; `border` is clipped to each of `clips`."""

    dx: float
    dy: float
    fills: tuple[str, ...]
    border: str | None
    border_width: float
    join: Join
    clips: tuple[Clip, ...] = ()


class _Slice(NamedTuple):
    """Radii in px and edge angles in radians, after spacing."""

    inner: float
    outer: float
    inner_start: float
    inner_end: float
    outer_start: float
    outer_end: float


def slice_paths(element: ArcElement, *, is_join_given: bool = True) -> SlicePaths | None:
    """Return None if nothing is visible.

    `is_join_given` (the author set `borderJoinStyle`) changes how a border joins itself.
    """
    if not _is_drawn(element):
        return None
    style = element.style
    offset = style.offset / 4
    middle = (element.start + element.end) / 2
    angle = element.angle_span or 0.0
    growth = offset * (1 - math.sin(min(math.pi, angle)))
    full_circles = int(angle / math.tau) if angle > math.tau + _FULL_CIRCLE_MARGIN else 0
    rest = element.start + (math.fmod(angle, math.tau) or math.tau) if full_circles else element.end
    fills = [_path(element, growth, rest).data]
    if full_circles:
        fills = [_path(element, growth, element.end).data] * min(full_circles, _MAX_FULL_CIRCLES) + fills
    has_border = style.stroke.width > 0
    return SlicePaths(
        dx=math.cos(middle) * offset,
        dy=math.sin(middle) * offset,
        fills=tuple(fills),
        border=fills[0] if has_border else None,
        border_width=style.stroke.width * (2 if style.has_inner_border else 1),
        join=style.stroke.join,
        clips=_clips(element, is_join_given=is_join_given) if has_border and not full_circles else (),
    )


def _is_drawn(element: ArcElement) -> bool:
    style = element.style
    numbers = (
        element.x,
        element.y,
        element.start,
        element.end,
        element.angle_span or 0.0,
        element.inner_radius,
        element.outer_radius,
    )
    if not all(abs(each) < _MAX_VALUE for each in (*numbers, style.offset, style.spacing, style.stroke.width)):
        return False
    return element.angle_span != 0 and element.inner_radius >= 0 and element.outer_radius >= 0


def _margin(element: ArcElement) -> float:
    return _SEAM if element.style.has_inner_border else 0.0


def _path(element: ArcElement, growth: float, end: float) -> Path:
    style = element.style
    margin, spacing = _margin(element), style.spacing / 2
    outer = max(element.outer_radius + spacing + growth - margin, 0.0)
    inner = max(element.inner_radius + spacing + growth + margin, 0.0) if element.inner_radius > 0 else 0.0
    if style.is_circular and style.joins_itself and abs(end - element.start) >= math.tau - _FULL_CIRCLE_TOLERANCE:
        return _ring(element, inner, outer)
    angle = end - element.start
    remaining_angle = max(_MIN_ANGLE, angle * outer - growth / math.pi) / outer if outer > 0 else _MIN_ANGLE
    inner, inner_trim, outer_trim = _apply_spacing(element, inner, outer, angle, remaining_angle)
    trim = (angle - remaining_angle) / 2
    shape = _Slice(
        inner=inner,
        outer=outer,
        inner_start=element.start + trim + inner_trim,
        inner_end=end - trim - inner_trim,
        outer_start=element.start + trim + outer_trim,
        outer_end=end - trim - outer_trim,
    )
    return _rounded(element, shape)


def _ring(element: ArcElement, inner: float, outer: float) -> Path:
    path = Path().arc(element.x, element.y, outer, element.start, element.start + math.tau)
    if inner > 0:
        path.move(element.x + math.cos(element.start) * inner, element.y + math.sin(element.start) * inner)
        path.arc(element.x, element.y, inner, element.start + math.tau, element.start, is_backward=True)
    return path.close()


def _apply_spacing(
    element: ArcElement, inner: float, outer: float, angle: float, remaining_angle: float
) -> tuple[float, float, float]:
    """Return the inner radius, and the angles subtracted at the inner and outer radius."""
    spacing = element.style.spacing / 2
    if not spacing:
        return inner, 0.0, 0.0
    max_trim = max(0.0, remaining_angle / 2 - _MIN_ANGLE)
    within = element.inner_radius - spacing if element.inner_radius > 0 else 0.0
    mean = (within + (outer - spacing if outer > 0 else 0.0)) / 2
    by_angle = _angle_at(mean, spacing) if mean > 0 else 0.0
    if element.style.spacing_mode == "parallel":
        return _parallel_spacing(spacing, inner, outer, max_trim, by_angle)
    if element.style.spacing_mode == "proportional":
        share = mean / (mean + spacing) if mean and mean + spacing else 1.0
        by_angle = (angle - angle * share) / 2
    trim = min(max_trim, by_angle)
    return inner, trim, trim


def _parallel_spacing(
    spacing: float, inner: float, outer: float, max_trim: float, by_angle: float
) -> tuple[float, float, float]:
    """Return angles that make the sides of adjacent slices parallel. May cut off the tip."""
    reach = math.sin(max_trim)
    if inner == 0 and reach > 0:
        inner = min(spacing / reach, max(0.0, outer - _MIN_ANGLE))
    for radius in (outer, inner):
        if radius > 0:
            spacing = min(spacing, radius * reach)
    outer_trim = _angle_at(outer, spacing) if outer > 0 else min(max_trim, by_angle)
    return inner, _angle_at(inner, spacing) if inner > 0 else outer_trim, outer_trim


def _angle_at(radius: float, length: float) -> float:
    return math.asin(max(-1.0, min(1.0, length / radius)))


def _rounded(element: ArcElement, shape: _Slice) -> Path:
    pen, corners = _Pen(element), _Corners(element, shape)
    if not element.style.is_circular:
        pen.path.move(element.x, element.y)
        pen.line(shape.outer, corners.outer_from)
        pen.line(shape.outer, corners.outer_to)
        return pen.path.close()
    pen.arc(shape.outer, corners.outer_from, corners.outer_to)
    distance, angle = shape.outer - corners.outer_end, corners.outer_to
    pen.corner(distance, angle, corners.outer_end, (angle, shape.outer_end + RIGHT_ANGLE))
    distance, angle = shape.inner + corners.inner_end, corners.inner_from
    pen.line(distance, shape.inner_end)
    pen.corner(distance, angle, corners.inner_end, (shape.inner_end + RIGHT_ANGLE, angle + math.pi))
    if shape.inner > 0:
        pen.arc(shape.inner, corners.inner_at_end, corners.inner_at_start, is_backward=True)
    distance, angle = shape.inner + corners.inner_start, corners.inner_to
    pen.corner(distance, angle, corners.inner_start, (angle + math.pi, shape.inner_start - RIGHT_ANGLE))
    distance, angle = shape.outer - corners.outer_start, corners.outer_from
    pen.line(distance, shape.outer_start)
    pen.corner(distance, angle, corners.outer_start, (shape.outer_start - RIGHT_ANGLE, angle))
    return pen.path.close()


class _Pen:
    def __init__(self, element: ArcElement) -> None:
        self._x, self._y = element.x, element.y
        self.path = Path()

    def line(self, distance: float, angle: float) -> None:
        self.path.line(*self._at(distance, angle))

    def arc(self, radius: float, start: float, end: float, *, is_backward: bool = False) -> None:
        """Draw two halves, since one arc is at most a full turn."""
        middle = (start + end) / 2
        self.path.arc(self._x, self._y, radius, start, middle, is_backward=is_backward)
        self.path.arc(self._x, self._y, radius, middle, end, is_backward=is_backward)

    def corner(self, distance: float, angle: float, radius: float, angles: tuple[float, float]) -> None:
        if radius > 0:
            self.path.arc(*self._at(distance, angle), radius, *angles)

    def _at(self, distance: float, angle: float) -> tuple[float, float]:
        return self._x + distance * math.cos(angle), self._y + distance * math.sin(angle)


class _Corners:
    """Corner radii clamped to the available space, and angles in radians."""

    def __init__(self, element: ArcElement, shape: _Slice) -> None:
        radii = element.style.corners
        angle = min(shape.outer_end - shape.outer_start, shape.inner_end - shape.inner_start)
        half = (shape.outer - shape.inner) / 2
        # The arc through the corner's center is shorter.
        self.outer_start, self.outer_end = (
            _clamp_radius(radius, half, (shape.outer - min(half, radius)) * angle / 2)
            for radius in (radii.outer_start, radii.outer_end)
        )
        self.inner_start, self.inner_end = (
            _clamp_radius(radius, half, angle * shape.inner / 2) for radius in (radii.inner_start, radii.inner_end)
        )
        self.outer_from = shape.outer_start + _arc_angle(self.outer_start, shape.outer - self.outer_start)
        self.outer_to = shape.outer_end - _arc_angle(self.outer_end, shape.outer - self.outer_end)
        self.inner_to = shape.inner_start + _arc_angle(self.inner_start, shape.inner + self.inner_start)
        self.inner_from = shape.inner_end - _arc_angle(self.inner_end, shape.inner + self.inner_end)
        self.inner_at_start = shape.inner_start + _arc_angle(self.inner_start, shape.inner)
        self.inner_at_end = shape.inner_end - _arc_angle(self.inner_end, shape.inner)


def _clamp_radius(radius: float, *limits: float) -> float:
    return max(0.0, min(radius, *limits))


def _arc_angle(length: float, radius: float) -> float:
    return length / radius if radius > 0 else 0.0


# Clips of borders


def _clips(element: ArcElement, *, is_join_given: bool) -> tuple[Clip, ...]:
    style = element.style
    angle = element.end - element.start
    is_whole_ring = abs(angle) >= math.tau - _FULL_CIRCLE_TOLERANCE and element.inner_radius > 0
    joins_itself = (
        style.joins_itself
        and not is_whole_ring
        and angle >= math.pi
        and not any(style.corners)
        and not (is_join_given and style.stroke.join == "miter")
    )
    clips: list[Clip] = []
    if style.has_inner_border:
        clips.append(Clip(_slice_clip(element).data))
    if joins_itself:
        clips.append(Clip(_self_join_clip(element, style.stroke.join if is_join_given else None).data, "evenodd"))
    return tuple(clips)


def _slice_clip(element: ArcElement) -> Path:
    margin = _margin(element)
    path = Path()
    more = _arc_angle(margin, element.outer_radius)
    path.arc(element.x, element.y, element.outer_radius, element.start - more, element.end + more)
    if element.inner_radius > margin:
        more = _arc_angle(margin, element.inner_radius)
        path.arc(element.x, element.y, element.inner_radius, element.end + more, element.start - more, is_backward=True)
    else:
        path.arc(element.x, element.y, margin, element.end + RIGHT_ANGLE, element.start - RIGHT_ANGLE)
    return path.close()


def _self_join_clip(element: ArcElement, join: str | None) -> Path:
    """Return all but the inside of the border, so that its ends do not cover the slice."""
    width, path = element.style.stroke.width, Path()
    x, y, start, end = element.x, element.y, element.start, element.end
    room = normalize_angle(start - end)
    less = min(_arc_angle(width, element.outer_radius), room) / 2
    path.arc(x, y, element.outer_radius - width / 2, start + less, end - less)
    if element.inner_radius > 0:
        less = min(_arc_angle(width, element.inner_radius), room) / 2
        path.arc(x, y, element.inner_radius + width / 2, end - less, start + less, is_backward=True)
    else:
        size = min(width / 2, element.outer_radius * room)
        if join == "round":
            path.arc(x, y, size, end - RIGHT_ANGLE, start + RIGHT_ANGLE, is_backward=True)
        elif join == "bevel":
            size = 2 * size * size
            path.line(x - size * math.cos(end + RIGHT_ANGLE), y - size * math.sin(end + RIGHT_ANGLE))
            path.line(x + size * math.cos(start + RIGHT_ANGLE), y + size * math.sin(start + RIGHT_ANGLE))
    path.close()
    reach = element.outer_radius + 2 * width + abs(element.style.offset) + abs(element.style.spacing) + 1
    return path.rectangle(x - reach, y - reach, 2 * reach, 2 * reach)
