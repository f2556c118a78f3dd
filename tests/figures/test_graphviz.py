"""Graphviz's own regression graphs as we draw them under `dot`: nearly all of them, quickly, with labels that fit.

Each is drawn in a process of its own kind, as a conversion does it; a drawing's time is that of the whole way. What an
author may say of colours is the author's; what says nothing of them can be seen in every template.
"""

import re
from collections.abc import Callable, Iterator
from functools import cache
from time import perf_counter
from typing import TYPE_CHECKING

import pytest

from mdpublish_core import list_templates
from mdpublish_core.figures.graphviz.library import parsed
from mdpublish_core.figures.pool import WorkerPool
from mdpublish_core.figures.protocol import decode_result, encode_request
from mdpublish_core.figures.request import FailedFigure, FigureRequest, RenderedFigure
from mdpublish_core.workers import WorkerFailure
from tests.chromium import launched
from tests.figures.chromium import layouts, offline_page
from tests.figures.drafts import LOOKS, look_of, median, quantile
from tests.figures.faults import misfits, outside, pale_marks, pale_texts
from tests.figures.graphviz_graphs import UNSTYLED, Graph, graphs
from tests.remarks import remark

if TYPE_CHECKING:
    from playwright.sync_api import Browser

pytestmark = pytest.mark.figures

SECONDS = 8.0
LEAST_DRAWN = 0.99
MEDIAN_MS = 10.0
LEAST_FITTING = 0.995

# Elements of a drawing that a page is asked to lay out: past that, Chromium takes its time, and labels are alike.
MOST_BYTES = 100_000

_PAGE = '<div style="font-family:{family}">{svg}</div>'

_LINE_END = re.compile(r"\\[nlr]")

Say = Callable[[str], None]


@pytest.fixture(scope="module")
def browser() -> Iterator["Browser"]:
    with launched() as browser:
        yield browser


@pytest.fixture
def say(request: pytest.FixtureRequest) -> Say:
    return lambda line: remark(request.config, line)


@cache
def drawers() -> WorkerPool:
    return WorkerPool(1)


@cache
def drawn(source: str, template: str, mode: str = "light") -> tuple[RenderedFigure | str, float]:
    """Return a graph's drawing, or why there is none, and after how many milliseconds."""
    look = look_of(template, "dark" if mode == "dark" else "light")
    request = FigureRequest(kind="dot", source=source, theme=look, forms=frozenset({"svg"}), language="dot")
    start = perf_counter()
    try:
        answer = decode_result(drawers().run("dot", encode_request(request), seconds=SECONDS))
    except WorkerFailure as failure:
        return f"{type(failure).__name__}: {failure}", (perf_counter() - start) * 1000
    milliseconds = (perf_counter() - start) * 1000
    return answer.problem if isinstance(answer, FailedFigure) else answer, milliseconds


def markup(drawing: RenderedFigure, family: str) -> str:
    assert drawing.svg is not None
    return _PAGE.format(family=family.replace('"', "'"), svg=drawing.svg.document())


def labels_of_edges(graph: Graph) -> set[str]:
    """Return the lines of labels that stand in no box, but may lie on what happens to be there."""
    with parsed(graph.source) as opened:
        values = [edge.get(name) for edge in opened.edges() for name in ("label", "headlabel", "taillabel", "xlabel")]
        values += [edge.get(name) for edge in opened.nodes() for name in ("xlabel",)]
    return {line for value in values for line in _LINE_END.split(value)}


def test_regression_graphs_are_drawn_quickly(say: Say) -> None:
    drawn("graph { warm -- up }", "swiss")
    found = {graph: drawn(graph.source, "swiss") for graph in graphs()}
    undrawn = {graph.name: problem for graph, (problem, _) in found.items() if isinstance(problem, str)}
    # Other work on the machine is noise: the quickest of several drawings counts, each in another look.
    times = [min(drawn(graph.source, look)[1] for look in LOOKS) for graph in graphs()]

    say(
        f"graphviz: {len(found) - len(undrawn)} of {len(found)} regression graphs drawn; "
        f"median {median(times):.1f} ms, p95 {quantile(times, 0.95):.1f} ms"
    )
    for name, problem in undrawn.items():
        say(f"graphviz, not drawn: {name}: {problem}")
    slowest = sorted(found, key=lambda graph: -found[graph][1])[:5]
    say("graphviz, slowest: " + "; ".join(f"{graph.name} {found[graph][1]:,.0f} ms" for graph in slowest))
    assert len(found) - len(undrawn) >= LEAST_DRAWN * len(found), undrawn
    assert median(times) <= MEDIAN_MS


@pytest.mark.parametrize("template", LOOKS)
def test_labels_fit_into_their_shapes(browser: "Browser", template: str, say: Say) -> None:
    family = look_of(template).font_family
    found: list[tuple[Graph, RenderedFigure]] = []
    for graph in (*UNSTYLED, *graphs()):
        drawing, _ = drawn(graph.source, template)
        if isinstance(drawing, RenderedFigure) and drawing.svg and sum(map(len, drawing.svg.parts)) <= MOST_BYTES:
            found.append((graph, drawing))
    laid_out = layouts(offline_page(browser), [markup(drawing, family) for _, drawing in found])
    labels, wide, cut = 0, [], []
    for (graph, _), layout in zip(found, laid_out, strict=True):
        loose = labels_of_edges(graph)
        labels += sum(text.shape is not None and text.text not in loose for text in layout.texts)
        wide += [f"{graph.name}: {text.text!r} in a {text.shape}" for text in misfits(layout) if text.text not in loose]
        cut += [f"{graph.name}: {text.text!r}" for text in outside(layout)]

    say(
        f"graphviz in {template}: {labels - len(wide):,} of {labels:,} labels of {len(found)} graphs fit, {len(cut)} cut off"
    )
    assert cut == [], "\n".join(cut)
    assert len(wide) <= (1 - LEAST_FITTING) * labels, "\n".join(wide)


@pytest.mark.parametrize("mode", ["light", "dark"])
@pytest.mark.parametrize("template", [template.id for template in list_templates("free")])
def test_colors_are_told_apart(browser: "Browser", template: str, mode: str) -> None:
    look = look_of(template, "dark" if mode == "dark" else "light")
    drawings = [
        drawing for graph in UNSTYLED if isinstance(drawing := drawn(graph.source, template, mode)[0], RenderedFigure)
    ]
    assert len(drawings) == len(UNSTYLED)
    found: list[str] = []
    laid_out = layouts(offline_page(browser), [markup(drawing, look.font_family) for drawing in drawings])
    for graph, layout in zip(UNSTYLED, laid_out, strict=True):
        found += [f"{graph.name}: {text.text!r} {ratio:.2f}" for text, ratio in pale_texts(layout, look.background)]
        found += [f"{graph.name}: {mark} {ratio:.2f}" for mark, ratio in pale_marks(layout, look.background)]

    assert found == [], "\n".join(found)
