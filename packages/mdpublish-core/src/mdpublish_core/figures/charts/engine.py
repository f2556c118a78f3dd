"""Rendering of a chart from its source."""

from collections.abc import Iterator

from mdpublish_core.figures import words
from mdpublish_core.figures.charts.chart import Chart
from mdpublish_core.figures.charts.configuration import Configuration, default_font
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
from mdpublish_core.figures.charts.values import Json, Object, Path
from mdpublish_core.figures.errors import FigureError
from mdpublish_core.figures.fonts import text_width
from mdpublish_core.figures.request import EngineOutput, FigureRequest, Remark
from mdpublish_core.figures.words import words_of


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
    if not chart.series and not _OTHER_PROGRAMS.isdisjoint(read.chart):
        raise FigureError("this is a chart of another program; write Chart.js's `{type: …, data: {datasets: […]}}`", 1)
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
        configuration = Configuration(chart, palette, font, size, remarks)
    except InvalidOption as error:
        raise FigureError(error.problem, read.line(error.path)) from None
    return Chart(configuration, palette, remarks)


def prepare() -> None:
    """Load character widths. Raises `MissingExtra`."""
    text_width("0", 1.0)


# Where other programs, such as ECharts and Recharts, have the data.
_OTHER_PROGRAMS = frozenset({"categories", "lines", "rows", "series", "xAxis"})

_KEYS = frozenset({"caption", "content", "label", "labelString", "subtitle", "text", "title"})

# Tooltips are not drawn; labels and data are in the table.
_SKIPPED = frozenset({"callbacks", "labels", "tooltip", "tooltips"})


def lost_words(read: ChartSource, shown: str) -> Iterator[Remark]:
    """Return a remark for each title or label with words that are not shown, unless its author set `display: false`."""
    said = words_of(shown)
    written = ((words_of(content) - said, path, is_switched) for path, content, is_switched in _written(read.chart))
    lost = [(each, read.line(path), _REMEDIES[is_switched]) for each, path, is_switched in written if each]
    return words.lost_words(sorted(lost, key=lambda each: each[1] or 0), frozenset())


_REMEDIES = {True: "; write `display: true` beside it", False: ""}


def _written(chart: Object) -> Iterator[tuple[Path, str, bool]]:
    """Yield texts, and whether each has an option `display` that is not written."""
    waiting: list[tuple[Path, Json]] = [((), dict(chart))]
    while waiting:
        path, value = waiting.pop()
        if isinstance(value, list):
            waiting += (((*path, index), each) for index, each in enumerate(value) if isinstance(each, dict | list))
        if not isinstance(value, dict) or value.get("display") is False:
            continue
        for key, inner in value.items():
            lines = (inner if isinstance(inner, list) else [inner]) if key in _KEYS else []
            content = " ".join(line for line in lines if isinstance(line, str))
            if content:
                yield (*path, key), content, key in {"content", "labelString", "text"} and "display" not in value
            elif key not in _SKIPPED and not (key == "data" and isinstance(inner, list)):
                waiting.append(((*path, key), inner))
