"""Text measurement and wrapping for diagrams."""

import re
from functools import lru_cache, partial
from typing import NamedTuple
from unicodedata import east_asian_width

from mdpublish_core.figures.fonts import text_width
from mdpublish_core.figures.line_breaking import MeasureWidth
from mdpublish_core.figures.request import FigureTheme

# In em: slightly more than DejaVu Sans Mono, the widest common one.
_MONO_WIDTH = 0.61

# Average ratio of bold to regular widths.
_BOLD_FACTOR = 1.12

_SPACES = re.compile(r"[ \t]+")


class Line(NamedTuple):
    """A line and its width in px."""

    content: str
    width: float


@lru_cache(maxsize=8192)
def line_width(line: str, size: float, *, is_bold: bool = False, is_monospaced: bool = False) -> float:
    """Return an upper bound in px; raises `MissingExtra`."""
    width = text_width(line, size)
    if is_monospaced:
        width = max(width, size * _MONO_WIDTH * sum(2 if east_asian_width(each) in "WF" else 1 for each in line))
    return width * _BOLD_FACTOR if is_bold else width


def measure_in(theme: FigureTheme, size: float) -> MeasureWidth:
    """Return `line_width` for texts of one size in the theme's font."""
    return partial(line_width, size=size, is_monospaced=theme.is_monospaced)


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


def is_bold(weight: str | None) -> bool:
    if not weight:
        return False
    return int(weight) >= 600 if weight.isdecimal() and len(weight) < 5 else weight.startswith("bold")
