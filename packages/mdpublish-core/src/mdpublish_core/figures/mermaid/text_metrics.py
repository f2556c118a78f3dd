"""Text measurement and wrapping for diagrams."""

import re
from functools import partial
from typing import NamedTuple

from mdpublish_core.figures.fonts import line_width
from mdpublish_core.figures.line_breaking import MeasureWidth
from mdpublish_core.figures.request import FigureTheme

_SPACES = re.compile(r"[ \t]+")


class Line(NamedTuple):
    """A line and its width in px."""

    content: str
    width: float


def measure_in(theme: FigureTheme, size: float, *, is_bold: bool = False) -> MeasureWidth:
    """Return `line_width` for texts of one size in the theme's font."""
    return partial(line_width, size=size, is_bold=is_bold, is_monospaced=theme.is_monospaced)


def wrap_text(
    content: str, max_width: float | None, size: float, *, is_bold: bool = False, is_monospaced: bool = False
) -> list[Line]:
    """Break at line feeds, and at spaces to fit `max_width` px; returns at least one line."""

    def width(words: str) -> float:
        return line_width(words, size, is_bold=is_bold, is_monospaced=is_monospaced)

    lines: list[Line] = []
    space = width(" ")
    for paragraph in content.split("\n"):
        whole = width(paragraph)
        if max_width is None or whole <= max_width:
            lines.append(Line(paragraph, whole))
            continue
        words: list[str] = []
        taken = 0.0
        for word in _SPACES.split(paragraph):
            more = width(word)
            if words and taken + space + more > max_width:
                lines.append(Line(" ".join(words), taken))
                words, taken = [], 0.0
            taken += more + (space if words else 0.0)
            words.append(word)
        lines.append(Line(" ".join(words), taken))
    return lines
