import math
from typing import get_args

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mdpublish_core.figures.charts.shapes.elements import ArcCorners, ArcElement, ArcStyle, Stroke
from mdpublish_core.figures.charts.shapes.slices import SlicePaths, slice_paths
from tests.core.chart_lines import anything, end_points, is_finite

HALF, TAU = math.pi, math.tau
RIGHT = math.pi / 2
PLAIN = ArcStyle(fill="red", stroke=Stroke(color="white", width=0.0, join="bevel"), corners=ArcCorners())
BORDERED = PLAIN._replace(stroke=Stroke(color="white", width=2.0, join="bevel"))

MODES = ("angular", "proportional", "parallel")


def slice_of(
    start: float = 0.0,
    end: float = RIGHT,
    *,
    inner: float = 0.0,
    style: ArcStyle = PLAIN,
    has_angle_span: bool = True,
    is_join_given: bool = True,
) -> SlicePaths:
    """Paths of a slice with a radius of 100 px around (0, 0)."""
    element = ArcElement(0, 0, start, end, inner, 100, style, angle_span=end - start if has_angle_span else None)
    paths = slice_paths(element, is_join_given=is_join_given)
    assert paths is not None
    return paths


def test_slice_goes_around_and_back_to_the_center() -> None:
    paths = slice_of()

    assert paths.fills == ("M100 0A100 100 0 0 1 70.71 70.71A100 100 0 0 1 0 100L0 0L100 0Z",)
    assert paths.border is None
    assert (paths.dx, paths.dy) == (0, 0)


def test_slice_of_a_ring_goes_back_inside() -> None:
    assert end_points(slice_of(inner=50).fills[0]) == [
        *((100, 0), (70.71, 70.71), (0, 100)),
        *((0, 50), (35.36, 35.36), (50, 0), (100, 0)),
    ]


def test_slice_may_have_straight_sides() -> None:
    paths = slice_of(style=PLAIN._replace(is_circular=False))

    assert paths.fills == ("M0 0L100 0L0 100Z",)


def test_whole_circle_has_a_seam_unless_it_joins_itself() -> None:
    assert slice_of(0, TAU).fills[0].endswith("L0 0L100 0Z")

    joined = slice_of(0, TAU, inner=50, style=PLAIN._replace(joins_itself=True)).fills[0]

    assert joined.count("M") == 2
    assert "L" not in joined


def test_slice_that_goes_around_more_than_once_is_filled_as_often() -> None:
    paths = slice_of(0, 2 * TAU + RIGHT, style=BORDERED)

    assert len(paths.fills) == 3
    assert paths.fills[0] == paths.fills[1] == paths.border
    assert paths.fills[2] == slice_of().fills[0]


def test_single_slice_goes_around_once() -> None:
    element = ArcElement(0, 0, -RIGHT, -RIGHT + TAU, 0, 100, PLAIN, angle_span=TAU * (1 + 1e-15))
    paths = slice_paths(element)

    assert paths is not None
    assert len(paths.fills) == 1


@pytest.mark.parametrize(
    "element",
    [
        ArcElement(0, 0, 1, 1, 0, 100, PLAIN, angle_span=0.0),
        ArcElement(0, 0, 0, 1, -1, 100, PLAIN, angle_span=1.0),
        ArcElement(0, 0, 0, 1, 0, -1, PLAIN, angle_span=1.0),
        ArcElement(math.nan, 0, 0, 1, 0, 100, PLAIN, angle_span=1.0),
        ArcElement(0, 0, 0, math.inf, 0, 100, PLAIN, angle_span=math.inf),
    ],
)
def test_slice_that_is_nothing_is_not_drawn(element: ArcElement) -> None:
    assert slice_paths(element) is None


# Offset and spacing


def test_offset_moves_a_slice_and_lets_small_ones_grow() -> None:
    quarter = slice_of(style=PLAIN._replace(offset=40))
    sixth = slice_of(0, HALF / 6, style=PLAIN._replace(offset=40))

    # A slice moves by a quarter of its offset, and its radius grows by that times 1 - sin(angle).
    assert (quarter.dx, quarter.dy) == pytest.approx((10 * math.sqrt(0.5), 10 * math.sqrt(0.5)))
    assert "A100 100" in quarter.fills[0]
    assert "A105 105" in sixth.fills[0]


def test_slice_of_no_whole_grows_by_all_of_its_offset() -> None:
    assert "A110 110" in slice_of(style=PLAIN._replace(offset=40), has_angle_span=False).fills[0]


@pytest.mark.parametrize(
    ("mode", "inner_gap", "outer_gap"),
    [
        # Equal angles: 5 px at the mean radius, (100 + 50 - 5) / 2.
        ("angular", 55 * 5 / 72.5, 105 * 5 / 72.5),
        # The spacing as a share of the mean radius, applied to the slice's angle.
        ("proportional", 55 * math.sin(RIGHT * 5 / 77.5 / 2), 105 * math.sin(RIGHT * 5 / 77.5 / 2)),
        ("parallel", 5, 5),
    ],
)
def test_spacing_is_taken_off_at_the_sides(mode: str, inner_gap: float, outer_gap: float) -> None:
    paths = slice_of(inner=50, style=PLAIN._replace(spacing=10, spacing_mode=mode))  # type: ignore[arg-type]

    points = end_points(paths.fills[0])

    # Distance of the slice's ends from its side without spacing.
    assert points[0][1] == pytest.approx(outer_gap, rel=0.03)
    assert points[5][1] == pytest.approx(inner_gap, rel=0.03)


def test_parallel_spacing_cuts_the_tip_off() -> None:
    paths = slice_of(style=PLAIN._replace(spacing=10, spacing_mode="parallel"))

    assert paths.fills[0].count("A") == 4
    assert min(math.hypot(*point) for point in end_points(paths.fills[0])) == pytest.approx(
        5 / math.sin(HALF / 4), rel=0.01
    )


# Corners


def test_corners_are_round() -> None:
    style = PLAIN._replace(corners=ArcCorners(10, 0, 5, 0))

    data = slice_of(inner=50, style=style).fills[0]

    assert data.count("A10 10") == 1
    assert data.count("A5 5") == 1


def test_corners_are_limited_to_half_of_the_rings_thickness() -> None:
    style = PLAIN._replace(corners=ArcCorners(90, 90, 90, 90))

    data = slice_of(0, HALF, inner=80, style=style).fills[0]

    assert "A10 10" in data
    assert "A90 90" not in data


def test_corners_are_as_large_as_a_narrow_slice_allows() -> None:
    style = PLAIN._replace(corners=ArcCorners(10, 10, 10, 10))

    data = slice_of(0, 0.1, inner=50, style=style).fills[0]

    # Half the arc length: 90 · 0.1 / 2 outside, 50 · 0.1 / 2 inside.
    assert data.count("A4.5 4.5") >= 2
    assert data.count("A2.5 2.5") >= 2
    # The corners leave no room for the inner arc.
    assert "A50 50" not in data


# Borders


def test_border_goes_around_the_slice() -> None:
    paths = slice_of(style=BORDERED)

    assert paths.border == paths.fills[0]
    assert (paths.border_width, paths.join, paths.clips) == (2, "bevel", ())


def test_inner_border_is_twice_as_wide_and_clipped_to_the_slice() -> None:
    paths = slice_of(inner=50, style=BORDERED._replace(has_inner_border=True))

    assert paths.border_width == 4
    (clip,) = paths.clips
    assert clip.rule == "nonzero"
    # Wider by a seam at its sides.
    assert end_points(clip.data)[0] == pytest.approx((100, -0.33), abs=0.01)
    # The border's path is narrower by the same amount.
    assert paths.border is not None
    assert "A99.67 99.67" in paths.border
    assert "A50.33 50.33" in paths.border


def test_border_that_joins_itself_is_not_seen_on_its_slice() -> None:
    style = BORDERED._replace(joins_itself=True)

    (clip,) = slice_of(0, 1.5 * HALF, inner=50, style=style).clips

    assert clip.rule == "evenodd"
    assert clip.data.count("A99 99") == 3
    assert clip.data.count("A51 51") == 3


@pytest.mark.parametrize(
    ("join", "is_given", "strokes"), [("round", True, "A1 1"), ("bevel", True, "L-2 0"), ("bevel", False, "")]
)
def test_border_of_a_pie_that_joins_itself_is_joined_in_its_center(join: str, is_given: bool, strokes: str) -> None:
    stroke = Stroke(width=2.0, join=join)  # type: ignore[arg-type]
    style = PLAIN._replace(joins_itself=True, stroke=stroke)

    (clip,) = slice_of(0, 1.5 * HALF, style=style, is_join_given=is_given).clips

    assert strokes in clip.data
    assert ("L" in clip.data) == bool(strokes)


@pytest.mark.parametrize(
    ("end", "style"),
    [
        (RIGHT, BORDERED),
        (TAU, BORDERED),
        (1.5 * HALF, BORDERED._replace(corners=ArcCorners(1, 1, 1, 1))),
        (1.5 * HALF, BORDERED._replace(stroke=Stroke(width=2.0, join="miter"))),
        (1.5 * HALF, PLAIN),
    ],
)
def test_border_that_need_not_join_itself_is_not_clipped(end: float, style: ArcStyle) -> None:
    assert slice_of(0, end, inner=50, style=style._replace(joins_itself=True)).clips == ()


# Arbitrary input


@given(
    st.floats(-10, 10),
    st.floats(0, 14),
    st.tuples(st.floats(0, 100), st.floats(0, 100)),
    st.tuples(*[st.floats(0, 60)] * 6),
    st.sampled_from(MODES),
    st.booleans(),
)
def test_slice_stays_within_its_circles(
    start: float,
    angle_span: float,
    radii: tuple[float, float],
    sizes: tuple[float, ...],
    mode: str,
    has_inner_border: bool,
) -> None:
    offset, spacing, *corners = sizes
    style = BORDERED._replace(
        offset=offset,
        spacing=spacing,
        corners=ArcCorners(*corners),
        spacing_mode=mode,  # type: ignore[arg-type]
        has_inner_border=has_inner_border,
    )
    paths = slice_paths(
        ArcElement(0, 0, start, start + angle_span, min(radii), max(radii), style, angle_span=angle_span)
    )

    limit = max(radii) + offset / 4 + spacing / 2
    for data in paths.fills if paths else ():
        assert all(math.hypot(x, y) <= limit + 0.5 for x, y in end_points(data))


@given(
    st.lists(anything, min_size=14, max_size=14),
    st.sampled_from(MODES),
    st.lists(st.booleans(), min_size=4, max_size=4),
)
def test_whatever_comes_is_a_slice_or_none(numbers: list[float], mode: str, flags: list[bool]) -> None:
    assert set(get_args(ArcStyle.__annotations__["spacing_mode"])) == set(MODES)
    x, y, start, end, inner, outer, angle_span, offset, spacing, width, *corners = numbers
    style = ArcStyle(
        "red",
        Stroke(width=width, join="round"),
        ArcCorners(*corners),
        offset=offset,
        spacing=spacing,
        spacing_mode=mode,  # type: ignore[arg-type]
        is_circular=flags[0],
        has_inner_border=flags[1],
        joins_itself=flags[2],
    )

    paths = slice_paths(ArcElement(x, y, start, end, inner, outer, style, angle_span=angle_span if flags[3] else None))

    if paths:
        assert is_finite("".join((*paths.fills, paths.border or "", *(clip.data for clip in paths.clips))))
