"""The model of a graph: what is drawn of its nodes, edges and clusters."""

import re
from collections.abc import Iterator
from typing import NamedTuple

from mdpublish_core.data_files import read_table
from mdpublish_core.figures.graphs import Edge, Key, Node, arrow_between, with_remark
from mdpublish_core.figures.graphs import Graph as Model
from mdpublish_core.figures.graphs import Subgraph as ModelGroup
from mdpublish_core.figures.graphviz.bindings import EDGE, Graph, Item, endpoints, is_cluster
from mdpublish_core.figures.graphviz.labels import Content, label_text, node_content

# Whether the tail and the head have arrowheads: https://graphviz.org/docs/attr-types/dirType/
_DIRECTIONS = {"forward": (False, True), "back": (True, False), "both": (True, True), "none": (False, False)}

# Arrowheads that mean something else, as signs at the tail and at the head: https://graphviz.org/doc/info/arrows.html
_HEADS = {name: (tail, head) for name, tail, head in read_table(__file__, "arrowheads.tsv")}
# Those of entity relationship diagrams, as cardinalities.
_CROWS = {"crow": "*", "crowodot": "0..*", "crowtee": "1..*", "teeodot": "0..1", "tee": "1", "teetee": "1"}

_SIDE = re.compile(r"^o?[lr](?=[a-z]{3})")

_BARE_SHAPES = frozenset({"none", "plain", "plaintext"})

# Engines that draw no clusters; patchwork draws no edges, either.
_WITHOUT_CLUSTERS = frozenset({"circo", "patchwork", "sfdp", "twopi"})

# Sides of a node in place of a port.
_COMPASS = frozenset({"", "n", "ne", "e", "se", "s", "sw", "w", "nw", "c", "_"})


class Drawn(NamedTuple):
    """What is visible, the labels of what the author made invisible, and ports of nodes without any."""

    model: Model
    hidden: list[str]
    missing_ports: list[str]


def read_model(graph: Graph, engine: str, *, html_labels: frozenset[str]) -> Drawn:
    """Read a graph; edges from and to where nothing is drawn begin at `(start)` and end at `(end)`."""
    reader = _Reader(graph, engine, html_labels)
    return Drawn(reader.model(), reader.hidden, reader.missing_ports)


class _Reader:
    def __init__(self, graph: Graph, engine: str, html_labels: frozenset[str]) -> None:
        self.hidden: list[str] = []
        self.missing_ports: list[str] = []
        self._graph = graph
        self._engine = engine
        self._html_labels = html_labels
        self._groups: dict[Key, ModelGroup] = {}
        self._clusters: dict[str, Key] = {}
        self._group_of: dict[Key, Key] = {}
        self._contents: dict[Key, Content] = {}

    def model(self) -> Model:
        self._add_groups(self._graph, None)
        nodes = {node.key: self._node(node) for node in self._graph.nodes()}
        edges = list(self._edges())
        ways = [(edge.head, edge.tail) if edge.arrow == "←" else (edge.tail, edge.head) for edge in edges]
        tails, heads = {tail for tail, _ in ways}, {head for _, head in ways}
        drawn = {key: node or _unseen(key in tails, key in heads) for key, node in nodes.items()}
        return Model({key: node for key, node in drawn.items() if node}, edges, self._groups)

    def _add_groups(self, graph: Graph, group: Key) -> None:
        for subgraph in graph.subgraphs():
            is_drawn = is_cluster(subgraph) and self._engine not in _WITHOUT_CLUSTERS and self._shows(subgraph)
            label = self._label(subgraph) if is_drawn else ""
            if label:
                self._groups[subgraph.key] = ModelGroup(label, group)
                self._clusters[subgraph.name] = subgraph.key
                self._group_of |= dict.fromkeys((node.key for node in subgraph.nodes()), subgraph.key)
            self._add_groups(subgraph, subgraph.key if label else group)

    def _node(self, node: Item) -> Node | None:
        """Return None if nothing is drawn."""
        if not self._shows(node):
            return None
        shape, beside = node.get("shape"), self._label(node, "xlabel")
        content = node_content(node, html_labels=self._html_labels) if shape != "point" else Content((), {})
        self._contents[node.key] = content
        name, *details = content.rows or ("",)
        if not name:
            if shape in _BARE_SHAPES and not beside:
                return None
            name, beside = beside or f"({shape or 'ellipse'})", ""
        return Node(with_remark(name, beside), self._group_of.get(node.key), tuple(details))

    def _edges(self) -> Iterator[Edge]:
        is_compound = self._graph.get("compound").lower() in {"true", "yes", "1"}
        for edge in self._graph.edges() if self._engine != "patchwork" else ():
            if not self._shows(edge):
                continue
            tail, head = endpoints(edge)
            ends: dict[str, Key] = {"tail": tail.key, "head": head.key}
            if is_compound:
                ends |= {end: self._clusters.get(edge.get(f"l{end}"), key) for end, key in ends.items()}
            signs, cardinalities = self._signs(edge)
            yield Edge(
                ends["tail"],
                ends["head"],
                ", ".join(filter(None, (self._label(edge), self._label(edge, "xlabel")))),
                arrow_between(*signs),
                self._remark(edge, "tail", tail, cardinalities[0]),
                self._remark(edge, "head", head, cardinalities[1]),
            )

    def _signs(self, edge: Item) -> tuple[tuple[str, str], tuple[str, str]]:
        """Return the signs, and the cardinalities, at the tail and the head."""
        usual = "forward" if self._graph.is_directed else "none"
        signs, cardinalities = ["", ""], ["", ""]
        for end, has_head in enumerate(_DIRECTIONS.get(edge.get("dir").lower(), _DIRECTIONS[usual])):
            if has_head:
                shape = edge.get(("arrowtail", "arrowhead")[end]).lower()
                shape = shape if shape in _HEADS or shape in _CROWS else _SIDE.sub("", shape)
                cardinalities[end] = _CROWS.get(shape, "")
                signs[end] = "" if cardinalities[end] else _HEADS.get(shape, ("←", "→"))[end]
        return (signs[0], signs[1]), (cardinalities[0], cardinalities[1])

    def _remark(self, edge: Item, end: str, node: Item, cardinality: str) -> str:
        """Return what is written at an end, and the cell that it leads to."""
        content = self._contents.get(node.key)
        port = edge.get(f"{end}port").partition(":")[0]
        cell = content.ports.get(port, "") if content else ""
        if content and not content.ports and port not in _COMPASS:
            self.missing_ports.append(port)
        cell = "" if content and content.rows[:1] == (cell,) else cell
        return ", ".join(filter(None, (cell, cardinality, self._label(edge, f"{end}label"))))

    def _shows(self, item: Item) -> bool:
        """Return whether an item is drawn; what the labels of others say is hidden on purpose."""
        if "invis" not in re.split(r"[\s,]+", item.get("style").lower()):
            return True
        names = ("label", "xlabel", *(("taillabel", "headlabel") if item.kind == EDGE else ()))
        self.hidden += (self._label(item, name) for name in names)
        return False

    def _label(self, item: Item, name: str = "label") -> str:
        return label_text(item, name, html_labels=self._html_labels)


def _unseen(is_tail: bool, is_head: bool) -> Node | None:
    names = {(True, False): "(start)", (False, True): "(end)", (True, True): "(junction)"}
    return Node(names[is_tail, is_head], is_pseudo=True) if is_tail or is_head else None
