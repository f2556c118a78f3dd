"""Checks after drawing fire on the corpora only where something is wrong: `figures.checks`, and Graphviz's warnings."""

import re
from collections.abc import Iterator, Mapping

import pytest
from lxml import etree

from mdpublish_core.figures.mermaid.sources import base_kind, parse_source
from mdpublish_core.figures.request import FailedFigure, FigureRequest, RenderedFigure
from mdpublish_core.figures.svg import Readability, clean_svg
from mdpublish_core.figures.worker import render
from mdpublish_core.templates import get_template
from mdpublish_core.templates.style import figure_theme
from tests.remarks import Report
from tests.visual.graphviz_graphs import UNSTYLED, graphs
from tests.visual.mermaid_diagrams import crowded_diagrams, our_diagrams, packaged_diagrams

pytestmark = pytest.mark.visual_figures

# Shapes of PostScript libraries, and a color that is none; clusters of engines without clusters, edges of patchwork.
# A direction of timelines that the engine cannot draw. Labels upon others, as the originals draw them, too.
TRUE = {
    "arrows.gv",
    "arrowsize.gv",
    "decorate.gv",
    "honda-tokoro.gv",
    "newarrows.gv",
    "npm sankey: Energy Flow (UK)",
    "own timeline: direction TD",
    "clust.gv",
    "ps.gv",
    "pslib.gv",
    "biglabel.gv",
    "twopi",
    "circo",
    "sfdp",
    "patchwork",
}

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


HEADS: Mapping[str, tuple[str, str]] = {
    "flowchart": (r"(?:--|==|\.-)[>xo](?!\w)", r"-\.+-"),
    "block": (r"(?:--|==|\.-)[>xo](?!\w)", r"-\.+-"),
    "classDiagram": (r"(?:--|\.\.)(?:\|>|[>*]|o(?=\s))", r"\.\."),
    "stateDiagram": (r"-->", r"(?!)"),
    "erDiagram": (r"[|}][|o](?:\.\.|--)[|o][|{]", r"[|}][|o]\.\.[|o][|{]"),
}
"""Links of a source that have a head, and those that are dashed, by type."""

LABELS = re.compile(r'"[^"]*"|\[[^\]\n]*\]|\([^)\n]*\)|%%.*|(?<![|o}])\{[^}\n]*\}')


def test_links_have_the_heads_and_dashes_of_their_source(report: Report) -> None:
    theme = figure_theme(get_template("swiss"), "light")
    fewer: dict[str, tuple[int, int, int, int]] = {}
    count = 0
    for _, name, source in (each for each in sources() if each[0] == "mermaid"):
        figure = render(FigureRequest(kind="mermaid", source=source, theme=theme, forms=frozenset({"svg"})))
        parsed = parse_source(source)
        if not isinstance(figure, RenderedFigure) or figure.svg is None or base_kind(parsed.kind) not in HEADS:
            continue
        count += 1
        body = LABELS.sub(" ", "\n".join(parsed.content.split("\n")[parsed.header :]))
        heads, dashes = (len(re.findall(pattern, body)) for pattern in HEADS[base_kind(parsed.kind)])
        lines = [*etree.fromstring(figure.svg.document().encode()).iter("{*}path", "{*}line", "{*}g")]
        drawn = sum("marker-end" in line.attrib for line in lines)
        dashed = sum(line.get("stroke-dasharray", "none") not in {"none", "0"} for line in lines)
        if drawn < heads or dashed < dashes:
            fewer[name] = heads, drawn, dashes, dashed

    report(f"links: heads and dashes of {count} diagrams counted")
    assert fewer == {}


def test_figures_that_are_cleaned_twice_have_equal_boxes(report: Report) -> None:
    """What holds all of its words is as it was."""
    theme = figure_theme(get_template("swiss"), "light")
    readability = Readability(background=theme.background, text_color=theme.text_color, shows_all=True)
    larger: dict[str, list[tuple[str, str]]] = {}
    count = 0
    for kind, name, source in (each for each in sources() if len(each[2]) <= MAX_CHARACTERS):
        figure = render(FigureRequest(kind=kind, source=source, theme=theme, forms=frozenset({"svg"}), language=kind))
        if not isinstance(figure, RenderedFigure) or figure.svg is None:
            continue
        count += 1
        before = figure.svg.document()
        pairs = zip(boxes(before), boxes(clean_svg(before, readability).document()), strict=True)
        if changed := [(old, new) for old, new in pairs if old != new]:
            larger[name] = changed

    report(f"boxes: of {count} drawings read again, {len(larger)} have larger ones")
    assert larger == {}


def boxes(svg: str) -> list[str]:
    """Return the view and the rectangles of a drawing."""
    root = etree.fromstring(svg.encode())
    sides = ("x", "y", "width", "height")
    rectangles = (" ".join(each.get(side, "") for side in sides) for each in root.iter("{*}rect"))
    return [root.get("viewBox", ""), *rectangles]


YEAR = re.compile(r"\b(?:19|20)\d\d\b")


def test_plans_name_no_year_that_is_far_from_those_of_their_source(report: Report) -> None:
    theme = figure_theme(get_template("swiss"), "light")
    false: dict[str, set[int]] = {}
    count = 0
    for name, source in ((name, source) for kind, name, source in sources() if kind == "mermaid" and "gantt" in source):
        figure = render(FigureRequest(kind="mermaid", source=source, theme=theme, forms=frozenset({"svg"})))
        written = set(map(int, YEAR.findall(source)))
        if not isinstance(figure, RenderedFigure) or figure.svg is None or not written:
            continue
        count += 1
        root = etree.fromstring(figure.svg.document().encode())
        drawn = {
            int(year) for label in root.iter("{*}text") for year in YEAR.findall("".join(map(str, label.itertext())))
        }
        if far := {year for year in drawn if not min(written) - 1 <= year <= max(written) + 10}:
            false[name] = far

    report(f"years: {count} plans read")
    assert false == {}
