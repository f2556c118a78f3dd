"""Prints the CPU time of figures beside Mermaid, Chart.js and `dot`: `python -m tests.visual.figure_speed`.

Times of Chromium are those of the thread that draws, without its graphics process, so that other load hardly matters.
Those of `dot` are of one process for all regression graphs of a size that we draw; it is in Debian's `graphviz`.
"""

import json
import subprocess
from collections import defaultdict
from collections.abc import Callable, Collection
from itertools import pairwise
from pathlib import Path
from resource import RUSAGE_CHILDREN, getrusage
from tempfile import TemporaryDirectory
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
from tests.visual.rendering import WEB, figure_request, render_timed, theme_of

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
    for minimum, limit in pairwise((0, 1_000, 10_000, 1_000_000)):
        sources = [graph.source for graph in graphs() if minimum <= len(graph.source) < limit]
        drawn = {
            source: milliseconds
            for source in sources
            for result, milliseconds in [render_timed(figure_request("dot", source, theme_of("swiss"), WEB, "dot"))]
            if isinstance(result, RenderedFigure)
        }
        our, their = sum(drawn.values()) / len(drawn), 1000 * _dot_seconds(drawn) / len(drawn)
        line = f"{len(drawn):4} graphs of less than {limit:9,} bytes: dot {their:6.1f} ms, ours {our:6.1f} ms: {our / their:.2f}"
        print(line, flush=True)  # noqa: T201


def _dot_seconds(sources: Collection[str]) -> float:
    """Return the CPU time of one process that draws all; where one crashes it, another draws what follows."""
    before = getrusage(RUSAGE_CHILDREN)
    with TemporaryDirectory() as folder:
        files = [Path(folder, f"{number}.gv") for number, _ in enumerate(sources)]
        for file, source in zip(files, sources, strict=True):
            file.write_text(source, "utf-8")
        while files:
            command = ["dot", "-Tsvg", "-O", *map(str, files)]
            process = subprocess.run(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=False)
            done = max(
                (number for number, file in enumerate(files) if file.with_suffix(".gv.svg").exists()), default=-1
            )
            files = files[done + 2 :] if process.returncode < 0 else []
    after = getrusage(RUSAGE_CHILDREN)
    return after.ru_utime - before.ru_utime + after.ru_stime - before.ru_stime


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
