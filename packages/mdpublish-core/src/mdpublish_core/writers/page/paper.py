"""Figures and formulas of a dark page on paper.

A stylesheet outranks color attributes: for each color of the figures there is one rule, for print alone. The
luminance of all colors is inverted so that the background becomes white and no contrast gets lower; hues stay.
"""

import math
from collections.abc import Iterator
from functools import lru_cache

from mdpublish_core.css.colors import contrast, from_oklch, luminance, to_oklch
from mdpublish_core.figures.results import RenderedFigures
from mdpublish_core.lazy_patterns import compile_lazily
from mdpublish_core.templates import Style

MAX_COLORS = 100
"""Rules per page. Figures with more colors are inverted by a filter, which browsers print as images."""

# Attributes, with the elements in which they are and the properties of CSS that outrank them.
_PAINTS = {
    **{name: (".drawing", name) for name in ("fill", "stroke", "stop-color")},
    "mathcolor": ("math", "color"),
    "mathbackground": ("math", "background-color"),
}

# The sanitizer writes all colors in this form.
_PAINT = compile_lazily('(fill|stroke|stop-color)="(#[0-9a-f]{6})"')

_COLOR = compile_lazily("#[0-9a-f]{6}")

_PLAIN_RULES = (
    ".drawing svg{filter:invert(1) hue-rotate(180deg)}",
    "math [mathcolor]{color:inherit}",
    "math [mathbackground]{background-color:transparent}",
)

# Of contrast, in WCAG 2.2.
_FLARE = 0.05

# With black on the built-in templates, it is at most 1.7.
_MAX_STEEPNESS = 2.0


def paper_css(figures: RenderedFigures, style: Style) -> str:
    """Return the rules that print a dark page's figures in dark colors on white; none for light pages."""
    if style.theme_mode == "light":
        return ""
    written = {*_paints_of_figures(figures), *_paints_of_formulas(figures)}
    paints = {(name, value) for name, value in written if name in _PAINTS and _COLOR.fullmatch(value)}
    if not paints:
        return ""
    background = style.figure_theme.background
    if len(paints) > MAX_COLORS:
        rules = [f".{style.scope} {rule}" for rule in _PLAIN_RULES]
    else:
        steepness = _steepness(min((color for _, color in paints), key=luminance), background)
        rules = [
            f'.{style.scope} {_PAINTS[name][0]} [{name}="{color}"]'
            f"{{{_PAINTS[name][1]}:{on_paper(color, background, steepness)}}}"
            for name, color in sorted(paints)
        ]
    return "\n".join(("\n@media print{", *rules, "}"))


def _paints_of_figures(figures: RenderedFigures) -> Iterator[tuple[str, str]]:
    for _, _, rendered in figures.figures.values():
        if rendered.svg:
            yield from rendered.svg.attributes
            for part in rendered.svg.parts:
                yield from _PAINT.findall(part)


def _paints_of_formulas(figures: RenderedFigures) -> Iterator[tuple[str, str]]:
    for formula in {id(each): each for each in figures.formulas.values()}.values():
        for element in formula.root.iter():
            yield from element.items()


@lru_cache(maxsize=4096)
def on_paper(color: str, background: str, steepness: float = 1.0) -> str:
    """Return the color with the same hue that contrasts with white as `color` does with `background`, or more."""
    ratio = (luminance(color) + _FLARE) / (luminance(background) + _FLARE)
    if ratio <= 1:
        return "#ffffff"
    target = (1 + _FLARE) / ratio**steepness - _FLARE
    _, chroma, hue = to_oklch(color)
    low, high = 0.0, 1.0
    for _ in range(12):
        middle = (low + high) / 2
        if luminance(from_oklch((middle, chroma, hue))) < target:
            low = middle
        else:
            high = middle
    return from_oklch((low, chroma, hue))


def _steepness(darkest: str, background: str) -> float:
    """Return the exponent of contrasts, more than 1 if a color is darker than the background.

    On paper it is white, as the background is. On the fill on which it and white text are equally readable, both stay as
    readable as they were.
    """
    if luminance(darkest) >= luminance(background):
        return 1.0
    middle = math.log(contrast(darkest, "#ffffff")) / 2
    return min(_MAX_STEEPNESS, middle / max(0.1, middle - math.log(contrast(background, darkest))))
