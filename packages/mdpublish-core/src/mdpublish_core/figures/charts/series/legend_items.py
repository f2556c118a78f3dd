"""Legend entries of datasets and slices."""

from collections.abc import Sequence

from mdpublish_core.figures.charts.fonts import label_of
from mdpublish_core.figures.charts.options import Options
from mdpublish_core.figures.charts.series.base import LegendItem, Series
from mdpublish_core.figures.charts.series.styles import ArcStyleResolver, shape_of, stroke_of
from mdpublish_core.figures.charts.shapes.elements import Stroke
from mdpublish_core.figures.charts.values import Json, parse_number


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


def slice_items(labels: Sequence[Json], styles: ArcStyleResolver, options: Options) -> list[LegendItem]:
    items: list[LegendItem] = []
    for item, label in enumerate(labels):
        style = styles.at(item)
        items.append(
            LegendItem(
                label_lines=label_of(label),
                fill=style.fill,
                stroke=style.stroke,
                shape=None,
                rotation=0.0,
                corner=parse_number(options.at(item).value("borderRadius")) or 0.0,
            )
        )
    return items
