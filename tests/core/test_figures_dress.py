"""The form that a theme gives its figures: one key, three engines."""

import json
import re
from dataclasses import replace
from itertools import pairwise

import pytest

from mdpublish_core import list_templates
from mdpublish_core.figures.dress import NUMBERS, WORDS, FigureDress
from mdpublish_core.figures.protocol import decode_request, encode_request
from mdpublish_core.figures.request import FigureRequest
from mdpublish_core.figures.worker import render
from mdpublish_core.templates.style import figure_theme
from tests.core.test_figures_mermaid import LIGHT

pytestmark = pytest.mark.needs("mmdr", "pygraphviz", "resvg_py")

FLOW = "flowchart TB\nA[Start] --> B{Good?}\nB -->|yes| C(Round)\nB --> D[End]\nA --> D"
STATES = "stateDiagram-v2\n[*] --> Idle\nIdle --> Busy\nIdle --> Gone\nBusy --> Gone"
CLASSES = "classDiagram\nclass A {\n+int x\n}\nA <|-- B"
GRAPH = "digraph { a -> b -> c; a -> c; b [shape=diamond] }"


def chart(kind: str = "line", count: int = 2, **options: object) -> str:
    datasets = [{"label": f"Name {number}", "data": [number, 4, 3]} for number in range(count)]
    return json.dumps({"type": kind, "data": {"labels": ["x", "y", "z"], "datasets": datasets}, "options": options})


def draw(kind: str, source: str, **form: object) -> str:
    theme = replace(LIGHT, dress=FigureDress(**form))  # type: ignore[arg-type]
    result = render(FigureRequest(kind=kind, source=source, theme=theme, forms=frozenset({"svg"})))
    assert getattr(result, "svg", None), result
    return result.svg.document()  # type: ignore[union-attr]


def corners(svg: str) -> set[str]:
    return set(re.findall(r'<rect[^>]* rx="([0-9.]+)"', svg))


def test_boxes_have_the_corners_of_the_theme() -> None:
    assert "9" in corners(draw("mermaid", FLOW, corner=9))
    assert corners(draw("mermaid", STATES, corner=9)) == {"9"}
    assert "A9 9" in draw("mermaid", CLASSES, corner=9).upper()
    assert corners(draw("dot", GRAPH, corner=9)) == {"9"}


def test_round_nodes_stay_rounder_than_others() -> None:
    assert corners(draw("mermaid", FLOW, corner=0)) - {"0"} == {"5"}


def test_nodes_of_a_graph_become_boxes_unless_the_author_draws_some() -> None:
    assert "<ellipse" not in draw("dot", GRAPH, corner=4)
    assert draw("dot", "digraph { a -> b; b [shape=box] }", corner=4).count("<ellipse") == 1


def test_nodes_with_a_color_of_the_author_are_not_filled_with_it() -> None:
    svg = draw(
        "dot", "digraph { node [color=black, fontcolor=black]; a; b [style=dashed]; c [style=filled] }", corner=4
    )
    assert svg.count(f'fill="{LIGHT.surface}"') == 2
    assert "stroke-dasharray" in svg


def test_tables_of_a_graph_keep_their_cells() -> None:
    table = "digraph { a [shape=plain, label=<<TABLE><TR><TD>x</TD><TD>y</TD></TR></TABLE>>] }"
    assert draw("dot", table, corner=4) == draw("dot", table)


def test_strokes_are_as_wide_as_the_theme_wants() -> None:
    for kind, source in (("mermaid", FLOW), ("mermaid", STATES), ("mermaid", CLASSES), ("dot", GRAPH)):
        assert 'stroke-width="2.25"' in draw(kind, source, stroke=2.25)
    assert 'stroke-width="3.5"' in draw("chart", chart(), stroke=2)


def test_cardinalities_are_as_large_whatever_the_stroke() -> None:
    svg = draw("mermaid", "erDiagram\nA ||--o{ B : has", stroke=3)
    markers = re.findall("<marker[^>]*>", svg)
    assert markers
    assert all('markerUnits="userSpaceOnUse"' in marker for marker in markers)


def test_a_stroke_of_the_author_stays() -> None:
    assert 'stroke-width="3"' in draw("mermaid", f"{FLOW}\nstyle A stroke-width:3px", stroke=2.25)
    assert 'stroke-width="7"' in draw("dot", "digraph { a [penwidth=7] }", stroke=2.25)


def test_straight_edges_have_no_curves() -> None:
    for source in (FLOW, STATES):
        assert re.search(r' d="M[^"]*C[^"]*"[^>]*marker-end', draw("mermaid", source))
        assert not re.search(r' d="M[^"]*C[^"]*"[^>]*marker-end', draw("mermaid", source, line="straight"))
    assert draw("dot", GRAPH, line="straight") == draw("dot", GRAPH.replace("{", "{ splines=polyline;"))


def test_edge_that_comes_back_to_its_node_stays_curved() -> None:
    for source in ("flowchart TD\n  A --> A", "flowchart LR\n  A --> A", "stateDiagram-v2\n  A --> A"):
        assert re.search(r' d="M[^"]*C[^"]*"[^>]*marker-end', draw("mermaid", source, line="straight"))


def test_steps_are_for_graphs_without_labels() -> None:
    plain = "digraph { a -> b; a -> c; b -> d; c -> d; a -> d }"
    labelled = plain.replace("a -> b", "a -> b [label=x]")
    assert draw("dot", plain, line="step") != draw("dot", plain, line="straight")
    assert draw("dot", labelled, line="step") == draw("dot", labelled, line="straight")


def test_arrowheads_change_in_flowcharts_and_graphs_alone() -> None:
    for kind, source in (("mermaid", FLOW), ("dot", GRAPH)):
        assert len({draw(kind, source, arrow=arrow) for arrow in WORDS["arrow"]}) == 3
    assert draw("mermaid", CLASSES, arrow="barb") == draw("mermaid", CLASSES)


def test_decisions_have_their_fill_and_readable_words() -> None:
    for kind, source in (("mermaid", FLOW), ("dot", GRAPH)):
        solid = draw(kind, source, decision="solid")
        assert f'fill="{LIGHT.accent}"' in solid
        assert f'fill="{LIGHT.background}"' in solid
        assert draw(kind, source, decision="tint") not in {solid, draw(kind, source)}
    styled = f"{FLOW}\nstyle B fill:#123456"
    assert 'fill="#123456"' in draw("mermaid", styled, decision="solid")


def test_charts_have_grids_gaps_points_and_corners() -> None:
    grids = {draw("chart", chart("bar"), grid=grid) for grid in WORDS["grid"]}
    assert len(grids) == 4
    assert draw("chart", chart("bar"), grid="lines") == draw("chart", chart("bar"))
    assert draw("chart", chart("bar"), gap=0.6) != draw("chart", chart("bar"))
    assert len({draw("chart", chart(), point=point) for point in WORDS["point"]}) == 4
    assert draw("chart", chart("bar"), corner=20) == draw("chart", chart("bar"), corner=2)


def test_bars_have_a_line_around_them_where_the_theme_draws_lines() -> None:
    assert draw("chart", chart("bar"), fill="solid") == draw("chart", chart("bar"))
    outlined = draw("chart", chart("bar"), fill="outline")
    assert outlined.count(f'fill="{LIGHT.series[0]}" fill-opacity="0.15"') >= 3
    assert f'stroke="{LIGHT.series[0]}"' in outlined, "the legend has the line, too"
    colored = chart("bar", elements={"bar": {"backgroundColor": "#123456"}})
    assert 'fill="#123456"' in draw("chart", colored, fill="outline")


def test_titles_stand_where_the_theme_has_them_but_where_the_author_says() -> None:
    titled = chart("bar", plugins={"legend": False, "title": {"display": True, "text": "Sales"}})
    assert draw("chart", titled, title="center") == draw("chart", titled)
    assert draw("chart", titled, title="start") != draw("chart", titled)
    chosen = chart("bar", plugins={"legend": False, "title": {"display": True, "text": "Sales", "align": "end"}})
    assert draw("chart", chosen, title="start") == draw("chart", chosen)


def test_options_of_the_author_stay() -> None:
    source = chart("bar", scales={"x": {"grid": {"drawOnChartArea": True}}}, elements={"bar": {"borderRadius": 0}})
    assert draw("chart", source, grid="rows", corner=8) == draw("chart", source)


def test_a_curve_stays_between_its_values() -> None:
    curves = re.findall(r' d="M([^"]*C[^"]*)"', draw("chart", chart(), line="curved"))
    assert len(curves) == 2
    for curve in curves:
        heights = [float(each) for each in re.findall(r"-?[0-9.]+", curve)][1::2]
        assert min(heights[::3]) <= min(heights)
        assert max(heights) <= max(heights[::3])


def test_direct_labels_replace_the_legend_of_few_lines() -> None:
    direct = draw("chart", chart(), labels="direct")
    assert direct != draw("chart", chart())
    assert [direct.count(name) >= 1 for name in ("Name 0", "Name 1")] == [True, True]
    assert draw("chart", chart(count=5), labels="direct") == draw("chart", chart(count=5))
    assert draw("chart", chart("bar"), labels="direct") == draw("chart", chart("bar"))
    configured = chart(plugins={"legend": {"position": "bottom"}})
    assert draw("chart", configured, labels="direct") == draw("chart", configured)


def test_direct_labels_are_a_line_apart() -> None:
    datasets = [{"label": name, "data": [1, 5]} for name in ("One", "Two", "Three", "Four")]
    source = json.dumps({"type": "line", "data": {"labels": ["x", "y"], "datasets": datasets}})
    svg = draw("chart", source, labels="direct")
    heights = sorted(
        float(re.search(r' y="(-?[0-9.]+)"', element)[1])  # type: ignore[index]
        for element in re.findall(r"<text[^>]*>(?:(?!</text>).)*(?:One|Two|Three|Four)", svg)
    )
    assert len(heights) == 4
    assert min(below - above for above, below in pairwise(heights)) > 14
    assert heights[0] > 0


def test_a_request_keeps_its_dress_on_the_way_to_a_worker() -> None:
    theme = replace(LIGHT, dress=FigureDress(corner=8, line="straight"))
    request = FigureRequest(kind="mermaid", source=FLOW, theme=theme, forms=frozenset({"svg"}), dark_theme=theme)
    assert decode_request(encode_request(request)) == request
    assert request != replace(request, theme=LIGHT)


def test_keys_have_a_range_or_words() -> None:
    assert {*NUMBERS, *WORDS} == set(FigureDress._fields)


def test_templates_dress_their_figures_within_the_ranges() -> None:
    for template in list_templates():
        dress = figure_theme(template, "light").dress
        values = {name: value for name, value in dress._asdict().items() if value is not None}
        assert all(NUMBERS[name][0] <= value <= NUMBERS[name][1] for name, value in values.items() if name in NUMBERS)
        assert all(value in WORDS[name] for name, value in values.items() if name in WORDS)
    assert len({figure_theme(template, "light").dress for template in list_templates()}) >= 50
