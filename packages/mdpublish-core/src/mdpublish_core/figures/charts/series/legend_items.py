"""Legend entries of datasets."""

from mdpublish_core.figures.charts.fonts import label_of
from mdpublish_core.figures.charts.options import Options
from mdpublish_core.figures.charts.series.base import LegendItem, Series
from mdpublish_core.figures.charts.series.styles import shape_of, stroke_of
from mdpublish_core.figures.charts.shapes.elements import Stroke
from mdpublish_core.figures.charts.values import parse_number


def dataset_item(series: Series, fill: str, border: str, options: Options, *, has_dash: bool) -> LegendItem:
    """Return the entry of a dataset in the style of its elements or its line."""
    widths = options.sides("borderWidth")
    width = (widths.width + widths.height) / 4
    radius, shape = options.value("borderRadius"), None if has_dash else options.value("pointStyle")
    return LegendItem(
        label_lines=label_of(series.dataset.source.get("label")),
        fill=fill,
        stroke=stroke_of(options, border, width) if has_dash else Stroke(border, width),
        shape=None if shape is None else shape_of(shape),
        rotation=options.number("rotation"),
        corner=parse_number(radius) or 0.0,
        is_hidden=not series.is_visible,
    )
