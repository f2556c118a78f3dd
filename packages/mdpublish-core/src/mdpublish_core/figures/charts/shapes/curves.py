"""Lines: their control points, as in Chart.js 4, and their paths.

`tension`: https://scaledinnovation.com/analytics/splines/aboutSplines.html; monotone curves, which never
overshoot: https://en.wikipedia.org/wiki/Monotone_cubic_interpolation
"""

import math
from collections.abc import Sequence
from itertools import pairwise
from typing import Literal

from mdpublish_core.figures.boxes import Box
from mdpublish_core.figures.charts.geometry import sign
from mdpublish_core.figures.charts.shapes.elements import LineElement, LineStyle, PointElement, Segment
from mdpublish_core.figures.charts.shapes.paths import Path
from mdpublish_core.figures.charts.shapes.segments import is_gap

# A smaller slope is treated as 0.
_LEVEL = 2.0**-52

# Longer tangents, relative to the slope, would overshoot.
_STEEPEST = 3.0


def compute_control_points(
    line: LineElement, area: Box, *, index_axis: Literal["x", "y"] = "x", spans_gaps: bool = False
) -> None:
    """Set the control points of a curved line.

    `spans_gaps` includes gaps spanned only up to a certain width.
    """
    if not line.style.is_curved:
        return
    spans_gaps = spans_gaps or line.style.spans_all_gaps
    points = [point for point in line.points if not is_gap(point)] if spans_gaps else line.points
    for point in points:
        point.before_x = point.after_x = point.x
        point.before_y = point.after_y = point.y
    # A loop is not monotone along any axis. Chart.js draws straight lines.
    if line.style.is_monotone and not line.is_loop:
        for run in _runs(points):
            _curve_monotone(run, is_upright=index_axis == "y")
    else:
        _curve_by_tension(points, line.style.tension, is_loop=line.is_loop if spans_gaps else line.is_whole_loop)
    if line.style.caps_curves:
        _cap_control_points(points, area)


def _curve_by_tension(points: Sequence[PointElement], tension: float, *, is_loop: bool) -> None:
    last = len(points) - 1
    for number, point in enumerate(points):
        if is_gap(point):
            continue
        before = points[number - 1] if number else points[last if is_loop else 0]
        after = points[number + 1] if number < last else points[0 if is_loop else last]
        _set_control_points(point, point if is_gap(before) else before, point if is_gap(after) else after, tension)


def _set_control_points(point: PointElement, before: PointElement, after: PointElement, tension: float) -> None:
    to_before = math.hypot(point.x - before.x, point.y - before.y)
    to_after = math.hypot(point.x - after.x, point.y - after.y)
    whole = to_before + to_after
    if not 0 < whole < math.inf:
        return
    x, y = after.x - before.x, after.y - before.y
    share = tension * to_before / whole
    point.before_x, point.before_y = point.x - share * x, point.y - share * y
    share = tension * to_after / whole
    point.after_x, point.after_y = point.x + share * x, point.y + share * y


def _runs(points: Sequence[PointElement]) -> list[list[PointElement]]:
    runs: list[list[PointElement]] = [[]]
    for point in points:
        if not is_gap(point):
            runs[-1].append(point)
        elif runs[-1]:
            runs.append([])
    return runs


def _curve_monotone(points: Sequence[PointElement], *, is_upright: bool) -> None:
    along = [point.y if is_upright else point.x for point in points]
    across = [point.x if is_upright else point.y for point in points]
    tangents = _tangents(_slopes(along, across))
    for number, (before, after) in enumerate(pairwise(points)):
        third = (along[number + 1] - along[number]) / 3
        x = along[number] + third
        y = across[number] + third * tangents[number]
        before.after_x, before.after_y = (y, x) if is_upright else (x, y)
        x = along[number + 1] - third
        y = across[number + 1] - third * tangents[number + 1]
        after.before_x, after.before_y = (y, x) if is_upright else (x, y)


def _slopes(along: Sequence[float], across: Sequence[float]) -> list[float]:
    """Return the slope after each point; 0 between coinciding points."""
    return [
        (after - before) / (end - start) if end != start else 0.0
        for (start, end), (before, after) in zip(pairwise(along), pairwise(across), strict=True)
    ]


def _tangents(slopes: Sequence[float]) -> list[float]:
    if not slopes:
        return []
    means = [(before + after) / 2 if sign(before) == sign(after) else 0.0 for before, after in pairwise(slopes)]
    tangents = [slopes[0], *means, slopes[-1]]
    for number, slope in enumerate(slopes):
        if abs(slope) < _LEVEL:
            tangents[number] = tangents[number + 1] = 0.0
            continue
        size = math.hypot(tangents[number] / slope, tangents[number + 1] / slope)
        if size > _STEEPEST:
            tangents[number] *= _STEEPEST / size
            tangents[number + 1] *= _STEEPEST / size
    return tangents


def _cap_control_points(points: Sequence[PointElement], area: Box) -> None:
    inside = [area.contains_point(point.x, point.y) for point in points]
    for (before, after), are_inside in zip(pairwise(points), map(all, pairwise(inside)), strict=True):
        if are_inside:
            before.after_x = max(min(before.after_x, area.right), area.left)
            before.after_y = max(min(before.after_y, area.bottom), area.top)
            after.before_x = max(min(after.before_x, area.right), area.left)
            after.before_y = max(min(after.before_y, area.bottom), area.top)


def line_path(line: LineElement) -> Path:
    """Draw a line with `segments` and, if curved, control points."""
    path = Path()
    is_closed = line.is_loop
    for segment in line.segments:
        is_closed &= trace(path, line, segment)
    return path.close() if is_closed else path


def trace(
    path: Path, line: LineElement, segment: Segment, *, is_joined: bool = False, is_backward: bool = False
) -> bool:
    """Draw a segment; return whether it is a closed loop.

    If `is_joined`, it continues from the current point. In a loop, `end` may be less than `start`.
    """
    points = _points_along(line, segment)
    if is_backward:
        points.reverse()
    if _is_decimated(line):
        _trace_columns(path, points, is_joined=is_joined)
        return False
    before: PointElement | None = None
    for point in points:
        if before or is_joined:
            _draw_to(path, before, point, line.style, is_backward=is_backward)
        else:
            path.move(point.x, point.y)
        before = point
    if segment.is_loop and points:
        _draw_to(path, before, points[0], line.style, is_backward=is_backward)
    return segment.is_loop


def _points_along(line: LineElement, segment: Segment) -> list[PointElement]:
    points, (start, end, _) = line.points, segment
    part = points[start : end + 1] if end >= start else points[start:] + points[: end + 1]
    return [point for point in part if not is_gap(point)]


def _is_decimated(line: LineElement) -> bool:
    style = line.style
    return not (line.is_loop or style.is_curved or style.step or style.stroke.dash)


def _trace_columns(path: Path, points: list[PointElement], *, is_joined: bool) -> None:
    if points and not is_joined:
        path.move(points[0].x, points[0].y)
    column: int | None = None
    middle = top = bottom = last = 0.0
    count = 0
    for point in points:
        if int(point.x) == column:
            top, bottom = min(top, point.y), max(bottom, point.y)
            middle = (count * middle + point.x) / (count + 1)
            count += 1
        else:
            if top != bottom:
                path.line(middle, bottom).line(middle, top).line(middle, last)
            path.line(point.x, point.y)
            column = int(point.x)
            middle, count = point.x, 0
            top = bottom = point.y
        last = point.y
    if top != bottom:
        path.line(middle, bottom).line(middle, top).line(middle, last)


def _draw_to(
    path: Path, before: PointElement | None, point: PointElement, style: LineStyle, *, is_backward: bool
) -> None:
    if before is None:
        path.line(point.x, point.y)
    elif style.step:
        _step_to(path, before, point, style, is_backward=is_backward)
    elif not style.is_curved:
        path.line(point.x, point.y)
    elif is_backward:
        path.curve(before.before_x, before.before_y, point.after_x, point.after_y, point.x, point.y)
    else:
        path.curve(before.after_x, before.after_y, point.before_x, point.before_y, point.x, point.y)


def _step_to(path: Path, before: PointElement, point: PointElement, style: LineStyle, *, is_backward: bool) -> None:
    if style.step == "middle":
        middle = (before.x + point.x) / 2
        path.line(middle, before.y).line(middle, point.y)
    elif (style.step == "after") != is_backward:
        path.line(before.x, point.y)
    else:
        path.line(point.x, before.y)
    path.line(point.x, point.y)
