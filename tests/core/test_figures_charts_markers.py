import math
from typing import get_args

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mdpublish_core.figures.charts.shapes.elements import PointShape
from mdpublish_core.figures.charts.shapes.markers import is_open, marker_path
from tests.core.chart_lines import anything, end_points, is_finite

SHAPES: tuple[PointShape, ...] = get_args(PointShape)


@pytest.mark.parametrize(
    ("shape", "data"),
    [
        ("circle", "M20 10A10 10 0 0 1 10 20A10 10 0 0 1 0 10A10 10 0 0 1 10 0A10 10 0 0 1 20 10Z"),
        ("cross", "M0 10L20 10M10 0L10 20"),
        ("crossRot", "M2.93 2.93L17.07 17.07M17.07 2.93L2.93 17.07"),
        ("dash", "M10 10L20 10"),
        ("line", "M0 10L20 10"),
        ("rect", "M2.93 2.93H17.07V17.07H2.93Z"),
        ("rectRot", "M0 10L10 0L20 10L10 20Z"),
        ("star", "M0 10L20 10M2.93 2.93L17.07 17.07M10 0L10 20M17.07 2.93L2.93 17.07"),
        ("triangle", "M10 0L18.66 15L1.34 15Z"),
        ("none", ""),
    ],
)
def test_marker_has_its_shape(shape: PointShape, data: str) -> None:
    assert marker_path(shape, 10, 10, 10).data == data


def test_rounded_square_has_round_corners() -> None:
    data = marker_path("rectRounded", 0, 0, 10).data

    # The corner circles have 0.516 of the point's radius and are centered 4.84 px from the middle.
    side = 4.84 * math.sqrt(0.5)
    assert data.count("A5.16 5.16") == 4
    assert end_points(data)[0] == pytest.approx((-side - 5.16, -side), abs=0.01)


def test_marker_is_rotated() -> None:
    assert marker_path("triangle", 10, 10, 10, 180).data == "M10 20L1.34 5L18.66 5Z"
    assert marker_path("line", 10, 10, 10, 90).data == "M10 0L10 20"
    assert marker_path("rect", 10, 10, 10, 45).data == "M10 0L20 10L10 20L0 10Z"


@pytest.mark.parametrize(
    ("shape", "data"),
    [
        ("rect", "M-20 -7.07H20V7.07H-20Z"),
        ("rectRot", "M-20 0L0 -10L20 0L0 10Z"),
        ("line", "M-20 0L20 0"),
        ("dash", "M0 0L20 0"),
        ("triangle", "M0 -10L17.32 5L-17.32 5Z"),
    ],
)
def test_marker_is_wide_in_a_legend(shape: PointShape, data: str) -> None:
    assert marker_path(shape, 0, 0, 10, width=40).data == data


def test_line_in_a_legend_is_as_wide_at_any_rotation() -> None:
    assert marker_path("line", 0, 0, 10, 90, 40).data == "M-20 -10L20 10"


def test_shape_of_lines_alone_is_open() -> None:
    assert {shape for shape in SHAPES if is_open(shape)} == {"cross", "crossRot", "star", "line", "dash"}


@pytest.mark.parametrize("radius", [0, -1, math.nan, math.inf])
def test_marker_without_size_is_not_drawn(radius: float) -> None:
    assert all(marker_path(shape, 0, 0, radius).is_empty for shape in SHAPES)


@given(st.sampled_from(SHAPES), st.floats(0.5, 100), st.floats(-720, 720))
def test_marker_stays_within_its_circle(shape: PointShape, radius: float, rotation: float) -> None:
    data = marker_path(shape, 0, 0, radius, rotation).data

    assert all(math.hypot(x, y) <= radius + 0.02 for x, y in end_points(data))


@given(st.sampled_from(SHAPES), anything, anything, anything, anything, st.none() | anything)
def test_whatever_comes_is_a_marker_or_none(
    shape: PointShape, x: float, y: float, radius: float, rotation: float, width: float | None
) -> None:
    assert is_finite(marker_path(shape, x, y, radius, rotation, width).data)
