"""Blocks of text with a frame."""

import math
from dataclasses import dataclass, replace

from mdpublish_core.figures.boxes import Box
from mdpublish_core.figures.charts.fonts import Align, Font, Label, read_font
from mdpublish_core.figures.charts.options import Options
from mdpublish_core.figures.charts.shapes.elements import Sides, Stroke

_ALIGNS: dict[str, Align] = {"start": "left", "left": "left", "center": "center", "end": "right", "right": "right"}

_NO_SIDES, _NO_STROKE = Sides(), Stroke()


@dataclass(frozen=True, slots=True, kw_only=True)
class LabelBlock:
    """Lines of text around a center, in px."""

    lines: Label
    font: Font
    color: str
    x: float = 0.0
    y: float = 0.0
    align: Align = "center"
    padding: Sides = _NO_SIDES
    rotation: float = 0.0  # radians
    fill: str = ""
    stroke: Stroke = _NO_STROKE
    border: float = 0.0  # between the edge of the block and its padding
    corner: float = 0.0
    outline: Stroke = _NO_STROKE  # of the letters

    @property
    def inner_width(self) -> float:
        return self.font.widest(self.lines)

    @property
    def width(self) -> float:
        return self.inner_width + self.padding.width + 2 * self.border

    @property
    def height(self) -> float:
        return len(self.lines) * self.font.line_height + self.padding.height + 2 * self.border

    @property
    def reach(self) -> tuple[float, float]:
        """Half the width and height of the rotated block."""
        cos, sin = abs(math.cos(self.rotation)), abs(math.sin(self.rotation))
        return (self.width * cos + self.height * sin) / 2, (self.width * sin + self.height * cos) / 2

    @property
    def box(self) -> Box:
        """Bounding box of the rotated block."""
        across, down = self.reach
        return Box(self.x - across, self.y - down, self.x + across, self.y + down)

    def at(self, x: float, y: float) -> "LabelBlock":
        return replace(self, x=x, y=y)


def read_label(options: Options, lines: Label, font: Font) -> LabelBlock:
    """Return a block at no position."""
    opacity = options.number("opacity", 1.0)
    border = max(options.number("borderWidth"), 0.0)
    return LabelBlock(
        lines=lines,
        font=read_font(options, font),
        color=with_opacity(options.color("color"), opacity),
        align=_ALIGNS[options.choice("textAlign", ("start", "center", "end", "left", "right"), "center")],
        padding=options.sides("padding"),
        rotation=math.radians(options.number("rotation")) if options.value("rotation") != "auto" else 0.0,
        fill=with_opacity(options.color("backgroundColor"), opacity),
        stroke=Stroke(with_opacity(options.color("borderColor"), opacity), border),
        border=border,
        corner=max(options.number("borderRadius"), 0.0),
        outline=Stroke(options.color("textStrokeColor"), options.number("textStrokeWidth")),
    )


def with_opacity(color: str, opacity: float) -> str:
    if not color or opacity >= 1:
        return color
    alpha = int(color[7:9], 16) if len(color) == 9 else 255
    return f"{color[:7]}{round(alpha * max(opacity, 0.0)):02x}"
