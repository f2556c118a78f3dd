"""A graph as text: one line per edge."""

from collections.abc import Iterator

from wcwidth import wcswidth

from mdpublish_core.figures.graphviz.bindings import Graph, Item, endpoints, is_cluster
from mdpublish_core.figures.graphviz.labels import label_text, node_text
from mdpublish_core.figures.request import MAX_COLUMNS

MAX_LINES = 60
"""Longer texts are less readable than the source."""

_INDENT = "  "


def render_text(graph: Graph, *, html_labels: frozenset[str]) -> str | None:
    """Return a line per edge and isolated node; None if too long or too wide."""
    if graph.count_edges() > MAX_LINES or graph.count_nodes() > 2 * MAX_LINES:
        return None
    lines: list[str] = []
    for line in _TextRenderer(graph, html_labels).lines():
        lines.append(line)
        if len(lines) > MAX_LINES or not 0 <= wcswidth(line) <= MAX_COLUMNS:
            return None
    return "\n".join(lines) or None


class _TextRenderer:
    """Each edge belongs to the innermost group around both ends."""

    def __init__(self, graph: Graph, html_labels: frozenset[str]) -> None:
        self._graph = graph
        self._html_labels = html_labels
        self._group_paths: dict[int, tuple[int, ...]] = {}
        """Innermost group last."""
        self._names: dict[int, str] = {}
        self._lines_by_group: dict[int, list[str]] = {}
        """The key of the graph itself is 0."""

    def lines(self) -> Iterator[str]:
        title = self._label(self._graph)
        if title:
            yield title
        self._assign_groups(self._graph, ())
        for node in self._graph.nodes():
            self._group_paths.setdefault(node.key, ())
            self._names[node.key] = _with_remark(
                node_text(node, html_labels=self._html_labels), self._label(node, "xlabel")
            )
        self._add_edges()
        yield from (_INDENT * bool(title) + line for line in self._lines(self._graph, 0))

    def _assign_groups(self, graph: Graph, path: tuple[int, ...]) -> None:
        for subgraph in graph.subgraphs():
            inner = (*path, subgraph.key) if self._is_group(subgraph) else path
            if inner != path:
                for node in subgraph.nodes():
                    self._group_paths[node.key] = inner
            self._assign_groups(subgraph, inner)

    def _add_edges(self) -> None:
        arrow = "→" if self._graph.is_directed else "—"
        named: set[tuple[int, int]] = set()
        linked: set[int] = set()
        for edge in self._graph.edges():
            tail, head = (node.key for node in endpoints(edge))
            group = _innermost_group(self._group_paths[tail], self._group_paths[head])
            named |= {(tail, group), (head, group)}
            linked |= {tail, head}
            label = ", ".join(filter(None, (self._label(edge), self._label(edge, "xlabel"))))
            tail_name = _with_remark(self._names[tail], self._label(edge, "taillabel"))
            head_name = _with_remark(self._names[head], self._label(edge, "headlabel"))
            line = f"{tail_name} {arrow} {head_name}"
            self._lines_by_group.setdefault(group, []).append(f"{line}: {label}" if label else line)
        # A group lists all its nodes; outside groups, only nodes without edges are listed.
        for node, path in self._group_paths.items():
            group = path[-1] if path else 0
            if (node, group) not in named if path else node not in linked:
                self._lines_by_group.setdefault(group, []).append(self._names[node])

    def _lines(self, graph: Graph, key: int) -> Iterator[str]:
        for subgraph in graph.subgraphs():
            if self._is_group(subgraph):
                yield self._label(subgraph)
                yield from (_INDENT + line for line in self._lines(subgraph, subgraph.key))
            else:
                yield from self._lines(subgraph, -1)
        yield from self._lines_by_group.get(key, ())

    def _is_group(self, subgraph: Graph) -> bool:
        return is_cluster(subgraph) and bool(self._label(subgraph))

    def _label(self, item: Item, name: str = "label") -> str:
        return label_text(item, name, html_labels=self._html_labels)


def _with_remark(name: str, remark: str) -> str:
    return f"{name} ({remark})" if remark else name


def _innermost_group(one: tuple[int, ...], other: tuple[int, ...]) -> int:
    shared = 0
    for group, its in zip(one, other, strict=False):
        if group != its:
            break
        shared = group
    return shared
