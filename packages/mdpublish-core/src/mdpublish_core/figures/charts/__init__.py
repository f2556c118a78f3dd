"""Charts, rendered like Chart.js 4: https://www.chartjs.org/docs/latest/.

source ──reading──▶ JSON ──configuration──▶ options ──series, scales──▶ values ──layout──▶ boxes ──series──▶ elements
                                                 └──tables──▶ text                                   svg──▶ SVG

The source is validated and bounded first; only the last stage knows SVG. A type of chart reads its data, reports its
range to the scales, and makes its elements after the layout. The space of an axis depends on its labels, these on the
number of ticks that fit, and both on the other axes: the layout repeats as in Chart.js, down to the order of additions
and its rounding.

JSON is read by the standard library, and what is no JSON by a parser of our own: those of JSON5 refuse functions,
variables and `new Chart(…)`, which most charts of people and assistants have, and interpreters run them. Ours evaluates
constants, leaves out code, and keeps positions for notices, in one pass without backtracking. Nothing depends on the
date, the time zone or the machine's language.

    engine            entry point: source to SVG and a data table
    reading/          the source as values: JSON, JavaScript without running it; limits; what needs scripts
    configuration  options  defaults  palettes   resolving the author's options
    chart             assembles the chart
    scales/           one module per kind of scale: limits, ticks, positions
    series/           one module per type of chart: its elements and their style
    plugins/          data labels, annotations
    layout  legends  titles   everything around the chart area, and the space it takes
    shapes/           bars, slices, lines, areas and point markers as paths
    formatting/       numbers as Intl writes them, dates as date-fns does
    svg/              the elements as SVG, layer by layer
    tables            the data as a table, and as text
    fonts  geometry  values   text width, Chart.js's arithmetic, JSON values with JavaScript semantics
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
