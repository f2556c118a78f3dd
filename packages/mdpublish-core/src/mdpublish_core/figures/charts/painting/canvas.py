"""What a chart is painted on: SVG, element by element."""

import math
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager

from mdpublish_core.figures.charts.shapes.boxes import Box
from mdpublish_core.figures.charts.shapes.marks import Stroke
from mdpublish_core.figures.charts.shapes.paths import Path, number
from mdpublish_core.figures.charts.texts import Align, Baseline, Font, Label, baseline_shift
from mdpublish_core.figures.request import FigureError
from mdpublish_core.figures.svg import MOST_SVG_BYTES
from mdpublish_core.html import HtmlWriter

_SVG = "http://www.w3.org/2000/svg"

# Bytes of an element and of an attribute, at least.
_ELEMENT, _ATTRIBUTE = 10, 8

_ANCHORS: Mapping[Align, str | None] = {"left": None, "center": "middle", "right": "end"}

Attribute = tuple[str, str | int | None]


class Canvas:
    """Writes shapes and text as SVG; lengths are in px, angles in radians, colours `#rrggbb` or `#rrggbbaa`."""

    def __init__(self, width: float, height: float, *, family: str) -> None:
        self._writer = HtmlWriter()
        self._clips: dict[tuple[str, str], str] = {}
        self._written = 0
        sides = number(width), number(height)
        self._writer.start(
            "svg",
            (
                ("xmlns", _SVG),
                ("width", sides[0]),
                ("height", sides[1]),
                ("viewBox", f"0 0 {sides[0]} {sides[1]}"),
                ("font-family", family),
            ),
        )

    def finish(self) -> str:
        """Return the SVG."""
        self._writer.end()
        return self._writer.finish()

    # Groups

    @contextmanager
    def group(self, *attributes: Attribute) -> Iterator[None]:
        """Put what follows together, under some attributes."""
        self._writer.start("g", attributes)
        yield
        self._writer.end()

    @contextmanager
    def clipped(self, *clips: Box | tuple[str, str] | None) -> Iterator[None]:
        """Show of what follows what is inside each of the clips: boxes, or path data with the rule it is filled by."""
        opened = 0
        for clip in clips:
            if clip is not None:
                name = self._clip(clip)
                self._writer.start("g", (("clip-path", f"url(#{name})"),))
                opened += 1
        yield
        for _ in range(opened):
            self._writer.end()

    def _clip(self, clip: Box | tuple[str, str]) -> str:
        """Return the id of a clip, which is written where it is needed first."""
        data, rule = (_box_path(clip), "nonzero") if isinstance(clip, Box) else clip
        key = data, rule
        if key not in self._clips:
            self._clips[key] = f"c{len(self._clips)}"
            self._writer.start("clipPath", (("id", self._clips[key]),))
            self._count(len(data))
            self._writer.empty("path", (("d", data), ("clip-rule", rule if rule != "nonzero" else None)))
            self._writer.end()
        return self._clips[key]

    # Shapes

    def path(self, data: str, *attributes: Attribute, tip: str = "") -> None:
        """Write a path; a reader who points at it is told the tip."""
        self._shape("path", (("d", data), *attributes), tip)

    def circle(self, x: float, y: float, radius: float, *attributes: Attribute, tip: str = "") -> None:
        self._shape("circle", (("cx", number(x)), ("cy", number(y)), ("r", number(radius)), *attributes), tip)

    def rectangle(self, box: Box, *attributes: Attribute, tip: str = "") -> None:
        left, top, right, bottom = box
        place = (
            ("x", number(left)),
            ("y", number(top)),
            ("width", number(right - left)),
            ("height", number(bottom - top)),
        )
        self._shape("rect", (*place, *attributes), tip)

    def line(self, x1: float, y1: float, x2: float, y2: float, stroke: Stroke) -> None:
        """Write a straight line, if anything would be seen of it."""
        if stroke.width > 0 and stroke.colour and all(map(math.isfinite, (x1, y1, x2, y2))):
            self.path(Path().move(x1, y1).line(x2, y2).data, *stroked(stroke, has_corners=False))

    def _count(self, size: int) -> None:
        """Count what is written, since what is too much need not be written to its end; raises `FigureError`."""
        self._written += size + _ELEMENT
        if self._written > MOST_SVG_BYTES:
            raise FigureError(
                f"its drawing comes to more than {MOST_SVG_BYTES:,} bytes of SVG, which is the bound; show fewer values"
            )

    def _shape(self, tag: str, attributes: Sequence[Attribute], tip: str) -> None:
        self._count(sum(len(value) for _, value in attributes if isinstance(value, str)) + len(tip))
        if not tip:
            self._writer.empty(tag, attributes)
            return
        self._writer.start(tag, attributes)
        self.tip(tip)
        self._writer.end()

    def tip(self, text: str) -> None:
        """Write what a reader is told who points at the group that is open."""
        if text:
            self._writer.start("title")
            self._writer.text(text)
            self._writer.end()

    # Text

    def text(
        self,
        label: Label,
        x: float,
        y: float,
        font: Font,
        colour: str,
        *,
        align: Align = "left",
        baseline: Baseline = "middle",
        angle: float = 0.0,
        around: tuple[float, float] | None = None,
        room: float = math.inf,
        outline: Stroke | None = None,
        is_struck: bool = False,
        tip: str = "",
    ) -> None:
        """Write lines, the first at a place; turned by an angle around a point, and squeezed into so much room."""
        if not (any(label) and colour and math.isfinite(x) and math.isfinite(y)):
            return
        y += baseline_shift(baseline, font.size)
        attributes: list[Attribute] = [
            ("x", number(x)),
            ("y", number(y)),
            ("text-anchor", _ANCHORS[align]),
            *_lettered(font),
            *filled(colour),
            turned(angle, around or (x, y)),
        ]
        if is_struck:
            attributes.append(("text-decoration", "line-through"))
        if outline is not None and outline.width > 0 and outline.colour:
            attributes += [*stroked(outline), ("paint-order", "stroke")]
        if len(label) == 1:
            attributes += _squeezed(label[0], font, room)
        self._count(sum(map(len, label)) + len(tip) + len(attributes) * _ATTRIBUTE)
        self._writer.start("text", attributes)
        self.tip(tip)
        if len(label) == 1:
            self._writer.text(label[0])
        else:
            self._write_lines(label, x, y, font, room)
        self._writer.end()

    def _write_lines(self, label: Label, x: float, y: float, font: Font, room: float) -> None:
        for row, line in enumerate(label):
            place = (("x", number(x)), ("y", number(y + row * font.line_height)))
            self._writer.start("tspan", (*place, *_squeezed(line, font, room)))
            self._writer.text(line)
            self._writer.end()


def filled(colour: str, rule: str = "nonzero") -> tuple[Attribute, ...]:
    """Return the attributes of what is filled; "" is not."""
    if not colour:
        return (("fill", "none"),)
    return (
        ("fill", colour[:7]),
        ("fill-opacity", _opacity(colour)),
        ("fill-rule", rule if rule != "nonzero" else None),
    )


def stroked(stroke: Stroke, *, has_corners: bool = True) -> tuple[Attribute, ...]:
    """Return the attributes of what has an outline; one without a width or a colour has none."""
    if stroke.width <= 0 or not stroke.colour:
        return ()
    return (
        ("stroke", stroke.colour[:7]),
        ("stroke-opacity", _opacity(stroke.colour)),
        ("stroke-width", number(stroke.width) if stroke.width != 1 else None),
        ("stroke-dasharray", " ".join(map(number, stroke.dash)) or None),
        ("stroke-dashoffset", number(stroke.dash_offset) if stroke.dash and stroke.dash_offset else None),
        ("stroke-linecap", stroke.cap if stroke.cap != "butt" else None),
        ("stroke-linejoin", stroke.join if has_corners and stroke.join != "miter" else None),
        # A canvas lets corners be sharper than SVG does.
        ("stroke-miterlimit", "10" if has_corners and stroke.join == "miter" else None),
    )


def turned(angle: float, around: tuple[float, float]) -> Attribute:
    """Return the attribute of what is turned by an angle around a point."""
    if not angle:
        return "transform", None
    return "transform", f"rotate({number(math.degrees(angle))} {number(around[0])} {number(around[1])})"


def aligned(pixel: float, width: float) -> float:
    """Return where a line of a width is sharp: its edges between two pixels."""
    half = max(width / 2, 0.5) if width else 0.0
    return math.floor(pixel - half + 0.5) + half if math.isfinite(pixel) else pixel


def _opacity(colour: str) -> str | None:
    return number(int(colour[7:9], 16) / 255) if len(colour) == 9 else None


def _lettered(font: Font) -> tuple[Attribute, ...]:
    return (
        ("font-size", number(font.size)),
        ("font-weight", "bold" if font.is_bold else (font.weight if font.weight.isdecimal() else None)),
        ("font-style", "italic" if font.is_italic else None),
        ("font-family", font.family or None),
    )


def _squeezed(line: str, font: Font, room: float) -> list[Attribute]:
    """Return the attributes of a line that is wider than its room."""
    if not 0 < room < font.width(line):
        return []
    return [("textLength", number(room)), ("lengthAdjust", "spacingAndGlyphs")]


def _box_path(box: Box) -> str:
    return Path().rectangle(box.left, box.top, max(0.0, box.width), max(0.0, box.height)).data
