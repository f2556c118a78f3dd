"""Colors of authors in figures of all kinds, as a conversion renders them."""

import json
import re

import pytest

from mdpublish_core.css.colors import MIN_TEXT_CONTRAST, contrast
from mdpublish_core.figures.request import FigureRequest, RenderedFigure
from mdpublish_core.figures.worker import render

from .test_figures_mermaid import DARK

pytestmark = pytest.mark.needs("mmdr", "resvg_py")


def drawn(kind: str, source: str) -> str:
    result = render(FigureRequest(kind=kind, source=source, theme=DARK, forms=frozenset({"svg"}), language="dot"))
    assert isinstance(result, RenderedFigure), result
    assert result.svg is not None
    return result.svg.document()


def color_of(svg: str, label: str) -> str:
    match = re.search(rf'<text [^>]*fill="(#[0-9a-f]+)"[^>]*>(?:<tspan[^>]*>)*{label}', svg)
    assert match is not None, svg
    return match[1]


@pytest.mark.parametrize("label", ["Above", "Apples", "Monday", "Days"])
def test_dark_texts_of_a_chart_are_read_in_dark_mode(label: str) -> None:
    dark = {"color": "#222222"}
    chart = {
        "type": "bar",
        "data": {"labels": ["Monday", "Tuesday"], "datasets": [{"label": "Apples", "data": [1, 2]}]},
        "options": {
            "plugins": {"title": {"display": True, "text": "Above", **dark}, "legend": {"labels": dark}},
            "scales": {"x": {"ticks": dark, "title": {"display": True, "text": "Days", **dark}}},
        },
    }

    assert contrast(color_of(drawn("chart", json.dumps(chart)), label), DARK.background) >= MIN_TEXT_CONTRAST


def test_dark_texts_of_a_graph_are_read_in_dark_mode() -> None:
    svg = drawn(
        "dot",
        'digraph { a [fontcolor="#222222", label="first"]; b [style=filled, fillcolor="#fff3b0", label="second"] }',
    )

    assert contrast(color_of(svg, "first"), DARK.surface) >= MIN_TEXT_CONTRAST
    assert contrast(color_of(svg, "second"), "#fff3b0") >= MIN_TEXT_CONTRAST


@pytest.mark.parametrize(
    "statement",
    [
        "style A fill:#fff3b0,color:#ffffff",
        "classDef pale fill:#fff3b0,color:#ffff00\nclass A pale",
        "style A fill:#fff3b0",
        "style A color:#222222,fill:#111111",
    ],
)
def test_text_of_a_node_is_read_on_its_fill(statement: str) -> None:
    svg = drawn("mermaid", f"flowchart LR\nA[first]-->B\n{statement}")
    ground = re.search(r'<rect [^>]*fill="(#fff3b0|#111111)"', svg)
    inner = re.search(r'fill="(#[0-9a-f]+)"[^<]*(?:<tspan[^>]*>)+first', svg)

    assert ground is not None
    # Without a color of its own, it has that of the figure.
    assert contrast(inner[1] if inner else DARK.text_color, ground[1]) >= MIN_TEXT_CONTRAST


def test_lines_of_an_author_are_seen() -> None:
    svg = drawn("mermaid", "flowchart LR\nA-->B\nlinkStyle 0 stroke:#222222")
    stroke = re.search(r'<path d="M[^"]*" fill="none" stroke="(#[0-9a-f]+)"', svg)

    assert stroke is not None, svg
    assert contrast(stroke[1], DARK.background) >= 3
