"""How a chart's text is set: fonts, the width of a line, and where its baseline is."""

import re
from dataclasses import dataclass
from functools import lru_cache
from typing import Literal
from unicodedata import east_asian_width

from mdpublish_core.figures.charts.defaults import LINE_HEIGHT
from mdpublish_core.figures.charts.options import Options
from mdpublish_core.figures.charts.values import Json, parse_number, to_string
from mdpublish_core.figures.fonts import text_width
from mdpublish_core.figures.line_breaking import truncate

Align = Literal["left", "center", "right"]
Baseline = Literal["top", "middle", "bottom"]

Label = tuple[str, ...]
"""A text by its lines."""

# How far below its place a line's baseline is whose middle, top or bottom stands there, in em: where a canvas has it.
_MIDDLE, _TOP, _BOTTOM = 0.26, 0.76, 0.24

# A letter of a monospaced font, and how much wider bold letters are: none of the usual fonts' are wider.
_MONOSPACE_ADVANCE = 0.61
_BOLD_FACTOR = 1.12

_LINE_HEIGHT = re.compile(r"(\d+(?:\.\d+)?)(px|em|%)?")
_MAX_SIZE = 1000.0

# Labels whose room is smaller than this, in px, are shown as they are: an ellipsis alone says nothing.
_MIN_ROOM = 24.0


@dataclass(frozen=True, slots=True)
class Font:
    """A font at a size, in px; `line_height` is the distance between two baselines, in px."""

    size: float
    line_height: float
    is_bold: bool = False
    is_italic: bool = False
    is_monospaced: bool = False
    family: str = ""
    """What the author asks for; "" is the document's own."""
    weight: str = ""

    def width(self, line: str) -> float:
        """Return how wide a line is at most, in px."""
        return _width(line, self.size, self.is_bold, self.is_monospaced)

    def widest(self, label: Label) -> float:
        """Return how wide the longest line is, in px."""
        return max(map(self.width, label), default=0.0)

    def fit(self, label: Label, room: float) -> Label:
        """Return a label with its lines shortened to so much room, in px."""
        room = max(room, _MIN_ROOM)
        if self.widest(label) <= room + 1:
            return label
        return tuple(truncate(line, max_width=room, measure=self.width) for line in label)


def read_font(options: Options, default: Font, name: str = "font") -> Font:
    """Return the font that an option asks for; what it leaves open is as in another font."""
    font_options = options.nested(name)
    size = min(_MAX_SIZE, max(0.0, font_options.number("size", default.size)))
    weight = font_options.string("weight", default.weight)
    height = font_options.value("lineHeight")
    ratio = default.line_height / default.size if default.size else LINE_HEIGHT
    family = font_options.string("family", default.family)
    return Font(
        size=size,
        line_height=size * ratio if height is None else _line_height(height, size),
        is_bold=_is_bold(weight),
        is_italic=font_options.string("style").startswith(("italic", "oblique"))
        or (not font_options.has("style") and default.is_italic),
        is_monospaced="mono" in family.lower() if font_options.has("family") else default.is_monospaced,
        family=family,
        weight=weight,
    )


def baseline_shift(baseline: Baseline, size: float) -> float:
    """Return how far below a line's place its baseline is, in px."""
    return {"top": _TOP, "middle": _MIDDLE, "bottom": -_BOTTOM}[baseline] * size


def label_of(value: Json) -> Label:
    """Return a label: a list is its lines."""
    return tuple(map(to_string, value)) if isinstance(value, list) else (to_string(value),)


def _line_height(value: Json, size: float) -> float:
    """Return a line's height.

    https://developer.mozilla.org/en-US/docs/Web/CSS/line-height
    """
    match = _LINE_HEIGHT.fullmatch(to_string(value))
    if not match:
        return size * LINE_HEIGHT
    height = parse_number(match[1]) or 0.0
    if match[2] == "px":
        return height
    return size * (height / 100 if match[2] == "%" else height)


def _is_bold(weight: str) -> bool:
    if weight.isdecimal() and len(weight) < 5:
        return int(weight) >= 600
    return weight in {"bold", "bolder"}


@lru_cache(maxsize=8192)
def _width(line: str, size: float, is_bold: bool, is_monospaced: bool) -> float:
    width = text_width(line, size)
    if is_monospaced:
        width = max(width, size * _MONOSPACE_ADVANCE * sum(2 if east_asian_width(each) in "WF" else 1 for each in line))
    return width * _BOLD_FACTOR if is_bold else width
