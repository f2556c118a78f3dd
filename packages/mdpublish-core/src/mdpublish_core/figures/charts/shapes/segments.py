"""The parts of a line between its gaps, what of them lies within bounds, and where a line is at a coordinate.

As Chart.js 4 sees them, down to the gaps that it spans by mistake. A part may be looked for once for each of another line's
parts: a `LineIndex` finds it without going along the whole line, where the line goes one way.
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

# Coordinates closer than this, in px, are the same.
_EPSILON = 1e-6

# A little more than that: what is farther than this from a bound cannot be at it.
_MARGIN = 2e-6

# Points that are looked at, at least and for each of a chart's own. A line that goes one way needs five for each; one that
# goes to and fro can need the square of them: a radar of a turn's degrees may have gaps all the same.
_MIN_STEPS = 150_000
_STEPS_PER_POINT = 6

# How many points could be looked at while a line is asked for a place where it is not.
_STEPS_PER_MISS = 4


class Bounds(NamedTuple):
    """What is looked at of a line: from one coordinate to another, which may be the smaller one; angles go clockwise."""

    axis: Axis
    start: float
    end: float


def is_gap(point: PointElement) -> bool:
    """Tell whether no line goes through a point: it is skipped, or nowhere."""
    return point.is_skipped or not (math.isfinite(point.x) and math.isfinite(point.y))


def segments_of(line: LineElement, *, spans_gaps: bool = False) -> list[Segment]:
    """Return the parts of a line that are drawn without lifting the pen; none where all points are gaps.

    `spans_gaps` tells that an author asked for gaps to be spanned at all, even if not all of them are.
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
    """Return the numbers of a line's first and last point; a loop with gaps begins after the first of them."""
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
    """Return the parts of a line between gaps, and before points at which it begins anew."""
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
        # A point after a gap that begins anew was never taken for a start: Chart.js goes on from the first of all.
        segments.append(Segment((start or 0) % count, last % count, is_loop))
    return segments


def clip_segment(segment: Segment, points: Sequence[PointElement], bounds: Bounds) -> list[Segment]:
    """Return what of a part lies within bounds, from the last point before them to the first one after."""
    part = _unrolled(segment, points, bounds)
    return _to_segments(_parts(_steps(part, points, bounds.axis), bounds, part.start), part, points)


class _MonotoneIndex(NamedTuple):
    """Where a line's points are that goes one way, but those that stand where the last one stood."""

    sign: int
    """1 if coordinates grow along the line, else -1."""
    numbers: Sequence[int]
    values: Sequence[float]
    """Coordinates, turned so that they grow."""
    slices: Sequence[tuple[int, int]]
    """Which of them are of each part of the line."""
    starts: Sequence[float]
    """The least coordinate of each part."""
    ends: Sequence[float]
    """The greatest one."""

    def span(self, bounds: Bounds) -> tuple[float, float]:
        """Return the least and the most of the bounds, turned as the values are, with a margin."""
        start, end = self.sign * bounds.start, self.sign * bounds.end
        return min(start, end) - _MARGIN, max(start, end) + _MARGIN

    def near(self, bounds: Bounds) -> range:
        """Return the numbers of the parts that may lie within bounds."""
        minimum, maximum = self.span(bounds)
        return range(bisect_left(self.ends, minimum), bisect_right(self.starts, maximum))

    def window(self, number: int, bounds: Bounds) -> range:
        """Return which points of a part count: from the last one before the bounds to the first one after them."""
        first, end = self.slices[number]
        minimum, maximum = self.span(bounds)
        start = max(bisect_left(self.values, minimum, first, end) - 1, first)
        return range(start, min(bisect_right(self.values, maximum, first, end) + 1, end))


@dataclass(slots=True)
class StepBudget:
    """How many points may still be looked at."""

    remaining: int

    @classmethod
    def for_points(cls, number: int) -> "StepBudget":
        """Return how many may be looked at in a chart of so many points."""
        return cls(max(_MIN_STEPS, _STEPS_PER_POINT * number))


class LineIndex:
    """A line that is looked at again and again along an axis; it must not change meanwhile.

    A line that goes to and fro costs a walk along all of it each time: after so many steps nothing more is found.
    """

    def __init__(self, line: LineElement, axis: Axis, budget: StepBudget | None = None) -> None:
        self.line = line
        self.axis = axis
        self._budget = budget or StepBudget.for_points(len(line.points))

    @cached_property
    def _monotone_index(self) -> _MonotoneIndex | None:
        return _build_monotone_index(self.line, self.axis)

    def parts(self, bounds: Bounds | None) -> list[Segment]:
        """Return what of the line lies within bounds."""
        if bounds is None:
            return list(self.line.segments)
        return [part for number in self._near(bounds) for part in self.parts_of(number, bounds)]

    def parts_of(self, number: int, bounds: Bounds | None) -> list[Segment]:
        """Return what of the part with this number lies within bounds, as `clip_segment` does."""
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
        """Return the first part between whose ends a value is."""
        for number in self._near(Bounds(self.axis, value, value)):
            segment = self.line.segments[number]
            self._budget.remaining -= 1
            if _is_between(value, *self._ends(segment)):
                return segment
        return None

    def point_at(self, value: float) -> PointElement | None:
        """Return where the line is at a coordinate: one of its points, or a new one; None if nowhere, or at several places."""
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
    """Return the course of a line along an axis; None if it goes to and fro, or around."""
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
    """Return a part whose last number is not below its first; a loop is turned to begin outside the bounds."""
    count = len(points)
    start, end, is_loop = segment
    if is_loop:
        back = 0
        while back < count and _is_within(_comparable(points[(start - back) % count], bounds.axis), bounds):
            back += 1
        start, end = (start - back) % count, (end - back) % count
    return Segment(start, end + count if end < start else end, is_loop)


def _steps(segment: Segment, points: Sequence[PointElement], axis: Axis) -> Iterator[tuple[int, float]]:
    """Go along a part: the number and the coordinate of each point that is no gap."""
    count = len(points)
    for number in range(segment.start, segment.end + 1):
        point = points[number % count]
        if not is_gap(point):
            yield number, _comparable(point, axis)


def _parts(steps: Iterable[tuple[int, float]], bounds: Bounds, last: int) -> list[tuple[int, int | None]]:
    """Return between which numbers a walk is within bounds; without a second one where it ends there.

    `last` is the number from which the first step is made.
    """
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
    """Return the parts of a walk along a part of a line as parts of that line."""
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
    """Return a coordinate as it is compared: an angle is one within a turn."""
    return normalize_angle(point.angle) if axis == "angle" else _coordinate(point, axis)


def _is_within(value: float, bounds: Bounds) -> bool:
    return _is_passed(bounds.axis, value, bounds.start, bounds.end)


def _is_passed(axis: Axis, value: float, start: float, end: float) -> bool:
    """Tell whether a value is between two others, either of which may be the smaller one; an angle, clockwise."""
    return is_between_angles(value, start, end) if axis == "angle" else _is_between(value, start, end)


def _distance(axis: Axis, one: float, other: float) -> float:
    """Return how far one coordinate is from another."""
    gap = one - other
    if axis != "angle":
        return gap
    return math.nan if math.isinf(gap) else math.fmod(gap + math.tau + math.pi, math.tau) - math.pi


def _is_between(value: float, start: float, end: float) -> bool:
    if start > end:
        start, end = end, start
    return start - _EPSILON <= value <= end + _EPSILON


def _interpolate(start: PointElement, end: PointElement, share: float, style: LineStyle) -> tuple[float, float]:
    """Return where a line is, a share of the way from one point to the next."""
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
    """Return a coordinate on a Bézier curve, by de Casteljau: means of means until one is left."""
    while len(controls) > 1:
        controls = [before + share * (after - before) for before, after in pairwise(controls)]
    return controls[0]
