"""A graph as a list of statements: one per edge, isolated node and cluster."""

from collections.abc import Iterator

from mdpublish_core.figures.graphs import ARROW, LINE, Edge, Key, Node, with_remark
from mdpublish_core.figures.graphs import Graph as Model
from mdpublish_core.figures.graphs import Subgraph as ModelGroup
from mdpublish_core.figures.graphviz.bindings import Graph, Item, endpoints, is_cluster
from mdpublish_core.figures.graphviz.labels import label_text, node_text


def read_model(graph: Graph, *, html_labels: frozenset[str]) -> Model:
    """Read nodes, edges, and clusters with a label."""
    return _Reader(graph, html_labels).model()


class _Reader:
    def __init__(self, graph: Graph, html_labels: frozenset[str]) -> None:
        self._graph = graph
        self._html_labels = html_labels
        self._groups: dict[Key, ModelGroup] = {}
        self._group_of: dict[Key, Key] = {}

    def model(self) -> Model:
        self._add_groups(self._graph, None)
        nodes: dict[Key, Node] = {}
        for node in self._graph.nodes():
            name = with_remark(node_text(node, html_labels=self._html_labels), self._label(node, "xlabel"))
            nodes[node.key] = Node(name, self._group_of.get(node.key))
        return Model(nodes, list(self._edges()), self._groups)

    def _add_groups(self, graph: Graph, group: Key) -> None:
        for subgraph in graph.subgraphs():
            label = self._label(subgraph) if is_cluster(subgraph) else ""
            if label:
                self._groups[subgraph.key] = ModelGroup(label, group)
                self._group_of |= dict.fromkeys((node.key for node in subgraph.nodes()), subgraph.key)
            self._add_groups(subgraph, subgraph.key if label else group)

    def _edges(self) -> Iterator[Edge]:
        arrow = ARROW if self._graph.is_directed else LINE
        for edge in self._graph.edges():
            tail, head = (node.key for node in endpoints(edge))
            label = ", ".join(filter(None, (self._label(edge), self._label(edge, "xlabel"))))
            yield Edge(tail, head, label, arrow, self._label(edge, "taillabel"), self._label(edge, "headlabel"))

    def _label(self, item: Item, name: str = "label") -> str:
        return label_text(item, name, html_labels=self._html_labels)
