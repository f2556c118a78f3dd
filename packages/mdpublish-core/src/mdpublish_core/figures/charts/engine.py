"""Rendering of a chart from its source."""

from mdpublish_core.figures.charts.chart import Chart
from mdpublish_core.figures.charts.configuration import ConfigurationReader, default_font
from mdpublish_core.figures.charts.defaults import ASPECT_RATIO, PHONE_SIZE, WIDTH
from mdpublish_core.figures.charts.options import InvalidOption, Remarks
from mdpublish_core.figures.charts.palettes import Palette, build_palette
from mdpublish_core.figures.charts.reading.limits import check_limits
from mdpublish_core.figures.charts.reading.scripts import without_scripts
from mdpublish_core.figures.charts.reading.sources import ChartSource
from mdpublish_core.figures.charts.reading.versions import as_version_4
from mdpublish_core.figures.charts.svg import render_svg
from mdpublish_core.figures.charts.svg.legend import legend_fits
from mdpublish_core.figures.charts.tables import build_table, describe_chart, plain_text, shown_words
from mdpublish_core.figures.charts.words import lost_words
from mdpublish_core.figures.errors import FigureError
from mdpublish_core.figures.fonts import text_width
from mdpublish_core.figures.request import EngineOutput, FigureRequest


def render(request: FigureRequest) -> EngineOutput:
    remarks = Remarks()
    theme = request.theme
    read = ChartSource(request.source)
    chart = lay_out_chart(
        read,
        build_palette(theme),
        remarks=remarks,
        is_monospaced=theme.is_monospaced,
        size=PHONE_SIZE if request.is_transposed else None,
    )
    table = build_table(chart)
    svg = render_svg(chart, family=theme.font_family) if request.forms & {"svg", "png"} else None
    title = [word for line in chart.title.lines for word in line.split()] if chart.title.is_displayed else []
    if not any(series.data for series in chart.series):
        remarks.add("the chart is empty: no dataset has values")
    if chart.budget.remaining <= 0:
        remarks.add("some areas are not filled: their lines change direction or have gaps too often")
    if not legend_fits(chart.legend):
        remarks.add("the legend has no space for all names; see the data table")
    description = describe_chart(chart, table)
    return EngineOutput(
        svg=svg,
        plain_text=plain_text(chart, table) if "text" in request.forms else None,
        title=" ".join(title),
        description=description,
        label=description.partition(".")[0],
        table=table,
        remarks=(*remarks, *lost_words(read, shown_words(chart, table))),
        repairs=remarks.repairs,
        can_transpose=request.is_transposed or (chart.width, chart.height) == (WIDTH, WIDTH / ASPECT_RATIO),
    )


def lay_out_chart(
    read: ChartSource,
    palette: Palette,
    *,
    remarks: Remarks,
    is_monospaced: bool = False,
    size: tuple[float, float] | None = None,
) -> Chart:
    """Return a chart after layout. Raises `FigureError`. `size` is in px."""
    remarks.find_line, remarks.repairs = read.line, read.repairs
    chart = as_version_4(without_scripts(read, remarks), remarks)
    check_limits(chart)
    font = default_font(is_monospaced=is_monospaced)
    try:
        configuration = ConfigurationReader(chart, palette, font, remarks).read(size)
    except InvalidOption as error:
        raise FigureError(error.problem, read.line(error.path)) from None
    return Chart(configuration, palette, remarks)


def prepare() -> None:
    """Load character widths. Raises `MissingExtra`."""
    text_width("0", 1.0)
