"""The colours of a chart where its author gives none: a template's, in its mode."""

from dataclasses import dataclass
from functools import lru_cache

from mdpublish_core.figures.colours import READABLE, contrast, mixed, nudged
from mdpublish_core.figures.request import FigureTheme

# How much of a colour an area has through which others must be seen.
_SEE_THROUGH = "80"

# The most contrast of a grid: Chart.js's has 1.26 on white.
_FAINT = 1.5


@dataclass(frozen=True, slots=True, kw_only=True)
class Palette:
    """What a chart is drawn in; each colour is `#rrggbb`, or `#rrggbbaa` where it lets something through."""

    ink: str
    """Titles."""

    quiet: str
    """Labels of axes and legends."""

    rule: str
    """The lines of axes and of their grid."""

    ground: str
    """What the chart stands on; slices are parted by it."""

    backdrop: str
    """What is laid below labels that stand on lines."""

    strong: tuple[str, ...]
    """For lines, borders and slices, one after another."""

    areas: tuple[str, ...]
    """What goes with them inside lines, points and bubbles."""

    bars: tuple[str, ...]
    """What goes with them inside bars, which have no border of their own colour."""

    outlines: bool = True
    """Whether what others are seen through has a border of its strong colour, so that it is seen itself."""

    def strong_of(self, number: int) -> str:
        return self.strong[number % len(self.strong)]

    def area_of(self, number: int) -> str:
        return self.areas[number % len(self.areas)]

    def bar_of(self, number: int) -> str:
        return self.bars[number % len(self.bars)]


@lru_cache(maxsize=256)
def palette_of(theme: FigureTheme) -> Palette:
    """Return the colours of a chart in a template's theme.

    A bar's fill is what is seen of it, so it keeps the contrast of the series; what a line goes around need not. Bars in front
    of lines, and slices in front of labels, let these be seen, and so have a line around them.
    """
    return Palette(
        ink=theme.text,
        quiet=nudged(theme.muted, theme.background, READABLE),
        rule=_faint(theme.rule, theme.background),
        ground=theme.background,
        backdrop=f"{theme.background}bf",
        strong=theme.series,
        areas=tuple(f"{colour}{_SEE_THROUGH}" for colour in theme.series),
        bars=theme.series,
    )


def _faint(colour: str, ground: str) -> str:
    """Return a colour so near to the ground that lines all over a chart step back behind what is shown."""
    share = 0.0
    faint = colour
    while contrast(faint, ground) > _FAINT and share < 1:
        share += 0.1
        faint = mixed(colour, ground, share)
    return faint
