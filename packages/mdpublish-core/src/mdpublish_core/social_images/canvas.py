"""SVG shapes and text."""

from mdpublish_core.html import HtmlWriter
from mdpublish_core.social_images.title_layout import TitleFace

# Right-to-left isolate, to place neutral characters correctly.
_RTL, _END = "\u2067", "\u2069"

_SVG = "http://www.w3.org/2000/svg"


Box = tuple[float, float, float, float]
"""x, y, width and height; or the two ends of a line."""


class Canvas:
    """An SVG drawing; sizes in px."""

    def __init__(self, width: int, height: int) -> None:
        self._writer = HtmlWriter()
        attributes = (("xmlns", _SVG), ("width", width), ("height", height), ("viewBox", f"0 0 {width} {height}"))
        self._writer.start("svg", attributes)

    def finish(self) -> str:
        self._writer.end()
        return self._writer.finish()

    def rect(self, box: Box, color: str) -> None:
        self._writer.empty("rect", (*_named_numbers(("x", "y", "width", "height"), box), ("fill", color)))

    def path(self, data: str, color: str) -> None:
        self._writer.empty("path", (("d", data), ("fill", color)))

    def frame(self, box: Box, color: str, stroke: float, *, is_dashed: bool) -> None:
        dashes = f"{_format_number(stroke * 4)} {_format_number(stroke * 3)}" if is_dashed else None
        pen = (*_pen(color, stroke), ("stroke-dasharray", dashes))
        self._writer.empty("rect", (*_named_numbers(("x", "y", "width", "height"), box), *pen))

    def circle(self, x: float, y: float, radius: float, color: str) -> None:
        self._writer.empty("circle", (*_named_numbers(("cx", "cy", "r"), (x, y, radius)), ("fill", color)))

    def line(self, ends: Box, color: str, width: float, form: str = "solid") -> None:
        if form == "double":
            x1, y1, x2, y2 = ends
            across, down = (0.0, width / 3) if y1 == y2 else (width / 3, 0.0)
            self.line((x1 - across, y1 - down, x2 - across, y2 - down), color, width / 3)
            self.line((x1 + across, y1 + down, x2 + across, y2 + down), color, width / 3)
            return
        dashes = {
            "dashed": f"{_format_number(width * 3)} {_format_number(width * 2)}",
            "dotted": f"0 {_format_number(width * 2)}",
        }.get(form)
        points = _named_numbers(("x1", "y1", "x2", "y2"), ends)
        pen = (("stroke", color), ("stroke-width", _format_number(width)), ("stroke-dasharray", dashes))
        self._writer.empty("line", (*points, *pen, ("stroke-linecap", "round" if form == "dotted" else None)))

    def bullet(self, form: str, x: float, y: float, size: float, color: str) -> None:
        half = size / 2
        if form == "square":
            self.rect((x - half, y - half, size, size), color)
        elif form == "dash":
            self.rect((x - half, y - size / 6, size * 1.5, size / 3), color)
        elif form == "arrow":
            tip = ((x - half * 0.7, y - half), (x + half * 0.6, y), (x - half * 0.7, y + half))
            points = " ".join(",".join(map(_format_number, point)) for point in tip)
            self._writer.empty("polyline", (("points", points), *_pen(color, size / 3)))
        elif form == "circle":
            place = _named_numbers(("cx", "cy", "r"), (x, y, half * 0.9))
            self._writer.empty("circle", (*place, *_pen(color, size / 5)))
        else:
            self.circle(x, y, half, color)

    def draw_text(
        self,
        runs: tuple[tuple[str, float], ...],
        x: float,
        y: float,
        *,
        face: TitleFace,
        color: str,
        anchor: str = "start",
        is_rtl: bool = False,
        slant: float = 0,
    ) -> None:
        """Draw runs of one font size each; `anchor` is at `x`, on the baseline `y`."""
        transform = f"translate({_format_number(x)} {_format_number(y)})" + (
            f" skewX({_format_number(-slant)})" if slant else ""
        )
        bold = (("stroke", color), ("stroke-width", _format_number(face.outline)), ("stroke-linejoin", "round"))
        self._writer.start(
            "text",
            (
                ("transform", transform),
                ("font-family", face.family),
                ("font-weight", str(face.weight) if face.weight != 400 else None),
                ("font-size", _format_number(face.size)),
                ("fill", color),
                *(bold if face.outline else ()),
                ("text-anchor", anchor if anchor != "start" else None),
                ("letter-spacing", _format_number(face.tracking) if face.tracking else None),
                ("style", "white-space:pre" if len(runs) > 1 else None),
            ),
        )
        if is_rtl:
            self._writer.write_text(_RTL)
        for content, size in runs:
            if size != face.size:
                self._writer.start("tspan", (("font-size", _format_number(size)),))
            self._writer.write_text(content)
            if size != face.size:
                self._writer.end()
        if is_rtl:
            self._writer.write_text(_END)
        self._writer.end()


def _pen(color: str, width: float) -> tuple[tuple[str, str], ...]:
    return ("fill", "none"), ("stroke", color), ("stroke-width", _format_number(width))


def _named_numbers(names: tuple[str, ...], numbers: tuple[float, ...]) -> list[tuple[str, str]]:
    return [(name, _format_number(number)) for name, number in zip(names, numbers, strict=True)]


def _format_number(number: float) -> str:
    return f"{number:.2f}".rstrip("0").rstrip(".")
