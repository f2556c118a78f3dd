"""Size, alt text and theme of figures."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from math import inf
from typing import TYPE_CHECKING

from mdpublish_core.css.colors import MIN_GRAPHICS_CONTRAST, MIN_TEXT_CONTRAST, contrast, ensure_contrast
from mdpublish_core.resources.figure_kinds import FIGURE_KINDS
from mdpublish_core.strings.lazy_patterns import compile_lazily
from mdpublish_core.templates.style import figure_theme
from mdpublish_core.writers.words import ENGLISH, Words

if TYPE_CHECKING:
    from mdpublish_core.figures.request import FigureTheme, RenderedFigure
    from mdpublish_core.nodes import Figure
    from mdpublish_core.templates.style import Style

# Pixels, optionally with `px`.
_WIDTH = compile_lazily(r"(\d{1,5})(?:px)?")

_MIN_WIDTH, _MAX_WIDTH = 16, 4000

# What is wider than its column by less than a seventh is scaled to it: 14 px text shrinks to a readable 9 px.
_MAX_EXCESS = 1.15
_MIN_SCALE = 9 / 14 * _MAX_EXCESS

# Fits the narrowest phones, in px.
PHONE_WIDTH = 280

# Minimum widths in px that have CSS rules.
_MIN_WIDTH_STEPS = (240, 280, 320, 360, 420, 480, 560, 640, 720, 840, 960, 1120, 1280, 1600, 2000)

_HEX_COLOR = compile_lazily(r"#[0-9a-f]{6}")

MAX_PAGE_HEIGHT = 800
"""US Letter has 864 px between 1 in margins, minus a caption."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Placement:
    """Surroundings of an image, in CSS pixels. Images are opaque, to stay readable in clients that invert colors."""

    background_color: str
    foreground_color: str
    text_size: float
    width: float = inf
    height: float = inf

    column: float = field(default=inf, compare=False)
    """Width of the text, where the destination scales images itself, or lets them be wider."""

    def theme_for(self, style: Style) -> FigureTheme:
        """Return the template's figure theme, in the mode that is readable here."""
        theme = style.figure_theme
        background_color = self.background_color.lower()
        if background_color == theme.background.lower() or not _HEX_COLOR.fullmatch(background_color):
            return theme
        if contrast(theme.text_color, background_color) < MIN_TEXT_CONTRAST:
            other = figure_theme(style.template, "light" if theme.is_dark else "dark")
            theme = max(theme, other, key=lambda candidate: contrast(candidate.text_color, background_color))
        return replace(
            theme,
            background=background_color,
            text_color=ensure_contrast(theme.text_color, background_color, MIN_TEXT_CONTRAST),
            muted=ensure_contrast(theme.muted, background_color, MIN_TEXT_CONTRAST),
            accent=ensure_contrast(theme.accent, background_color, MIN_GRAPHICS_CONTRAST),
            series=tuple(ensure_contrast(color, background_color, MIN_GRAPHICS_CONTRAST) for color in theme.series),
        )

    def formula_theme_for(self, style: Style) -> FigureTheme:
        """Use the surrounding text color if its contrast suffices."""
        theme, foreground_color = self.theme_for(style), self.foreground_color.lower()
        if (
            _HEX_COLOR.fullmatch(foreground_color)
            and contrast(foreground_color, theme.background) >= MIN_GRAPHICS_CONTRAST
        ):
            return replace(theme, text_color=foreground_color)
        return theme

    def scale(self, size: FigureSize) -> float:
        """Return the scale of a figure that is drawn within its column."""
        return min(1.0, self.width / size.width, self.height / size.height, self.column / size.width)

    def fit(self, size: FigureSize) -> FigureSize:
        scale = min(1.0, self.width / size.width, self.height / size.height)
        if self.column < scale * size.width < _MAX_EXCESS * self.column:
            scale = self.column / size.width
        return FigureSize(max(1, round(size.width * scale)), max(1, round(size.height * scale)))


@dataclass(frozen=True, slots=True)
class FigureSize:
    """In CSS pixels."""

    width: int
    height: int


ON_WHITE = Placement(background_color="#ffffff", foreground_color="", text_size=0.0)
"""For pages that stay white."""


def display_size(token: Figure, rendered: RenderedFigure) -> FigureSize:
    """Return the natural size or that of the `width` option, 16 to 4,000 px."""
    if not (requested := _WIDTH.fullmatch(token.options.get("width", ""))):
        return FigureSize(rendered.width, rendered.height)
    width = min(max(int(requested[1]), _MIN_WIDTH), _MAX_WIDTH)
    return FigureSize(width, max(1, round(rendered.height * width / rendered.width)))


def width_class(width: int) -> str | None:
    """Return the class of a figure too wide to shrink."""
    if width <= PHONE_WIDTH:
        return None
    return f"wide-{next((step for step in _MIN_WIDTH_STEPS if step >= _MIN_SCALE * width), _MIN_WIDTH_STEPS[-1])}"


def alt_text(token: Figure, rendered: RenderedFigure, words: Words) -> str:
    """Return the author's alt text, else the figure's type and title. Engines name types in English alone."""
    caption = token.options.get("title")
    if (alt := token.options.get("alt")) and alt != caption:
        return alt
    kind = FIGURE_KINDS[token.kind].label
    label = (words is ENGLISH and rendered.label) or words.get(kind.lower(), kind)
    return f"{label}: {rendered.title}" if rendered.title and rendered.title != caption else label


def description_of(token: Figure, rendered: RenderedFigure) -> str:
    """Return what the figure shows, unless the author gave an `alt`."""
    if token.options.get("alt"):
        return ""
    label, separator, rest = rendered.description.partition(". ")
    # Those of charts begin with the type.
    description = rest if separator and label == rendered.label else rendered.description
    return "" if description == rendered.label else description


def alt_text_with_description(token: Figure, rendered: RenderedFigure, words: Words) -> str:
    name, description = alt_text(token, rendered, words), description_of(token, rendered)
    if not description:
        return name
    return f"{name} {description}" if name.endswith((".", "!", "?", ":")) else f"{name}. {description}"
