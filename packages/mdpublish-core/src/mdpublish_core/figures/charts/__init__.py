"""Charts, rendered like Chart.js 4: https://www.chartjs.org/docs/latest/.

source ──reading──▶ JSON ──configuration──▶ options ──series, scales──▶ values ──layout──▶ boxes ──series──▶ elements
                                                 └──tables──▶ text                                   svg──▶ SVG
"""

from mdpublish_core.figures.request import EngineOutput, FigureRequest


def render(request: FigureRequest) -> EngineOutput:
    """Render a Chart.js configuration. Raises `FigureError` and `MissingExtra`."""
    # Load the engine with the first chart only.
    from mdpublish_core.figures.charts import engine

    return engine.render(request)


def prepare() -> None:
    """Preload what rendering needs. Raises `MissingExtra`."""
    from mdpublish_core.figures.charts import engine

    engine.prepare()


def describe() -> str:
    """Return the engine in use; raises `MissingExtra`."""
    prepare()
    return "built in"
