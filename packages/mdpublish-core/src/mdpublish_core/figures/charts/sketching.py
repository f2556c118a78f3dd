"""A chart's way from its source to a sketch."""

from mdpublish_core.figures.charts.chart import Chart
from mdpublish_core.figures.charts.configuration import configured, usual_font
from mdpublish_core.figures.charts.options import Remarks
from mdpublish_core.figures.charts.painting import paint
from mdpublish_core.figures.charts.painting.words import is_whole
from mdpublish_core.figures.charts.palettes import Palette, palette_of
from mdpublish_core.figures.charts.sources import check_bounds, read_source, without_scripts
from mdpublish_core.figures.charts.tables import description_of, table_of, text_of
from mdpublish_core.figures.fonts import text_width
from mdpublish_core.figures.request import EngineOutput, FigureRequest


def render(request: FigureRequest) -> EngineOutput:
    """Return a chart's drawing and its table; raises `FigureError`."""
    remarks = Remarks()
    theme = request.theme
    chart = laid_out_chart(request.source, palette_of(theme), remarks=remarks, is_monospaced=theme.is_monospaced)
    table = table_of(chart)
    svg = paint(chart, family=theme.font_family) if request.forms & {"svg", "png"} else None
    title = [word for line in chart.title.lines for word in line.split()] if chart.title.is_displayed else []
    if not any(series.data for series in chart.series):
        remarks.add("there is nothing to show: no dataset has a value")
    if chart.steps.left <= 0:
        remarks.add("some areas between lines are not filled: their lines go to and fro, or have gaps, too often")
    if not is_whole(chart.legend):
        remarks.add("the legend has not room for all its names; the data below it has them")
    description = description_of(chart, table)
    return EngineOutput(
        svg=svg,
        text=text_of(chart, table) if "text" in request.forms else None,
        title=" ".join(title),
        description=description,
        label=description.partition(".")[0],
        table=table,
        remarks=tuple(remarks),
    )


def laid_out_chart(
    source: str,
    palette: Palette,
    *,
    remarks: Remarks,
    is_monospaced: bool = False,
    size: tuple[float, float] | None = None,
) -> Chart:
    """Return the chart that a fence holds, with all in its place; raises `FigureError`. `size` is in px."""
    read = without_scripts(read_source(source), remarks)
    check_bounds(read)
    font = usual_font(is_monospaced=is_monospaced)
    return Chart(configured(read, palette=palette, font=font, remarks=remarks, size=size), palette, remarks)


def prepare() -> None:
    """Read the widths of letters, which the first drawing needs; raises `MissingExtra`."""
    text_width("0", 1.0)
