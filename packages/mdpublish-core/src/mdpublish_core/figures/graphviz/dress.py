"""The form of graphs that a theme wants, as defaults of attributes, and corners of their boxes."""

import re
from typing import TYPE_CHECKING

from mdpublish_core.css.colors import mix
from mdpublish_core.figures.graphviz.bindings import EDGE, GRAPH, NODE, Graph, Item
from mdpublish_core.figures.request import FigureTheme
from mdpublish_core.figures.svg import NAMESPACE

if TYPE_CHECKING:
    from lxml import etree

_BOXES = frozenset({"box", "rect", "rectangle", "square", "record"})
_OVALS = frozenset({"ellipse", "oval", "circle", "doublecircle"})
_FILLED = _BOXES | _OVALS | {"", "diamond", "hexagon", "Mrecord"}
_FILLING = re.compile("filled|invis|striped|wedged|radial")
_ARROWS = {"barb": "vee", "hollow": "onormal"}

# Of the accent in the fill of decisions.
_SHARES = {"tint": 0.2, "solid": 1.0}

# Routing at right angles takes time that grows with the square of the edges, and loses labels and ports.
_MAX_STEPS = 100
_LOST = frozenset({"label", "xlabel", "headlabel", "taillabel", "headport", "tailport"})

_ROUNDED = "rounded-box"
_SVG = f"{{{NAMESPACE}}}"


def form_attributes(graph: Graph, engine: str, theme: FigureTheme) -> dict[int, dict[str, str]]:
    """Give nodes their form, and return the defaults of attributes by kind."""
    form = theme.dress
    if form.corner is not None or form.decision:
        _form_nodes(graph, list(graph.nodes()), theme)
    pen = {"penwidth": f"{form.stroke:g}"} if form.stroke else {}
    splines = {"step": "ortho" if _can_step(graph, engine) else "polyline", "straight": "polyline"}.get(form.line or "")
    return {
        GRAPH: {**pen, **({"splines": splines} if splines else {})},
        NODE: pen,
        EDGE: {**pen, **({"arrowhead": _ARROWS[form.arrow]} if form.arrow in _ARROWS else {})},
    }


def _can_step(graph: Graph, engine: str) -> bool:
    if engine != "dot" or graph.count_edges() > _MAX_STEPS:
        return False
    written = graph.declared(EDGE).keys() & _LOST
    return not any(edge.get(name) for edge in graph.edges() for name in written)


def _form_nodes(graph: Graph, nodes: list[Item], theme: FigureTheme) -> None:
    """Draw nodes without a shape as boxes, unless they would look like those of the author, and fill them."""
    declared, form = graph.declared(NODE), theme.dress
    for name in ("shape", "style", "fillcolor", "color"):
        if name not in declared:
            graph.declare(NODE, name, "")
    graph.declare(NODE, "class", "")
    has_boxes = form.corner is not None and {node.get("shape") for node in nodes}.isdisjoint(_BOXES | _OVALS)
    for node in nodes:
        if has_boxes and not node.get("shape"):
            node.set("shape", "box")
        shape, style = node.get("shape"), node.get("style")
        if form.corner is not None and shape in _BOXES and "rounded" not in style:
            node.set("class", _ROUNDED)
        if shape in _FILLED and not node.get("fillcolor") and not _FILLING.search(style):
            is_decision = form.decision and shape == "diamond" and not node.get("color")
            share = _SHARES[form.decision or "tint"]
            node.set("style", f"{style},filled".lstrip(","))
            node.set("fillcolor", mix(theme.background, theme.accent, share) if is_decision else theme.surface)


def round_boxes(root: "etree._Element", theme: FigureTheme) -> None:
    """Draw boxes as rectangles with corners."""
    for group in root.iter(f"{_SVG}g") if theme.dress.corner is not None else ():
        kind, _, name = group.get("class", "").partition(" ")
        box = next(group.iter(f"{_SVG}polygon"), None) if kind == "cluster" or name == _ROUNDED else None
        numbers = [] if box is None else list(map(float, re.findall(r"-?[\d.]+", box.get("points", ""))))
        xs, ys = sorted(set(numbers[::2])), sorted(set(numbers[1::2]))
        if box is not None and len(numbers) == 10 and len(xs) == len(ys) == 2:
            width, height = xs[1] - xs[0], ys[1] - ys[0]
            corner = min(theme.dress.corner or 0, width / 2, height / 2)
            box.tag = f"{_SVG}rect"
            for key, value in (("x", xs[0]), ("y", ys[0]), ("width", width), ("height", height), ("rx", corner)):
                box.set(key, f"{value:g}")
            del box.attrib["points"]
