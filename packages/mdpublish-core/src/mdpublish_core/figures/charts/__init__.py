"""Charts, drawn as Chart.js 4 would draw them.

https://www.chartjs.org/docs/latest/

source ──sources──▶ JSON ──configuration──▶ options ──series, scales──▶ values ──layout──▶ boxes ──series──▶ elements
                                                 └──tables──▶ text                                   svg──▶ SVG
"""

from mdpublish_core.figures.request import EngineOutput, FigureRequest


def render(request: FigureRequest) -> EngineOutput:
    """Return a Chart.js configuration as SVG, text and a table of its data; raises `FigureError` and `MissingExtra`."""
    # Late: a process loads what renders charts with its first chart.
    from mdpublish_core.figures.charts import engine

    return engine.render(request)


def prepare() -> None:
    """Load what the first drawing needs; raises `MissingExtra`."""
    from mdpublish_core.figures.charts import engine

    engine.prepare()
