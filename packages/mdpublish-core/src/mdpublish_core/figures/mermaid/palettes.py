"""The colours of diagrams, made of a template's: soft grounds that its text can be read on, and lines that are seen."""

from dataclasses import dataclass
from functools import lru_cache

from mdpublish_core.figures.colors import (
    MIN_GRAPHICS_CONTRAST,
    MIN_TEXT_CONTRAST,
    contrast,
    ensure_contrast,
    from_oklch,
    mix,
)
from mdpublish_core.figures.request import FigureTheme

# Shares of a colour in the ground that is tinted with it, tried from the strongest until text can be read.
_TINTS = (0.24, 0.2, 0.16, 0.12, 0.08, 0.05, 0.02)

# Contrast of what only helps to measure: seen by whoever looks for it.
_GRID_CONTRAST = 1.5

# What most readers take for a warning, as lightness on a light and on a dark ground, chroma and hue.
_WARNING = {False: (0.55, 0.19, 27.0), True: (0.7, 0.16, 27.0)}


@dataclass(frozen=True, slots=True, kw_only=True)
class Palette:
    """The colours of a diagram, each as `#rrggbb`; `text_color` of the theme can be read on every ground of these."""

    line: str
    """Lines that carry meaning: edges, borders, arrows."""

    frame: str
    """Lines around groups, and grids: seen, but not first."""

    grid: str
    """Lines that only help to measure."""

    box: str
    """The ground of boxes."""

    stripe: str
    """The ground of every other row."""

    highlight: str
    """The ground of what stands out a little."""

    highlight_line: str
    """The border of that."""

    note: str
    """The ground of notes: a breath of the accent."""

    warning: str
    """The ground of what is critical."""

    warning_line: str
    """The border of that."""

    strong: tuple[str, ...]
    """Twelve colours that are told apart, at least 3:1 on the background: slices, branches, points."""

    soft: tuple[str, ...]
    """Their tints, as grounds of text."""

    quiet: str
    """Letters that step back, on the background and on boxes."""


@lru_cache(maxsize=32)
def palette(theme: FigureTheme) -> Palette:
    """Return the colours of diagrams in a theme."""
    warning = ensure_contrast(from_oklch(_WARNING[theme.is_dark]), theme.background, MIN_GRAPHICS_CONTRAST)
    further = tuple(
        ensure_contrast(mix(each, theme.text_color, 0.45), theme.background, MIN_GRAPHICS_CONTRAST)
        for each in theme.series[:4]
    )
    strong = tuple(ensure_contrast(each, theme.background, MIN_GRAPHICS_CONTRAST) for each in theme.series) + further
    accent = ensure_contrast(theme.accent, theme.background, MIN_GRAPHICS_CONTRAST)
    return Palette(
        line=_visible(theme.muted, theme),
        frame=_visible(mix(theme.muted, theme.background, 0.45), theme),
        grid=ensure_contrast(mix(theme.background, theme.text_color, 0.15), theme.background, _GRID_CONTRAST),
        box=theme.surface,
        stripe=mix(theme.background, theme.surface, 0.5),
        highlight=tint(accent, theme),
        highlight_line=accent,
        note=tint(accent, theme, max_share=0.05),
        warning=tint(warning, theme),
        warning_line=warning,
        strong=strong,
        soft=tuple(tint(each, theme) for each in strong),
        quiet=ensure_contrast(
            ensure_contrast(theme.muted, theme.background, MIN_TEXT_CONTRAST), theme.surface, MIN_TEXT_CONTRAST
        ),
    )


def tint(color: str, theme: FigureTheme, *, max_share: float = 1.0) -> str:
    """Return the theme's background with as much of a colour as its text allows, and no more than a share of it."""
    tints = (mix(theme.background, color, share) for share in _TINTS if share <= max_share)
    return next((each for each in tints if contrast(theme.text_color, each) >= MIN_TEXT_CONTRAST), theme.background)


def text_color_on(background: str, theme: FigureTheme) -> str:
    """Return the colour of letters that are best read on a ground: the theme's own where they can be read, or black or white."""
    theme_color = max((theme.background, theme.text_color), key=lambda each: contrast(each, background))
    if contrast(theme_color, background) >= MIN_TEXT_CONTRAST:
        return theme_color
    return max(("#000000", "#ffffff"), key=lambda each: contrast(each, background))


def _visible(color: str, theme: FigureTheme) -> str:
    """Return a colour that is seen on the background and on boxes."""
    return ensure_contrast(
        ensure_contrast(color, theme.background, MIN_GRAPHICS_CONTRAST), theme.surface, MIN_GRAPHICS_CONTRAST
    )
