import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mdpublish_core.figures.boxes import Box
from mdpublish_core.figures.charts.shapes.paths import Corners, Path
from tests.core.chart_lines import anything, end_points, is_finite

BOX = Box(10, 20, 30, 60)


# Boxes


def test_box_contains_points_less_than_half_a_px_outside() -> None:
    assert BOX.contains_point(9.6, 20)
    assert not BOX.contains_point(9.5, 20)
    assert BOX.contains_point(8, 20, 3)
    assert not BOX.contains_point(math.nan, 20)


def test_intersection_is_what_both_boxes_cover() -> None:
    shared = BOX.intersection(Box(0, 40, 20, 99))

    assert shared == Box(10, 40, 20, 60)
    assert (shared.width, shared.height) == (10, 20)
    assert BOX.contains(shared)
    assert not shared.contains(BOX)
    assert shared.contains(BOX, 20)


@pytest.mark.parametrize("box", [BOX.intersection(Box(30, 0, 99, 99)), Box(0, 0, math.nan, 9), Box(5, 5, 0, 9)])
def test_box_without_room_is_empty(box: Box) -> None:
    assert box.is_empty


# Paths


def test_path_begins_with_its_first_stroke() -> None:
    assert Path().line(1, 2).line(3, 4).data == "M1 2L3 4"


def test_move_from_nowhere_is_forgotten() -> None:
    assert Path().move(1, 2).move(3, 4).line(5, 6).data == "M3 4L5 6"


def test_line_of_no_length_is_none() -> None:
    assert Path().move(1, 2).line(1, 2).line(3, 4).line(3, 4).data == "M1 2L3 4"


def test_numbers_are_short() -> None:
    assert Path().move(-0.001, 1.005).line(10, 2.5).data == "M0 1L10 2.5"


def test_arc_begins_with_a_line_to_it() -> None:
    assert Path().move(0, 0).arc(0, 0, 10, 0, math.pi / 2).data == "M0 0L10 0A10 10 0 0 1 0 10"


def test_arc_may_go_against_the_clock() -> None:
    assert Path().arc(0, 0, 10, math.pi / 2, 0, is_backward=True).data == "M0 10A10 10 0 0 0 10 0"


def test_arc_goes_on_to_an_end_that_is_before_it() -> None:
    assert end_points(Path().arc(0, 0, 10, math.pi, math.pi / 2).data)[-1] == (0, 10)
    assert Path().arc(0, 0, 10, math.pi, math.pi / 2).data.count("A") == 3


@pytest.mark.parametrize("is_backward", [True, False])
def test_arc_of_no_angle_but_for_rounding_is_no_circle(is_backward: bool) -> None:
    for error in (1e-15, -1e-15):
        assert "A" not in Path().arc(0, 0, 10, 1, 1 + error, is_backward=is_backward).data.replace(
            "A10 10 0 0 1 5.4 8.41", ""
        )


def test_long_arc_is_drawn_in_pieces() -> None:
    # Two halves would be off by the rounding error of their ends times the square root of the radius.
    assert Path().arc(0, 0, 10, 0, math.tau).data.count("A") == 3
    assert Path().ellipse(0, 0, 10, 5).data.count("A") == 4


def test_rectangle_may_have_round_corners() -> None:
    assert Path().rounded_rectangle(0, 0, 20, 10, Corners(5, 0, 0, 0)).data == "M0 5A5 5 0 0 1 5 0L20 0L20 10L0 10Z"


@given(st.lists(anything, min_size=8, max_size=8))
def test_point_that_is_not_finite_is_not_drawn(numbers: list[float]) -> None:
    a, b, c, d, e, f, *rest = numbers
    path = Path()
    path.line(a, b).curve(a, b, c, d, e, f).arc(a, b, c, d, e).arc(a, b, c, d, e, is_backward=True)
    path.move(c, d).rectangle(a, b, c, d).ellipse(e, f, a, b).rounded_rectangle(
        a, b, c, d, Corners(e, f, *rest)
    ).close()

    assert is_finite(path.data)
