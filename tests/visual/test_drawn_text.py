"""Checks after drawing fire on the corpora only where something is wrong: `figures.checks`, and Graphviz's warnings."""

from collections.abc import Iterator

import pytest

from mdpublish_core.figures.request import FailedFigure, FigureRequest, RenderedFigure
from mdpublish_core.figures.worker import render
from mdpublish_core.templates import get_template
from mdpublish_core.templates.style import figure_theme
from tests.remarks import Report
from tests.visual.graphviz_graphs import UNSTYLED, graphs
from tests.visual.mermaid_diagrams import crowded_diagrams, our_diagrams, packaged_diagrams

pytestmark = pytest.mark.visual_figures

# Shapes of PostScript libraries, and a color that is none; clusters of engines without clusters, edges of patchwork.
TRUE = {"clust.gv", "ps.gv", "pslib.gv", "biglabel.gv", "twopi", "circo", "sfdp", "patchwork"}

# Longer ones take minutes.
MAX_CHARACTERS = 8_000


def sources() -> Iterator[tuple[str, str, str]]:
    for diagram in (*our_diagrams(), *packaged_diagrams(), *crowded_diagrams()):
        yield "mermaid", str(diagram), diagram.source
    for graph in (*graphs(), *UNSTYLED):
        yield "dot", graph.name, graph.source


def test_no_drawing_of_the_corpora_is_doubted_without_reason(report: Report) -> None:
    theme = figure_theme(get_template("swiss"), "light")
    read = [each for each in sources() if len(each[2]) <= MAX_CHARACTERS]
    doubted: dict[str, list[str]] = {}
    for kind, name, source in read:
        request = FigureRequest(kind=kind, source=source, theme=theme, forms=frozenset({"svg"}), language=kind)
        figure = render(request)
        if isinstance(figure, FailedFigure) and "leaves out" in figure.problem:
            doubted[name] = [figure.problem]
        elif isinstance(figure, RenderedFigure):
            messages = [each.message for each in figure.remarks if "drawings show no images" not in each.message]
            doubted |= {name: messages} if messages else {}

    report(f"drawn text: {len(doubted)} of {len(read)} drawings doubted, {len(doubted.keys() - TRUE)} without reason")
    assert {name: messages for name, messages in doubted.items() if name not in TRUE} == {}
