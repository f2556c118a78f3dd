"""Readable text and visible lines, whatever colors an author chose.

Shapes are painted in order; below each text, the colors painted so far are composited. A text with less than 4.5:1
there gets its own color, darker or lighter; a line with less than 3:1 likewise. What is readable is never changed.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import chain
from typing import NamedTuple

from mdpublish_core.css.colors import (
    MIN_CHROMA,
    MIN_GRAPHICS_CONTRAST,
    MIN_TEXT_CONTRAST,
    blend,
    contrast,
    ensure_contrast,
    to_oklch,
)
from mdpublish_core.figures.boxes import Box
from mdpublish_core.figures.fonts import line_width
from mdpublish_core.figures.svg.allowlist import SHAPES
from mdpublish_core.figures.svg.frames import widened
from mdpublish_core.figures.svg.geometry import Matrix, Point, box_of, holds, outlines, parse_transform
from mdpublish_core.figures.svg.sanitizer import SvgNode, walk

MAX_LOOKUPS = 60_000
"""Shapes compared with points: 0.3 s. Later text keeps its colors."""

_CELL = 64.0  # px
_MAX_CELLS = 64
_EXTREMES = "#000000", "#ffffff"

# Half the height of capitals, in em.
_MIDDLE = 0.35

# Shares of a line of text whose grounds count.
_SHARES = (0.1, 0.5, 0.9)

_LINE_SHARES = (0.25, 0.5, 0.75)

_MAX_CONTRAST = 21.0

# Contrasts of opaque lines, tried for translucent ones.
_AIMS = (4.5, 7.0, 12.0, _MAX_CONTRAST)

_HALO_WIDTH = 3.0  # px

# px; arrowheads and points, whose fill is repaired with their line. Others may be the key of a larger area.
_MAX_MARK = 24.0

_MAX_STOPS = 16

_INVISIBLE = 0.02

# px; fonts differ by some.
_MAX_BEYOND = 8.0

_LENGTH = re.compile(r"(-?[\d.]+)(em|px|)$")
_COLOR = re.compile(r"#[0-9a-f]{6}")
_UNPAINTED = frozenset(
    {"clipPath", "defs", "desc", "linearGradient", "marker", "mask", "pattern", "radialGradient", "symbol", "title"}
)

# From the y of a text to the middle of its letters, in em.
_BASELINES = {"central": 0.0, "middle": 0.0, "hanging": 0.35, "text-before-edge": 0.5, "text-after-edge": -0.5}
_HOLDING = frozenset({"circle", "ellipse", "polygon"})
_AREAS = SHAPES - {"line", "polyline"}

# Attributes that `_styled` reads; of most nodes, none is set.
_STYLING = frozenset(
    {
        *("transform", "font-size", "fill", "fill-opacity", "stroke", "stroke-opacity", "stroke-width", "opacity"),
        *("text-anchor", "dominant-baseline", "paint-order"),
    }
)
_MOVED = frozenset({"svg", "use"})

# Attributes of a text.
_Paint = tuple[tuple[str, str], ...]

_HALO: _Paint = (
    ("stroke-width", "4"),
    ("stroke-linejoin", "round"),
    ("paint-order", "stroke"),
    ("stroke-opacity", "1"),
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Readability:
    """Colors (`#rrggbb`) of the page, and strokes that are faint on purpose."""

    background: str
    text_color: str
    faint: frozenset[str] = frozenset()
    line_contrast: float = MIN_GRAPHICS_CONTRAST
    """The least of lines; 0 if they are not judged."""

    shows_all: bool = False
    """Whether text outside the view makes it wider."""


class _Area(NamedTuple):
    box: Box
    polygons: Sequence[Sequence[Point]]
    colors: Sequence[tuple[str, float]]
    """Colors with their opacities: several of a gradient, none if unknown, as of a pattern."""

    is_mark: bool


class _Style(NamedTuple):
    """Inherited properties."""

    matrix: Matrix = Matrix()
    fill: str = "#000000"
    fill_opacity: float = 1.0
    stroke: str = "none"
    stroke_opacity: float = 1.0
    stroke_width: float = 1.0
    opacity: float = 1.0
    size: float = 16.0
    anchor: str = "start"
    baseline: str = "auto"
    is_outlined: bool = False


class DrawnText(NamedTuple):
    """Words on one line, and the box of their letters; without one, those of a tooltip."""

    words: str
    box: Box | None = None
    is_slanted: bool = False
    """Whether the letters do not fill the box."""

    is_beyond: bool = False
    """Whether it is wider than the shape in which it stands."""


def ensure_readable(tree: SvgNode, colors: Readability) -> list[DrawnText]:
    """Change colors in place; return all text that is drawn."""
    repair = _Repair(colors, tree)
    repair.run(tree, _Style())
    return repair.drawn


@dataclass(slots=True)
class _Row:
    """Words on one line, each with the node that holds them."""

    x: float
    y: float
    words: list[tuple[SvgNode, _Style, str]] = field(default_factory=list)

    def points(self, shares: Sequence[float], heights: Sequence[float] = (0.0,)) -> list[Point]:
        """Return points at shares of the width, and at heights from the middle of the letters in em."""
        width = sum(line_width(words, style.size) for _, style, words in self.words)
        _, first, _ = self.words[0]
        left = self.x - {"middle": width / 2, "end": width}.get(first.anchor, 0.0)
        down = _BASELINES.get(first.baseline, -_MIDDLE)
        return [
            first.matrix.apply((left + width * share, self.y + (down + height) * first.size))
            for share in shares
            for height in heights
        ]

    def drawn(self) -> DrawnText:
        words, matrix = "".join(words for *_, words in self.words), self.words[0][1].matrix
        is_slanted = abs(matrix.a * matrix.b) > _INVISIBLE
        return DrawnText(words, box_of(self.points((0.0, 1.0), (-_MIDDLE, _MIDDLE))), is_slanted)


class _Repair:
    def __init__(self, colors: Readability, tree: SvgNode) -> None:
        self._colors = colors
        self._targets = {node.id: node for node in walk(tree) if node.id}
        self._used: set[str] = set()
        self._areas: list[_Area] = []
        self._cells: dict[tuple[int, int], list[int]] = {}
        self._wide: list[int] = []
        self._lookups = 0
        self.drawn: list[DrawnText] = []
        self._halos: dict[int, str] = {}
        """Colors around lines, by the lines' nodes."""
        self._frame: tuple[SvgNode, Matrix] | None = None
        self._shape: Box | None = None

    def run(self, node: SvgNode, style: _Style) -> None:
        if node.tag == "title":
            # What is cut is whole there.
            self.drawn.append(DrawnText("".join(map(str, node.children))))
        if node.tag in _UNPAINTED:
            return
        style = _styled(node, style)
        if node.tag == "text":
            self._read(node, style)
        elif node.tag in SHAPES:
            self._paint(node, style)
        elif node.tag == "use":
            self._use(node.references.get("href", ""), style)
        else:
            self._run_all(
                [child for child in node.children if isinstance(child, SvgNode)], style, is_group=node.tag == "g"
            )

    def _run_all(self, nodes: list[SvgNode], style: _Style, *, is_group: bool) -> None:
        previous: SvgNode | None = None
        around = self._frame, self._shape
        if is_group and (rectangles := [each for each in nodes if each.tag == "rect"]):
            self._frame, self._shape = _only(rectangles, style), None
        elif is_group and (shapes := [each for each in nodes if each.tag in SHAPES]):
            self._shape = _box_around(shapes, style)
        for child, following in zip(nodes, (*nodes[1:], None), strict=False):
            if following is not None and _is_halo(child, following):
                self._halos[id(following)] = child.attributes["stroke"]
            elif previous is None or not _is_outline(child, previous):
                self.run(child, style)
            previous = child
        self._frame, self._shape = around

    def _read(self, node: SvgNode, style: _Style) -> None:
        rows = list(_rows(node, style))
        drawn = [row.drawn() for row in rows if _is_seen(row.words[0][1])]
        self.drawn += [each._replace(is_beyond=_is_beyond(each, self._shape)) for each in drawn]
        if self._frame and self._colors.shows_all:
            frame, matrix = self._frame
            frame.attributes.update(widened(frame.attributes, matrix, [box for _, box, *_ in drawn if box]))
        repaired = {id(word): color for row in rows for word, color in self._repaired(row)}
        _recolor(node, repaired)

    def _use(self, target: str, style: _Style) -> None:
        """Read what is drawn here, where it is drawn first; references may be circular."""
        if target in self._targets and target not in self._used:
            self._used.add(target)
            self.run(self._targets[target], style)

    def _paint(self, node: SvgNode, style: _Style) -> None:
        has_fill = style.fill != "none" or "fill" in node.references
        is_filled = has_fill and node.tag in _AREAS and style.fill_opacity * style.opacity > _INVISIBLE
        has_stroke = style.stroke != "none" and style.stroke_width > 0 and "stroke" not in node.references
        is_drawn = has_stroke and style.stroke_opacity * style.opacity > _INVISIBLE
        is_judged = is_drawn and self._colors.line_contrast > 0 and style.stroke not in self._colors.faint
        marker = self._targets.get(node.references.get("marker-start", ""))
        if not (is_filled or is_judged or marker):
            return
        polygons = [
            [style.matrix.apply(point) for point in polygon]
            for polygon in outlines(node.tag, node.attributes)
            if polygon
        ]
        if not polygons:
            return
        if is_judged:
            self._repair_stroke(node, style, polygons, is_filled=is_filled)
        if is_filled:
            self._add(node, style, polygons)
        if marker is not None:
            self._add_marker(marker, polygons[0][0])

    def _add_marker(self, marker: SvgNode, point: Point) -> None:
        """Add the disk at which a line begins; numbers of messages stand on it."""
        style = _styled(marker, _Style())
        for disk in marker.children:
            if isinstance(disk, SvgNode) and disk.tag == "circle":
                radius = _length(disk.attributes.get("r", ""), em=1.0, otherwise=0.0)
                matrix = Matrix(e=point[0], f=point[1])
                around = SvgNode("circle", {"r": f"{radius:g}"})
                self._add(
                    around,
                    _styled(disk, style),
                    [[matrix.apply(each) for each in outlines("circle", around.attributes)[0]]],
                )

    def _add(self, node: SvgNode, style: _Style, polygons: Sequence[Sequence[Point]]) -> None:
        box = box_of([point for polygon in polygons for point in polygon])
        if box.left == box.right or box.top == box.bottom:
            return
        is_plain = node.tag == "rect" and not style.matrix.b and not style.matrix.c
        number = len(self._areas)
        self._areas.append(
            _Area(box, () if is_plain else polygons, self._fills(node, style), _is_mark(node, style, box))
        )
        left, top, right, bottom = (int(each // _CELL) for each in box)
        if (right - left + 1) * (bottom - top + 1) > _MAX_CELLS:
            self._wide.append(number)
            return
        for column in range(left, right + 1):
            for row in range(top, bottom + 1):
                self._cells.setdefault((column, row), []).append(number)

    def _fills(self, node: SvgNode, style: _Style) -> list[tuple[str, float]]:
        opacity = min(1.0, style.fill_opacity * style.opacity)
        if "fill" not in node.references:
            return [(style.fill, opacity)] if _COLOR.fullmatch(style.fill) else []
        target = self._targets.get(node.references["fill"])
        stops = [stop for stop in target.children if isinstance(stop, SvgNode) and stop.tag == "stop"] if target else []
        paints = [
            (stop.attributes.get("stop-color", "#000000"), float(stop.attributes.get("stop-opacity", 1.0)) * opacity)
            for stop in stops[:_MAX_STOPS]
        ]
        return paints if all(_COLOR.fullmatch(color) for color, _ in paints) else []

    def _grounds(self, point: Point, *, with_marks: bool = True) -> list[str]:
        """Return the colors that may be painted at a point so far; none if unknown."""
        near = self._cells.get((int(point[0] // _CELL), int(point[1] // _CELL)), [])
        layers: list[Sequence[tuple[str, float]]] = []
        for number in sorted((*near, *self._wide), reverse=True):
            self._lookups += 1
            area = self._areas[number]
            if (
                (area.is_mark and not with_marks)
                or not area.box.holds(point)
                or (area.polygons and not any(holds(polygon, point) for polygon in area.polygons))
            ):
                continue
            if not area.colors:
                return []
            layers.append(area.colors)
            if all(opacity >= 1 for _, opacity in area.colors):
                break
        grounds = [self._colors.background]
        for colors in reversed(layers):
            grounds = [blend(color, ground, opacity) for color, opacity in colors for ground in grounds][:_MAX_STOPS]
        return grounds

    def _repaired(self, row: _Row) -> Iterator[tuple[SvgNode, _Paint]]:
        """Yield the nodes with unreadable words, and their colors."""
        points = row.points(_SHARES)
        if self._lookups + len(points) * len(self._areas) > MAX_LOOKUPS:
            return
        below = [self._grounds(point) for point in points]
        for node, style, _ in row.words:
            grounds = [style.stroke] if style.is_outlined else list(chain(*below)) if all(below) else []
            is_known = _COLOR.fullmatch(style.fill) is not None and "fill" not in node.references
            if grounds and is_known and _is_weak(style, grounds):
                yield node, self._readable(style.fill, grounds, min(1.0, style.opacity))

    def _readable(self, color: str, grounds: Sequence[str], opacity: float) -> _Paint:
        """Keep the hue of a color that has one; else prefer the page's colors, outlined if grounds differ too much."""
        page = (self._colors.text_color, self._colors.background)
        shifted = [ensure_contrast(color, ground, MIN_TEXT_CONTRAST) for ground in grounds]
        is_gray = to_oklch(color)[1] < MIN_CHROMA
        candidates = (*page, *_EXTREMES) if is_gray or color in page else (*shifted, *page, *_EXTREMES)
        for candidate in candidates:
            if min(contrast(blend(candidate, ground, opacity), ground) for ground in grounds) >= MIN_TEXT_CONTRAST:
                return (("fill", candidate), ("fill-opacity", "1"))
        return (("fill", page[0]), ("fill-opacity", "1"), ("stroke", page[1]), *_HALO)

    def _repair_stroke(
        self, node: SvgNode, style: _Style, polygons: Sequence[Sequence[Point]], *, is_filled: bool
    ) -> None:
        """Darken or lighten a line; a filled shape is also seen by its fill."""
        if _COLOR.fullmatch(style.stroke) is None or self._lookups > MAX_LOOKUPS:
            return
        halo, minimum = self._halos.get(id(node)), self._colors.line_contrast
        points = () if halo else _beside(polygons, is_filled=is_filled)
        grounds = [halo] if halo else [each for point in points for each in self._grounds(point, with_marks=False)]
        ratios = _contrasts(style.stroke, style.stroke_opacity * style.opacity, grounds)
        if min(ratios, default=minimum) >= minimum:
            return
        ground = grounds[ratios.index(min(ratios))]
        if is_filled and _COLOR.fullmatch(style.fill) and "fill" not in node.references:
            fill = blend(style.fill, ground, min(1.0, style.fill_opacity * style.opacity))
            if contrast(fill, ground) >= minimum:
                return
        color = _visible_stroke(style, ground, minimum)
        # On grounds that differ, another color may be no better.
        repaired = _contrasts(color, style.opacity, grounds)
        if sum(each >= minimum for each in repaired) <= sum(each >= minimum for each in ratios):
            return
        node.attributes["stroke"] = color
        self._recolor_heads(node, style.stroke, color)
        if style.stroke_opacity < 1:
            node.attributes["stroke-opacity"] = "1"
        box = box_of([point for polygon in polygons for point in polygon])
        if is_filled and _is_mark(node, style, box):
            node.attributes["fill"] = node.attributes["stroke"]

    def _recolor_heads(self, node: SvgNode, color: str, repaired: str) -> None:
        """Give arrowheads in the color of a line its new one."""
        heads = [self._targets.get(node.references.get(f"marker-{side}", "")) for side in ("start", "end")]
        for part in (part for head in heads if head for part in walk(head)):
            part.attributes.update(
                {name: repaired for name in ("fill", "stroke") if part.attributes.get(name) == color}
            )


def _only(rectangles: Sequence[SvgNode], style: _Style) -> tuple[SvgNode, Matrix] | None:
    return None if rectangles[1:] else (rectangles[0], _styled(rectangles[0], style).matrix)


def _box_around(shapes: Sequence[SvgNode], style: _Style) -> Box | None:
    """Return the box of the only shape, if words may stand in it."""
    shape = shapes[0]
    if shapes[1:] or shape.tag not in _HOLDING:
        return None
    matrix = _styled(shape, style).matrix
    points = [matrix.apply(point) for polygon in outlines(shape.tag, shape.attributes) for point in polygon]
    return box_of(points) if points else None


def _is_beyond(words: DrawnText, shape: Box | None) -> bool:
    if shape is None or words.box is None or words.is_slanted or not words.box.meets(shape):
        return False
    middle = (words.box.left + words.box.right) / 2
    return shape.left < middle < shape.right and words.box.width > shape.width + _MAX_BEYOND


def _is_halo(node: SvgNode, following: SvgNode) -> bool:
    """Tell whether a line outlines the next one, which is the same but narrower."""
    one, other = node.attributes, following.attributes
    return (
        node.tag == "path" == following.tag
        and one.get("d") == other.get("d")
        and one.get("fill") == "none" == other.get("fill")
        and _COLOR.fullmatch(one.get("stroke", "")) is not None
        and _length(one.get("stroke-width", ""), em=1.0, otherwise=0.0)
        > (_length(other.get("stroke-width", ""), em=1.0, otherwise=0.0) or 1.0)
    )


def _is_outline(node: SvgNode, previous: SvgNode) -> bool:
    """Tell whether a line in the color of the shape below goes around that shape."""
    one, other = node.attributes, previous.attributes
    is_same = node.tag == "path" == previous.tag and one.get("d") == other.get("d")
    return is_same and one.get("fill") == "none" and one.get("stroke") == other.get("fill", "none")


def _is_mark(node: SvgNode, style: _Style, box: Box) -> bool:
    """Tell whether a shape is an arrowhead or the like, many of which may meet."""
    is_small = max(box.width, box.height) < _MAX_MARK
    return is_small and node.tag in {"ellipse", "polygon"} and style.fill == style.stroke


def _contrasts(color: str, opacity: float, grounds: Sequence[str]) -> list[float]:
    return [contrast(blend(color, ground, min(1.0, opacity)), ground) for ground in grounds]


def _visible_stroke(style: _Style, ground: str, minimum: float) -> str:
    """Return a color with a contrast that is left where the shape is translucent."""
    opacity = min(1.0, style.opacity)
    color = style.stroke
    for aim in (minimum, *(each for each in _AIMS if each > minimum)):
        color = ensure_contrast(style.stroke, ground, aim)
        if contrast(blend(color, ground, opacity), ground) >= minimum:
            break
    return color


def _beside(polygons: Sequence[Sequence[Point]], *, is_filled: bool) -> list[Point]:
    """Return points at which a line is seen: outside of a shape, or on the line."""
    polygon = max(polygons, key=len)
    if is_filled or len(polygon) < 2:
        box = box_of(polygon)
        return [(box.left - 1, (box.top + box.bottom) / 2), ((box.left + box.right) / 2, box.bottom + 1)]
    return [_along(polygon, (len(polygon) - 1) * share) for share in _LINE_SHARES]


def _along(polygon: Sequence[Point], position: float) -> Point:
    """Return a point between two corners, at which other lines may end."""
    number = min(int(position), len(polygon) - 2)
    (x1, y1), (x2, y2) = polygon[number], polygon[number + 1]
    share = position - number
    return x1 + (x2 - x1) * share, y1 + (y2 - y1) * share


def _is_seen(style: _Style) -> bool:
    return style.fill_opacity * style.opacity > _INVISIBLE


def _is_weak(style: _Style, grounds: Sequence[str]) -> bool:
    opacity = min(1.0, style.fill_opacity * style.opacity)
    return opacity > _INVISIBLE and any(
        contrast(blend(style.fill, ground, opacity), ground) < MIN_TEXT_CONTRAST for ground in grounds
    )


def _recolor(element: SvgNode, repaired: Mapping[int, _Paint]) -> None:
    """Set the color of the whole text, if that is the same for all of its words; else word by word."""
    if not repaired:
        return
    nodes = [node for node in walk(element) if node.tag not in _UNPAINTED]
    worded = [node for node in nodes if any(isinstance(child, str) and child.strip() for child in node.children)]
    paints = set(repaired.values())
    if len(paints) > 1 or any(id(node) not in repaired for node in worded):
        for node in worded:
            node.attributes.update(repaired.get(id(node), ()))
        return
    paint = dict(paints.pop())
    for node in nodes:
        for name in paint:
            node.attributes.pop(name, None)
            node.references.pop(name, None)
    element.attributes.update(paint)


def _styled(node: SvgNode, style: _Style) -> _Style:
    attributes = node.attributes
    if _STYLING.isdisjoint(attributes) and node.tag not in _MOVED:
        return style
    matrix = style.matrix
    if "transform" in attributes:
        matrix = matrix.then(parse_transform(attributes["transform"]))
    if node.tag in _MOVED:
        x, y = (_length(attributes.get(name, ""), em=1.0, otherwise=0.0) for name in ("x", "y"))
        matrix = matrix.then(Matrix(e=x, f=y))
    size, width = style.size, style.stroke_width
    if "font-size" in attributes:
        size = _length(attributes["font-size"], em=size, otherwise=size)
    if "stroke-width" in attributes:
        width = _length(attributes["stroke-width"], em=size, otherwise=width)
    return _Style(
        matrix,
        attributes.get("fill", style.fill),
        float(attributes.get("fill-opacity", style.fill_opacity)),
        attributes.get("stroke", style.stroke),
        float(attributes.get("stroke-opacity", style.stroke_opacity)),
        width,
        style.opacity * float(attributes.get("opacity", 1.0)),
        size,
        attributes.get("text-anchor", style.anchor),
        attributes.get("dominant-baseline", style.baseline),
        _is_outlined(attributes, style, width),
    )


def _is_outlined(attributes: Mapping[str, str], style: _Style, width: float) -> bool:
    """Tell whether an outline hides what is behind the letters."""
    layers = attributes.get("paint-order", "stroke" if style.is_outlined else "")
    stroke = attributes.get("stroke", style.stroke)
    return layers.startswith("stroke") and _COLOR.fullmatch(stroke) is not None and width >= _HALO_WIDTH


def _length(value: str, *, em: float, otherwise: float) -> float:
    match = _LENGTH.match(value)
    if match is None:
        return otherwise
    return float(match[1]) * (em if match[2] == "em" else 1.0)


def _rows(element: SvgNode, style: _Style) -> Iterator[_Row]:
    """Yield the lines of a text that have words."""
    rows = [_Row(0.0, 0.0)]
    _collect(element, style, rows)
    yield from (row for row in rows if row.words)


def _collect(node: SvgNode, style: _Style, rows: list[_Row]) -> None:
    moves: dict[str, str] = {name: node.attributes[name] for name in ("x", "y", "dx", "dy") if name in node.attributes}
    last = rows[-1]

    def first(name: str, otherwise: float) -> float:
        return _length(moves.get(name, "").partition(" ")[0], em=style.size, otherwise=otherwise)

    # Words without an x continue their line, higher or lower.
    if moves and ("x" in moves or not last.words):
        rows.append(_Row(first("x", last.x) + first("dx", 0.0), first("y", last.y) + first("dy", 0.0)))
    for child in node.children:
        if isinstance(child, SvgNode):
            if child.tag in {"a", "textPath", "tspan"}:
                _collect(child, _styled(child, style), rows)
        elif child.strip():
            rows[-1].words.append((node, style, child))
