"""A dataset's data, and its entry in the legend."""

from collections.abc import Callable
from types import UnionType

from mdpublish_core.figures.charts.fonts import label_of
from mdpublish_core.figures.charts.options import Options
from mdpublish_core.figures.charts.series.base import LegendItem, Series
from mdpublish_core.figures.charts.series.styles import shape_of, stroke_of
from mdpublish_core.figures.charts.shapes.elements import Stroke
from mdpublish_core.figures.charts.values import Json, parse_number


def read_pairs(series: Series, kinds: type | UnionType, read: Callable[[Json, int], float | None]) -> None:
    """Read data on two scales.

    If the first item is of one of `kinds`, items contain their position; otherwise labels are the positions.
    """
    index, data = series.index_scale, series.data
    assert index is not None
    labels = index.labels()
    has_pairs = bool(data) and isinstance(data[0], kinds)
    positions: list[float | None] = []
    values: list[float | None] = []
    for item, entry in enumerate(data):
        if has_pairs:
            position, value = series.split_entry(entry)
        else:
            position, value = (labels[item] if item < len(labels) else None), entry
        positions.append(index.parse(position, item))
        values.append(read(value, item))
    series.positions, series.values = positions, values


def read_radial(series: Series) -> None:
    """Read one value for each label."""
    assert series.r_scale is not None
    series.values = [series.r_scale.parse(value, item) for item, value in enumerate(radial_values(series))]
    series.positions = series.values


def radial_values(series: Series) -> list[Json]:
    data = series.data
    has_objects = bool(data) and isinstance(data[0], dict)
    return [series.split_entry(entry)[1] if has_objects else entry for entry in data]


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
