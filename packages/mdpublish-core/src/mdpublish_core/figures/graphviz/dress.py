"""The form of graphs that a theme wants, as defaults of attributes, and corners of their boxes."""

import re
from typing import TYPE_CHECKING

from mdpublish_core.figures.graphviz.bindings import EDGE, GRAPH, NODE, Graph, Item
from mdpublish_core.figures.request import FigureTheme
from mdpublish_core.figures.svg import NAMESPACE

if TYPE_CHECKING:
    from lxml import etree

_BOXES = frozenset({"box", "rect", "rectangle", "square", "record"})
_OVALS = frozenset({"ellipse", "oval", "circle", "doublecircle"})
_FILLED = frozenset({*_BOXES, *_OVALS, "", "diamond", "hexagon", "Mrecord"})
_ARROWS = {"barb": "vee", "hollow": "onormal"}

# Routing at right angles takes time that grows with the square of the edges.
_MAX_STEPS = 100
_LABELS = ("label", "xlabel", "headlabel", "taillabel")

_ROUNDED = "rounded-box"
_POLYGON = f"{{{NAMESPACE}}}polygon"


def form_attributes(graph: Graph, engine: str, theme: FigureTheme, tint: str) -> dict[int, dict[str, str]]:
    """Return the defaults of attributes by kind, and name the boxes that get corners; `tint` is the fill of decisions."""
    form = theme.dress
    nodes = list(graph.nodes())
    values: dict[int, dict[str, str]] = {GRAPH: {}, NODE: {}, EDGE: {}}
    if form.stroke:
        for each in values.values():
            each["penwidth"] = f"{form.stroke:g}"
    if form.arrow in _ARROWS:
        values[EDGE]["arrowhead"] = _ARROWS[form.arrow]
    if form.line in {"straight", "step"} and "splines" not in graph.declared(GRAPH):
        values[GRAPH]["splines"] = "ortho" if form.line == "step" and _can_step(graph, engine) else "polyline"
    if form.corner is not None:
        _draw_boxes(graph, nodes)
        graph.declare(NODE, "class", "")
        for node in nodes:
            if node.get("shape") in _BOXES and "rounded" not in node.get("style"):
                node.set("class", _ROUNDED)
    if form.corner is not None or form.decision:
        _fill_nodes(graph, nodes, tint)
    return values


def _draw_boxes(graph: Graph, nodes: list[Item]) -> None:
    """Draw nodes without a shape as boxes, unless they would look like those to which the author gave that shape."""
    if not graph.declared(NODE).get("shape"):
        written = {node.get("shape") for node in nodes} - {""}
        if "shape" not in graph.declared(NODE):
            graph.declare(NODE, "shape", "")
        if written.isdisjoint(_BOXES | _OVALS):
            for node in nodes:
                node.set("shape", node.get("shape") or "box")


def _can_step(graph: Graph, engine: str) -> bool:
    """Tell whether `dot` can route edges at right angles, where it loses labels and ports."""
    edges = list(graph.edges()) if graph.count_edges() <= _MAX_STEPS else []
    written = graph.declared(EDGE).keys() & {*_LABELS, "headport", "tailport"}
    return engine == "dot" and bool(edges) and not any(edge.get(name) for edge in edges for name in written)


def _fill_nodes(graph: Graph, nodes: list[Item], tint: str) -> None:
    """Fill nodes that have no style of the author's, as Mermaid does, and decisions with a color of their own."""
    declared = graph.declared(NODE)
    for name in ("style", "fillcolor"):
        if name not in declared:
            graph.declare(NODE, name, "")
    for node in nodes:
        if not node.get("style") and node.get("shape") in _FILLED:
            node.set("style", "filled")
            if tint and node.get("shape") == "diamond" and not node.get("fillcolor") and not node.get("color"):
                node.set("fillcolor", tint)


def round_boxes(root: "etree._Element", theme: FigureTheme) -> None:
    """Draw boxes as rectangles with corners."""
    if theme.dress.corner is None:
        return
    for group in root.iter(f"{{{NAMESPACE}}}g"):
        kind, _, name = group.get("class", "").partition(" ")
        box = next(group.iter(_POLYGON), None) if kind == "cluster" or name == _ROUNDED else None
        points = [] if box is None else re.findall(r"(-?[\d.]+),(-?[\d.]+)", box.get("points", ""))
        xs, ys = (sorted({float(point[axis]) for point in points}) for axis in (0, 1))
        if box is not None and len(points) == 5 and len(xs) == len(ys) == 2:
            corner = min(theme.dress.corner, (xs[1] - xs[0]) / 2, (ys[1] - ys[0]) / 2)
            numbers = {"x": xs[0], "y": ys[0], "width": xs[1] - xs[0], "height": ys[1] - ys[0], "rx": corner}
            del box.attrib["points"]
            box.tag = f"{{{NAMESPACE}}}rect"
            box.attrib.update({key: f"{value:g}" for key, value in numbers.items()})
