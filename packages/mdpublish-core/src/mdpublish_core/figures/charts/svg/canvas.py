"""SVG output with an interface similar to a canvas."""

import math
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager

from mdpublish_core.figures.boxes import Box
from mdpublish_core.figures.charts.fonts import Align, Baseline, Font, Label, baseline_shift
from mdpublish_core.figures.charts.shapes.elements import Stroke
from mdpublish_core.figures.charts.shapes.paths import Corners, Path, format_length
from mdpublish_core.figures.errors import FigureError
from mdpublish_core.figures.patterns import TILES
from mdpublish_core.figures.svg import MAX_SVG_BYTES
from mdpublish_core.html import HtmlWriter

_SVG = "http://www.w3.org/2000/svg"

# Minimum bytes of an element and an attribute.
_ELEMENT, _ATTRIBUTE = 10, 8

_ANCHORS: Mapping[Align, str | None] = {"left": None, "center": "middle", "right": "end"}

Attribute = tuple[str, str | int | None]


class Canvas:
    """Writer of shapes and text. Lengths are in px, angles in radians, colors `#rrggbb` or `#rrggbbaa`."""

    def __init__(self, width: float, height: float, *, family: str, background: str) -> None:
        self._writer = HtmlWriter()
        self._background = background
        self._clips: dict[tuple[str, str], str] = {}
        self._patterns: dict[str, str] = {}
        self._written = 0
        box = ("viewBox", f"0 0 {format_length(width)} {format_length(height)}")
        sides = _lengths(width=width, height=height)
        self._writer.start("svg", (("xmlns", _SVG), *sides, box, ("font-family", family)))

    def finish(self) -> str:
        self._writer.end()
        return self._writer.finish()

    # Groups

    @contextmanager
    def group(self, *attributes: Attribute) -> Iterator[None]:
        self._writer.start("g", attributes)
        yield
        self._writer.end()

    @contextmanager
    def clipped(self, *clips: Box | tuple[str, str] | None) -> Iterator[None]:
        """Clip to the intersection of boxes and paths (path data and fill rule)."""
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
        """Return the id of a clip, which is defined at its first use."""
        if isinstance(clip, Box):
            clip = Path().rectangle(*clip[:2], max(0.0, clip.width), max(0.0, clip.height)).data, "nonzero"
        data, rule = clip
        key = data, rule
        if key not in self._clips:
            self._clips[key] = f"c{len(self._clips)}"
            self._writer.start("clipPath", (("id", self._clips[key]),))
            self._count_bytes(len(data))
            self._writer.empty("path", (("d", data), ("clip-rule", _rule(rule))))
            self._writer.end()
        return self._clips[key]

    def fill_attributes(self, color: str, rule: str = "nonzero") -> tuple[Attribute, ...]:
        """Return the attributes of a fill, which may have a pattern."""
        plain, _, pattern = color.partition("/")
        if not pattern:
            return fill_attributes(color, rule)
        return ("fill", f"url(#{self._pattern(plain, pattern)})"), ("fill-rule", _rule(rule))

    def _pattern(self, color: str, name: str) -> str:
        """Return the id of a pattern, which is defined at its first use: on the background, unless translucent."""
        key = f"{color}/{name}"
        if key not in self._patterns:
            self._patterns[key] = f"p{len(self._patterns)}"
            size, path, width = TILES[name]
            sides = _lengths(width=size, height=size)
            self._count_bytes(len(path))
            self._writer.start("pattern", (("id", self._patterns[key]), *sides, ("patternUnits", "userSpaceOnUse")))
            if len(color) == len("#rrggbb"):
                self._writer.empty("rect", (*sides, ("fill", self._background)))
            stroke = stroke_attributes(Stroke(color[:7], width, cap="round"), has_corners=False)
            self._writer.empty("path", (("d", path), ("fill", "none"), *stroke))
            self._writer.end()
        return self._patterns[key]

    # Shapes

    def draw_path(self, data: str, *attributes: Attribute, tooltip: str = "") -> None:
        self._write_shape("path", (("d", data), *attributes), tooltip)

    def draw_circle(self, x: float, y: float, radius: float, *attributes: Attribute, tooltip: str = "") -> None:
        self._write_shape("circle", (*_lengths(cx=x, cy=y, r=radius), *attributes), tooltip)

    def draw_rectangle(self, box: Box, *attributes: Attribute) -> None:
        place = _lengths(x=box.left, y=box.top, width=box.width, height=box.height)
        self._write_shape("rect", (*place, *attributes), "")

    def draw_box(self, box: Box, corner: float, *attributes: Attribute) -> None:
        """Draw a rectangle, whose corners are as round as fits."""
        if corner <= 0:
            self.draw_rectangle(box, *attributes)
            return
        radius = max(min(corner, box.width / 2, box.height / 2), 0.0)
        self.draw_path(
            Path().rounded_rectangle(box.left, box.top, box.width, box.height, Corners(*[radius] * 4)).data, *attributes
        )

    def draw_line(self, x1: float, y1: float, x2: float, y2: float, stroke: Stroke) -> None:
        """Draw a line, if visible."""
        if stroke.width > 0 and stroke.color and all(map(math.isfinite, (x1, y1, x2, y2))):
            self.draw_path(Path().move(x1, y1).line(x2, y2).data, *stroke_attributes(stroke, has_corners=False))

    def _count_bytes(self, size: int) -> None:
        """Raise `FigureError` early if the output is too large."""
        self._written += size + _ELEMENT
        if self._written > MAX_SVG_BYTES:
            raise FigureError(f"SVG must be at most {MAX_SVG_BYTES:,} bytes; show fewer values")

    def _write_shape(self, tag: str, attributes: Sequence[Attribute], tooltip: str) -> None:
        self._count_bytes(sum(len(value) for _, value in attributes if isinstance(value, str)) + len(tooltip))
        if not tooltip:
            self._writer.empty(tag, attributes)
            return
        self._writer.start(tag, attributes)
        self.write_tooltip(tooltip)
        self._writer.end()

    def write_tooltip(self, tooltip: str) -> None:
        """Write the tooltip of the current group."""
        if tooltip:
            self._writer.element("title", tooltip)

    # Text

    def draw_label(
        self,
        label: Label,
        x: float,
        y: float,
        font: Font,
        color: str,
        *,
        align: Align = "left",
        baseline: Baseline = "middle",
        angle: float = 0.0,
        around: tuple[float, float] | None = None,
        room: float = math.inf,
        outline: Stroke | None = None,
        is_struck_through: bool = False,
        tooltip: str = "",
    ) -> None:
        """Draw lines of text, rotated by `angle` around a point, compressed to `room`."""
        if not (any(label) and color and math.isfinite(x) and math.isfinite(y)):
            return
        y += baseline_shift(baseline, font.size)
        attributes: list[Attribute] = [
            *_lengths(x=x, y=y),
            ("text-anchor", _ANCHORS[align]),
            *_font_attributes(font),
            *fill_attributes(color),
            rotate_transform(angle, around or (x, y)),
        ]
        if is_struck_through:
            attributes.append(("text-decoration", "line-through"))
        if outline is not None and outline.width > 0 and outline.color:
            attributes += [*stroke_attributes(outline), ("paint-order", "stroke")]
        if len(label) == 1:
            attributes += _length_attributes(label[0], font, room)
        self._count_bytes(sum(map(len, label)) + len(tooltip) + len(attributes) * _ATTRIBUTE)
        self._writer.start("text", attributes)
        self.write_tooltip(tooltip)
        if len(label) == 1:
            self._writer.write_text(label[0])
        else:
            self._write_lines(label, x, y, font, room)
        self._writer.end()

    def _write_lines(self, label: Label, x: float, y: float, font: Font, room: float) -> None:
        for row, line in enumerate(label):
            position = _lengths(x=x, y=y + row * font.line_height)
            self._writer.element("tspan", line, (*position, *_length_attributes(line, font, room)))


def _lengths(**lengths: float) -> tuple[Attribute, ...]:
    return tuple((name, format_length(length)) for name, length in lengths.items())


def _rule(rule: str) -> str | None:
    """Return a fill rule unless it is the default."""
    return rule if rule != "nonzero" else None


def fill_attributes(color: str, rule: str = "nonzero") -> tuple[Attribute, ...]:
    """Return the attributes of a fill; `none` for ""."""
    if not color:
        return (("fill", "none"),)
    return ("fill", color[:7]), ("fill-opacity", _opacity(color)), ("fill-rule", _rule(rule))


def stroke_attributes(stroke: Stroke, *, has_corners: bool = True) -> tuple[Attribute, ...]:
    """Return the attributes of a stroke; none without a width or color."""
    if stroke.width <= 0 or not stroke.color:
        return ()
    return (
        ("stroke", stroke.color[:7]),
        ("stroke-opacity", _opacity(stroke.color)),
        ("stroke-width", format_length(stroke.width) if stroke.width != 1 else None),
        ("stroke-dasharray", " ".join(map(format_length, stroke.dash)) or None),
        ("stroke-dashoffset", format_length(stroke.dash_offset) if stroke.dash and stroke.dash_offset else None),
        ("stroke-linecap", stroke.cap if stroke.cap != "butt" else None),
        ("stroke-linejoin", stroke.join if has_corners and stroke.join != "miter" else None),
        # The default miter limit of a canvas is 10; SVG's is 4.
        ("stroke-miterlimit", "10" if has_corners and stroke.join == "miter" else None),
    )


def rotate_transform(angle: float, around: tuple[float, float]) -> Attribute:
    if not angle:
        return "transform", None
    numbers = " ".join(map(format_length, (math.degrees(angle), *around)))
    return "transform", f"rotate({numbers})"


def snap_to_pixel(pixel: float, width: float) -> float:
    """Align the edges of a line with pixels."""
    half = max(width / 2, 0.5) if width else 0.0
    return math.floor(pixel - half + 0.5) + half if math.isfinite(pixel) else pixel


def _opacity(color: str) -> str | None:
    return format_length(int(color[7:9], 16) / 255) if len(color) == 9 else None


def _font_attributes(font: Font) -> tuple[Attribute, ...]:
    return (
        ("font-size", format_length(font.size)),
        ("font-weight", "bold" if font.is_bold else (font.weight if font.weight.isdecimal() else None)),
        ("font-style", "italic" if font.is_italic else None),
        ("font-family", font.family or None),
    )


def _length_attributes(line: str, font: Font, room: float) -> list[Attribute]:
    """Return the attributes that compress a line which is too wide."""
    if not 0 < room < font.width(line):
        return []
    return [("textLength", format_length(room)), ("lengthAdjust", "spacingAndGlyphs")]
