"""Default chart colors of a template."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

from mdpublish_core.css.colors import MIN_GRAPHICS_CONTRAST, MIN_TEXT_CONTRAST, blend, contrast, ensure_contrast, mix
from mdpublish_core.figures.charts.shapes.elements import PointShape
from mdpublish_core.figures.dress import UNDRESSED, FigureDress
from mdpublish_core.figures.patterns import SOLID
from mdpublish_core.figures.request import FigureTheme

# Opacity of areas in front of others.
_TRANSLUCENT_ALPHA = "80"

# Of areas below lines that differ in their dashes and points, not their colors.
_FAINT_ALPHA = "26"

# Of a fill without an outline.
_MIN_VISIBLE = 1.1

# Of the background in the colors of a ninth slice and those after it.
_TINT = 0.4

# The grid of Chart.js has a contrast of 1.26 on white.
_MAX_GRID_CONTRAST = 1.5

# px. With patterns, lines differ in their dashes and points, too.
_DASHES: Sequence[tuple[float, ...]] = ((), (8, 4), (2, 3), (12, 3, 2, 3), (5, 3), (16, 4), (8, 3, 2, 3, 2, 3), (4, 6))
_POINT_SHAPES: tuple[PointShape, ...] = ("circle", "rect", "triangle", "rectRot")

_DRESSED_POINTS: dict[str, PointShape] = {"square": "rect", "diamond": "rectRot"}


@dataclass(frozen=True, slots=True, kw_only=True)
class Palette:
    """Colors as `#rrggbb`, or translucent `#rrggbbaa`; for bars and slices, `/` and a pattern's name may follow."""

    title_color: str
    label_color: str  # axes and legends
    grid_color: str  # axes, too
    background: str  # also separates slices
    label_backdrop: str  # behind labels on lines
    series_colors: tuple[str, ...]  # lines, borders and slices
    area_colors: tuple[str, ...]  # insides of lines, points and bubbles
    bar_colors: tuple[str, ...]
    slice_colors: tuple[str, ...]
    overlay_colors: tuple[str, ...]  # bars in front of lines, slices in front of a scale
    has_outlines: bool = True  # translucent elements have opaque borders
    has_patterns: bool = False
    dress: FigureDress = UNDRESSED

    def hides(self, fill: str) -> bool:
        """Return whether a color of the author's looks like the background; what is wholly transparent is meant so."""
        alpha = int(fill[7:9], 16) / 255 if len(fill) == len("#rrggbbaa") else 1.0
        if not fill or not alpha:
            return False
        return contrast(blend(fill[:7], self.background, alpha), self.background) < _MIN_VISIBLE

    def dash(self, number: int) -> tuple[float, ...]:
        return _DASHES[number % len(_DASHES)] if self.has_patterns else ()

    def point_shape(self, number: int) -> PointShape:
        if self.has_patterns:
            return _POINT_SHAPES[number % len(_POINT_SHAPES)]
        return _DRESSED_POINTS.get(self.dress.point or "", "circle")


@lru_cache(maxsize=256)
def build_palette(theme: FigureTheme) -> Palette:
    """Build the palette of a template.

    Bars have no border, so their fill keeps the contrast of the series color. Bars in front of lines and slices
    in front of labels are translucent, with a border.
    """
    translucent = tuple(f"{color}{_TRANSLUCENT_ALPHA}" for color in theme.series)
    tinted = tuple(f"{color}{_FAINT_ALPHA}" for color in theme.series)
    solid = _patterned(theme.series, theme.patterns)
    lighter = (mix(color, theme.background, _TINT) for color in theme.series)
    others = [ensure_contrast(color, theme.background, MIN_GRAPHICS_CONTRAST) for color in lighter]
    return Palette(
        title_color=theme.text_color,
        label_color=ensure_contrast(theme.muted, theme.background, MIN_TEXT_CONTRAST),
        grid_color=_faded(theme.rule, theme.background),
        background=theme.background,
        label_backdrop=f"{theme.background}bf",
        series_colors=theme.series,
        area_colors=tinted if theme.patterns else translucent,
        bar_colors=_patterned(tinted, theme.patterns) if theme.dress.fill == "outline" else solid,
        slice_colors=solid + _patterned(others, theme.patterns),
        overlay_colors=_patterned(translucent, theme.patterns),
        has_patterns=bool(theme.patterns),
        dress=theme.dress,
    )


def _patterned(colors: Sequence[str], patterns: Sequence[str]) -> tuple[str, ...]:
    pairs = zip(colors, patterns or (SOLID,) * len(colors), strict=True)
    return tuple(color if pattern == SOLID else f"{color}/{pattern}" for color, pattern in pairs)


def _faded(color: str, background: str) -> str:
    """Fade to `_MAX_GRID_CONTRAST`."""
    share = 0.0
    faint = color
    while contrast(faint, background) > _MAX_GRID_CONTRAST and share < 1:
        share += 0.1
        faint = mix(color, background, share)
    return faint
