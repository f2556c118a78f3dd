"""Fonts, text widths and baselines."""

import math
import re
from dataclasses import dataclass
from typing import Literal

from mdpublish_core.figures.charts.defaults import LINE_HEIGHT
from mdpublish_core.figures.charts.options import Options
from mdpublish_core.figures.charts.values import Json, parse_number, to_string
from mdpublish_core.figures.fonts import is_bold, line_width
from mdpublish_core.figures.line_breaking import break_lines, truncate

Align = Literal["left", "center", "right"]
Baseline = Literal["top", "middle", "bottom"]

Label = tuple[str, ...]

# em below the middle, top or bottom of a line.
_MIDDLE, _TOP, _BOTTOM = 0.26, 0.76, 0.24

_LINE_HEIGHT = re.compile(r"(\d+(?:\.\d+)?)(px|em|%)?")
_MAX_SIZE = 1000.0

# px; shortening to less would leave only an ellipsis.
_MIN_ROOM = 24.0

MIN_STRETCH = 0.6
"""Part of its width to which a line is compressed before it is cut."""


@dataclass(frozen=True, slots=True)
class Font:
    """`size` and `line_height` are in px."""

    size: float
    line_height: float
    is_bold: bool = False
    is_italic: bool = False
    is_monospaced: bool = False
    family: str = ""  # "" for the document's font
    weight: str = ""

    def width(self, line: str) -> float:
        """Return an upper bound of the width in px."""
        return line_width(line, self.size, is_bold=self.is_bold, is_monospaced=self.is_monospaced)

    def widest(self, label: Label) -> float:
        return max(map(self.width, label), default=0.0)

    def wrap(self, label: Label, room: float, max_lines: int) -> Label:
        """Break a label of one line between its words, in lines of `room` px or of the longest word."""
        if len(label) != 1 or max_lines < 2 or self.width(label[0]) <= room:
            return label
        room = max([room, *map(self.width, label[0].split())])
        broken = break_lines(label[0], max_width=room, max_lines=max_lines, measure=self.width)
        return broken.lines if broken.is_complete and broken.keeps_words else label

    def fit(self, label: Label, room: float, max_lines: int = 1) -> tuple[Label, float]:
        """Fit a label into `room` px; return also the width to which its lines are compressed.

        It is wrapped before its lines are compressed, and cut only if they were hard to read then.
        """
        room = max(room, _MIN_ROOM)
        label = label if self.widest(label) <= room + 1 else self.wrap(label, room, max_lines)
        if self.widest(label) <= room + 1:
            return label, math.inf
        width = room / MIN_STRETCH
        return tuple(truncate(line, max_width=width, measure=self.width) for line in label), room


def read_font(options: Options, default: Font) -> Font:
    """Return a font; missing options are taken from `default`."""
    font_options = options.nested("font")
    size = min(_MAX_SIZE, max(0.0, font_options.number("size", default.size)))
    weight = font_options.string("weight", default.weight)
    height = font_options.value("lineHeight")
    ratio = default.line_height / default.size if default.size else LINE_HEIGHT
    family = font_options.string("family", default.family)
    return Font(
        size=size,
        line_height=size * ratio if height is None else _line_height(height, size),
        is_bold=is_bold(weight),
        is_italic=font_options.string("style").startswith(("italic", "oblique"))
        or (not font_options.has("style") and default.is_italic),
        is_monospaced="mono" in family.lower() if font_options.has("family") else default.is_monospaced,
        family=family,
        weight=weight,
    )


def baseline_shift(baseline: Baseline, size: float) -> float:
    """Return the px from a position down to the baseline."""
    return {"top": _TOP, "middle": _MIDDLE, "bottom": -_BOTTOM}[baseline] * size


def label_of(value: Json) -> Label:
    return tuple(map(to_string, value)) if isinstance(value, list) else (to_string(value),)


def _line_height(value: Json, size: float) -> float:
    """See https://developer.mozilla.org/en-US/docs/Web/CSS/line-height."""
    match = _LINE_HEIGHT.fullmatch(to_string(value))
    if not match:
        return size * LINE_HEIGHT
    height = parse_number(match[1]) or 0.0
    if match[2] == "px":
        return height
    return size * (height / 100 if match[2] == "%" else height)
