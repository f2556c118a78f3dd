"""Diagram colors derived from the theme."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache

from mdpublish_core.css.colors import (
    MIN_GRAPHICS_CONTRAST,
    MIN_TEXT_CONTRAST,
    contrast,
    ensure_contrast,
    from_oklch,
    mix,
    oklab_distance,
)
from mdpublish_core.css.colors.parsing import parse_css_color
from mdpublish_core.figures.request import FigureTheme

# Shares of a color in its tint, tried in this order until text is readable.
_TINTS = (0.24, 0.2, 0.16, 0.12, 0.08, 0.05, 0.02)
_NOTE_TINTS = (0.05, 0.02)

GRID_CONTRAST = 1.5

# Shares of the background where the template's colors differ in their patterns, which only pies have.
_STEPS = (0.0, 0.3, 0.15, 0.4)

# Of styles and theme variables.
_AUTHORED = re.compile(r"(#[0-9a-fA-F]{3,8})\b|:\s*[\"']?((?:rgb|hsl)a?\([^()]*\)|[a-zA-Z]+)")

# Red in OKLCH.
_WARNING = {False: (0.55, 0.19, 27.0), True: (0.7, 0.16, 27.0)}


@dataclass(frozen=True, slots=True, kw_only=True)
class Palette:
    """Colors as `#rrggbb`; the theme's `text_color` is readable on all backgrounds."""

    line: str  # edges, borders, arrows
    frame: str  # around groups
    grid: str
    box: str
    stripe: str  # alternate rows
    highlight: str
    highlight_line: str
    note: str
    warning: str
    warning_line: str
    strong: tuple[str, ...]
    """Twelve distinct colors, at least 3:1 on the background: slices, branches, points."""

    soft: tuple[str, ...]  # tints of `strong`, as backgrounds
    quiet: str  # secondary text


@lru_cache(maxsize=32)
def palette(theme: FigureTheme) -> Palette:
    warning = ensure_contrast(from_oklch(_WARNING[theme.is_dark]), theme.background, MIN_GRAPHICS_CONTRAST)
    series = _steps(theme) if theme.patterns else theme.series
    strong = _distinct(
        ensure_contrast(each, theme.background, MIN_GRAPHICS_CONTRAST) for each in _with_four_more(series, theme)
    )
    accent = ensure_contrast(theme.accent, theme.background, MIN_GRAPHICS_CONTRAST)
    return Palette(
        line=_visible(theme.muted, theme),
        frame=_visible(mix(theme.muted, theme.background, 0.45), theme),
        grid=ensure_contrast(mix(theme.background, theme.text_color, 0.15), theme.background, GRID_CONTRAST),
        box=theme.surface,
        stripe=mix(theme.background, theme.surface, 0.5),
        highlight=tint(accent, theme),
        highlight_line=accent,
        note=tint(accent, theme, _NOTE_TINTS),
        warning=tint(warning, theme),
        warning_line=warning,
        strong=strong,
        soft=tuple(tint(each, theme) for each in strong),
        quiet=ensure_contrast(
            ensure_contrast(theme.muted, theme.background, MIN_TEXT_CONTRAST), theme.surface, MIN_TEXT_CONTRAST
        ),
    )


def faint_colors(theme: FigureTheme) -> frozenset[str]:
    """Return the strokes that need no contrast, such as grids."""
    colors = palette(theme)
    return frozenset((colors.grid, theme.background, colors.box, colors.stripe, *colors.soft))


def authored_colors(content: str) -> frozenset[str]:
    """Return the opaque colors of a source, which are meant to be seen."""
    colors = (parse_css_color(each[1] or each[2]) for each in _AUTHORED.finditer(content))
    return frozenset(color for color in colors if color and len(color) == len("#rrggbb"))


def _with_four_more(series: Sequence[str], theme: FigureTheme) -> list[str]:
    """Add the darker and lighter ones that are farthest from all before."""
    grounds = theme.text_color, theme.background
    others = [ensure_contrast(mix(each, ground, 0.45), grounds[1], 3.5) for ground in grounds for each in series]
    colors = [*series]
    for _ in range(4):
        colors.append(max(others, key=lambda other: min(oklab_distance(other, each) for each in colors)))
    return colors


def _steps(theme: FigureTheme) -> tuple[str, ...]:
    """Return steps of lightness of the template's colors."""
    return tuple(mix(each, theme.background, _STEPS[number % len(_STEPS)]) for number, each in enumerate(theme.series))


def _distinct(colors: Iterable[str]) -> tuple[str, ...]:
    """Change equal colors invisibly, so that a color tells its number."""
    known: dict[str, None] = {}
    for color in colors:
        value = int(color[1:], 16)
        step = 1 if value & 255 < 128 else -1
        while f"#{value:06x}" in known:
            value += step
        known[f"#{value:06x}"] = None
    return tuple(known)


def tint(color: str, theme: FigureTheme, shares: Sequence[float] = _TINTS) -> str:
    """Return the first tint on which text is readable."""
    tints = (mix(theme.background, color, share) for share in shares)
    return next((each for each in tints if contrast(theme.text_color, each) >= MIN_TEXT_CONTRAST), theme.background)


def text_color_on(background: str, theme: FigureTheme) -> str:
    """Prefer the theme's colors to black and white."""
    theme_color = max((theme.background, theme.text_color), key=lambda each: contrast(each, background))
    if contrast(theme_color, background) >= MIN_TEXT_CONTRAST:
        return theme_color
    return max(("#000000", "#ffffff"), key=lambda each: contrast(each, background))


def _visible(color: str, theme: FigureTheme) -> str:
    return ensure_contrast(
        ensure_contrast(color, theme.background, MIN_GRAPHICS_CONTRAST), theme.surface, MIN_GRAPHICS_CONTRAST
    )
