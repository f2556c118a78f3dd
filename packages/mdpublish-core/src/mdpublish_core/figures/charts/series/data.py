"""Parsing of a dataset's data."""

from collections.abc import Callable
from types import UnionType

from mdpublish_core.figures.charts.series.base import Series
from mdpublish_core.figures.charts.values import Json


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
