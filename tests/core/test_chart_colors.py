"""Chart colors of the built-in templates."""

import tomllib
from collections.abc import Iterator
from pathlib import Path

import pytest

from mdpublish_core import list_templates
from mdpublish_core.css.colors import MIN_GRAPHICS_CONTRAST, contrast
from mdpublish_core.templates import THEME_MODES
from mdpublish_core.templates.chart_colors import (
    MAX_ROLE_DISTANCE,
    close_neighbors,
    derive_chart_colors,
    equal_series,
    role_distance,
)
from mdpublish_core.templates.colors import ROLES, Colors

THEMES = Path(__file__).parents[2] / "themes"

# Black and white alone: only patterns tell series apart.
ONE_BIT = {"e-ink"}


def palettes() -> Iterator[tuple[str, Colors, tuple[str, ...]]]:
    """Yield the name, the colors and the patterns of each template in each mode."""
    for template in list_templates():
        for mode in THEME_MODES:
            yield f"{template.id} {mode}", template.light if mode == "light" else template.dark, template.patterns


def roles_of(colors: Colors) -> dict[str, str]:
    return {role: getattr(colors, role) for role in ROLES if role != "chart"}


def test_every_template_names_its_chart_colors() -> None:
    files = {path.stem: tomllib.loads(path.read_text("utf-8")) for path in THEMES.glob("*/*.toml")}
    without = [f"{name} {mode}" for name, theme in files.items() for mode in THEME_MODES if "chart" not in theme[mode]]

    assert len(files) == len(list_templates())
    assert without == []


def test_chart_colors_are_seen_told_apart_and_near_to_the_theme() -> None:
    offenders = []
    for name, colors, patterns in palettes():
        for number, color in enumerate(colors.chart, start=1):
            # Figures in boxes are drawn on the surface.
            ratio = min(contrast(color, ground) for ground in (colors.background, colors.surface))
            if ratio < MIN_GRAPHICS_CONTRAST:
                offenders.append(f"{name}: {number} has a contrast of {ratio:.2f}")
        for number, distance in close_neighbors(colors.chart, patterns):
            offenders.append(f"{name}: {number} and {number + 1} are {distance:.3f} apart")
        for one, other in equal_series(colors.chart, patterns):
            offenders.append(f"{name}: {one} and {other} look alike")
        distance = role_distance(colors.chart, list(roles_of(colors).values()))
        if distance > MAX_ROLE_DISTANCE:
            offenders.append(f"{name}: {distance:.3f} from the theme's other colors")

    assert offenders == []


@pytest.mark.nightly
def test_derived_chart_colors_pass_the_same_checks() -> None:
    offenders = []
    for name, colors, _ in palettes():
        roles = roles_of(colors)
        chart = derive_chart_colors(roles)
        is_visible = all(contrast(color, colors.background) >= MIN_GRAPHICS_CONTRAST for color in chart)
        is_near = name.split()[0] in ONE_BIT or role_distance(chart, list(roles.values())) <= MAX_ROLE_DISTANCE
        if not is_visible or not is_near or [*close_neighbors(chart), *equal_series(chart)]:
            offenders.append(f"{name}: {' '.join(chart)}")

    assert offenders == []
