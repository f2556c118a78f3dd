"""Which drawings of graphs are true."""

from textwrap import dedent

import pytest

from mdpublish_core.figures.ascii_art import is_true
from mdpublish_core.figures.graphs import Edge, Graph, Key, Node, Subgraph

CHAIN = """
    ┌───┐   ┌───┐
    │ a ├──►│ b │
    └───┘   └───┘
"""
LABELED = """
    ┌───┐
    │ a │
    └─┬─┘
     yes
      ▼
    ┌───┐
    │ b │
    └───┘
"""
JOIN = """
    ┌───┐
    │ a ├─┐
    └───┘ │ ┌───┐
          ├►│ c │
    ┌───┐ │ └───┘
    │ b ├─┘
    └───┘
"""
BUS = """
    ┌───┐   ┌───┐
    │ a ├─┬►│ c │
    └───┘ │ └───┘
          │
    ┌───┐ │ ┌───┐
    │ b ├─┴►│ d │
    └───┘   └───┘
"""
CROSSING = """
          ┌───┐
          │ c │
          └─┬─┘
    ┌───┐   │   ┌───┐
    │ a ├───┼──►│ b │
    └───┘   │   └───┘
            ▼
          ┌───┐
          │ d │
          └───┘
"""
LOOP = """
    ┌───┐
    │ a ├─┐
    └───┘ │
      ▲   │
      └───┘
"""
TWO_WAY = CHAIN.replace("├──►", "│◄─►")
UNDIRECTED = CHAIN.replace("──►", "───")


def graph(*edges: str, names: str = "") -> Graph:
    """Read edges such as `a→b` and `a→b yes`."""
    ends = [(each[0], each[2], each[4:], each[1]) for each in edges]
    return Graph(
        {name: Node(name) for name in sorted({*names, *(name for end in ends for name in end[:2])})},
        [Edge(tail, head, label, arrow) for tail, head, label, arrow in ends],
    )


def drawn(art: str) -> str:
    return dedent(art).strip("\n")


@pytest.mark.parametrize(
    ("art", "edges"),
    [
        (CHAIN, ["a→b"]),
        (LABELED, ["a→b yes"]),
        (JOIN, ["a→c", "b→c"]),
        (BUS, ["a→c", "a→d", "b→c", "b→d"]),
        (LOOP, ["a→a"]),
        (TWO_WAY, ["a↔b"]),
        (UNDIRECTED, ["a—b"]),
    ],
)
def test_drawing_that_shows_the_graph_is_true(art: str, edges: list[str]) -> None:
    assert is_true(drawn(art), graph(*edges))


@pytest.mark.parametrize(
    ("art", "edges", "names"),
    [
        pytest.param(CHAIN, ["b→a"], "", id="other direction"),
        pytest.param(CHAIN, ["a—b"], "", id="no direction"),
        pytest.param(CHAIN, ["a→b", "a→b"], "", id="an edge is missing"),
        pytest.param(CHAIN, [], "ab", id="an edge too many"),
        pytest.param(CHAIN, ["a→b"], "c", id="a node is missing"),
        pytest.param(CHAIN, ["a→b yes"], "", id="a label is missing"),
        pytest.param(LABELED, ["a→b"], "", id="a label too many"),
        pytest.param(LABELED, ["a→b no"], "", id="another label"),
        pytest.param(BUS, ["a→c", "b→d"], "", id="two edges share a line"),
        pytest.param(CROSSING, ["a→b", "c→d"], "", id="a crossing may be a join"),
        pytest.param(CHAIN.replace("►│", "► │"), ["a→b"], "", id="a line ends before its box"),
        pytest.param(CHAIN.replace("──►", "►─►"), ["a→b"], "", id="two arrowheads"),
        pytest.param(CHAIN + "     yes", ["a→b yes"], "", id="a label beside its line"),
        pytest.param(JOIN.replace("├─┐", "x─┐", 1), ["a→c", "b→c"], "", id="another sign at the end"),
        pytest.param(JOIN.replace("├►", "ab►"), ["a→c", "b→c"], "", id="words on two lines"),
        pytest.param("", ["a→b"], "", id="nothing"),
    ],
)
def test_drawing_that_shows_anything_else_is_not_true(art: str, edges: list[str], names: str) -> None:
    assert not is_true(drawn(art), graph(*edges, names=names))


def test_drawing_of_equal_labels_or_groups_is_not_true() -> None:
    nodes: dict[Key, Node] = {"a": Node("a"), "b": Node("b")}

    assert not is_true(drawn(CHAIN), Graph({**nodes, "c": Node("b")}, [Edge("a", "b")]))
    assert not is_true(drawn(CHAIN), Graph(nodes, [Edge("a", "b")], {"g": Subgraph("Group")}))
