"""Default fonts and colors, and the theme's form; what is not readable with them is repaired in the sanitized SVG."""

import re
from typing import TYPE_CHECKING

from mdpublish_core.css.colors import mix
from mdpublish_core.figures.graphviz.bindings import EDGE, GRAPH, NODE, Graph, Item, is_cluster
from mdpublish_core.figures.graphviz.font_metrics import MONO, SANS
from mdpublish_core.figures.request import FigureTheme
from mdpublish_core.figures.svg import NAMESPACE

if TYPE_CHECKING:
    from lxml import etree

FONT_SIZE = 14
"""In points, which are rendered as CSS px."""

_ARROW_SIZE = "0.8"

# Above this many edges (about 0.1 s of layout), lower the effort of `dot`.
_MANY_EDGES = 300
_EFFORT = "0.2"

# Engines that ignore node sizes.
_OVERLAPPING = frozenset({"neato", "sfdp", "twopi", "circo"})

# The most compact method to remove overlaps. Those based on triangulation are not compiled in.
_OVERLAP_REMOVAL = "vpsc"
_TRIANGULATED = re.compile(r"\s*(?:false|no|prism\d*|voronoi)\s*", re.IGNORECASE)

# Fits a label of twelve letters.
_PATCH_AREA = "8"

# Shapes that Graphviz fills by default.
_FILLED_SHAPES = frozenset({"point"})


def apply_defaults(graph: Graph, engine: str, theme: FigureTheme) -> None:
    subgraphs = [subgraph for _, subgraph in graph.all_subgraphs()]
    nodes, edges = list(graph.nodes()), list(graph.edges())
    forms = form_attributes(graph, engine, theme)
    font = MONO if theme.is_monospaced else SANS
    for kind, items in ((GRAPH, [graph, *subgraphs]), (NODE, nodes), (EDGE, edges)):
        _set_defaults(graph, kind, items, fontname=font, fontcolor=theme.text_color, **forms[kind])
    _set_cluster_defaults(graph, [subgraph for subgraph in subgraphs if is_cluster(subgraph)], theme)
    _set_node_defaults(graph, nodes, theme)
    _set_defaults(graph, EDGE, edges, color=theme.muted, arrowsize=_ARROW_SIZE)
    _separate_nodes(graph, engine)
    _limit_layout_effort(graph)


def _separate_nodes(graph: Graph, engine: str) -> None:
    if engine in _OVERLAPPING and (
        "overlap" not in graph.declared(GRAPH) or _TRIANGULATED.fullmatch(graph.get("overlap"))
    ):
        graph.declare(GRAPH, "overlap", _OVERLAP_REMOVAL)
        graph.set("overlap", _OVERLAP_REMOVAL)
    if engine == "patchwork" and "area" not in graph.declared(NODE):
        graph.declare(NODE, "area", _PATCH_AREA)


def _limit_layout_effort(graph: Graph) -> None:
    """Cap network simplex iterations: the time of `dot` is quadratic in the number of edges."""
    if graph.count_edges() > _MANY_EDGES:
        _set_defaults(graph, GRAPH, [graph], nslimit=_EFFORT, nslimit1=_EFFORT, mclimit=_EFFORT)


def _set_defaults(graph: Graph, kind: int, items: list[Item] | list[Graph], **values: str) -> None:
    declared = graph.declared(kind)
    for name, value in values.items():
        if name not in declared:
            graph.declare(kind, name, value)
            continue
        if not declared[name]:
            graph.declare(kind, name, value)
        for item in items:
            if not item.get(name):
                item.set(name, value)


def _set_cluster_defaults(graph: Graph, clusters: list[Graph], theme: FigureTheme) -> None:
    for name in ("pencolor", "fillcolor"):
        if name not in graph.declared(GRAPH):
            graph.declare(GRAPH, name, "")
    if theme.dress.corner is not None and "labeljust" not in graph.declared(GRAPH):
        # Edges enter from above.
        graph.declare(GRAPH, "labeljust", "")
        for cluster in clusters:
            cluster.set("labeljust", "l")
    for cluster in clusters:
        if not cluster.get("color"):
            if not cluster.get("pencolor"):
                cluster.set("pencolor", theme.muted)
            if not cluster.get("fillcolor") and not cluster.get("bgcolor"):
                cluster.set("fillcolor", theme.surface)


def _set_node_defaults(graph: Graph, nodes: list[Item], theme: FigureTheme) -> None:
    declared = graph.declared(NODE)
    if "color" not in declared and "fillcolor" not in declared and "shape" not in declared:
        graph.declare(NODE, "fillcolor", theme.surface)
        graph.declare(NODE, "color", theme.muted)
        return
    for name in ("color", "fillcolor"):
        if name not in declared:
            graph.declare(NODE, name, "")
    for node in nodes:
        if node.get("color"):
            continue
        # Without `fillcolor`, Graphviz fills with `color`.
        node.set("color", theme.muted)
        if not node.get("fillcolor"):
            node.set("fillcolor", theme.muted if node.get("shape") in _FILLED_SHAPES else theme.surface)


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
    ground = theme.surface if form.fill in {None, "solid"} else theme.background
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
            dashed = ",dashed" if form.fill == "characters" else ""
            node.set("style", f"{style},filled{dashed}".lstrip(","))
            node.set("fillcolor", mix(theme.background, theme.accent, share) if is_decision else ground)


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
