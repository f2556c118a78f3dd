"""Graphviz's SVG in a template's colours: whatever stands on something is readable there, and what nobody reads is gone.

The SVG is flat: groups for clusters, then for nodes and edges, each with its shapes and letters in the order in which they
are painted. So what a label stands on is the last filled shape before it, in its own group or in a cluster.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass, field

from lxml import etree

from mdpublish_core.figures.colours import READABLE, VISIBLE, blended, contrast
from mdpublish_core.figures.css_colors import parse_css_color
from mdpublish_core.figures.graphviz.defaults import FILL, INK, PEN
from mdpublish_core.figures.graphviz.dressing import dress
from mdpublish_core.figures.graphviz.shapes import (
    GROUP,
    PATH,
    POLYGON,
    SHAPES,
    SVG,
    TEXT,
    Box,
    box_of,
    numbers_of,
    taken,
    text_box,
)
from mdpublish_core.figures.request import FigureError, FigureTheme

_BLACK = frozenset({"black", "#000000"})
# The line from a label to its edge has the letters' colour.
_MARKS = frozenset({PEN, INK, *_BLACK})
_NONE = frozenset({"none", "transparent", ""})

_REFERENCE = re.compile(r"url\(#(.+)\)")

# The line around wedges and stripes, by which they are told from whole shapes.
_PIECE_WIDTH = "0.5"

# Filled clusters that are looked at, and colours under one thing.
_MOST_AREAS = 100
_MOST_COLORS = 16


@dataclass(frozen=True, slots=True)
class _Area:
    """A filled shape; several colours where it is a gradient, or lets through what is below."""

    box: Box
    colors: tuple[str, ...]
    is_piece: bool
    """Whether it is a wedge or a stripe, of which several may lie under one label."""


@dataclass(slots=True)
class _Painter:
    """Knows the theme, and what has been painted so far that others may stand on."""

    theme: FigureTheme
    ground: tuple[str, ...]
    gradients: dict[str, tuple[tuple[str, float], ...]]
    clusters: list[_Area] = field(default_factory=list)
    found: dict[tuple[tuple[str, ...], float, str], str] = field(default_factory=dict)
    """Colours that were looked for: the same ones again and again."""

    def paint_group(self, group: "etree._Element") -> None:
        """Paint what stands in a cluster's, a node's or an edge's group."""
        kind = group.get("class", "")
        areas = list(self.clusters)
        for element in group.iter(TEXT, *SHAPES):
            if element.tag == TEXT:
                self.paint_text(element, areas)
                continue
            self._paint_line(element, areas)
            if kind == "edge":
                continue
            area = self._area(element, areas)
            if area:
                areas.append(area)
                if kind == "cluster" and len(self.clusters) < _MOST_AREAS:
                    self.clusters.append(area)

    def paint_ground(self, shape: "etree._Element") -> None:
        """Take the shape behind a whole graph for what all stands on."""
        area = self._area(shape, [])
        self.ground = area.colors if area else self.ground

    def paint_text(self, text: "etree._Element", areas: Sequence[_Area] = ()) -> None:
        """Paint a line of letters that stands on some of the areas."""
        color = text.get("fill", "black")
        if color == INK or color in _BLACK:
            grounds = self._under(text_box(text), areas) if areas else self.ground
            is_lost = color != INK and self._is_lost(grounds)
            text.set("fill", self._readable(grounds, READABLE, self.theme.text) if color == INK or is_lost else color)

    def _paint_line(self, shape: "etree._Element", areas: Sequence[_Area]) -> None:
        """Give a shape's line, and the ground of an arrow's head, the colour that they stand for."""
        marks = [name for name in ("stroke", "fill") if shape.get(name) in _MARKS]
        if marks:
            grounds = self._along(shape, areas) if areas else self.ground
            for name in marks:
                if shape.get(name) not in _BLACK or self._is_lost(grounds):
                    shape.set(name, self._readable(grounds, VISIBLE, self.theme.muted))
        if shape.get("fill") == FILL:
            shape.set("fill", self.theme.surface)

    def _is_lost(self, grounds: tuple[str, ...]) -> bool:
        """Tell whether what is black by itself cannot be seen on the ground that the template gives."""
        return grounds == self.ground == (self.theme.background,) and contrast("#000000", grounds[0]) < VISIBLE

    def _area(self, shape: "etree._Element", areas: Sequence[_Area]) -> _Area | None:
        fill = shape.get("fill", "none")
        reference = _REFERENCE.fullmatch(fill)
        if reference:
            stops = self.gradients.get(reference[1], ())
        elif fill in _NONE:
            shape.set("fill", "none")
            return None
        else:
            stops = ((_rgb(fill), _share(shape.get("fill-opacity"))),)
        box = box_of(shape)
        colors = tuple(color for color, _ in stops)
        if any(share < 1 for _, share in stops):
            below = self._under(box, areas)
            colors = tuple(blended(color, each, share) for color, share in stops for each in below)
        return _Area(box, colors[:_MOST_COLORS], shape.get("stroke-width") == _PIECE_WIDTH) if colors else None

    def _along(self, shape: "etree._Element", areas: Sequence[_Area]) -> tuple[str, ...]:
        """Return the colours that a line begins, ends, and is in the middle on."""
        numbers = numbers_of(shape)
        if shape.tag != PATH or len(numbers) < 4:
            return self._under(box_of(shape), areas)
        points = (numbers[:2], numbers[-2:])
        grounds = (self._under((x, y, x, y), areas) for x, y in points)
        return tuple(dict.fromkeys(color for ground in grounds for color in ground))

    def _under(self, box: Box, areas: Sequence[_Area]) -> tuple[str, ...]:
        """Return the colours that something in a box stands on."""
        left, top, right, bottom = box
        x, y = (left + right) / 2, (top + bottom) / 2
        grounds = self.ground
        pieces: tuple[str, ...] = ()
        for area in areas:
            begin, upper, end, lower = area.box
            if area.is_piece:
                if begin <= right and end >= left and upper <= bottom and lower >= top:
                    grounds = pieces = (*pieces, *area.colors)[-_MOST_COLORS:]
            elif begin <= x <= end and upper <= y <= lower:
                grounds, pieces = area.colors, ()
        return grounds

    def _readable(self, grounds: tuple[str, ...], ratio: float, wanted: str) -> str:
        """Return the wanted colour where it has the contrast on all of the grounds, else one that has, or comes closest."""
        key = (grounds, ratio, wanted)
        if key not in self.found:
            tried = (wanted, self.theme.text, self.theme.background, "#000000", "#ffffff")
            least = {color: min(contrast(color, ground) for ground in grounds) for color in tried}
            best = max(tried, key=lambda color: least[color])
            self.found[key] = next((color for color in tried if least[color] >= ratio), best)
        return self.found[key]


def painted(svg: bytes, theme: FigureTheme, *, has_ground: bool) -> str:
    """Return an SVG that Graphviz made, in a template's colours and fonts; raises `FigureError`.

    `has_ground` tells whether the author gave the graph a ground of its own.
    """
    # What Graphviz writes is as well-formed as what an author put into labels; the parser mends the rest.
    parser = etree.XMLParser(
        resolve_entities=False, no_network=True, remove_comments=True, remove_pis=True, recover=True, huge_tree=True
    )
    root = etree.fromstring(svg, parser)
    if root is None or root.tag != f"{{{SVG}}}svg":
        raise FigureError("Graphviz drew nothing that can be read")
    for stop in root.iter(f"{{{SVG}}}stop"):
        _unstyle(stop)
    painter = _Painter(theme, (theme.background,), _gradients(root))
    for group in root.iter(GROUP):
        kind = group.get("class", "")
        if kind == "graph":
            _take_ground(group, painter, has_ground=has_ground)
            # The title of the whole stands in the graph's own group, in front of all others.
            for text in group.findall(TEXT):
                painter.paint_text(text)
        elif kind in {"cluster", "node", "edge"}:
            painter.paint_group(group)
    dress(root, theme)
    return etree.tostring(root, encoding="unicode")


def _take_ground(graph: "etree._Element", painter: _Painter, *, has_ground: bool) -> None:
    """Take out the white sheet that Graphviz draws on, or see what colour its author gave it."""
    sheet = graph.find(POLYGON)
    if sheet is None:
        return
    if has_ground:
        painter.paint_ground(sheet)
    else:
        graph.remove(sheet)


def _gradients(root: "etree._Element") -> dict[str, tuple[tuple[str, float], ...]]:
    """Return the colours of gradients, each with how much of it is seen, by the gradients' ids, which are made anew.

    Graphviz counts gradients as long as its process lives; the same graph is to be the same drawing.
    """
    gradients: dict[str, tuple[tuple[str, float], ...]] = {}
    ids: dict[str, str] = {}
    for gradient in root.iter(f"{{{SVG}}}linearGradient", f"{{{SVG}}}radialGradient"):
        own = ids.setdefault(gradient.get("id", ""), f"gradient{len(ids)}")
        gradient.set("id", own)
        gradients[own] = tuple(
            (_rgb(stop.get("stop-color", "black")), _share(stop.get("stop-opacity"))) for stop in gradient
        )
    for shape in root.iter(*SHAPES):
        reference = _REFERENCE.fullmatch(shape.get("fill", ""))
        if reference:
            shape.set("fill", f"url(#{ids.get(reference[1], 'none')})")
    return gradients


def _unstyle(stop: "etree._Element") -> None:
    """Write a gradient's colour as attributes: a page takes no styles in elements."""
    for name, _, value in (part.partition(":") for part in taken(stop, "style").split(";")):
        if name:
            stop.set(name, f"{_share(value):g}" if name == "stop-opacity" else value)


def _rgb(color: str) -> str:
    """Return a colour as `#rrggbb`; what cannot be read is drawn black."""
    value = parse_css_color(color) or ""
    return value[:7] if value.startswith("#") else "#000000"


def _share(opacity: str | None) -> float:
    try:
        return float(opacity or "1")
    except ValueError:
        return 1.0
