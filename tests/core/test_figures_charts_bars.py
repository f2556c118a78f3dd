import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mdpublish_core.figures.boxes import Box
from mdpublish_core.figures.charts.shapes.bars import BarPaths, bar_paths, box_of
from mdpublish_core.figures.charts.shapes.elements import BarElement, BarStyle, Sides
from mdpublish_core.figures.charts.shapes.paths import Corners
from tests.core.chart_lines import anything, end_points, is_finite

NO_CORNERS = Corners()
NO_BORDERS = Sides()


def bar_of(
    *, borders: Sides = NO_BORDERS, corners: Corners = NO_CORNERS, inflation: float = 0.0, is_horizontal: bool = False
) -> BarElement:
    """A bar from 10 to 30 px across its axis, from 0 to 100 px along it."""
    style = BarStyle(fill="red", border_color="blue", border_widths=borders, corners=corners)
    if is_horizontal:
        return BarElement(100, 20, 0, 100, 20, is_horizontal=True, style=style, inflation=inflation)
    return BarElement(20, 0, 100, 20, 100, is_horizontal=False, style=style, inflation=inflation)


def paths_of(element: BarElement) -> BarPaths:
    paths = bar_paths(element)
    assert paths is not None
    return paths


def test_bar_is_filled_from_its_base_to_its_value() -> None:
    assert bar_paths(bar_of()) == BarPaths(fill="M10 0H30V100H10Z")


def test_lying_bar_is_filled_from_its_base_to_its_value() -> None:
    assert bar_paths(bar_of(is_horizontal=True)) == BarPaths(fill="M0 10H100V30H0Z")


def test_bar_below_its_base_is_a_box_too() -> None:
    bar = bar_of()
    bar.y, bar.base = bar.base, bar.y

    assert box_of(bar) == Box(10, 0, 30, 100)


def test_bar_is_inflated_over_the_seam_to_its_neighbors() -> None:
    assert paths_of(bar_of(inflation=0.5)).fill == "M9.5 -0.5H30.5V100.5H9.5Z"


def test_border_is_a_ring_around_the_fill() -> None:
    paths = bar_paths(bar_of(borders=Sides(2, 3, 0, 3)))

    # No border at the base: the hole extends to it.
    assert paths == BarPaths(fill="M13 2H27V100H13Z", ring="M10 0H30V100H10ZM13 2H27V100H13Z")


def test_fill_and_border_overlap_where_they_are_inflated() -> None:
    paths = bar_paths(bar_of(borders=Sides(2, 3, 0, 3), inflation=0.5))

    assert paths == BarPaths(fill="M12.5 1.5H27.5V100H12.5Z", ring="M9.5 -0.5H30.5V100H9.5ZM13.5 2.5H26.5V100H13.5Z")


def test_border_is_limited_to_half_of_the_bar() -> None:
    paths = paths_of(bar_of(borders=Sides(0, 50, 0, 5)))

    assert paths.fill == "M15 0H20V100H15Z"


def test_corners_are_round() -> None:
    paths = paths_of(bar_of(corners=Corners(5, 5, 0, 0)))

    assert end_points(paths.fill)[0] == (10, 5)
    assert paths.fill.count("A5 5") == 2


def test_corners_are_limited_to_half_of_the_bar() -> None:
    assert paths_of(bar_of(corners=Corners(99, 0, 0, 0))).fill.count("A10 10") == 1


def test_corners_inside_a_border_are_smaller() -> None:
    paths = paths_of(bar_of(borders=Sides(2, 2, 0, 2), corners=Corners(5, 5, 0, 0), inflation=0.33))

    assert paths.ring is not None
    assert paths.ring.count("A5 5") == 2
    assert paths.ring.count("A3 3") == 2
    assert paths.fill.count("A3 3") == 2
    assert paths.clip is None


def test_fill_is_clipped_where_it_would_stick_out_of_round_corners() -> None:
    paths = paths_of(bar_of(borders=Sides(2, 0, 0, 0), corners=Corners(5, 5, 0, 0), inflation=2.0))

    assert paths.clip is not None
    assert "A5 5" in paths.clip


def test_border_as_wide_as_the_bar_has_no_hole() -> None:
    paths = paths_of(bar_of(borders=Sides(50, 10, 50, 10), inflation=0.5))

    assert paths.ring is not None
    # The rest of the hole is inverted and only as wide as the seam.
    assert end_points(paths.ring) == [(9.5, -0.5), (19.5, 49.5)]


@pytest.mark.parametrize("name", ["x", "y", "base", "width", "height", "inflation"])
def test_bar_that_is_nowhere_is_not_drawn(name: str) -> None:
    for value in (math.nan, math.inf):
        bar = bar_of()
        setattr(bar, name, value)

        assert bar_paths(bar) is None


@given(st.lists(anything, min_size=14, max_size=14), st.booleans())
def test_whatever_comes_is_a_bar_or_none(numbers: list[float], is_horizontal: bool) -> None:
    x, y, base, width, height, inflation, *frame = numbers
    style = BarStyle("red", "blue", Sides(*frame[:4]), Corners(*frame[4:]))

    paths = bar_paths(BarElement(x, y, base, width, height, is_horizontal, style, inflation))

    assert paths is None or is_finite(f"{paths.fill}{paths.ring or ''}{paths.clip or ''}")
