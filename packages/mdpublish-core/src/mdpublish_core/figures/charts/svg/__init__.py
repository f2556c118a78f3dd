"""SVG rendering of a chart in layers, in the order of Chart.js."""

from collections.abc import Callable

from mdpublish_core.figures.charts.chart import Chart
from mdpublish_core.figures.charts.scales.base import Scale
from mdpublish_core.figures.charts.scales.radial import RadialScale
from mdpublish_core.figures.charts.svg import axes, legend, radial_axes
from mdpublish_core.figures.charts.svg.canvas import Canvas
from mdpublish_core.figures.charts.svg.series import draw_series

_Layer = tuple[float, Callable[[], None]]
"""A height, in whose order layers are drawn, and what draws."""


def render_svg(chart: Chart, *, family: str) -> str:
    """`family` is the default font family."""
    canvas = Canvas(chart.width, chart.height, family=family, background=chart.palette.background)
    layers: list[_Layer] = [
        (0.0, lambda: legend.draw_legend(canvas, chart.legend)),
        (0.0, lambda: legend.draw_title_block(canvas, chart.subtitle)),
        (0.0, lambda: legend.draw_title_block(canvas, chart.title)),
    ]
    for scale in chart.scales.values():
        if scale.is_visible and not (scale.placement == "chartArea" and chart.area.is_empty):
            layers += _layers_of(canvas, scale, chart)
    layers.sort(key=lambda layer: layer[0])
    for z, draw in layers:
        if z <= 0:
            draw()
    legend.draw_annotations(canvas, chart, is_below=True)
    lines = chart.lines()
    for series in reversed(chart.visible_series):
        draw_series(canvas, chart, series, lines)
    legend.draw_annotations(canvas, chart, is_below=False)
    legend.draw_data_labels(canvas, chart)
    legend.draw_names(canvas, chart)
    for z, draw in layers:
        if z > 0:
            draw()
    return canvas.finish()


def _layers_of(canvas: Canvas, scale: Scale, chart: Chart) -> list[_Layer]:
    options, area = scale.options, chart.area
    if isinstance(scale, RadialScale):
        return [
            (options.grid.layer, lambda: radial_axes.draw_grid(canvas, scale, area)),
            (options.ticks.layer, lambda: radial_axes.draw_labels(canvas, scale, area)),
        ]

    def draw_below() -> None:
        axes.draw_grid(canvas, scale, area)
        axes.draw_title(canvas, scale, area)

    return [
        (options.grid.layer, draw_below),
        (options.border.layer, lambda: axes.draw_border(canvas, scale, area)),
        (options.ticks.layer, lambda: axes.draw_labels(canvas, scale, area)),
    ]
