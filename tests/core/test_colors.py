import math
from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mdpublish_core.css.colors import contrast, ensure_contrast, from_oklch, luminance, mix, oklab_distance, to_oklch
from mdpublish_core.css.colors.vision import min_view_distance, seen_with
from mdpublish_core.templates.chart_colors import close_neighbors, role_distance
from mdpublish_core.templates.colors import CALLOUT_KINDS, CODE_ROLES, ROLES, Colors, callout_backgrounds, derive_colors

colors = st.integers(0, 0xFFFFFF).map("#{:06x}".format)

CHART = ("#c8370a", "#5f7a00")
"""Given where the derived ones don't matter: to find them takes longer than all else."""


@st.composite
def palettes(draw: st.DrawFn) -> dict[str, str]:
    """Required roles of a readable theme mode: a background far from mid gray, and colors that contrast with it."""
    hue = st.floats(0, 360)
    dark = draw(st.booleans())
    background = from_oklch(
        (draw(st.floats(0, 0.3) if dark else st.floats(0.88, 1)), draw(st.floats(0, 0.04)), draw(hue))
    )
    ink = ensure_contrast(from_oklch((0.9 if dark else 0.2, draw(st.floats(0, 0.1)), draw(hue))), background, 7)
    surface = mix(background, ink, 0.04)
    return {
        "background": background,
        "surface": surface,
        "text": ink,
        "muted": ensure_contrast(ensure_contrast(draw(colors), background, 4.5), surface, 4.5),
        "link": ensure_contrast(ensure_contrast(draw(colors), background, 4.5), surface, 4.5),
        "accent": ensure_contrast(draw(colors), background, 3),
        "rule": mix(background, ink, 0.2),
    }


def test_contrast_is_that_of_wcag() -> None:
    assert contrast("#000000", "#ffffff") == contrast("#ffffff", "#000000") == pytest.approx(21)
    assert contrast("#777777", "#ffffff") == pytest.approx(4.48, abs=0.01)


@pytest.mark.parametrize(
    ("color", "lightness", "chroma", "hue"),
    # Conversions in the specification: https://www.w3.org/TR/css-color-4/#ok-lab
    [("#ff0000", 0.628, 0.2577, 29.2), ("#00ff00", 0.8664, 0.2948, 142.5), ("#0000ff", 0.452, 0.3132, 264.1)],
)
def test_oklch_is_that_of_css(color: str, lightness: float, chroma: float, hue: float) -> None:
    assert to_oklch(color) == pytest.approx((lightness, chroma, hue), rel=2e-3)


@given(colors)
def test_color_comes_back_from_oklch(color: str) -> None:
    assert oklab_distance(from_oklch(to_oklch(color)), color) < 0.004


@given(st.floats(0.1, 1), st.floats(0, 0.5), st.floats(0, 360))
def test_color_outside_the_gamut_loses_chroma_not_lightness(lightness: float, chroma: float, hue: float) -> None:
    assert to_oklch(from_oklch((lightness, chroma, hue)))[0] == pytest.approx(lightness, abs=0.02)


@given(colors, colors, st.sampled_from([3.0, 4.5, 7.0]))
def test_nudged_color_has_the_contrast_where_there_is_one(color: str, ground: str, ratio: float) -> None:
    possible = max(contrast("#000000", ground), contrast("#ffffff", ground))

    assert contrast(ensure_contrast(color, ground, ratio), ground) >= min(ratio, possible)


@given(colors, colors)
def test_nudged_color_keeps_its_hue(color: str, ground: str) -> None:
    nudged_color = to_oklch(ensure_contrast(color, ground, 4.5))

    if nudged_color[1] > 0.05:
        rotation = abs(nudged_color[2] - to_oklch(color)[2])
        assert min(rotation, 360 - rotation) < 8


def test_color_that_can_be_read_is_left_as_it_is() -> None:
    assert ensure_contrast("#595959", "#ffffff", 4.5) == "#595959"


def test_color_is_nudged_no_further_than_needed() -> None:
    assert contrast(ensure_contrast("#6272a4", "#282a36", 4.5), "#282a36") == pytest.approx(4.5, abs=0.06)
    assert luminance(ensure_contrast("#6272a4", "#282a36", 4.5)) > luminance("#6272a4")


def test_mixing_begins_and_ends_at_its_colors() -> None:
    assert [mix("#fbf6ea", "#9c3a24", share) for share in (0, 1)] == ["#fbf6ea", "#9c3a24"]


@given(palettes(), st.sampled_from(["panel", "bare", "frame", "inverse"]))
def test_derived_colors_can_be_read(given_roles: dict[str, str], code: str) -> None:
    palette = derive_colors({**given_roles, "chart": CHART}, code)
    grounds = callout_backgrounds(palette)

    for kind in CALLOUT_KINDS:
        for ground in (palette.background, palette.surface, grounds[kind]):
            assert contrast(getattr(palette, kind), ground) >= 4.5, (kind, ground)
        assert contrast(palette.text, grounds[kind]) >= 4.5
    for role in (*CODE_ROLES, "code_text"):
        assert contrast(getattr(palette, role), palette.code_background) >= 4.5, role
    assert contrast(palette.text, palette.mark) >= 4.5


@given(palettes())
def test_derived_chart_colors_can_be_seen_and_distinguished(given_roles: dict[str, str]) -> None:
    palette = derive_colors(given_roles, "panel")

    assert palette.chart[0] == given_roles["accent"]
    assert all(contrast(color, palette.background) >= 3 for color in palette.chart)
    assert all(oklab_distance(one, other) >= 0.05 for one, other in combinations(palette.chart, 2))
    assert list(close_neighbors(palette.chart)) == []
    assert role_distance(palette.chart, [getattr(palette, role) for role in ROLES if role != "chart"]) <= 0.15


@given(st.booleans())
def test_derived_chart_colors_of_grays_are_grays(is_dark: bool) -> None:
    ground, ink = ("#101010", "#e0e0e0") if is_dark else ("#ffffff", "#111111")
    palette = derive_colors(
        {**dict.fromkeys(("text", "muted", "accent", "link", "rule"), ink), "background": ground, "surface": ground}
        | {role: ink for role in ROLES if role not in {"background", "surface", "chart"}},
        "panel",
    )

    assert all(to_oklch(color)[1] < 0.01 for color in palette.chart)
    assert all(contrast(color, ground) >= 3 for color in palette.chart)
    assert list(close_neighbors(palette.chart)) == []


@pytest.mark.parametrize(
    ("color", "deuteranopia", "protanopia"),
    # Red is the first column of a matrix, as sRGB; grays stay.
    [("#ff0000", "#a39000", "#6d5e00"), ("#ffffff", "#ffffff", "#ffffff"), ("#808080", "#808080", "#808080")],
)
def test_color_blindness_is_simulated(color: str, deuteranopia: str, protanopia: str) -> None:
    assert oklab_distance(seen_with(color, "deuteranopia"), deuteranopia) < 0.01
    assert oklab_distance(seen_with(color, "protanopia"), protanopia) < 0.01


def test_red_and_green_are_close_for_the_color_blind_alone() -> None:
    red, green = "#c8370a", "#5f7a00"

    assert oklab_distance(red, green) > 0.2
    assert min_view_distance(red, green) < 0.1


@given(palettes(), st.dictionaries(st.sampled_from([role for role in ROLES if role != "chart"]), colors))
def test_given_colors_are_never_changed(given_roles: dict[str, str], more: dict[str, str]) -> None:
    roles = {**given_roles, **more, "chart": CHART}
    palette = derive_colors(roles, "panel")

    assert {role: getattr(palette, role) for role in roles} == roles


def test_roles_are_the_fields_of_colors() -> None:
    assert Colors._fields == ROLES


@pytest.mark.parametrize(
    ("code", "ground"), [("panel", "#f4f4f4"), ("frame", "#f4f4f4"), ("bare", "#ffffff"), ("inverse", "#111111")]
)
def test_ground_of_code_follows_its_variant(code: str, ground: str) -> None:
    roles = dict.fromkeys(("text", "muted", "accent", "link", "rule"), "#111111")

    assert derive_colors({**roles, "background": "#ffffff", "surface": "#f4f4f4"}, code).code_background == ground


@pytest.mark.parametrize("kind", CALLOUT_KINDS)
def test_ground_of_a_callout_may_have_the_minimum_contrast(kind: str) -> None:
    roles = dict.fromkeys(("text", "muted", "accent", "link", "rule"), "#111111")
    palette = derive_colors({**roles, "background": "#ffffff", "surface": "#f4f4f4", "chart": CHART}, "panel")
    ground = callout_backgrounds(palette)[kind]
    minimum = contrast(getattr(palette, kind), ground)

    equal = callout_backgrounds(palette, minimum)[kind]
    higher = callout_backgrounds(palette, math.nextafter(minimum, 21))[kind]

    assert equal == ground
    assert contrast(getattr(palette, kind), higher) > minimum
