import math
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mdpublish_core.figures.charts.shapes.elements import LineElement, PointElement, Segment
from mdpublish_core.figures.charts.shapes.segments import Axis, Bounds, LineIndex, clip_segment, is_gap, segments_of
from tests.core.chart_lines import NOWHERE, STRAIGHT, anything, curved, lengths, line_of, lines

SPANNING = replace(STRAIGHT, spans_all_gaps=True)
FLAT = [(0.0, 0.0), (10.0, 5.0), (20.0, 0.0), (30.0, 5.0)]


# Segments between gaps


def test_line_without_gaps_is_one_part() -> None:
    assert line_of(*FLAT).segments == [Segment(0, 3)]


def test_line_is_parted_at_its_gaps() -> None:
    assert line_of(*FLAT, gaps=[1]).segments == [Segment(0, 0), Segment(2, 3)]


@pytest.mark.parametrize("position", [(math.nan, 1.0), (1.0, math.nan), (math.inf, 1.0), (1.0, -math.inf)])
def test_point_that_is_nowhere_is_a_gap(position: tuple[float, float]) -> None:
    assert is_gap(PointElement(*position))


def test_gaps_at_the_ends_are_left_out() -> None:
    assert line_of(*FLAT, gaps=[0, 3]).segments == [Segment(1, 2)]


def test_gaps_are_spanned_on_request() -> None:
    assert line_of(*FLAT, style=SPANNING, gaps=[0, 2]).segments == [Segment(1, 3)]


def test_line_starts_a_segment_where_points_are_too_far_apart() -> None:
    assert line_of(*FLAT, beginnings=[2]).segments == [Segment(0, 1), Segment(2, 3)]


def test_beginning_after_a_gap_goes_on_from_the_first_point() -> None:
    # Reproduces a bug of Chart.js 4.
    assert line_of(*FLAT, gaps=[1], beginnings=[2]).segments == [Segment(0, 0), Segment(0, 3)]


def test_whole_loop_is_one_part() -> None:
    assert line_of(*FLAT, is_loop=True).segments == [Segment(0, 3, is_loop=True)]


def test_loop_with_a_gap_goes_around_the_end() -> None:
    assert line_of(*FLAT, gaps=[1], is_loop=True).segments == [Segment(2, 0)]


def test_loop_whose_gaps_are_spanned_begins_at_its_first_point() -> None:
    line = line_of(*FLAT, gaps=[1], is_loop=True)

    assert segments_of(line, spans_gaps=True) == [Segment(0, 0), Segment(2, 3)]


def test_loop_of_fewer_points_than_labels_stays_open() -> None:
    line = line_of(*FLAT, is_loop=True)
    line.is_whole_loop = False

    assert segments_of(line) == [Segment(0, 3)]


@pytest.mark.parametrize("count", [0, 1, 3])
@pytest.mark.parametrize("is_loop", [True, False])
def test_gaps_alone_have_no_part(count: int, is_loop: bool) -> None:
    assert line_of(*[NOWHERE] * count, is_loop=is_loop).segments == []


# Clipping to bounds


def parts_within(line: LineElement, bounds: Bounds) -> list[Segment]:
    """Clip all segments, without a `LineIndex`."""
    return [part for segment in line.segments for part in clip_segment(segment, line.points, bounds)]


@pytest.mark.parametrize(
    ("start", "end", "parts"),
    [
        (12, 18, [Segment(1, 2)]),
        (10, 20, [Segment(1, 2)]),
        (10, 10, [Segment(1, 1)]),
        (5, 25, [Segment(0, 3)]),
        (-9, 99, [Segment(0, 3)]),
        (31, 40, []),
    ],
)
def test_part_reaches_to_the_points_around_its_bounds(start: float, end: float, parts: list[Segment]) -> None:
    assert parts_within(line_of(*FLAT), Bounds("x", start, end)) == parts


def test_part_without_bounds_is_whole() -> None:
    assert LineIndex(line_of(*FLAT), "x").parts(None) == [Segment(0, 3)]


def test_line_that_goes_to_and_fro_is_within_bounds_more_than_once() -> None:
    line = line_of((0, 0), (10, 5), (0, 10))

    assert parts_within(line, Bounds("x", 4, 6)) == [Segment(0, 1), Segment(1, 2)]
    assert parts_within(line, Bounds("y", 4, 6)) == [Segment(0, 2)]


def test_loop_is_opened_outside_its_bounds() -> None:
    line = line_of((1, 0), (0, 1), (-1, 0), (0, -1), is_loop=True)

    # From the last quarter through the start to the first.
    assert parts_within(line, Bounds("angle", 1.5 * math.pi, 0.5 * math.pi)) == [Segment(3, 1)]


@given(lines(), st.sampled_from(["x", "y", "angle"]), st.data())
def test_line_index_finds_what_a_scan_finds(line: LineElement, axis: Axis, data: st.DataObject) -> None:
    _compare(line, axis, data)


@given(lines(may_reverse=False), st.data())
def test_line_index_finds_what_a_scan_finds_on_a_line_that_goes_one_way(line: LineElement, data: st.DataObject) -> None:
    _compare(line, "x", data)


def _compare(line: LineElement, axis: Axis, data: st.DataObject) -> None:
    coordinates = [(point.x if axis == "x" else point.y if axis == "y" else point.angle) for point in line.points]
    ends = st.one_of(lengths, st.sampled_from(coordinates)) if coordinates else lengths
    line_index = LineIndex(line, axis)
    for _ in range(4):
        bounds = Bounds(axis, data.draw(ends), data.draw(ends))
        assert line_index.parts(bounds) == parts_within(line, bounds)


# Position on a line


def test_straight_line_is_looked_up_between_its_points() -> None:
    line_index = LineIndex(line_of(*FLAT), "x")

    assert line_index.point_at(4) == PointElement(4, 2)
    assert line_index.point_at(10) is line_index.line.points[1]
    assert line_index.point_at(31) is None


def test_line_is_looked_up_along_y() -> None:
    assert LineIndex(line_of((0, 0), (10, 5)), "y").point_at(1) == PointElement(2, 1)


def test_line_is_nowhere_in_a_gap() -> None:
    line_index = LineIndex(line_of(*FLAT, gaps=[1]), "x")

    assert line_index.point_at(5) is None
    assert line_index.point_at(25) is not None


@pytest.mark.parametrize(("step", "before", "middle"), [("before", 5, 5), ("after", 0, 0), ("middle", 0, 5)])
def test_step_is_looked_up(step: str, before: float, middle: float) -> None:
    line_index = LineIndex(line_of(*FLAT[:2], style=replace(STRAIGHT, step=step)), "x")  # type: ignore[arg-type]

    assert line_index.point_at(4) == PointElement(4, before)
    assert line_index.point_at(6) == PointElement(6, middle)


def test_curve_is_looked_up_by_its_control_points() -> None:
    line = line_of((0, 0), (8, 8), style=curved())
    line.points[0].after_x, line.points[0].after_y = 0, 8
    line.points[1].before_x, line.points[1].before_y = 8, 8

    # (0 + 3 · 8 + 3 · 8 + 8) / 8
    assert LineIndex(line, "x").point_at(4) == PointElement(4, 7)


def test_line_that_is_at_several_positions_is_at_none() -> None:
    assert LineIndex(line_of((0, 0), (10, 5), (0, 10)), "x").point_at(5) is None


def test_line_that_goes_to_and_fro_is_looked_up_only_so_often() -> None:
    line_index = LineIndex(line_of(*[(number % 2 * 10.0, number) for number in range(1_000)]), "x")
    bounds = Bounds("x", 4, 6)

    counts = [len(line_index.parts(bounds)) for _ in range(1_000)]

    assert counts[0] == 999
    assert counts[-1] == 0


def test_line_that_goes_one_way_is_looked_up_for_each_of_its_points() -> None:
    line_index = LineIndex(line_of(*[(number, 0.0) for number in range(5_000)]), "x")

    assert all(line_index.point_at(number + 0.5) for number in range(4_999))


@given(lines(anything), st.sampled_from(["x", "y", "angle"]), anything, anything)
def test_whatever_comes_can_be_looked_up(line: LineElement, axis: Axis, start: float, end: float) -> None:
    line_index = LineIndex(line, axis)
    bounds = Bounds(axis, start, end)

    numbers = {number for part in (*line_index.parts(bounds), *parts_within(line, bounds)) for number in part[:2]}
    line_index.point_at(start)
    line_index.segment_at(end)

    assert all(0 <= number < len(line.points) for number in numbers)
