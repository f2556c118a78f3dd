"""Text and description from the statements of a figure."""

import pytest

from mdpublish_core.figures.graphs import Edge, Graph, Key, Node, Subgraph
from mdpublish_core.figures.outlines import MAX_DESCRIPTION_LENGTH, MAX_LINES, Line, Outline
from mdpublish_core.figures.request import MAX_COLUMNS


def outline(*words: str, counts: str = "") -> Outline:
    return Outline(lines=tuple(map(Line, words)), counts=counts)


def test_description_has_the_counts_and_all_statements() -> None:
    lines = (Line("Group", is_heading=True), Line("a → b", 1), Line("c"))

    assert Outline(lines=lines, counts="3 nodes, 1 edge").description() == "3 nodes, 1 edge: Group: a → b. c"
    assert outline("a").description() == "a"
    assert outline().description() == ""


def test_description_tells_what_belongs_to_which_heading() -> None:
    tree = (
        Line("Idea", is_heading=True),
        Line("One", 1, is_heading=True),
        Line("Two", 2, is_heading=True),
        Line("Three", 3),
        Line("Four", 1),
        Line("Other", is_heading=True),
        Line("Five", 1),
    )

    assert Outline(lines=tree).description() == "Idea: One (Two (Three)); Four. Other: Five"


def test_description_closes_its_parentheses_where_it_is_cut() -> None:
    words = "x" * 60
    tree = (
        Line("A", is_heading=True),
        Line("B", 1, is_heading=True),
        *(Line(words, 2) for _ in range(9)),
        Line("C", 1),
    )

    description = Outline(lines=tree).description()

    assert description == f"A: B ({words}; {words}; {words}; {words}); and 6 more"
    assert len(description) <= MAX_DESCRIPTION_LENGTH


@pytest.mark.parametrize("length", [5, 50, 290, 299, 300, 301, 400, 5_000])
@pytest.mark.parametrize("number", [1, 2, 9, 60, 1_234])
def test_description_is_bounded_and_counts_what_it_leaves_out(length: int, number: int) -> None:
    description = outline(*["x" * length] * number, counts="many").description()

    assert len(description) <= MAX_DESCRIPTION_LENGTH
    whole, _, left = description.partition("; and ")
    assert description.startswith("many: x")
    assert whole.count(";") + 1 + int((left.removesuffix(" more") or "0").replace(",", "")) == number
    assert ("…" in description) == (whole.removeprefix("many: ").partition(";")[0] != "x" * length)


def test_long_statements_of_a_description_leave_room_for_others() -> None:
    long = "A label of many words " * 9

    assert outline(*[f"{long} {number}" for number in range(9)]).description() == (
        "; ".join(
            ["A label of many words A label of many words A label of many words A label of many words A label of…"] * 2
        )
        + "; and 7 more"
    )
    assert outline(long, "short", "x" * 200).description().endswith("A label of…; short; " + "x" * 99 + "…")
    # One alone has all the room.
    assert len(outline("word " * 99).description()) > MAX_DESCRIPTION_LENGTH - 30


def test_text_is_indented_below_its_title() -> None:
    drawn = Outline(title="All", lines=(Line("One", is_heading=True), Line("two", 1)))

    assert drawn.plain_text() == "All\n  One\n    two"


def test_text_that_is_too_long_or_too_wide_is_left_out() -> None:
    assert outline().plain_text() is None
    assert outline(*["a"] * MAX_LINES).plain_text() is not None
    assert outline(*["a"] * (MAX_LINES + 1)).plain_text() is None
    assert outline("x" * MAX_COLUMNS).plain_text() == "x" * MAX_COLUMNS
    assert outline("x" * (MAX_COLUMNS + 1)).plain_text() is None
    assert outline("語" * (MAX_COLUMNS // 2 + 1)).plain_text() is None


def test_wide_statement_is_broken_between_words() -> None:
    lines = (outline(" ".join(["word"] * 50), "next").plain_text() or "").split("\n")

    assert [len(line) <= MAX_COLUMNS for line in lines] == [True] * 4
    assert [line[:5] for line in lines] == ["word ", "    w", "    w", "next"]


def test_graph_lists_what_is_in_each_group_and_what_has_no_edges() -> None:
    graph = Graph(
        {"a": Node("A", "in"), "b": Node("B", "out"), "c": Node("C"), "d": Node("D"), "e": Node("A", "out", ("+x",))},
        [Edge("a", "b", "label"), Edge("b", "c", arrow="—", tail_label="1"), Edge("out", "c")],
        {"out": Subgraph("Outer"), "in": Subgraph("Inner", "out")},
        [("b", "Look"), (None, "All")],
    )

    assert graph.outline().plain_text() == (
        "Outer\n  Inner\n    A\n  A (2)\n    +x\n  A → B: label\n  Note on B: Look\nB (1) — C\nOuter → C\nD\nNote: All"
    )
    assert graph.outline().counts == "5 nodes, 3 edges"


def test_details_are_left_out_before_edges() -> None:
    members = tuple(f"+member{number}" for number in range(60))
    nodes: dict[Key, Node] = {"a": Node("A", details=members), "b": Node("B", "in"), "c": Node("C", "in")}
    edges = [Edge("a", "b", "asks"), Edge("b", "a", arrow="—▷")]

    outline = Graph(nodes, edges, {"in": Subgraph("Inner")}).outline(names=("class", "relation"))

    # What is left out: the members, their class, and those of the group.
    said = "3 classes, 2 relations: Inner; A points to B (asks); B inherits from A; and 63 more"
    assert outline.description() == said
    assert "C" in Graph(nodes, [], {"in": Subgraph("Inner")}).outline().description()


def test_gist_names_what_follows_a_start_and_precedes_an_end() -> None:
    nodes: dict[Key, Node] = {
        "start": Node("(start)", is_pseudo=True),
        "end": Node("(end)", is_pseudo=True),
        "inner": Node("(start)", "box", is_pseudo=True),
        "first": Node("First", "box"),
        **{name: Node(name) for name in ("Open", "Closed", "Lost")},
    }
    ways = ("inner first", "first inner", "start Open", "Open box", "box Closed", "Open Lost", "Closed end", "Lost end")
    edges = [Edge(*way.split()) for way in ways]

    assert Graph(nodes, edges, {"box": Subgraph("Box")}).outline(names=("state", "transition")).gist == (
        "starts at Open",
        "ends at Closed and Lost",
    )
    # Relations are no flow.
    assert Graph(nodes, edges, {"box": Subgraph("Box")}).outline(names=("class", "relation")).gist == ()
