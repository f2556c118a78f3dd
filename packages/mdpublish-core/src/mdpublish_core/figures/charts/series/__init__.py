"""Series by chart type. To add a type, write its module and add it here."""

from collections.abc import Mapping

from mdpublish_core.figures.charts.series.bars import BarSeries
from mdpublish_core.figures.charts.series.base import Series
from mdpublish_core.figures.charts.series.lines import LineSeries, RadarSeries
from mdpublish_core.figures.charts.series.scatters import BubbleSeries, ScatterSeries
from mdpublish_core.figures.charts.series.slices import DoughnutSeries, PieSeries, PolarAreaSeries

SERIES: Mapping[str, type[Series]] = {
    "bar": BarSeries,
    "line": LineSeries,
    "pie": PieSeries,
    "doughnut": DoughnutSeries,
    "radar": RadarSeries,
    "polarArea": PolarAreaSeries,
    "scatter": ScatterSeries,
    "bubble": BubbleSeries,
}
