"""Default chart colors of a template."""

from dataclasses import dataclass
from functools import lru_cache

from mdpublish_core.figures.colors import MIN_TEXT_CONTRAST, contrast, ensure_contrast, mix
from mdpublish_core.figures.request import FigureTheme

# Opacity of areas in front of others.
_TRANSLUCENT_ALPHA = "80"

# The grid of Chart.js has a contrast of 1.26 on white.
_MAX_GRID_CONTRAST = 1.5


@dataclass(frozen=True, slots=True, kw_only=True)
class Palette:
    """Colors as `#rrggbb`, or `#rrggbbaa` if translucent."""

    title_color: str
    label_color: str  # axes and legends
    grid_color: str  # axes, too
    background: str  # also separates slices
    label_backdrop: str  # behind labels on lines
    series_colors: tuple[str, ...]  # lines, borders and slices
    area_colors: tuple[str, ...]  # insides of lines, points and bubbles
    bar_colors: tuple[str, ...]  # bars
    has_outlines: bool = True  # translucent elements have opaque borders

    def series_color(self, number: int) -> str:
        return self.series_colors[number % len(self.series_colors)]

    def area_color(self, number: int) -> str:
        return self.area_colors[number % len(self.area_colors)]

    def bar_color(self, number: int) -> str:
        return self.bar_colors[number % len(self.bar_colors)]


@lru_cache(maxsize=256)
def build_palette(theme: FigureTheme) -> Palette:
    """Build the palette of a template.

    Bars have no border, so their fill keeps the contrast of the series color. Bars in front of lines and slices
    in front of labels are translucent, with a border.
    """
    return Palette(
        title_color=theme.text_color,
        label_color=ensure_contrast(theme.muted, theme.background, MIN_TEXT_CONTRAST),
        grid_color=_faded(theme.rule, theme.background),
        background=theme.background,
        label_backdrop=f"{theme.background}bf",
        series_colors=theme.series,
        area_colors=tuple(f"{color}{_TRANSLUCENT_ALPHA}" for color in theme.series),
        bar_colors=theme.series,
    )


def _faded(color: str, background: str) -> str:
    """Fade to `_MAX_GRID_CONTRAST`."""
    share = 0.0
    faint = color
    while contrast(faint, background) > _MAX_GRID_CONTRAST and share < 1:
        share += 0.1
        faint = mix(color, background, share)
    return faint
