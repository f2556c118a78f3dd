"""Nodes, edges and groups of a figure: the model of flowcharts, state, class and entity diagrams, and of DOT."""

import re
from collections import Counter, defaultdict
from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

from mdpublish_core.data_files import read_table
from mdpublish_core.figures.outlines import Line, Outline, listed

Key = Hashable

ARROW, TWO_WAY_ARROW, LINE, DOTTED_LINE = "→", "↔", "—", "┄"

# Around an edge: paths of thousands of nested groups would need quadratic memory.
_MAX_GROUPS = 20

_LINKED = "is linked to"

# What arrows of classes say.
_VERBS = dict(read_table(__file__, "arrows.tsv"))
# Arrows that are read from the head to the tail.
_REVERSED = {"←": ARROW, "◁—": "—▷", "◁┄": "┄▷", "—◆": "◆—", "—◇": "◇—", "←┄": "┄→"}

# Names with these would be read as statements.
_AMBIGUOUS = re.compile(r" [→↔—←◁▷◆◇○●┄×]+ |: |^\"")


@dataclass(frozen=True, slots=True)
class Node:
    """A box, or a state without a label."""

    label: str
    group: Key = None
    """None outside groups."""

    details: tuple[str, ...] = ()
    """Such as the members of a class."""

    is_pseudo: bool = False
    """Whether the label is ours: the start of a state diagram has none."""


@dataclass(frozen=True, slots=True)
class Edge:
    """`tail` and `head` are keys of nodes or groups."""

    tail: Key
    head: Key
    label: str = ""
    arrow: str = ARROW
    tail_label: str = ""
    head_label: str = ""


@dataclass(frozen=True, slots=True)
class Subgraph:
    """A subgraph, composite state, namespace or cluster."""

    label: str
    parent: Key = None


@dataclass(frozen=True, slots=True)
class Graph:
    """A parent must precede its groups."""

    nodes: Mapping[Key, Node]
    edges: Sequence[Edge]
    groups: Mapping[Key, Subgraph] = field(default_factory=dict)
    notes: Sequence[tuple[Key, str]] = ()
    """Notes, each with the key of its node or None."""

    @property
    def labels(self) -> tuple[str, ...]:
        """What nodes, edges and groups say, but for labels that are ours, as an id may be, or a mark's name."""
        items: Iterable[tuple[Key, Node | Subgraph]] = (*self.nodes.items(), *self.groups.items())
        named = (item.label for key, item in items if key != item.label and item.label[:1] != "(")
        return (*named, *(edge.label for edge in self.edges))

    def edges_inward(self) -> list[Edge]:
        """Return the edges between a group and its own nodes and groups."""

        def around(key: Key) -> Iterator[Key]:
            group = self.groups[key].parent if key in self.groups else self.nodes[key].group
            while group is not None:
                yield group
                group = self.groups[group].parent

        return [edge for edge in self.edges if edge.head in around(edge.tail) or edge.tail in around(edge.head)]

    def outline(self, *, title: str = "", names: tuple[str, str] = ("node", "edge")) -> Outline:
        """Return a statement per edge, isolated node and group; `names` are the singular words for nodes and edges."""
        drawn = sum(not node.is_pseudo for node in self.nodes.values())
        counts = counted((drawn, names[0]), (len(self.edges), names[1]))
        statements = _Statements(self, flows=names[1] in {"edge", "transition"})
        return Outline(title=title, counts=counts, lines=tuple(statements.lines()), gist=tuple(statements.gist()))


def counted(*numbers: tuple[int, str]) -> str:
    """Return such as `3 nodes, 1 edge`, without what there is none of."""
    return ", ".join(f"{number:,} {name if number == 1 else _plural(name)}" for number, name in numbers if number)


def _plural(name: str) -> str:
    if name.endswith("y"):
        return f"{name[:-1]}ies"
    return f"{name}es" if name.endswith(("ss", "ch")) else f"{name}s"


class _Statements:
    """Each edge belongs to the innermost group around both ends."""

    def __init__(self, graph: Graph, *, flows: bool) -> None:
        self._graph = graph
        self._flows = flows
        self._paths = self._group_paths()
        self._names = self._unique_names()
        self._lines_by_group: defaultdict[Key, list[Line]] = defaultdict(list)
        self._inner_groups: defaultdict[Key, list[Key]] = defaultdict(list)
        for key, group in graph.groups.items():
            self._inner_groups[group.parent].append(key)

    def lines(self) -> Iterator[Line]:
        self._add_details()
        self._add_edges()
        self._add_notes()
        waiting: list[tuple[Key, int, Iterator[Key]]] = [(None, 0, iter(self._inner_groups[None]))]
        while waiting:
            key, depth, inner_groups = waiting[-1]
            inner = next(inner_groups, None)
            if inner is not None:
                yield Line(self._names[inner], depth, is_heading=True)
                waiting.append((inner, depth + 1, iter(self._inner_groups[inner])))
                continue
            yield from (line._replace(depth=line.depth + depth) for line in self._lines_by_group[key])
            waiting.pop()

    def _group_paths(self) -> dict[Key, tuple[Key, ...]]:
        """Return the groups around each node and group, innermost last."""
        paths: dict[Key, tuple[Key, ...]] = {}
        around: dict[Key, tuple[Key, ...]] = {None: ()}
        for key, group in self._graph.groups.items():
            paths[key] = around[group.parent]
            around[key] = (*paths[key], key)[:_MAX_GROUPS]
        # A key may be that of a group, too: see `Edge`.
        return paths | {key: around[node.group] for key, node in self._graph.nodes.items() if key not in around}

    def _unique_names(self) -> dict[Key, str]:
        """Return names with numbers at equal labels, which would be read as one node."""
        names: dict[Key, str] = {}
        uses: Counter[object] = Counter()
        items: Iterable[tuple[Key, Subgraph | Node]] = (*self._graph.groups.items(), *self._graph.nodes.items())
        taken = {item.label for _, item in items}
        for key, item in items:
            label = f'"{item.label}"' if _AMBIGUOUS.search(item.label) else item.label
            # Each group has a start of its own.
            use = (label, item.group) if isinstance(item, Node) and item.is_pseudo else label
            uses[use] += 1
            while uses[use] > 1 and f"{label} ({uses[use]})" in taken:
                uses[use] += 1
            names.setdefault(key, label if uses[use] == 1 else f"{label} ({uses[use]})")
        return names

    def _add_details(self) -> None:
        for key, node in self._graph.nodes.items():
            if node.details:
                heading = Line(self._names[key], is_heading=True, is_detail=bool(self._graph.edges))
                self._lines_by_group[node.group].append(heading)
                self._lines_by_group[node.group] += (Line(detail, 1, is_detail=True) for detail in node.details)

    def _add_edges(self) -> None:
        named = {(key, node.group) for key, node in self._graph.nodes.items() if node.details}
        linked: set[Key] = {key for key, _ in named}
        for edge in self._graph.edges:
            group = _innermost_group(self._paths[edge.tail], self._paths[edge.head])
            named |= {(edge.tail, group), (edge.head, group)}
            linked |= {edge.tail, edge.head}
            tail = with_remark(self._names[edge.tail], edge.tail_label)
            head = with_remark(self._names[edge.head], edge.head_label)
            statement = f"{tail} {edge.arrow} {head}"
            words = f"{statement}: {edge.label}" if edge.label else statement
            self._lines_by_group[group].append(Line(words, spoken=self._spoken(edge)))
        # A group lists all its nodes; outside groups, only nodes without edges are listed.
        for key, node in self._graph.nodes.items():
            path = self._paths[key]
            if (key, path[-1]) not in named if path else key not in linked:
                self._lines_by_group[node.group].append(Line(self._names[key], is_detail=bool(self._graph.edges)))

    def _spoken(self, edge: Edge) -> tuple[str, str]:
        ends = (edge.tail, edge.tail_label), (edge.head, edge.head_label)
        swapped = edge.arrow in _REVERSED
        (tail, tail_label), (head, head_label) = reversed(ends) if swapped else ends
        arrow = _REVERSED.get(edge.arrow, edge.arrow)
        verb = _VERBS.get(arrow) or (("leads to" if self._flows else "points to") if ARROW in arrow else _LINKED)
        remark = ", ".join(filter(None, (head_label, edge.label)))
        return f"{with_remark(self._names[tail], tail_label)} {verb}", with_remark(self._names[head], remark)

    def gist(self) -> Iterator[str]:
        """Yield groups, nodes where what flows only begins or only ends, and the node with most edges."""
        degrees: Counter[Key] = Counter()
        after: defaultdict[Key, list[Key]] = defaultdict(list)
        before: defaultdict[Key, list[Key]] = defaultdict(list)
        for edge in self._graph.edges:
            degrees.update((edge.tail, edge.head))
            ends = (edge.head, edge.tail) if edge.arrow in _REVERSED else (edge.tail, edge.head)
            is_one_way = edge.arrow not in {TWO_WAY_ARROW, LINE, DOTTED_LINE}
            for tail, head in (ends,) if is_one_way else (ends, ends[::-1]):
                after[tail].append(head)
                before[head].append(tail)
        groups = [self._names[key] for key in self._inner_groups[None]]
        if len(groups) > 1:
            yield f"{len(groups):,} groups: {listed(groups)}"
        for what, ways, others in (("starts at", after, before), ("ends at", before, after)):
            keys = dict.fromkeys(
                each for key in self._names if key in ways and key not in others for each in self._shown(key, ways)
            )
            if keys and self._flows:
                yield f"{what} {listed([self._names[key] for key in keys])}"
        (hub, degree), (_, second) = (*degrees.most_common(2), (None, 0), (None, 0))[:2]
        if degree > max(second, 3):
            yield f"most edges at {self._names[hub]} ({degree})"

    def _shown(self, key: Key, ways: Mapping[Key, list[Key]]) -> list[Key]:
        """Return the node; for a nameless start or end mark its neighbors, and for the marks of a group nothing."""
        node = self._graph.nodes.get(key)
        if node is None or not node.is_pseudo:
            return [key]
        return [] if node.group is not None else ways[key]

    def _add_notes(self) -> None:
        for key, note in self._graph.notes:
            about = f"Note on {self._names[key]}" if key in self._names else "Note"
            path = self._paths.get(key, ())
            self._lines_by_group[path[-1] if path else None].append(Line(f"{about}: {note}"))


def arrow_between(tail: str, head: str, line: str = LINE) -> str:
    """Return an arrow with a sign at each end, such as `◆` and nothing."""
    if line == LINE and {tail, head} <= {"", "←", "→"} and tail + head:
        return TWO_WAY_ARROW if tail and head else tail + head
    return f"{tail}{line}{head}"


def with_remark(name: str, remark: str) -> str:
    return f"{name} ({remark})" if remark else name


def without_unknown_keys(graph: Graph) -> Graph:
    """Leave out edges whose ends are neither nodes nor groups, and unknown groups of nodes."""
    known = graph.nodes.keys() | graph.groups.keys()
    edges = [edge for edge in graph.edges if edge.tail in known and edge.head in known]
    nodes = {
        key: node if node.group in graph.groups else replace(node, group=None) for key, node in graph.nodes.items()
    }
    return replace(graph, nodes=nodes, edges=edges)


def _innermost_group(one: tuple[Key, ...], other: tuple[Key, ...]) -> Key:
    shared: Key = None
    for group, its in zip(one, other, strict=False):
        if group != its:
            break
        shared = group
    return shared
