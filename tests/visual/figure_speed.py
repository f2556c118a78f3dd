"""Print the CPU time of figures beside that of Mermaid and Chart.js in Chromium, and of `dot`: `python -m tests.visual.figure_speed`.

Times of Chromium are those of the thread that draws, without its graphics process, so that other load hardly matters. Those of `dot` are
without its start, and both of the regression graphs that are drawn in eight seconds.
"""

import json
import subprocess
from collections import defaultdict
from collections.abc import Callable
from itertools import pairwise
from resource import RUSAGE_CHILDREN, getrusage
from time import process_time

from playwright.sync_api import Page

from mdpublish_core.figures import mermaid
from mdpublish_core.figures.charts import engine as charts
from mdpublish_core.figures.request import EngineOutput, FigureRequest, RenderedFigure
from tests.chromium import launched
from tests.corpora import PackagedFile, fetch
from tests.text_forms.descriptions import examples
from tests.visual.chartjs import _FILES
from tests.visual.chromium import _MERMAID
from tests.visual.graphviz_graphs import graphs
from tests.visual.mermaid_diagrams import our_diagrams
from tests.visual.rendering import WEB, figure_request, median, render_timed, theme_of

_OF_A_KIND = 4

_DRAW_DIAGRAM = """async (source) => {
  const id = `m${(window.number = (window.number || 0) + 1)}`;
  try { await mermaid.render(id, source); } catch { /* Refused, in about the same time. */ }
  document.querySelectorAll(`#d${id}, #${id}`).forEach((left) => left.remove());
}"""
_DRAW_CHART = """(source) => {
  const canvas = document.body.appendChild(document.createElement("canvas")), { options, ...rest } = JSON.parse(source);
  new Chart(canvas, { ...rest, options: { animation: false, ...options } }).destroy();
  canvas.remove();
}"""


def _compare(
    page: Page,
    program: PackagedFile,
    draw: str,
    engine: Callable[[FigureRequest], EngineOutput],
    kinds: dict[str, list[str]],
) -> None:
    page.set_default_timeout(200_000)
    page.set_content("<body style='width: 560px'></body>")
    page.add_script_tag(content=fetch(program).decode())
    session = page.context.new_cdp_session(page)
    session.send("Performance.enable", {"timeDomain": "threadTicks"})

    def theirs(sources: list[str]) -> float:
        for source in sources:
            page.evaluate(draw, source)
        metrics = session.send("Performance.getMetrics")["metrics"]
        return next(float(each["value"]) for each in metrics if each["name"] == "TaskDuration")

    def ours(sources: list[str]) -> float:
        start = process_time()
        for source in sources:
            engine(figure_request("chart" if engine is charts.render else "mermaid", source, theme_of("swiss")))
        return process_time() - start

    for kind, sources in kinds.items():
        ours(sources[:1])
        their, our = -theirs(sources[:1]) + theirs(sources), ours(sources)
        scale = 1000 / len(sources)
        line = f"{kind:12} {program.package:10} {their * scale:6.1f} ms, ours {our * scale:5.1f} ms: {our / their:.2f}"
        print(line, flush=True)  # noqa: T201


def _compare_graphs() -> None:
    start = median([_dot_milliseconds("digraph { a }") for _ in range(20)])
    for least, limit in pairwise((0, 1_000, 10_000, 1_000_000)):
        sources = [graph.source for graph in graphs() if least <= len(graph.source) < limit]
        drawn = [
            (milliseconds, max(0.1, _dot_milliseconds(source) - start))
            for source in sources
            for result, milliseconds in [render_timed(figure_request("dot", source, theme_of("swiss"), WEB, "dot"))]
            if isinstance(result, RenderedFigure)
        ]
        our, their = (sum(column) / len(drawn) for column in zip(*drawn, strict=True))
        middle = median([our / their for our, their in drawn])
        line = f"{len(drawn):4} graphs of less than {limit:9,} bytes: dot {their:6.1f} ms, ours {our:6.1f} ms: {our / their:.2f}, median {middle:.2f}"
        print(line, flush=True)  # noqa: T201


def _dot_milliseconds(source: str) -> float:
    """Return CPU time, with that of the start."""
    before = getrusage(RUSAGE_CHILDREN)
    subprocess.run(
        ["dot", "-Tsvg"], input=source.encode(), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=False
    )
    after = getrusage(RUSAGE_CHILDREN)
    return 1000 * (after.ru_utime - before.ru_utime + after.ru_stime - before.ru_stime)


def main() -> None:
    _compare_graphs()
    diagrams, configurations = defaultdict(list), defaultdict(list)
    for diagram in our_diagrams():
        diagrams[diagram.kind].append(diagram.source)
    for language, source in examples():
        if language == "chart" and source.startswith('{\n  "type"') and '"time"' not in source:
            try:
                configurations[json.loads(source)["type"]].append(source)
            except ValueError:
                continue
    with launched() as browser:
        few = {kind: sources[:_OF_A_KIND] for kind, sources in diagrams.items()}
        _compare(browser.new_page(), _MERMAID, _DRAW_DIAGRAM, mermaid.render, few)
        _compare(browser.new_page(), _FILES[0], _DRAW_CHART, charts.render, configurations)


if __name__ == "__main__":
    main()
