"""Paths of lines: straight, stepped or curved.

Of the points in a column of pixels, only the first, lowest, highest and last are drawn, as in Chart.js 4.
"""

from mdpublish_core.figures.charts.shapes.elements import LineElement, LineStyle, PointElement, Segment
from mdpublish_core.figures.charts.shapes.paths import Path
from mdpublish_core.figures.charts.shapes.segments import is_gap


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
