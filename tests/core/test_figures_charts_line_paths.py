from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mdpublish_core.figures.charts.shapes.curves import line_path, trace
from mdpublish_core.figures.charts.shapes.elements import LineElement, Segment, Stroke
from mdpublish_core.figures.charts.shapes.paths import Path
from tests.core.chart_lines import STRAIGHT, anything, curved, end_points, is_finite, line_of, lines

STEPPED = replace(STRAIGHT, step="before")
DASHED = replace(STRAIGHT, stroke=Stroke(width=1.0, dash=(4.0,)))


def test_straight_line_goes_from_point_to_point() -> None:
    assert line_path(line_of((0, 0), (10, 5), (20, 0))).data == "M0 0L10 5L20 0"


def test_pen_is_lifted_over_a_gap() -> None:
    assert line_path(line_of((0, 0), (10, 5), (20, 0), (30, 0), (40, 5), gaps=[2])).data == "M0 0L10 5M30 0L40 5"


def test_gap_that_is_spanned_is_gone_over() -> None:
    style = replace(STRAIGHT, spans_all_gaps=True)

    assert line_path(line_of((0, 0), (10, 5), (20, 0), style=style, gaps=[1])).data == "M0 0L20 0"


def test_loop_is_closed() -> None:
    assert line_path(line_of((0, 0), (10, 0), (10, 10), is_loop=True)).data == "M0 0L10 0L10 10L0 0Z"


def test_loop_with_a_gap_is_open() -> None:
    assert line_path(line_of((0, 0), (10, 0), (10, 10), gaps=[1], is_loop=True)).data == "M10 10L0 0"


def test_one_point_is_no_line() -> None:
    # With round caps, a line of no length would be a dot.
    assert "L" not in line_path(line_of((5, 5))).data


@pytest.mark.parametrize(
    ("step", "data"),
    [("before", "M0 0L10 0L10 5"), ("after", "M0 0L0 5L10 5"), ("middle", "M0 0L5 0L5 5L10 5")],
)
def test_steps_are_taken_before_after_or_between_points(step: str, data: str) -> None:
    style = replace(STRAIGHT, step=step)  # type: ignore[arg-type]

    assert line_path(line_of((0, 0), (10, 5), style=style)).data == data


def test_curve_goes_by_its_control_points() -> None:
    line = line_of((0, 0), (10, 5), style=curved())
    line.points[0].after_x, line.points[0].after_y = 1, 2
    line.points[1].before_x, line.points[1].before_y = 3, 4

    assert line_path(line).data == "M0 0C1 2 3 4 10 5"


def test_part_may_go_on_from_where_the_pen_is() -> None:
    path = Path().move(1, 1)

    trace(path, line_of((0, 0), (10, 5)), Segment(0, 1), is_joined=True)

    assert path.data == "M1 1L0 0L10 5"


@pytest.mark.parametrize(
    "style", [STRAIGHT, STEPPED, replace(STRAIGHT, step="after"), replace(STRAIGHT, step="middle")]
)
def test_line_is_drawn_back_the_way_it_came(style: object) -> None:
    line = line_of((0, 0), (10, 5), (20, 0), style=style)  # type: ignore[arg-type]
    back = Path()

    trace(back, line, line.segments[0], is_backward=True)

    assert end_points(back.data) == end_points(line_path(line).data)[::-1]


def test_curve_is_drawn_back_by_the_same_control_points() -> None:
    line = line_of((0, 0), (10, 5), style=curved())
    line.points[0].after_x, line.points[0].after_y = 1, 2
    line.points[1].before_x, line.points[1].before_y = 3, 4
    back = Path()

    trace(back, line, line.segments[0], is_backward=True)

    assert back.data == "M10 5C3 4 1 2 0 0"


def test_points_in_one_column_of_pixels_are_thinned() -> None:
    line = line_of((0.1, 0), (0.2, 9), (0.3, -3), (0.4, 2), (5, 5))

    # The column's minimum and maximum at its mean x, and its last point.
    assert line_path(line).data == "M0.1 0L0.3 9L0.3 -3L0.3 2L5 5"


def test_many_points_make_a_short_path() -> None:
    positions = [(number / 100, number * 37 % 100) for number in range(20_000)]

    assert len(line_path(line_of(*positions)).data) < 200 * 50
    assert len(line_path(line_of(*positions, style=DASHED)).data) > 20_000


def test_dashes_are_not_thinned() -> None:
    # Thinning would shift the dashes.
    line = line_of((0.1, 0), (0.2, 9), (0.3, -3), (0.4, 2), style=DASHED)

    assert end_points(line_path(line).data) == [(0.1, 0), (0.2, 9), (0.3, -3), (0.4, 2)]


@given(lines(anything), st.booleans(), st.booleans())
def test_whatever_comes_is_drawn(line: LineElement, is_joined: bool, is_backward: bool) -> None:
    path = line_path(line)
    for segment in line.segments:
        trace(path, line, segment, is_joined=is_joined, is_backward=is_backward)

    assert is_finite(path.data)
