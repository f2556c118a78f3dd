"""The colours of a chart where its author gives none: a template's, in its mode."""

from dataclasses import dataclass
from functools import lru_cache

from mdpublish_core.figures.colors import MIN_TEXT_CONTRAST, contrast, ensure_contrast, mix
from mdpublish_core.figures.request import FigureTheme

# How much of a colour an area has through which others must be seen.
_TRANSLUCENT_ALPHA = "80"

# The most contrast of a grid: Chart.js's has 1.26 on white.
_MAX_GRID_CONTRAST = 1.5


@dataclass(frozen=True, slots=True, kw_only=True)
class Palette:
    """What a chart is drawn in; each colour is `#rrggbb`, or `#rrggbbaa` where it lets something through."""

    title_color: str
    """Titles."""

    label_color: str
    """Labels of axes and legends."""

    grid_color: str
    """The lines of axes and of their grid."""

    background: str
    """What the chart stands on; slices are parted by it."""

    label_backdrop: str
    """What is laid below labels that stand on lines."""

    series_colors: tuple[str, ...]
    """For lines, borders and slices, one after another."""

    area_colors: tuple[str, ...]
    """What goes with them inside lines, points and bubbles."""

    bar_colors: tuple[str, ...]
    """What goes with them inside bars, which have no border of their own colour."""

    has_outlines: bool = True
    """Whether what others are seen through has a border of its strong colour, so that it is seen itself."""

    def series_color(self, number: int) -> str:
        return self.series_colors[number % len(self.series_colors)]

    def area_color(self, number: int) -> str:
        return self.area_colors[number % len(self.area_colors)]

    def bar_color(self, number: int) -> str:
        return self.bar_colors[number % len(self.bar_colors)]


@lru_cache(maxsize=256)
def build_palette(theme: FigureTheme) -> Palette:
    """Return the colours of a chart in a template's theme.

    A bar's fill is what is seen of it, so it keeps the contrast of the series; what a line goes around need not. Bars in front
    of lines, and slices in front of labels, let these be seen, and so have a line around them.
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
    """Return a colour so near to the ground that lines all over a chart step back behind what is shown."""
    share = 0.0
    faint = color
    while contrast(faint, background) > _MAX_GRID_CONTRAST and share < 1:
        share += 0.1
        faint = mix(color, background, share)
    return faint
