"""Words of graphs and charts that are not shown are reported with their line."""

import json
from collections.abc import Iterable
from dataclasses import replace

import pytest

from mdpublish_core import convert, get_template
from mdpublish_core.figures import graphviz
from mdpublish_core.figures.charts import engine as charts
from mdpublish_core.figures.request import FigureRequest, Remark
from mdpublish_core.templates.style import figure_theme
from tests.visual.chart_configurations import configurations

from .test_figures_charts import chart as chart_source

THEME = figure_theme(get_template("swiss"), "light")

# Graphs, and for each lost label its line and words.
GRAPHS = {
    'digraph {\na [label="First words"]\na [label=Other] }': [(2, "'first', 'words'")],
    "strict digraph {\na -> b [label=one]\na -> b [label=two] }": [(2, "'one'")],
    'digraph { subgraph s { label="Of no cluster"; a } }': [(1, "'cluster', 'no', 'of'")],
    "digraph { p [shape=point, label=unseen] }": [(1, "'unseen'")],
    "digraph {\na [Label=Start] }": [(2, "'start'; Graphviz has no attribute 'Label', write `label`")],
    "digraph { layout=circo; subgraph cluster_a { label=Box; a } }": [(1, "'box'")],
    'digraph { /* \n */ a [label="one" + " two"]; a [label=<<b>t</b>hree>] }': [(2, "'one'"), (2, "'two'")],
    "digraph {\na:ne -> b\nb -> c : later\n}": [(3, "'later'; a label of an edge is written [label=\"…\"]")],
}

# Graphs of which Graphviz says something on stderr, and for each remark its line, whether it is about text, and a part.
SAID = {
    "digraph {\na [label=<R</i>>]; b }": [(2, True, "HTML label of 'a'")],
    "digraph {\nb\na [label=<<b>x</i>>] }": [(3, True, "HTML label of 'a'")],
    'digraph {\na [shape=record, label="one|{two|three"] }': [(2, True, "has braces without a pair")],
    "digraph {\n\na [shape=cylindre] }": [(3, False, "the shape 'cylindre' is unknown")],
    "digraph {\na -> b [color=lightbleu] }": [(2, False, "the color 'lightbleu' is unknown")],
    "digraph {\na -> b [arrowhead=foo] }": [(2, False, "the arrow 'foo' is unknown")],
    "digraph { compound=true\na -> b [lhead=cluster_c] }": [(2, False, "the cluster 'cluster_c'")],
    "digraph {\n\nalong [label=x, fixedsize=true, width=0.01] }": [(3, False, "the label of 'along' is larger")],
    "digraph { splines=funny\na -> b }": [(1, False, "`splines` 'funny'")],
    'digraph { rankdir=LR; {rank=same; node [shape=record]; b; a [label="x|y"]} a -> b [label=to] }': [
        (1, False, "the records are drawn as boxes")
    ],
    "digraph { splines=ortho; a -> b [label=to] }": [],
}

# Nothing is lost: tooltips, links and what the author hides are not for readers.
RIGHT_GRAPHS = [
    'digraph { a [tooltip="A tip", URL="https://example.org/page", comment="none"]; a -> b [edgetooltip=tip] }',
    'digraph { a [style=invis, label=Hidden]; b -> c [style=invis, label="hidden, too"] }',
    "digraph { subgraph cluster_a { style=invis; label=Hidden; a } }",
    r'digraph { a [shape=record, label="<key> left|right"]; a:key:s -> b:n; c -> a:key }',
    r'digraph { a [shape=record, label="<port> left|{mid\ldle|C:\\new}"] }',
    "digraph { a [label=<<TABLE><TR><TD PORT='port'><B>B</B>old<BR/>more</TD><TD><!-- none -->x &amp; y</TD></TR></TABLE>>] }",
    r'digraph { a [label="say \"hi\"\nthere", xlabel=beside]; a -> b [headlabel=head, taillabel=tail, label="\T to \H"] }',
    '// label="a comment"\ndigraph { label="All of \\G"; "label" -> b }',
    f'digraph {{ a [label="{"long " * 300}"] }}',
]

TITLE = {"text": "Profit by month"}

# Options of a chart, and lost words.
CHARTS = [
    ({"plugins": {"title": TITLE}}, "'by', 'month', 'profit'; write `display: true` beside it"),
    ({"plugins": {"subtitle": TITLE}}, "'by', 'month', 'profit'; write `display: true` beside it"),
    ({"scales": {"y": {"title": {"text": "Euros"}}}}, "'euros'; write `display: true` beside it"),
    ({"scales": {"yAxes": [{"scaleLabel": {"labelString": "Euros"}}]}}, "'euros'; write `display: true` beside it"),
    ({"plugins": {"legend": {"title": {"text": "Region"}}}}, "'region'; write `display: true` beside it"),
    (
        {"plugins": {"annotation": {"annotations": {"a": {"type": "line", "yMin": 1, "label": {"content": "Goal"}}}}}},
        "'goal'; write `display: true` beside it",
    ),
    ({"plugins": {"title": {**TITLE, "display": True}}}, ""),
    ({"plugins": {"title": {**TITLE, "display": False}}}, ""),
    ({"plugins": {"legend": {"title": {"text": "Region", "display": True}}}}, ""),
    ({"plugins": {"tooltip": {"title": "Tips"}, "legend": {"display": False, "title": {"text": "Region"}}}}, ""),
]


def request_of(kind: str, source: str) -> FigureRequest:
    return FigureRequest(kind=kind, source=source, theme=THEME, forms=frozenset({"text"}))


def losses(remarks: Iterable[Remark]) -> list[tuple[int | None, str]]:
    return [(each.line, each.message.removeprefix("the engine leaves out ")) for each in remarks if each.is_text]


@pytest.mark.needs("pygraphviz")
@pytest.mark.parametrize("source", GRAPHS)
def test_words_that_a_graph_loses_are_reported_with_their_line(source: str) -> None:
    assert losses(graphviz.render(request_of("dot", source)).remarks) == GRAPHS[source]


@pytest.mark.needs("pygraphviz")
@pytest.mark.parametrize("source", RIGHT_GRAPHS)
def test_nothing_is_reported_of_what_a_graph_shows_or_hides(source: str) -> None:
    assert graphviz.render(request_of("dot", source)).remarks == ()


@pytest.mark.needs("resvg_py")
@pytest.mark.parametrize(("options", "lost"), CHARTS)
def test_words_that_a_chart_loses_are_reported(options: dict[str, object], lost: str) -> None:
    output = charts.render(request_of("chart", json.dumps(chart_source("bar", [1, 2], options))))

    assert [words for _, words in losses(output.remarks)] == [lost] * bool(lost)


@pytest.mark.needs("resvg_py")
def test_no_words_of_right_charts_are_reported() -> None:
    sources = [each.source for each in configurations()[::7]]

    assert [source for source in sources if losses(charts.render(request_of("chart", source)).remarks)] == []


@pytest.mark.needs("pygraphviz")
@pytest.mark.parametrize("source", SAID)
def test_warnings_of_graphviz_are_reported(source: str) -> None:
    output = graphviz.render(replace(request_of("dot", source), forms=frozenset({"svg"})))

    assert output.svg is not None
    remarks = output.remarks
    assert [(each.line, each.is_text) for each in remarks] == [(line, is_text) for line, is_text, _ in SAID[source]]
    assert all(part in each.message for each, (*_, part) in zip(remarks, SAID[source], strict=True))
    # Lines of edges and outlines of nodes.
    assert output.svg.count("<path") == source.count("->")


@pytest.mark.needs("pygraphviz", "resvg_py")
def test_notices_name_lines_of_the_document() -> None:
    chart = """{"type": "bar",
"data": {"labels": ["a"], "datasets": [{"data": [1]}]},
"options": {"plugins": {"title": {"text": "Profit"}}}}"""

    conversion = convert(f"```dot\ndigraph {{\n a [label=First]\n a [label=Last]\n}}\n```\n\n```chart\n{chart}\n```\n")

    assert [(notice.code, notice.line, notice.message) for notice in conversion.notices] == [
        ("figure-text-missing", 3, "in the dot figure, the engine leaves out 'first'"),
        (
            "figure-text-missing",
            11,
            "in the chart figure, the engine leaves out 'profit'; write `display: true` beside it",
        ),
    ]
