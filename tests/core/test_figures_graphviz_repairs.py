"""Slips as assistants make them: drawn from a repaired line, or reported with the right one."""

from dataclasses import replace

import pytest

from mdpublish_core import convert
from mdpublish_core.figures import worker
from mdpublish_core.figures.errors import FigureError
from mdpublish_core.figures.graphviz import render
from mdpublish_core.figures.request import EngineOutput, FailedFigure, FigureRequest, RenderedFigure

from .test_figures_mermaid import LIGHT

pytestmark = pytest.mark.needs("pygraphviz")

GRAPH = "digraph {{\n  {}\n  y -> z\n}}"

# Source, number and text of the repaired line, and a line of the text output.
REPAIRED = {
    "brackets in a label": (GRAPH.format("a [label=Parse (v2)]"), 2, 'a [label="Parse (v2)"]', "Parse (v2)"),
    "words in a label": (
        GRAPH.format("a [label=Two words, shape=box]"),
        2,
        'a [label="Two words", shape=box]',
        "Two words",
    ),
    "a list in a label": (GRAPH.format("a [label=x[0]]"), 2, 'a [label="x[0]"]', "x[0]"),
    "a colon in a label": (GRAPH.format("a [label=x: y]; b"), 2, 'a [label="x: y"]; b', '"x: y"'),
    "a record": (GRAPH.format("a [shape=record, label={x|y}]"), 2, 'a [shape=record, label="{x|y}"]', "y"),
    "quotes in quotes": (GRAPH.format('a [label="say "hi" now"]'), 2, r'a [label="say \"hi\" now"]', 'say "hi" now'),
    "curly quotes": (GRAPH.format("a [label=“x y”]"), 2, 'a [label="x y"]', "x y"),
    "a backslash before a quote": (GRAPH.format('a [label="C:\\"]'), 2, 'a [label="C:\\\\"]', "C:\\"),
    "a color": (GRAPH.format("a [color=#ff0000]"), 2, 'a [color="#ff0000"]', "a"),
    "a percentage": (GRAPH.format("a [width=50%]"), 2, 'a [width="50%"]', "a"),
    "an attribute with a colon": (GRAPH.format("a [label: x, shape=box]"), 2, "a [label= x, shape=box]", "x"),
    "an attribute with a hyphen": (GRAPH.format("a [fill-color=red]"), 2, 'a ["fill-color"=red]', "a"),
    "an attribute of the graph": (GRAPH.format("label=A graph"), 2, 'label="A graph"', "A graph"),
    "attributes on lines of their own": ("digraph {\na [\nlabel=x (y)\nshape=box\n]\n}", 3, 'label="x (y)"', "x (y)"),
    "a hyphen in an id": (GRAPH.format("my-node -> b"), 2, '"my-node" -> b', "my-node → b"),
    "a hyphen in a node": (GRAPH.format("my-node [label=x]"), 2, '"my-node" [label=x]', "x"),
    "a dot in an id": (GRAPH.format("a -> example.com"), 2, 'a -> "example.com"', "a → example.com"),
    "words in an id": (GRAPH.format("Node A -> Node B;"), 2, '"Node A" -> "Node B";', "Node A → Node B"),
    "a keyword as an id": (GRAPH.format("a -> node"), 2, 'a -> "node"', "a → node"),
    "one of several nodes": (GRAPH.format("a, b-b -> c, d"), 2, 'a, "b-b" -> c, d', "b-b → d"),
    "words in the graph's name": ("digraph My Graph {\na -> b\n}", 1, 'digraph "My Graph" {', "a → b"),
    "a hyphen in a subgraph's name": ("graph {\nsubgraph my-part {\na -- b\n}\n}", 2, 'subgraph "my-part" {', "a — b"),
    "arrows in a graph": ("graph {\na -> b\nb -> c\n}", 1, "digraph {", "a → b"),
    "lines in a digraph": ("digraph {\na -- b\n}", 1, "graph {", "a — b"),
    "a line among arrows": (GRAPH.format("a -- b"), 2, "a -> b", "a → b"),
    "a double arrow": (GRAPH.format("a => b"), 2, "a -> b", "a → b"),
    "a Unicode arrow": (GRAPH.format("my-a → b"), 2, '"my-a" -> b', "my-a → b"),
    "a fence": ("```dot\ndigraph {\na -> b\n}", 1, "", "a → b"),
    "a comment of another language": (GRAPH.format("a -> b # goes on\n  a -- b"), 3, "a -> b", "a → b"),
    "a comment before": (GRAPH.format("// a [b\n  a [label=x y]"), 3, 'a [label="x y"]', "x y"),
    "no last brace": ("digraph {\n  a -> b\n  b -> c\n", 3, "b -> c\n}", "b → c"),
    "carriage returns": ("digraph {\r\n  a -> b-c\r\n}\r\n", 2, 'a -> "b-c"', "a → b-c"),
}

# Source, the wrong line, and the message.
REPORTED = {
    "a string": ('digraph {\na [label="x]\nb -> c\nc -> d [label="x"]\n}', 2, "this string is not closed"),
    "a bracket": ('digraph {\na [label="x"\nb -> c\n}', 2, "this bracket is not closed"),
    "a brace": ("digraph {\n  subgraph s {\n    a -> b\n  b -> c\n}\n", 2, "this brace is not closed"),
    "a comment": ("digraph {\n/* a\nb -> c\n}", 2, "this comment is not closed"),
    "an edge": ("digraph {\na -> b\na ->\n\n}", 3, "this edge has no end"),
    "no graph": ("\na -> b\nb -> c", 2, "a graph begins with graph { or digraph {"),
    "a bracket too many": ("digraph {\na -> b\nb -> c ]\nc -> d [label=x y]\n}", 3, "syntax error near ']'"),
    "a sign before attributes": ("digraph {\na -> b\na [=x]\nc -> d\n}", 3, "syntax error near '='"),
    "an attribute": ("digraph {\na [shape=box,\nlabel=\n]\nc -> d\n}", 3, "this attribute has no value"),
}


REQUEST = FigureRequest(kind="dot", source="", language="dot", theme=LIGHT, forms=frozenset({"svg", "text"}))


def rendered(source: str) -> EngineOutput:
    return render(replace(REQUEST, source=source))


@pytest.mark.parametrize("name", REPAIRED)
def test_slip_is_repaired_on_its_line(name: str) -> None:
    source, line, corrected, shown = REPAIRED[name]

    output = rendered(source)

    assert (output.repairs[0].line, output.repairs[0].line_text.strip()) == (line, corrected)
    assert output.svg is not None
    assert output.plain_text is not None
    assert shown in map(str.strip, output.plain_text.split("\n"))


@pytest.mark.parametrize("name", REPORTED)
def test_error_that_cannot_be_repaired_is_reported_with_its_line(name: str) -> None:
    source, line, problem = REPORTED[name]

    with pytest.raises(FigureError) as caught:
        rendered(source)

    assert (caught.value.line, caught.value.problem) == (line, problem)
    assert caught.value.line_text == source.split("\n")[line - 1].strip()


@pytest.mark.parametrize(
    "source",
    [
        'graph {\n  1a -- "b"\n  c: d -- e\n}',
        "digraph {\n  a → b\n  rankdir: LR\n}",
        'strict digraph "x y" {\n  a -> {b c} [label=<x <b>y</b>>];\n  # c\n}',
        "digraph {\n  a, b -> c, d\n}\n}\n",
    ],
)
def test_graph_that_is_drawn_as_written_is_not_repaired(source: str) -> None:
    assert rendered(source).repairs == ()


LOST = 'api -> db; subgraph cluster_w { w1 -> w2 } w1 -> log; api -> log; cron -> mail [label="daily"]'
"""Of a graph that concentrates its edges, Graphviz loses the nodes."""


@pytest.mark.parametrize(
    ("source", "corrected"),
    [
        ("digraph {\nconcentrate=true;\n%s}", "concentrate=false;"),
        ("strict digraph {\nconcentrate = 1\n%s}", "concentrate = false"),
        ("digraph {\nconcentrate=YES; rankdir=TB\n%s}", "concentrate=false; rankdir=TB"),
        ("digraph {\ngraph [pad=1, concentrate=true]\n%s}", "graph [pad=1, concentrate=false]"),
        ('digraph {\n"concentrate"="True" rotate=90\n%s}', '"concentrate"=false rotate=90'),
        ("digraph {\nlabel=Lost; subgraph { concentrate=yes } concentrate=2\n%s}", None),
        (
            'digraph {\nx [label="concentrate=1"]; y [label=<<b>concentrate=1</b>>]; concentrate=1 // concentrate=1\n%s}',
            'x [label="concentrate=1"]; y [label=<<b>concentrate=1</b>>]; concentrate=false // concentrate=1',
        ),
    ],
)
def test_graph_is_drawn_without_the_attribute_that_loses_its_nodes(source: str, corrected: str | None) -> None:
    result = worker.render(replace(REQUEST, source=source % LOST))

    assert isinstance(result, RenderedFigure), result
    assert result.svg is not None
    words = set(" ".join("".join(result.svg.parts).replace("<", " <").replace(">", "> ").split()).split())
    assert {"api", "db", "w1", "w2", "log", "cron", "mail", "daily"} <= words
    assert min(result.width, result.height) >= 100
    assert [(each.line, each.problem) for each in result.repairs] == [
        (2, "Graphviz loses the nodes of this graph with concentrate=true")
    ]
    assert corrected in {None, result.repairs[0].line_text}


def test_nodes_of_a_cluster_may_have_the_rank_of_others() -> None:
    source = "digraph { concentrate=true; subgraph cluster_b { a; b; c; d } { rank=same; b; d } b -> a; a -> c }"
    result = worker.render(replace(REQUEST, source=source))

    assert isinstance(result, RenderedFigure), result
    assert min(result.width, result.height) >= 100
    assert result.repairs == ()


def test_graph_whose_nodes_cannot_be_placed_says_so() -> None:
    result = worker.render(replace(REQUEST, source=f'digraph {{ "concen" + "trate"=1; {LOST} }}'))

    assert isinstance(result, FailedFigure)
    assert result.problem.startswith("Graphviz cannot place the nodes of this graph; leave out `concentrate`")


def test_notices_show_the_repaired_line_and_the_wrong_one() -> None:
    repaired = "- ```dot\n  digraph {\n    a [label=Parse (v2)]\n  }\n  ```\n"
    conversion = convert(f"# T\n\n{repaired}\n```dot\ndigraph {{\n  a ->\n}}\n```\n")

    assert [(notice.code, notice.line, notice.message, notice.fix) for notice in conversion.notices] == [
        (
            "figure-repaired",
            5,
            "the dot figure was drawn from a corrected line: a value with spaces or signs must be in double quotes",
            'a [label="Parse (v2)"]',
        ),
        ("figure-failed", 11, "the dot figure is shown as its source: this edge has no end, in `a ->`", None),
    ]


@pytest.mark.parametrize(
    ("label", "written"),
    [
        ("<R & D>", "<R &amp; D>"),
        ("<<b>R</b>&D>", "<<b>R</b>&amp;D>"),
        ("<a &amp; b & c>", "<a &amp; b &amp; c>"),
        ("<a<br/>\nb & c>", "b &amp; c>"),
        ("<&#65; & &x>", "<&#65; &amp; &amp;x>"),
    ],
)
def test_ampersands_of_html_labels_are_written_as_codes(label: str, written: str) -> None:
    source = f'digraph {{\na [label={label}]\nb [label="q & a"] }}'
    output = render(FigureRequest(kind="dot", source=source, theme=LIGHT, forms=frozenset({"svg"}), language="dot"))

    assert [(written in repair.line_text, repair.problem) for repair in output.repairs] == [
        (True, "an ampersand in an HTML label is written &amp;")
    ]
    assert output.remarks == ()
