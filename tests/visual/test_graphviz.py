"""Graphviz's regression graphs as `dot` figures: nearly all render, quickly, with labels that fit.

Times are CPU time of the worker process. Graphs without colors have enough contrast in every template.
"""

import re
from functools import cache
from typing import TYPE_CHECKING

import pytest

from mdpublish_core import list_templates
from mdpublish_core.figures.graphviz.bindings import parse_graph
from mdpublish_core.figures.pool import WorkerPool
from mdpublish_core.figures.protocol import decode_result, encode_request
from mdpublish_core.figures.request import FailedFigure, FigureRequest, RenderedFigure
from mdpublish_core.workers import WorkerFailure
from tests.cpu_time import slowness
from tests.remarks import Report
from tests.visual.chromium import layouts, offline_page
from tests.visual.graphviz_graphs import UNSTYLED, Graph, graphs
from tests.visual.legibility import clipped_text, low_contrast_marks, low_contrast_text, oversized_text
from tests.visual.rendering import THEMES, median, quantile, theme_of

if TYPE_CHECKING:
    from playwright.sync_api import Browser

pytestmark = pytest.mark.visual_figures

SECONDS = 8.0
MIN_DRAWN = 0.99
MEDIAN_MS = 10.0
MIN_FITTING = 0.995

# Of SVG to lay out: Chromium is slow with more.
MAX_BYTES = 100_000

_PAGE = '<div style="font-family:{family}">{svg}</div>'

_LINE_END = re.compile(r"\\[nlr]")


@cache
def worker_pool() -> WorkerPool:
    return WorkerPool(1)


@cache
def render(source: str, template: str, mode: str = "light") -> tuple[RenderedFigure | str, float]:
    """Return the SVG or an error, and milliseconds of CPU time."""
    theme = theme_of(template, "dark" if mode == "dark" else "light")
    request = FigureRequest(kind="dot", source=source, theme=theme, forms=frozenset({"svg"}), language="dot")
    spent: list[float] = []
    try:
        result = decode_result(worker_pool().run("dot", encode_request(request), seconds=SECONDS, spend=spent.append))
    except WorkerFailure as failure:
        return f"{type(failure).__name__}: {failure}", sum(spent) * 1000
    return result.problem if isinstance(result, FailedFigure) else result, sum(spent) * 1000


def markup(figure: RenderedFigure, family: str) -> str:
    assert figure.svg is not None
    return _PAGE.format(family=family.replace('"', "'"), svg=figure.svg.document())


def labels_of_edges(graph: Graph) -> set[str]:
    with parse_graph(graph.source) as opened:
        values = [edge.get(name) for edge in opened.edges() for name in ("label", "headlabel", "taillabel", "xlabel")]
        values += [edge.get(name) for edge in opened.nodes() for name in ("xlabel",)]
    return {line for value in values for line in _LINE_END.split(value)}


def test_regression_graphs_are_drawn_quickly(report: Report) -> None:
    render("graph { warm -- up }", "swiss")
    results = {graph: render(graph.source, "swiss") for graph in graphs()}
    failures = {graph.name: problem for graph, (problem, _) in results.items() if isinstance(problem, str)}
    # The fastest of several excludes load on the machine.
    times = [min(render(graph.source, theme)[1] for theme in THEMES) for graph in graphs()]

    report(
        f"graphviz: {len(results) - len(failures)} of {len(results)} regression graphs drawn; "
        f"median {median(times):.1f} ms, p95 {quantile(times, 0.95):.1f} ms"
    )
    for name, problem in failures.items():
        report(f"graphviz, not drawn: {name}: {problem}")
    slowest = sorted(results, key=lambda graph: -results[graph][1])[:5]
    report("graphviz, slowest: " + "; ".join(f"{graph.name} {results[graph][1]:,.0f} ms" for graph in slowest))
    assert len(results) - len(failures) >= MIN_DRAWN * len(results), failures
    assert median(times) <= MEDIAN_MS * slowness()


@pytest.mark.parametrize("template", THEMES)
def test_labels_fit_into_their_shapes(browser: "Browser", template: str, report: Report) -> None:
    family = theme_of(template).font_family
    rendered: list[tuple[Graph, RenderedFigure]] = []
    for graph in (*UNSTYLED, *graphs()):
        figure, _ = render(graph.source, template)
        if isinstance(figure, RenderedFigure) and figure.svg and sum(map(len, figure.svg.parts)) <= MAX_BYTES:
            rendered.append((graph, figure))
    laid_out = layouts(offline_page(browser), [markup(figure, family) for _, figure in rendered])
    labels, wide, cut = 0, [], []
    for (graph, _), layout in zip(rendered, laid_out, strict=True):
        loose = labels_of_edges(graph)
        labels += sum(text_box.shape is not None and text_box.label not in loose for text_box in layout.text_boxes)
        wide += [
            f"{graph.name}: {text_box.label!r} in a {text_box.shape}"
            for text_box in oversized_text(layout)
            if text_box.label not in loose
        ]
        cut += [f"{graph.name}: {text_box.label!r}" for text_box in clipped_text(layout)]

    report(
        f"graphviz in {template}: {labels - len(wide):,} of {labels:,} labels of {len(rendered)} graphs fit, {len(cut)} cut off"
    )
    assert cut == [], "\n".join(cut)
    assert len(wide) <= (1 - MIN_FITTING) * labels, "\n".join(wide)


@pytest.mark.parametrize("mode", ["light", "dark"])
@pytest.mark.parametrize("template", [template.id for template in list_templates("free")])
def test_colors_are_distinguishable(browser: "Browser", template: str, mode: str) -> None:
    theme = theme_of(template, "dark" if mode == "dark" else "light")
    figures = [
        figure for graph in UNSTYLED if isinstance(figure := render(graph.source, template, mode)[0], RenderedFigure)
    ]
    assert len(figures) == len(UNSTYLED)
    problems: list[str] = []
    laid_out = layouts(offline_page(browser), [markup(figure, theme.font_family) for figure in figures])
    for graph, layout in zip(UNSTYLED, laid_out, strict=True):
        problems += [
            f"{graph.name}: {text_box.label!r} {ratio:.2f}"
            for text_box, ratio in low_contrast_text(layout, theme.background)
        ]
        problems += [
            f"{graph.name}: {mark} {ratio:.2f}" for mark, ratio in low_contrast_marks(layout, theme.background)
        ]

    assert problems == [], "\n".join(problems)
