"""Figures as every destination has them: their size, what stands for them, and the pictures of those that take no drawing."""

import re
from dataclasses import dataclass, replace
from math import inf

from mdpublish_core.figure_kinds import FIGURE_KINDS
from mdpublish_core.figures.colors import MIN_GRAPHICS_CONTRAST, MIN_TEXT_CONTRAST, contrast, ensure_contrast
from mdpublish_core.figures.request import FigureTheme, RenderedFigure
from mdpublish_core.nodes import Figure
from mdpublish_core.templates.style import Style, figure_theme

# What an author says of a figure's width: pixels, which `px` may follow.
_WIDTH = re.compile(r"(\d{1,5})(?:px)?")

_LEAST_WIDTH, _MOST_WIDTH = 16, 4000

# The least share of its own width that a drawing has: letters of 14 px are then 10 px, which most people can read.
_LEAST_SHARE = 10 / 14

# What has room on the narrowest telephones, in px.
_NARROW = 280

# The least widths in px that there are rules for.
_WIDTHS = (240, 280, 320, 360, 420, 480, 560, 640, 720, 840, 960, 1120, 1280, 1600, 2000)

_COLOR = re.compile(r"#[0-9a-f]{6}")

PAGE_HEIGHT = 800
"""The most that a picture takes of a page on paper, in CSS pixels: US Letter has 864 between margins of an inch, and a
caption goes with it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Place:
    """Where a picture stands: the colour below it, that of the letters around it and their size, and the room there is.

    Lengths are in CSS pixels. A picture is drawn on the colour of its place, since one that lets it through could not be
    read any more where a client turns light into dark.
    """

    ground: str
    ink: str
    text_size: float
    width: float = inf
    height: float = inf

    def look(self, style: Style) -> FigureTheme:
        """Return a template's look of figures as it is to be here: of its two modes the one that can be read."""
        own = style.figure_theme
        ground = self.ground.lower()
        if ground == own.background.lower() or not _COLOR.fullmatch(ground):
            return own
        if contrast(own.text, ground) < MIN_TEXT_CONTRAST:
            other = figure_theme(style.template, "light" if own.is_dark else "dark")
            own = max(own, other, key=lambda look: contrast(look.text, ground))
        return replace(
            own,
            background=ground,
            text=ensure_contrast(own.text, ground, MIN_TEXT_CONTRAST),
            muted=ensure_contrast(own.muted, ground, MIN_TEXT_CONTRAST),
            accent=ensure_contrast(own.accent, ground, MIN_GRAPHICS_CONTRAST),
            series=tuple(ensure_contrast(color, ground, MIN_GRAPHICS_CONTRAST) for color in own.series),
        )

    def formula_look(self, style: Style) -> FigureTheme:
        """Return the look of a formula, which is in the colour of the letters around it."""
        look, ink = self.look(style), self.ink.lower()
        if _COLOR.fullmatch(ink) and contrast(ink, look.background) >= MIN_GRAPHICS_CONTRAST:
            return replace(look, text=ink)
        return look

    def fitted(self, size: "Size") -> "Size":
        """Return a size in the same proportions that there is room for."""
        share = min(1.0, self.width / size.width, self.height / size.height)
        return Size(max(1, round(size.width * share)), max(1, round(size.height * share)))


@dataclass(frozen=True, slots=True)
class Size:
    """How large a figure is shown, in CSS pixels."""

    width: int
    height: int


ON_WHITE = Place(ground="#ffffff", ink="", text_size=0.0)
"""A page that stays white whatever a template's colours are."""


def shown_size(token: Figure, drawing: RenderedFigure) -> Size:
    """Return a figure's own size, or that of the width which its author asks for, 16 to 4,000 px."""
    asked = _WIDTH.fullmatch(token.options.get("width", ""))
    if not asked:
        return Size(drawing.width, drawing.height)
    width = min(max(int(asked[1]), _LEAST_WIDTH), _MOST_WIDTH)
    return Size(width, max(1, round(drawing.height * width / drawing.width)))


def width_class(width: int) -> str | None:
    """Return the class of a drawing that is not to be made as narrow as its room, by its own width in px."""
    if width <= _NARROW:
        return None
    return f"wide-{next((step for step in _WIDTHS if step >= _LEAST_SHARE * width), _WIDTHS[-1])}"


def alternative(token: Figure, drawing: RenderedFigure) -> str:
    """Return the text that stands for a figure: its author's, or what its source calls it, or else what kind it is of.

    What stands below it as its title is not said twice.
    """
    own = token.options.get("alt") or drawing.title
    if own and own != token.options.get("title"):
        return own
    return drawing.label or FIGURE_KINDS[token.kind].label


def described(token: Figure, drawing: RenderedFigure) -> str:
    """Return the text that stands for a picture, with what its source says of it where its author says nothing else."""
    name = alternative(token, drawing)
    if not drawing.description or token.options.get("alt"):
        return name
    if drawing.description.startswith(name):
        return drawing.description
    return f"{name}: {drawing.description}"
