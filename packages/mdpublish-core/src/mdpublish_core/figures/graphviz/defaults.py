"""Default fonts and colors; what is not readable with them is repaired in the sanitized SVG."""

import re

from mdpublish_core.figures.graphviz.bindings import EDGE, GRAPH, NODE, Graph, Item, is_cluster
from mdpublish_core.figures.graphviz.dress import form_attributes
from mdpublish_core.figures.graphviz.font_metrics import MONO, SANS
from mdpublish_core.figures.request import FigureTheme

FONT_SIZE = 14
"""In points, which are rendered as CSS px."""

_ARROW_SIZE = "0.8"

# Above this many edges (about 0.1 s of layout), lower the effort of `dot`.
_MANY_EDGES = 300
_EFFORT = "0.2"

# Engines that ignore node sizes.
_OVERLAPPING = frozenset({"neato", "sfdp", "twopi", "circo"})

# The most compact method to remove overlaps. Those based on triangulation are not compiled in; their fallback loses
# nodes in a row.
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
