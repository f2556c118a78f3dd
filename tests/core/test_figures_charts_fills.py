import math
from collections.abc import Mapping
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mdpublish_core.figures.boxes import Box
from mdpublish_core.figures.charts.shapes.curves import compute_control_points
from mdpublish_core.figures.charts.shapes.elements import Fill, LineElement
from mdpublish_core.figures.charts.shapes.fills import (
    FilledArea,
    filled_areas,
    read_fill,
    resolve_fill_target,
)
from mdpublish_core.figures.charts.values import Json
from tests.core.chart_lines import (
    AREA,
    Polar,
    Upright,
    anything,
    curved,
    end_points,
    is_finite,
    line_of,
    lines,
    radar_of,
)

RED = Fill(target="origin", above="red", below="red")
HILL = [(0.0, 90.0), (50.0, 40.0), (100.0, 90.0)]


def filled(
    line: LineElement,
    fill: Fill = RED,
    *,
    scale: Upright | Polar | None = None,
    others: Mapping[int, LineElement] | None = None,
    below: tuple[LineElement, ...] = (),
    clip: Box | None = None,
    index_span: tuple[float, float] | None = None,
) -> list[FilledArea]:
    return filled_areas(
        line,
        fill,
        (scale or Upright()).ground_of(fill),
        lines=others or {},
        below=below,
        area=AREA,
        clip=clip,
        index_span=index_span,
    )


# Options


@pytest.mark.parametrize(
    ("value", "target"),
    [
        (True, "origin"),
        ("origin", "origin"),
        ("start", "start"),
        ("end", "end"),
        ("stack", "stack"),
        ("shape", "shape"),
        (0, 0),
        (2.0, 2),
        ("2", 2),
        ("+1", 2),
        ("-1", 0),
        ("3rd", 3),
        ({"target": "-1"}, 0),
    ],
)
def test_fill_is_read(value: Json, target: int | str) -> None:
    assert read_fill(value, number=1, count=4, color="red") == Fill(target=target, above="red", below="red")  # type: ignore[arg-type]


@pytest.mark.parametrize(
    "value",
    [
        *(None, False, "", "else", "NaN", "Infinity", math.nan, math.inf, [0], {}),
        *({"above": "red"}, {"target": None}, {"target": False}, {"value": None}, {"value": "much"}),
        # The dataset itself, missing datasets, and a fractional index.
        *(1, "1", "+0", "-2", "+3", 4, -1, "2.5", 0.5, 1e300, "9" * 5_000),
    ],
)
def test_nothing_is_filled_that_is_nowhere(value: Json) -> None:
    assert read_fill(value, number=1, count=4, color="red") is None


@pytest.mark.parametrize("value", [{"value": 25}, {"value": "25"}, {"target": {"value": 25}}])
def test_fill_up_to_a_value_is_read(value: Json) -> None:
    expected = Fill(target=25, is_value=True, above="red", below="red")

    assert read_fill(value, number=0, count=1, color="red") == expected


def test_colors_above_and_below_are_read() -> None:
    fill = read_fill({"target": "origin", "above": "blue", "below": 7}, number=0, count=1, color="red")

    assert fill == Fill(target="origin", above="blue", below="red")


# Targets


def test_hidden_line_passes_its_target_on() -> None:
    fills = {0: replace(RED, target="end"), 1: replace(RED, target=0), 2: Fill(target=1, above="blue", below="green")}

    assert resolve_fill_target(fills, 2, visible=[False, False, True]) == Fill(
        target="end", above="blue", below="green"
    )
    assert resolve_fill_target(fills, 2, visible=[True, False, True]) == Fill(target=0, above="blue", below="green")
    assert resolve_fill_target(fills, 2, visible=[False, False, True], propagates=False) == fills[2]


def test_value_that_is_handed_on_stays_a_value() -> None:
    fills = {0: Fill(target=1.0, is_value=True, above="red", below="red"), 1: replace(RED, target=0)}

    assert resolve_fill_target(fills, 1, visible=[False, True]) == replace(RED, target=1.0, is_value=True)


@pytest.mark.parametrize(
    "fills",
    [
        {0: None, 1: replace(RED, target=0)},
        {1: replace(RED, target=0)},
        {0: replace(RED, target=1), 1: replace(RED, target=0)},
        {0: replace(RED, target=2), 1: replace(RED, target=0), 2: replace(RED, target=0)},
        {},
    ],
)
def test_target_that_leads_nowhere_is_none(fills: Mapping[int, Fill | None]) -> None:
    assert resolve_fill_target(fills, 1, visible=[False, True, False]) is None


# Areas


def test_line_is_filled_down_to_zero() -> None:
    assert filled(line_of(*HILL)) == [FilledArea(data="M0 90L50 40L100 90L100 100L0 100Z", color="red")]


@pytest.mark.parametrize(
    ("target", "bottom"), [("start", 100), ("end", 0), ("origin", 80), (25.0, 75), (math.nan, None), (math.inf, None)]
)
def test_line_is_filled_up_to_a_position_on_the_scale(target: float | str, bottom: float | None) -> None:
    fill = Fill(target=target, is_value=isinstance(target, float), above="red", below="red")  # type: ignore[arg-type]

    areas = filled(line_of(*HILL), fill, scale=Upright(zero=20.0))

    assert [end_points(area.data)[-2:] for area in areas] == ([] if bottom is None else [[(100, bottom), (0, bottom)]])


def test_upright_line_is_filled_to_the_side() -> None:
    line = line_of((90, 0), (40, 100))

    areas = filled_areas(line, RED, Upright(zero=75.0).ground_of(RED), lines={}, below=(), area=AREA, index_axis="y")

    assert [area.data for area in areas] == ["M90 0L40 100L25 100L25 0Z"]


def test_line_is_filled_up_to_another_as_far_as_both_go() -> None:
    other = line_of((20, 50), (60, 50), (80, 70), (90, 70))

    areas = filled(line_of((0, 90), (50, 90), (70, 90)), replace(RED, target=1), others={1: other})

    # At the end of this line, the other is halfway between 50 and 70. The path visits its next point, then returns.
    assert [area.data for area in areas] == ["M0 90L50 90L70 90L70 60L80 70L60 50L20 50Z"]
    assert areas[0].clip == Box(20, 0, 70, 100)


def test_hidden_line_is_no_target() -> None:
    assert filled(line_of(*HILL), replace(RED, target=1)) == []


def test_gap_is_not_filled() -> None:
    line = line_of((0, 90), (20, 90), (40, 90), (60, 90), (80, 90), gaps=[2])

    left, right = filled(line)

    assert end_points(left.data)[:2] == [(0, 90), (20, 90)]
    assert end_points(right.data)[:2] == [(60, 90), (80, 90)]
    assert left.clip is right.clip is None


def test_two_colors_are_clipped_to_above_and_below() -> None:
    above, below = filled(line_of(*HILL), Fill(target="origin", above="green", below="blue"), scale=Upright(zero=30.0))

    assert above.data == below.data
    assert (above.color, above.clip_path) == ("green", "M0 70L100 70L100 0L0 0Z")
    assert (below.color, below.clip_path) == ("blue", "M0 70L100 70L100 100L0 100Z")


def test_upright_line_has_its_upper_half_to_the_right() -> None:
    fill = Fill(target="origin", above="green", below="blue")
    ground = Upright(zero=75.0).ground_of(fill)

    left, right = filled_areas(line_of((90, 0), (40, 100)), fill, ground, lines={}, below=(), area=AREA, index_axis="y")

    assert left.clip_path
    assert right.clip_path
    assert (left.color, set(end_points(left.clip_path))) == ("blue", {(25, 0), (25, 100), (0, 100), (0, 0)})
    assert (right.color, set(end_points(right.clip_path))) == ("green", {(25, 0), (25, 100), (100, 100), (100, 0)})


def test_area_is_clipped_where_it_goes_out_of_the_chart() -> None:
    line = line_of((0, 50), (50, -20), (100, 50))

    assert [area.clip for area in filled(line)] == [AREA]


def test_area_is_clipped_to_what_the_dataset_is() -> None:
    areas = filled(line_of(*HILL), clip=Box(10, -10, 110, 80))

    assert [area.clip for area in areas] == [Box(10, 0, 100, 80)]


def test_area_is_clipped_to_where_the_scale_of_its_names_reaches() -> None:
    areas = filled(line_of(*HILL), index_span=(80, 20))

    assert [area.clip for area in areas] == [Box(20, 0, 80, 100)]


def test_area_that_is_clipped_away_is_none() -> None:
    assert filled(line_of(*HILL), clip=Box(10, -10, 110, 0)) == []


def test_curve_is_filled_along_its_curve() -> None:
    line = line_of(*HILL, style=curved())
    compute_control_points(line, AREA)

    assert [area.data.count("C") for area in filled(line)] == [2]


def test_line_is_filled_by_its_shape() -> None:
    areas = filled(line_of(*HILL), replace(RED, target="shape"))

    assert areas == [FilledArea(data="M0 90L50 40L100 90Z", color="red")]


# Stacks


def test_lowest_line_of_a_stack_is_filled_to_the_bottom() -> None:
    areas = filled(line_of(*HILL), replace(RED, target="stack"))

    # No line is below: the fill extends to the bottom of the area, between the ends of the line.
    assert [end_points(area.data)[-3:] for area in areas] == [[(100, 100), (50, 100), (0, 100)]]


def test_line_of_a_stack_is_filled_to_the_one_below() -> None:
    bottom = line_of((0, 99), (50, 99), (100, 99))
    below = line_of((0, 95), (50, 80), (100, 95))

    areas = filled(line_of(*HILL), replace(RED, target="stack"), below=(bottom, below))

    # The lines below begin at the same point, so the path visits each beginning.
    assert [area.data for area in areas] == ["M0 90L50 40L100 90L100 95L50 80L0 95L0 100L0 95L0 100Z"]


# Around a center


def test_radar_is_filled_up_to_a_straight_ring() -> None:
    areas = filled(radar_of(30, 30, 30, 30), Fill(target=10.0, is_value=True, above="red", below="red"), scale=Polar())

    assert [(area.fill_rule, area.clip, area.clip_path) for area in areas] == [("evenodd", None, None)]
    assert set(end_points(areas[0].data)) >= {(50, 20), (80, 50), (50, 40), (60, 50), (50, 60), (40, 50)}


def test_radar_is_filled_up_to_a_round_ring() -> None:
    scale = Polar(is_circular=True)

    areas = filled(radar_of(30, 30, 30, 30), Fill(target=10.0, is_value=True, above="red", below="red"), scale=scale)

    assert [area.fill_rule for area in areas] == ["evenodd"]
    assert areas[0].data.count("A10 10") == 3


def test_radar_has_one_color() -> None:
    areas = filled(radar_of(30, 30, 30, 30), Fill(target="origin", above="green", below="blue"), scale=Polar())

    assert [area.color for area in areas] == ["blue"]


@pytest.mark.parametrize(
    ("is_reversed", "target", "radius"), [(False, "end", 40), (True, "end", 5), (True, "start", 40)]
)
def test_reversed_radar_begins_with_its_maximum(is_reversed: bool, target: str, radius: float) -> None:
    fill = Fill(target=target, above="red", below="red")  # type: ignore[arg-type]

    areas = filled(radar_of(30, 30, 30, 30), fill, scale=Polar(minimum=5.0, is_reversed=is_reversed))

    assert (50, 50 - radius) in end_points(areas[0].data)


def test_radar_with_a_gap_is_filled_around_it() -> None:
    fill = Fill(target=10.0, is_value=True, above="red", below="red")

    areas = filled(radar_of(30, math.nan, 30, 30), fill, scale=Polar())

    assert [area.fill_rule for area in areas] == ["nonzero"]
    assert (60, 50) not in end_points(areas[0].data)


def test_radar_is_filled_up_to_another() -> None:
    areas = filled(radar_of(30, 30, 30, 30), replace(RED, target=1), scale=Polar(), others={1: radar_of(5, 5, 5, 5)})

    assert [area.fill_rule for area in areas] == ["evenodd"]
    assert (50, 45) in end_points(areas[0].data)


# Limits


def test_lines_of_a_stack_that_go_to_and_fro_are_looked_up_only_so_often() -> None:
    lines = [line_of(*[(number * by % 100, number % 90) for number in range(100)]) for by in range(37, 137)]

    # Without a limit, each of 100 points is searched on 100 lines of 100 points.
    assert filled(lines[-1], replace(RED, target="stack"), below=tuple(lines[:-1]))


@pytest.mark.parametrize("target", ["origin", "stack", 1])
def test_lines_that_go_to_and_fro_are_filled_only_so_far(target: int | str) -> None:
    line, other = (line_of(*[(number * by % 100, number % 90) for number in range(2_000)]) for by in (37.7, 61.3))
    fill = Fill(target=target, above="red", below="red")  # type: ignore[arg-type]

    areas = filled(line, fill, others={1: other}, below=(other,))

    assert sum(len(area.data) for area in areas) < 1_000_000


def test_line_of_many_parts_is_filled_to_its_end() -> None:
    positions = [(number / 50, 50 + number % 7) for number in range(5_000)]
    line, other = line_of(*positions, gaps=range(0, 5_000, 5)), line_of(*positions, gaps=range(3, 5_000, 10))

    for target, others in (("origin", {}), (1, {1: other}), ("stack", {})):
        areas = filled(line, replace(RED, target=target), others=others, below=(other,))  # type: ignore[arg-type]

        assert max(x for x, _ in end_points(areas[-1].data)) > 99


@given(
    lines(anything),
    lines(anything),
    st.sampled_from(["origin", "start", "end", "stack", "shape", 1]),
    st.booleans(),
    anything,
    st.sampled_from(["x", "y"]),
)
def test_whatever_comes_is_filled(
    line: LineElement, other: LineElement, target: int | str, is_round: bool, zero: float, axis: str
) -> None:
    fill = Fill(target=target, above="green", below="blue")  # type: ignore[arg-type]
    scale = Polar(minimum=zero, is_circular=axis == "y") if is_round else Upright(zero=zero)
    for each in (line, other):
        compute_control_points(each, AREA)

    areas = filled_areas(
        line,
        fill,
        scale.ground_of(fill),
        lines={1: other},
        below=(other,),
        area=AREA,
        clip=Box(zero, 0, 100, 100),
        index_axis="x" if axis == "x" else "y",
        index_span=(zero, 90),
    )

    assert all(is_finite(area.data) and is_finite(area.clip_path or "") for area in areas)
    assert all(area.clip is None or (AREA.contains(area.clip) and not area.clip.is_empty) for area in areas)
