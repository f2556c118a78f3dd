"""Line segments between gaps, as in Chart.js 4, including the gaps it spans by mistake.

Filling a line can query it once for each segment of another line; on monotone lines, `LineIndex` uses binary search.
"""

import math
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from typing import Literal, NamedTuple

from mdpublish_core.figures.charts.geometry import is_between_angles, normalize_angle
from mdpublish_core.figures.charts.shapes.elements import LineElement, LineStyle, PointElement, Segment

Axis = Literal["x", "y", "angle"]

# px; closer coordinates are equal.
_EPSILON = 1e-6

# px, slightly above `_EPSILON`.
_MARGIN = 2e-6

# A monotone line needs 5 steps per point, others up to the square. The minimum allows a radar of 360 points with gaps.
_MIN_STEPS = 150_000
_STEPS_PER_POINT = 6

# Cost of a query that finds nothing.
_STEPS_PER_MISS = 4


class Bounds(NamedTuple):
    """A range, in either order; angles go clockwise."""

    axis: Axis
    start: float
    end: float


def is_gap(point: PointElement) -> bool:
    return point.is_skipped or not (math.isfinite(point.x) and math.isfinite(point.y))


def segments_of(line: LineElement, *, spans_gaps: bool = False) -> list[Segment]:
    """Split a line at its gaps.

    `spans_gaps` includes gaps spanned only up to a certain width.
    """
    gaps = [is_gap(point) for point in line.points]
    if all(gaps):
        return []
    spans_all = line.style.spans_all_gaps
    start, end = _ends(gaps, is_loop=line.is_loop, spans_gaps=spans_gaps or spans_all)
    if spans_all:
        return [Segment(start, end, line.is_loop)]
    count = len(gaps)
    is_whole = line.is_whole_loop and start == 0 and end == count - 1
    return _split_at_gaps(line.points, gaps, range(start, (end if end >= start else end + count) + 1), is_loop=is_whole)


def _ends(gaps: Sequence[bool], *, is_loop: bool, spans_gaps: bool) -> tuple[int, int]:
    """Return the first and last index. A loop with gaps begins after the first of them."""
    count = len(gaps)
    start = 0
    if is_loop and not spans_gaps:
        while start < count and not gaps[start]:
            start += 1
    while start < count and gaps[start]:
        start += 1
    start %= count
    end = count - 1 + (start if is_loop else 0)
    while end > start and gaps[end % count]:
        end -= 1
    return start, end % count


def _split_at_gaps(
    points: Sequence[PointElement], gaps: Sequence[bool], numbers: range, *, is_loop: bool
) -> list[Segment]:
    count = len(points)
    segments: list[Segment] = []
    start: int | None = numbers.start
    last: int | None = numbers.start
    was_gap = gaps[numbers.start]
    for number in numbers[1:]:
        index = number % count
        starts_segment = points[index].starts_segment
        if gaps[index] or starts_segment:
            if not was_gap:
                is_loop = False
                segments.append(Segment((start or 0) % count, (number - 1) % count))
                start = last = number if starts_segment else None
        else:
            last = number
            if was_gap:
                start = number
        was_gap = gaps[index]
    if last is not None and not gaps[last % count]:
        # Chart.js ignores `starts_segment` after a gap.
        segments.append(Segment((start or 0) % count, last % count, is_loop))
    return segments


def clip_segment(segment: Segment, points: Sequence[PointElement], bounds: Bounds) -> list[Segment]:
    """Clip a segment, keeping one point beyond each bound."""
    part = _unrolled(segment, points, bounds)
    return _to_segments(_parts(_steps(part, points, bounds.axis), bounds, part.start), part, points)


class _MonotoneIndex(NamedTuple):
    """Coordinates of a monotone line, without repeated values."""

    sign: int  # 1 if ascending, else -1
    numbers: Sequence[int]
    values: Sequence[float]  # multiplied by `sign`
    slices: Sequence[tuple[int, int]]  # of `values`, one per segment
    starts: Sequence[float]
    ends: Sequence[float]

    def span(self, bounds: Bounds) -> tuple[float, float]:
        start, end = self.sign * bounds.start, self.sign * bounds.end
        return min(start, end) - _MARGIN, max(start, end) + _MARGIN

    def near(self, bounds: Bounds) -> range:
        minimum, maximum = self.span(bounds)
        return range(bisect_left(self.ends, minimum), bisect_right(self.starts, maximum))

    def window(self, number: int, bounds: Bounds) -> range:
        first, end = self.slices[number]
        minimum, maximum = self.span(bounds)
        start = max(bisect_left(self.values, minimum, first, end) - 1, first)
        return range(start, min(bisect_right(self.values, maximum, first, end) + 1, end))


@dataclass(slots=True)
class StepBudget:
    """The number of points that may still be visited."""

    remaining: int

    @classmethod
    def for_points(cls, number: int) -> "StepBudget":
        return cls(max(_MIN_STEPS, _STEPS_PER_POINT * number))


class LineIndex:
    """Repeated lookups along one axis of a line that does not change.

    A line that is not monotone is scanned in full each time. Once the budget is used up, nothing is found.
    """

    def __init__(self, line: LineElement, axis: Axis, budget: StepBudget | None = None) -> None:
        self.line = line
        self.axis = axis
        self._budget = budget or StepBudget.for_points(len(line.points))

    @cached_property
    def _monotone_index(self) -> _MonotoneIndex | None:
        return _build_monotone_index(self.line, self.axis)

    def parts(self, bounds: Bounds | None) -> list[Segment]:
        if bounds is None:
            return list(self.line.segments)
        return [part for number in self._near(bounds) for part in self.parts_of(number, bounds)]

    def parts_of(self, number: int, bounds: Bounds | None) -> list[Segment]:
        segment, points = self.line.segments[number], self.line.points
        if bounds is None:
            return [segment]
        if self._budget.remaining <= 0:
            return []
        if self._monotone_index is None:
            self._budget.remaining -= (
                len(points) if segment.is_loop else (segment.end - segment.start) % len(points) + 1
            )
            return clip_segment(segment, points, bounds)
        monotone_index = self._monotone_index
        window = monotone_index.window(number, bounds)
        self._budget.remaining -= len(window) + 1
        steps = ((monotone_index.numbers[each], monotone_index.sign * monotone_index.values[each]) for each in window)
        return _to_segments(_parts(steps, bounds, segment.start), segment, points)

    def segment_at(self, value: float) -> Segment | None:
        for number in self._near(Bounds(self.axis, value, value)):
            segment = self.line.segments[number]
            self._budget.remaining -= 1
            if _is_between(value, *self._ends(segment)):
                return segment
        return None

    def point_at(self, value: float) -> PointElement | None:
        """Interpolate; None if no or several points are at a coordinate."""
        parts = self.parts(Bounds(self.axis, value, value)) if math.isfinite(value) else []
        if len(parts) != 1:
            return None
        start, end = self.line.points[parts[0].start], self.line.points[parts[0].end]
        if start is end:
            return start
        before, after = self._ends(parts[0])
        if before == after:
            return None
        x, y = _interpolate(start, end, abs((value - before) / (after - before)), self.line.style)
        if self.axis == "angle":
            return PointElement(x, y, angle=value)
        return PointElement(value, y) if self.axis == "x" else PointElement(x, value)

    def _near(self, bounds: Bounds) -> range:
        if self._budget.remaining <= 0:
            return range(0)
        near = self._monotone_index.near(bounds) if self._monotone_index else range(len(self.line.segments))
        if not near:
            self._budget.remaining -= _STEPS_PER_MISS
        return near

    def _ends(self, segment: Segment) -> tuple[float, float]:
        points = self.line.points
        return _coordinate(points[segment.start], self.axis), _coordinate(points[segment.end], self.axis)


def _build_monotone_index(line: LineElement, axis: Axis) -> _MonotoneIndex | None:
    if axis == "angle" or any(each.is_loop or each.end < each.start for each in line.segments):
        return None
    numbers: list[int] = []
    values: list[float] = []
    slices: list[tuple[int, int]] = []
    for segment in line.segments:
        first = len(numbers)
        before = math.nan
        for number in range(segment.start, segment.end + 1):
            value = _coordinate(line.points[number], axis)
            if value != before and not is_gap(line.points[number]):
                numbers.append(number)
                values.append(value)
                before = value
        slices.append((first, len(numbers)))
    if all(before <= after for before, after in pairwise(values)):
        sign = 1
    elif all(before >= after for before, after in pairwise(values)):
        sign = -1
        values = [-value for value in values]
    else:
        return None
    starts = [values[first] for first, _ in slices]
    ends = [values[end - 1] for _, end in slices]
    return _MonotoneIndex(sign, numbers, values, slices, starts, ends)


def _unrolled(segment: Segment, points: Sequence[PointElement], bounds: Bounds) -> Segment:
    """Unroll to `end >= start`, and rotate a loop to begin outside the bounds."""
    count = len(points)
    start, end, is_loop = segment
    if is_loop:
        back = 0
        while back < count and _is_within(_comparable(points[(start - back) % count], bounds.axis), bounds):
            back += 1
        start, end = (start - back) % count, (end - back) % count
    return Segment(start, end + count if end < start else end, is_loop)


def _steps(segment: Segment, points: Sequence[PointElement], axis: Axis) -> Iterator[tuple[int, float]]:
    count = len(points)
    for number in range(segment.start, segment.end + 1):
        point = points[number % count]
        if not is_gap(point):
            yield number, _comparable(point, axis)


def _parts(steps: Iterable[tuple[int, float]], bounds: Bounds, last: int) -> list[tuple[int, int | None]]:
    """Return ranges of indexes; the last one may have no end."""
    axis, start, end = bounds
    ranges: list[tuple[int, int | None]] = []
    first: int | None = None
    before = math.nan
    for number, value in steps:
        if value == before:
            continue
        is_inside = _is_within(value, bounds)
        if first is None and (
            is_inside or (_is_passed(axis, start, before, value) and _distance(axis, start, before) != 0)
        ):
            first = number if _distance(axis, value, start) == 0 else last
        if first is not None and (
            not is_inside or _distance(axis, end, value) == 0 or _is_passed(axis, end, before, value)
        ):
            ranges.append((first, number))
            first = None
        last, before = number, value
    if first is not None:
        ranges.append((first, None))
    return ranges


def _to_segments(
    parts: Iterable[tuple[int, int | None]], segment: Segment, points: Sequence[PointElement]
) -> list[Segment]:
    count = len(points)
    segments: list[Segment] = []
    for start, end in parts:
        last = segment.end if end is None else end
        segments.append(Segment(start % count, last % count, segment.is_loop and (last - start + 1) % count == 0))
    return segments


def _coordinate(point: PointElement, axis: Axis) -> float:
    if axis == "x":
        return point.x
    return point.y if axis == "y" else point.angle


def _comparable(point: PointElement, axis: Axis) -> float:
    return normalize_angle(point.angle) if axis == "angle" else _coordinate(point, axis)


def _is_within(value: float, bounds: Bounds) -> bool:
    return _is_passed(bounds.axis, value, bounds.start, bounds.end)


def _is_passed(axis: Axis, value: float, start: float, end: float) -> bool:
    return is_between_angles(value, start, end) if axis == "angle" else _is_between(value, start, end)


def _distance(axis: Axis, one: float, other: float) -> float:
    gap = one - other
    if axis != "angle":
        return gap
    return math.nan if math.isinf(gap) else math.fmod(gap + math.tau + math.pi, math.tau) - math.pi


def _is_between(value: float, start: float, end: float) -> bool:
    if start > end:
        start, end = end, start
    return start - _EPSILON <= value <= end + _EPSILON


def _interpolate(start: PointElement, end: PointElement, share: float, style: LineStyle) -> tuple[float, float]:
    x = start.x + share * (end.x - start.x)
    if style.step:
        is_past = {"before": share > 0, "middle": share >= 0.5, "after": share >= 1}[style.step]
        return x, end.y if is_past else start.y
    if style.is_curved:
        return (
            _bezier_coordinate((start.x, start.after_x, end.before_x, end.x), share),
            _bezier_coordinate((start.y, start.after_y, end.before_y, end.y), share),
        )
    return x, start.y + share * (end.y - start.y)


def _bezier_coordinate(controls: Sequence[float], share: float) -> float:
    while len(controls) > 1:
        controls = [before + share * (after - before) for before, after in pairwise(controls)]
    return controls[0]
