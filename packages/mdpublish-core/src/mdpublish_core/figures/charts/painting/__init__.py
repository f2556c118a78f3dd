"""Paints a chart that is laid out, layer by layer: grids below, then what is said, then the values, in Chart.js's order."""

from collections.abc import Callable
from typing import NamedTuple

from mdpublish_core.figures.charts.chart import Chart
from mdpublish_core.figures.charts.painting import axes, radial_axes
from mdpublish_core.figures.charts.painting.canvas import Canvas
from mdpublish_core.figures.charts.painting.values import paint_series
from mdpublish_core.figures.charts.painting.words import paint_block, paint_legend
from mdpublish_core.figures.charts.scales.base import Scale
from mdpublish_core.figures.charts.scales.radial import RadialScale


class _Layer(NamedTuple):
    """What is painted at once; what has a greater height is painted later."""

    height: float
    paint: Callable[[], None]


def paint(chart: Chart, *, family: str) -> str:
    """Return a chart as SVG; `family` is the font of its text."""
    canvas = Canvas(chart.width, chart.height, family=family)
    layers = [
        _Layer(0.0, lambda: paint_legend(canvas, chart.legend)),
        _Layer(0.0, lambda: paint_block(canvas, chart.subtitle)),
        _Layer(0.0, lambda: paint_block(canvas, chart.title)),
    ]
    for scale in chart.scales.values():
        if scale.is_visible and not (scale.place == "chartArea" and chart.area.is_empty):
            layers += _layers_of(canvas, scale, chart)
    layers.sort(key=lambda layer: layer.height)
    for layer in layers:
        if layer.height <= 0:
            layer.paint()
    lines = chart.lines()
    for series in reversed(chart.visible):
        paint_series(canvas, chart, series, lines)
    for layer in layers:
        if layer.height > 0:
            layer.paint()
    return canvas.finish()


def _layers_of(canvas: Canvas, scale: Scale, chart: Chart) -> list[_Layer]:
    options, area = scale.options, chart.area
    if isinstance(scale, RadialScale):
        return [
            _Layer(options.grid.layer, lambda: radial_axes.paint_grid(canvas, scale, area)),
            _Layer(options.ticks.layer, lambda: radial_axes.paint_labels(canvas, scale, area)),
        ]

    def paint_below() -> None:
        axes.paint_grid(canvas, scale, area)
        axes.paint_title(canvas, scale, area)

    return [
        _Layer(options.grid.layer, paint_below),
        _Layer(options.border.layer, lambda: axes.paint_border(canvas, scale, area)),
        _Layer(options.ticks.layer, lambda: axes.paint_labels(canvas, scale, area)),
    ]
