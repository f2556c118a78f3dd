"""Charts rendered in this process, and facts from their SVG."""

import json
import math
import re
from collections.abc import Iterator, Sequence
from typing import Any

from lxml import etree

from mdpublish_core.figures import charts
from mdpublish_core.figures.fonts import text_width
from mdpublish_core.figures.request import EngineOutput, FigureRequest, FigureTheme
from mdpublish_core.resources.figure_kinds import Form
from tests.visual.rendering import theme_of

Point = tuple[float, float]
Rectangle = tuple[float, float, float, float]
"""Left, top, right and bottom in px."""

BOTH: frozenset[Form] = frozenset({"svg", "text"})

COLOR = re.compile(r"#[0-9a-f]{6}|none")

CLIP = re.compile(r"url\(#(c\d+)\)")

# At most two decimals, no exponent.
_NUMBER = re.compile(r"-?\d+(?:\.\d+)?")
_STROKE = re.compile(r"([MLHVCAZ])([^MLHVCAZ]*)")
_SHAPES = frozenset({"path", "rect", "circle", "text"})

# Their width does not extend the length of vertical and horizontal lines.
_UPRIGHT = re.compile(r"(?:M(\S+) \S+L\1 \S+?(?=M|$))+")
_LEVEL = re.compile(r"(?:M\S+ (\S+)L\S+ \1(?=M|$))+")

# Relative to the font size; then bold to regular width.
_ASCENT, _DESCENT = 0.76, 0.24
_BOLD = 1.12

_EVERYWHERE: Rectangle = (-math.inf, -math.inf, math.inf, math.inf)


def chart_request(chart: Any, *, theme: FigureTheme | None = None, forms: frozenset[Form] = BOTH) -> FigureRequest:
    source = chart if isinstance(chart, str) else json.dumps(chart)
    return FigureRequest(kind="chart", source=source, theme=theme or theme_of("swiss"), forms=forms, language="chart")


def render_chart(chart: Any, *, theme: FigureTheme | None = None) -> EngineOutput:
    return charts.render(chart_request(chart, theme=theme))


def render_svg(chart: Any, *, theme: FigureTheme | None = None) -> "etree._Element":
    svg = render_chart(chart, theme=theme).svg
    assert svg is not None
    return etree.fromstring(svg.encode())


def to_string(value: float | str) -> str:
    """Format a value as JavaScript does."""
    if isinstance(value, str):
        return value
    return str(int(value)) if value == int(value) else repr(value)


def name_of(element: "etree._Element") -> str:
    return etree.QName(element).localname


def drawn_labels(root: "etree._Element") -> list[str]:
    rows = (row for element in root.iterfind(".//{*}text") for row in element.findall("{*}tspan") or [element])
    return [words for row in rows if (words := _content(row))]


def tooltips(root: "etree._Element") -> list[str]:
    titles = root.iterfind(".//{*}title")
    return [title.text or "" for title in titles if name_of(_parent(title)) != "text"]


def marks(root: "etree._Element") -> list["etree._Element"]:
    return [_parent(title) for title in root.iterfind(".//{*}title") if name_of(_parent(title)) != "text"]


def paint_of(element: "etree._Element", name: str) -> str:
    """Return an inherited attribute."""
    ancestor: etree._Element | None = element
    while ancestor is not None:
        value = ancestor.get(name)
        if value is not None:
            return value
        ancestor = ancestor.getparent()
    return ""


def colors(root: "etree._Element") -> set[str]:
    values = (each.get(name) for each in root.iter() for name in ("fill", "stroke"))
    return {each for each in values if each is not None}


def foreign_urls(root: "etree._Element") -> list[str]:
    clips = {f"url(#{clip.get('id')})" for clip in root.iter("{*}clipPath")}
    values = [(str(name), str(value)) for each in root.iter() for name, value in each.attrib.items()]
    return [value for name, value in values if "url(" in value and not (name == "clip-path" and value in clips)]


def words_for_numbers(root: "etree._Element") -> list[str]:
    names = (
        "x",
        "y",
        "width",
        "height",
        "r",
        "cx",
        "cy",
        "font-size",
        "stroke-width",
        "fill-opacity",
        "stroke-opacity",
    )
    plain = [str(each.get(name)) for each in root.iter() for name in (*names, "textLength") if each.get(name)]
    lists = [
        part
        for each in root.iter()
        for name in ("viewBox", "stroke-dasharray", "stroke-dashoffset")
        for part in (each.get(name) or "").split()
    ]
    strokes = [
        part for each in root.iter() for _, rest in _STROKE.findall(each.get("d") or "") for part in rest.split()
    ]
    transforms = [
        part for each in root.iter() for part in re.sub(r"\w+\(|\)", " ", each.get("transform") or "").split()
    ]
    return [each for each in (*plain, *lists, *strokes, *transforms) if not _NUMBER.fullmatch(each)]


def view_of(root: "etree._Element") -> Rectangle:
    left, top, width, height = map(float, root.get("viewBox", "").split())
    return left, top, left + width, top + height


def reach(root: "etree._Element") -> Rectangle:
    """Return the clipped extent with line widths. Line corners may extend further."""
    return _around([corner for _, box in reaches(root) for corner in (box[:2], box[2:])])


def reaches(root: "etree._Element") -> Iterator[tuple["etree._Element", Rectangle]]:
    clips = {
        str(clip.get("id")): _around([point for path in clip for point in _points(path)])
        for clip in root.iter("{*}clipPath")
    }
    yield from _reaches(root, clips, _EVERYWHERE)


def _reaches(
    parent: "etree._Element", clips: dict[str, Rectangle], seen: Rectangle
) -> Iterator[tuple["etree._Element", Rectangle]]:
    for element in parent:
        if name_of(element) == "clipPath":
            continue
        clip = CLIP.fullmatch(element.get("clip-path") or "")
        inside = _intersection(seen, clips[clip[1]]) if clip else seen
        if name_of(element) in _SHAPES:
            box = _intersection(_widened(_around(_transformed(element, _points(element))), element), inside)
            if box[0] <= box[2] and box[1] <= box[3]:
                yield element, box
        yield from _reaches(element, clips, inside)


def _points(element: "etree._Element") -> list[Point]:
    def number(name: str) -> float:
        return float(element.get(name) or 0)

    name = name_of(element)
    if name == "path":
        return list(_path_points(element.get("d") or ""))
    if name == "circle":
        x, y, radius = number("cx"), number("cy"), number("r")
        return [(x - radius, y - radius), (x + radius, y + radius)]
    if name == "rect":
        x, y = number("x"), number("y")
        return [(x, y), (x + number("width"), y + number("height"))]
    if name == "text":
        size = number("font-size")
        rows = element.findall("{*}tspan") or [element]
        return [point for row in rows for point in _row_points(row, size, element.get("text-anchor") or "")]
    return []


def _row_points(row: "etree._Element", size: float, anchor: str) -> list[Point]:
    is_bold = paint_of(row, "font-weight") == "bold"
    width = float(row.get("textLength") or text_width(_content(row), size) * (_BOLD if is_bold else 1.0))
    left = float(row.get("x") or 0) - {"middle": width / 2, "end": width}.get(anchor, 0.0)
    line = float(row.get("y") or 0)
    top, bottom = line - _ASCENT * size, line + _DESCENT * size
    return [(left, top), (left + width, top), (left, bottom), (left + width, bottom)]


def _path_points(data: str) -> Iterator[Point]:
    x = y = 0.0
    start = x, y
    for stroke, rest in _STROKE.findall(data):
        numbers = list(map(float, rest.split()))
        if stroke == "Z":
            x, y = start
        elif stroke == "H":
            x = numbers[0]
        elif stroke == "V":
            y = numbers[0]
        elif stroke == "C":
            yield from _curve_points((x, y), numbers)
            x, y = numbers[-2:]
        elif stroke == "A":
            # Arcs of at most a quarter extend furthest at an end or the middle.
            yield from _arc_points((x, y), numbers)
            x, y = numbers[-2:]
        else:
            x, y = numbers
            start = (x, y) if stroke == "M" else start
        yield x, y


def _curve_points(start: Point, numbers: Sequence[float]) -> Iterator[Point]:
    (x1, y1, x2, y2, x, y) = numbers
    for step in range(1, 20):
        share = step / 20
        rest = 1 - share
        weights = (rest**3, 3 * rest**2 * share, 3 * rest * share**2, share**3)
        yield (
            sum(weight * each for weight, each in zip(weights, (start[0], x1, x2, x), strict=True)),
            sum(weight * each for weight, each in zip(weights, (start[1], y1, y2, y), strict=True)),
        )


def _arc_points(start: Point, numbers: Sequence[float]) -> Iterator[Point]:
    """Yield points along at most half an ellipse."""
    wide, high, _, _, is_clockwise, end_x, end_y = numbers
    if not (wide and high):
        return
    # Where the ellipse is a unit circle.
    x1, y1, x2, y2 = start[0] / wide, start[1] / high, end_x / wide, end_y / high
    distance = math.hypot(x2 - x1, y2 - y1)
    if not distance:
        return
    away = math.sqrt(max(0.0, 1 - distance * distance / 4)) * (1 if is_clockwise else -1)
    center_x = (x1 + x2) / 2 - away * (y2 - y1) / distance
    center_y = (y1 + y2) / 2 + away * (x2 - x1) / distance
    first = math.atan2(y1 - center_y, x1 - center_x)
    extent = (math.atan2(y2 - center_y, x2 - center_x) - first) % math.tau
    extent = extent if is_clockwise else extent - math.tau
    # SVG scales up circles too small for their ends.
    grown = max(1.0, distance / 2)
    for step in range(1, 20):
        angle = first + extent * step / 20
        yield (center_x + grown * math.cos(angle)) * wide, (center_y + grown * math.sin(angle)) * high


def _transformed(element: "etree._Element", points: list[Point]) -> list[Point]:
    ancestor: etree._Element | None = element
    while ancestor is not None:
        transform = ancestor.get("transform") or ""
        numbers = [float(each) for each in _NUMBER.findall(transform)]
        if transform.startswith("rotate"):
            points = [_rotated(point, *numbers) for point in points]
        elif transform:
            assert transform.startswith("translate"), transform
            points = [(x + numbers[0], y + numbers[1]) for x, y in points]
        ancestor = ancestor.getparent()
    return points


def _rotated(point: Point, degrees: float, x: float, y: float) -> Point:
    sin, cos = math.sin(math.radians(degrees)), math.cos(math.radians(degrees))
    along, across = point[0] - x, point[1] - y
    return x + along * cos - across * sin, y + along * sin + across * cos


def _widened(box: Rectangle, element: "etree._Element") -> Rectangle:
    if paint_of(element, "stroke") in {"", "none"} or name_of(element) == "text":
        return box
    by = float(paint_of(element, "stroke-width") or 1) / 2
    data = element.get("d") or ""
    across, down = 0.0 if _LEVEL.fullmatch(data) else by, 0.0 if _UPRIGHT.fullmatch(data) else by
    return box[0] - across, box[1] - down, box[2] + across, box[3] + down


def _around(points: Sequence[Sequence[float]]) -> Rectangle:
    if not points:
        return math.inf, math.inf, -math.inf, -math.inf
    columns, rows = zip(*points, strict=True)
    return min(columns), min(rows), max(columns), max(rows)


def _intersection(one: Rectangle, other: Rectangle) -> Rectangle:
    return max(one[0], other[0]), max(one[1], other[1]), min(one[2], other[2]), min(one[3], other[3])


def _content(element: "etree._Element") -> str:
    return (element.text or "") + "".join(child.tail or "" for child in element)


def _parent(element: "etree._Element") -> "etree._Element":
    parent = element.getparent()
    assert parent is not None
    return parent
