"""What a diagram says, read from the engine's model of it.

merman's `parse_json` returns Mermaid's database for each type, from which the drawing is made. Labels lose markup.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from mdpublish_core.data_files import read_names
from mdpublish_core.figures.graphs import Graph, without_unknown_keys
from mdpublish_core.figures.mermaid.literals import Json, plain_label
from mdpublish_core.figures.mermaid.models import graphs, lists, sequences
from mdpublish_core.figures.outlines import Outline

NAMES = read_names(__file__, "names.tsv")["type"]
"""Names of the types, by `sources.base_kind`."""

_GRAPHS: Mapping[str, tuple[Callable[[Json], Graph], tuple[str, str]]] = {
    "architecture": (graphs.read_architecture, ("service", "connection")),
    "block": (graphs.read_blocks, ("block", "edge")),
    "c4": (graphs.read_c4, ("element", "relationship")),
    "class": (graphs.read_classes, ("class", "relation")),
    "classDiagram": (graphs.read_classes, ("class", "relation")),
    "er": (graphs.read_entities, ("entity", "relationship")),
    "flowchart-elk": (graphs.read_flowchart, ("node", "edge")),
    "flowchart-v2": (graphs.read_flowchart, ("node", "edge")),
    "requirement": (graphs.read_requirements, ("element", "relationship")),
    "stateDiagram": (graphs.read_states, ("state", "transition")),
}

_OUTLINES: Mapping[str, Callable[[Json], Outline]] = {
    "gantt": lists.read_gantt,
    "gitGraph": lists.read_commits,
    "ishikawa": lists.read_ishikawa,
    "journey": lists.read_journey,
    "kanban": lists.read_kanban,
    "mindmap": lists.read_mindmap,
    "packet": lists.read_packet,
    "pie": lists.read_pie,
    "quadrantChart": lists.read_quadrants,
    "radar": lists.read_radar,
    "sankey": lists.read_sankey,
    "sequence": sequences.read_sequence,
    "timeline": lists.read_timeline,
    "treeView": lists.read_tree_view,
    "treemap": lists.read_treemap,
    "venn": lists.read_venn,
    "xychart": lists.read_xy_chart,
    "zenuml": sequences.read_zenuml,
}


@dataclass(frozen=True, slots=True)
class Model:
    """A diagram's statements and, if it has any, nodes and edges."""

    outline: Outline
    graph: Graph | None = None

    database: str = ""
    """All that the engine read, as JSON."""


def read_model(database: Json) -> Model | None:
    """Return None for types without a reader."""
    kind, title = database["type"], plain_label(database.get("title"))
    if kind in _GRAPHS:
        read, names = _GRAPHS[kind]
        graph = without_unknown_keys(read(database))
        return Model(graph.outline(title=title, names=names), graph)
    reader = _OUTLINES.get(kind)
    return reader and Model(reader(database))
