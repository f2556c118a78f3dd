"""Titles and subtitles: https://www.chartjs.org/docs/latest/configuration/title.html."""

import math

from mdpublish_core.figures.charts.fonts import Align, Font, Label, read_font
from mdpublish_core.figures.charts.options import Options
from mdpublish_core.figures.charts.shapes.elements import LayoutItem, Sides


class TitleBlock(LayoutItem):
    """Lines of text at a side of the chart."""

    def __init__(self, options: Options, font: Font, weight: float) -> None:
        self.is_displayed = self.shares_space = options.flag("display")
        self.placement = options.choice("position", ("top", "left", "right", "bottom"), "top")
        self.is_horizontal = self.placement in {"top", "bottom"}
        self.align: str = options.choice("align", ("center", "start", "end"), "center")
        self.is_full_size = options.flag("fullSize")
        self.lines: Label = options.lines("text")
        self.color = options.color("color")
        self.font = read_font(options, font)
        self.padding = options.sides("padding")
        self.weight = weight

    def update(self, max_width: float, max_height: float, margins: Sides) -> None:
        del margins
        if not self.is_displayed:
            self.width = self.height = 0.0
            return
        size = len(self.lines) * self.font.line_height + self.padding.height
        self.width, self.height = (max_width, size) if self.is_horizontal else (size, max_height)

    def position(self) -> tuple[float, float, float, float]:
        """Return x and y of the first line, its rotation in radians and its maximum width in px."""
        left, top, right, bottom = self.box
        offset = self.font.line_height / 2 + self.padding.top
        if self.is_horizontal:
            return align_between(self.align, left, right), top + offset, 0.0, right - left
        if self.placement == "left":
            return left + offset, align_between(self.align, bottom, top), -math.pi / 2, bottom - top
        return right - offset, align_between(self.align, top, bottom), math.pi / 2, bottom - top


def side_for_align(align: str) -> Align:
    """Map `start` and `end` to sides."""
    return {"start": "left", "end": "right"}.get(align, "center")  # type: ignore[return-value]


def opposite_align(align: Align) -> Align:
    return {"left": "right", "right": "left"}.get(align, "center")  # type: ignore[return-value]


def align_between(align: str, start: float, end: float) -> float:
    return {"start": start, "end": end}.get(align, (start + end) / 2)
