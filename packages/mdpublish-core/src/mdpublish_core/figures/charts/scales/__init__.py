"""Scales by type. To add a type, write its module and add it here."""

from collections.abc import Mapping

from mdpublish_core.figures.charts.scales.base import Scale
from mdpublish_core.figures.charts.scales.category import CategoryScale
from mdpublish_core.figures.charts.scales.linear import LinearScale, LogarithmicScale
from mdpublish_core.figures.charts.scales.radial import RadialScale
from mdpublish_core.figures.charts.scales.times import TimeScale, TimeSeriesScale

SCALES: Mapping[str, type[Scale]] = {
    "category": CategoryScale,
    "linear": LinearScale,
    "logarithmic": LogarithmicScale,
    "time": TimeScale,
    "timeseries": TimeSeriesScale,
    "radialLinear": RadialScale,
}
