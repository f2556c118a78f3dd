"""The text form of a graph has its nodes, edges, labels and groups, and no others."""

from collections import Counter
from dataclasses import dataclass

import pytest
from hypothesis import HealthCheck, event, given, settings
from hypothesis import strategies as st

from mdpublish_core import get_template
from mdpublish_core.figures import graphviz, mermaid
from mdpublish_core.figures.request import FigureRequest
from mdpublish_core.templates.style import figure_theme
from tests.graph_texts import Edge, edge, is_ascii_art, read_ascii_art, read_statements

pytestmark = pytest.mark.corpora

THEME = figure_theme(get_template("swiss"), "light")

LABELS = (
    "Start",
    "API gateway",
    "Redis",
    "Paid?",
    "日本語",
    "a: b",
    "x → y",
    "Node (2)",
    "Café",
    "End of it",
    "K8s",
    "42",
)
EDGE_LABELS = ("", "", "", "yes", "no", "if a: b", "cache miss")
LINKS = {"-->": "→", "-.->": "→", "==>": "→", "<-->": "↔", "---": "—"}
SHAPES = ("[{}]", "({})", "{{{}}}", "([{}])", "[({})]")


@dataclass(frozen=True)
class Written:
    """A graph as it was written."""

    labels: list[str]
    groups: list[int | None]
    """Of each node; group 1 is within group 0."""

    edges: list[tuple[int, str, int, str]]

    @property
    def names(self) -> list[str]:
        """Equal labels are numbered; those that look like statements are in quotes."""
        uses: Counter[str] = Counter()
        names: list[str] = []
        for label in self.labels:
            uses[label] += 1
            name = f'"{label}"' if ": " in label or " → " in label else label
            names.append(name if uses[label] == 1 else f"{name} ({uses[label]})")
        return names

    def expected(self, names: list[str]) -> Counter[Edge]:
        return Counter(edge(names[tail], LINKS[link], names[head], label) for tail, link, head, label in self.edges)

    def members(self) -> dict[str, set[str]]:
        names, inside = self.names, {number for number in self.groups if number is not None}
        members = {
            f"Group {number}": {n for n, g in zip(names, self.groups, strict=True) if g == number} for number in inside
        }
        if {0, 1} <= inside:
            members["Group 0"] |= members["Group 1"] | {"Group 1"}
        return members


@st.composite
def graphs(draw: st.DrawFn, *, links: tuple[str, ...] = tuple(LINKS), is_small: bool = False) -> Written:
    kind = draw(st.sampled_from(("tree", "chain", "any")))
    number = draw(st.integers(1, 4 if is_small else 8))
    is_unique = is_small or draw(st.booleans())
    labels = draw(st.lists(st.sampled_from(LABELS), min_size=number, max_size=number, unique=is_unique))
    group_count = 0 if is_small else draw(st.sampled_from((0, 0, 1, 2, 3)))
    group = st.one_of(st.none(), st.integers(0, group_count - 1)) if group_count else st.none()
    groups = draw(st.lists(group, min_size=number, max_size=number))
    if 1 in groups and 0 not in groups:
        groups[groups.index(1)] = 0
    link, label = st.sampled_from(links), st.sampled_from(EDGE_LABELS)
    if kind == "any":
        end = st.integers(0, number - 1)
        edges = draw(st.lists(st.tuples(end, link, end, label), max_size=4 if is_small else 12))
    else:
        parents = [each - 1 if kind == "chain" else draw(st.integers(0, each - 1)) for each in range(1, number)]
        edges = [(parent, draw(link), child, draw(label)) for child, parent in enumerate(parents, 1)]
    return Written(labels, groups, edges)


def flowchart(graph: Written, direction: str, shape: str) -> str:
    lines = [f"flowchart {direction}"]
    lines += [f"n{number}" + shape.format(label.join('""')) for number, label in enumerate(graph.labels)]
    inside = sorted({number for number in graph.groups if number is not None}, reverse=True)
    for group in inside:
        lines.append(f"subgraph g{group} [Group {group}]")
        lines += [f"n{number}" for number, each in enumerate(graph.groups) if each == group]
        lines += ["g1"] * (group == 0 and 1 in inside)
        lines.append("end")
    for tail, link, head, label in graph.edges:
        lines.append(f"n{tail} {link}" + (f'|"{label}"|' if label else "") + f" n{head}")
    return "\n".join(lines)


def render_text(kind: str, source: str) -> str:
    request = FigureRequest(kind=kind, source=source, theme=THEME, forms=frozenset({"text"}))
    output = mermaid.render(request) if kind == "mermaid" else graphviz.render(request)
    assert output.plain_text, source
    return output.plain_text


@pytest.mark.needs("merman")
@settings(suppress_health_check=[HealthCheck.too_slow])
@given(graphs(), st.sampled_from(("TD", "LR", "BT", "RL")), st.sampled_from(SHAPES))
def test_text_of_a_flowchart_shows_the_graph(graph: Written, direction: str, shape: str) -> None:
    check_flowchart(graph, direction, shape)


@pytest.mark.needs("merman")
@settings(suppress_health_check=[HealthCheck.too_slow])
@given(graphs(is_small=True), st.sampled_from(("TD", "LR")), st.sampled_from(SHAPES[:2]))
def test_text_of_a_small_flowchart_shows_the_graph(graph: Written, direction: str, shape: str) -> None:
    """A quarter of these are text art."""
    check_flowchart(graph, direction, shape)


def check_flowchart(graph: Written, direction: str, shape: str) -> None:
    output = render_text("mermaid", flowchart(graph, direction, shape))

    if is_ascii_art(output):
        event("ASCII art")
        read = read_ascii_art(output, set(graph.labels))
        assert (read.edges, read.names) == (graph.expected(graph.labels), set(graph.labels)), output
    else:
        event("statements")
        read = read_statements(output, set(graph.members()))
        assert (read.edges, read.names) == (graph.expected(graph.names), set(graph.names)), output
        assert read.members == graph.members(), output


@pytest.mark.needs("pygraphviz")
@given(graphs(links=("-->",)))
def test_text_of_a_dot_graph_shows_the_graph(graph: Written) -> None:
    lines = [f'n{number} [label="{label}"]' for number, label in enumerate(graph.labels)]
    inside = sorted({number for number in graph.groups if number is not None})
    for group in inside:
        nested = "subgraph cluster_1 {}" if group == 0 and 1 in inside else ""
        members = ";".join(f"n{number}" for number, each in enumerate(graph.groups) if each == group)
        if group != 1:
            inner = ";".join(f"n{number}" for number, each in enumerate(graph.groups) if each == 1)
            nested = f'subgraph cluster_1 {{ label="Group 1"; {inner} }};' if nested else ""
            lines.append(f'subgraph cluster_{group} {{ label="Group {group}"; {nested} {members} }}')
    lines += [f'n{tail} -> n{head} [label="{label}"]' for tail, _, head, label in graph.edges]

    output = render_text("dot", "\n".join(("digraph {", *lines, "}")))

    read = read_statements(output, set(graph.members()))
    assert (read.edges, read.names) == (graph.expected(graph.names), set(graph.names)), output
    assert read.members == graph.members(), output
