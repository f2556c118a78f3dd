from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mdpublish_core.figures.boxes import Box
from mdpublish_core.figures.charts.shapes.curves import compute_control_points, line_path
from mdpublish_core.figures.charts.shapes.elements import LineElement
from tests.core.chart_lines import AREA, NOWHERE, anything, curved, is_finite, line_of, lines


def controls(line: LineElement, number: int) -> tuple[float, float, float, float]:
    point = line.points[number]
    return point.before_x, point.before_y, point.after_x, point.after_y


def test_tension_bends_a_line_along_its_neighbors() -> None:
    line = line_of((0, 0), (10, 10), (20, 0), style=curved(0.5))

    compute_control_points(line, AREA)

    # Half the tension on each side, of the 20 px between the neighbors, which are equally far.
    assert controls(line, 1) == pytest.approx((5, 10, 15, 10))
    assert controls(line, 0) == pytest.approx((0, 0, 5, 5))


def test_nearer_neighbor_bends_less() -> None:
    line = line_of((0, 0), (10, 0), (40, 0), style=curved(1.0))

    compute_control_points(line, AREA)

    assert controls(line, 1) == pytest.approx((0, 0, 40, 0))


def test_gap_bends_nothing() -> None:
    line = line_of((0, 0), (10, 10), NOWHERE, style=curved(0.5))

    compute_control_points(line, AREA)

    assert controls(line, 1) == pytest.approx((5, 5, 10, 10))


def test_gap_that_is_spanned_is_as_if_it_were_not() -> None:
    with_gap = line_of((0, 0), NOWHERE, (10, 10), (20, 0), style=curved(0.5))
    without = line_of((0, 0), (10, 10), (20, 0), style=curved(0.5))

    compute_control_points(with_gap, AREA, spans_gaps=True)
    compute_control_points(without, AREA)

    assert controls(with_gap, 2) == controls(without, 1)


def test_loop_bends_over_its_end() -> None:
    line = line_of((0, 0), (10, 0), (10, 10), (0, 10), style=curved(1.0), is_loop=True)

    compute_control_points(line, AREA)

    assert controls(line, 0) == pytest.approx((-5, 5, 5, -5))


def test_monotone_line_is_level_at_extremes() -> None:
    line = line_of((0, 0), (30, 30), (60, 30), style=curved(is_monotone=True))

    compute_control_points(line, AREA)

    assert controls(line, 0)[2:] == pytest.approx((10, 10))
    assert controls(line, 1) == pytest.approx((20, 30, 40, 30))


def test_monotone_line_may_go_along_y() -> None:
    line = line_of((0, 0), (30, 30), (30, 60), style=curved(is_monotone=True))

    compute_control_points(line, AREA, index_axis="y")

    assert controls(line, 0)[2:] == pytest.approx((10, 10))
    assert controls(line, 1) == pytest.approx((30, 20, 30, 40))


def test_monotone_loop_is_bent_by_its_tension() -> None:
    monotone = line_of((0, 0), (10, 0), (10, 10), style=curved(0.5, is_monotone=True), is_loop=True)
    tense = line_of((0, 0), (10, 0), (10, 10), style=curved(0.5), is_loop=True)

    compute_control_points(monotone, AREA)
    compute_control_points(tense, AREA)

    assert monotone.points == tense.points


def test_curve_stays_inside_between_points_that_are() -> None:
    style = replace(curved(1.0), caps_curves=True)
    line = line_of((0, 50), (20, 100), (60, 98), (80, 200), style=style)

    compute_control_points(line, AREA)

    assert controls(line, 1)[3] == 100
    assert controls(line, 2)[1] < 100
    # The next point is outside.
    assert controls(line, 2)[3] > 100


def test_straight_line_has_no_curve() -> None:
    line = line_of((1, 2), (3, 4), style=replace(curved(0.5), step="middle"))

    compute_control_points(line, AREA)

    assert controls(line, 0) == (0, 0, 0, 0)


@given(
    st.lists(st.tuples(st.integers(0, 100), st.integers(0, 100)), min_size=2, max_size=12, unique_by=lambda at: at[0])
)
def test_monotone_curve_stays_between_the_values_it_joins(positions: list[tuple[int, int]]) -> None:
    line = line_of(*sorted(positions), style=curved(is_monotone=True))

    compute_control_points(line, AREA)

    for before, after in zip(line.points, line.points[1:], strict=False):
        low, high = sorted((before.y, after.y))
        assert low - 1e-9 <= before.after_y <= high + 1e-9
        assert low - 1e-9 <= after.before_y <= high + 1e-9


@given(lines(anything), st.sampled_from(["x", "y"]), st.booleans())
def test_curves_are_drawn_through_whatever_comes(line: LineElement, axis: str, spans_gaps: bool) -> None:
    compute_control_points(line, Box(0, 0, 50, 50), index_axis="x" if axis == "x" else "y", spans_gaps=spans_gaps)

    assert is_finite(line_path(line).data)
