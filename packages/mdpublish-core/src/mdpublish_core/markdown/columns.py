"""Columns of data, in the forms in which programs have it.

A DataFrame or Series of pandas or Polars, a table of Arrow and a cursor of a database are known by their methods, so
none of these packages is imported.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import fields, is_dataclass
from typing import Any, NamedTuple

from mdpublish_core.arguments import type_name
from mdpublish_core.errors import InvalidArgument


class Column(NamedTuple):
    """A column's name, and a value for each row."""

    name: str
    values: Sequence[Any]


def read_columns(data: Any, names: Sequence[str] | None = None) -> list[Column]:
    """Return the columns of data. Raises `InvalidArgument` for data of another form, and for uneven rows."""
    if hasattr(data, "to_frame") and not hasattr(data, "columns"):
        data = data.to_frame()
    data_names, rows = _names_and_rows(data)
    names = data_names if names is None else [str(name) for name in names]
    if not names:
        raise InvalidArgument("columns", "must name the columns, since the data does not: columns=['city', 'sales']")
    for position, row in enumerate(rows):
        if len(row) != len(names):
            raise InvalidArgument("data", f"must have {len(names)} values in each row (row {position} has {len(row)})")
    return [Column(name, [row[position] for row in rows]) for position, name in enumerate(names)]


def is_missing(value: Any) -> bool:
    """Return whether a value is none: None, NaN, NaT, or NA of pandas."""
    try:
        return value is None or bool(value != value)  # noqa: PLR0124  (as only what is no number does)
    except (TypeError, ValueError):
        # The truth of NA is an error, as is that of an array.
        return type(value).__name__ == "NAType"


def _names_and_rows(data: Any) -> tuple[list[str], list[Sequence[Any]]]:
    if isinstance(data, Mapping):
        return _of_mapping(data)
    if hasattr(data, "itertuples"):
        return _of_pandas(data)
    if hasattr(data, "iter_rows"):
        return list(data.columns), list(data.iter_rows())
    if hasattr(data, "to_pydict"):
        return _of_mapping(data.to_pydict())
    if hasattr(data, "fetchall"):
        return [each[0] for each in data.description or ()], list(data.fetchall())
    if isinstance(data, str | bytes) or not isinstance(data, Iterable):
        raise InvalidArgument("data", f"must be rows, columns or a DataFrame (got {type_name(data)})")
    return _of_rows(list(data))


def _of_mapping(data: Mapping[Any, Any]) -> tuple[list[str], list[Sequence[Any]]]:
    """Return the rows of columns by name, or the pairs of values by label."""
    if not all(map(_is_sequence, data.values())):
        return [], list(data.items())
    lengths = {str(name): len(column) for name, column in data.items()}
    if len(set(lengths.values())) > 1:
        raise InvalidArgument("data", f"must have columns of one length (got {lengths})")
    return list(lengths), list(zip(*data.values(), strict=True))


def _of_pandas(frame: Any) -> tuple[list[str], list[Sequence[Any]]]:
    """Return also the index, if it says something: if it has a name, or words."""
    index = frame.index
    has_index = any(name is not None for name in index.names) or any(isinstance(each, str) for each in index[:1])
    names = [name if name is not None else "" for name in index.names] if has_index else []
    names += [" ".join(map(str, each)).strip() if isinstance(each, tuple) else each for each in frame.columns]
    labels = [(each if isinstance(each, tuple) else (each,)) if has_index else () for each in index]
    rows = frame.itertuples(index=False, name=None)
    return [str(name) for name in names], [(*label, *row) for label, row in zip(labels, rows, strict=True)]


def _of_rows(rows: list[Any]) -> tuple[list[str], list[Sequence[Any]]]:
    if all(isinstance(row, Mapping) for row in rows):
        keys = list(dict.fromkeys(key for row in rows for key in row))
        return [str(key) for key in keys], [[row.get(key) for key in keys] for row in rows]
    if all(is_dataclass(row) for row in rows):
        names = [field.name for field in fields(rows[0])]
        return names, [[getattr(row, name) for name in names] for row in rows]
    for position, row in enumerate(rows):
        if not _is_sequence(row):
            raise InvalidArgument(
                "data", f"must have a sequence or mapping as each row (row {position} is {row!r:.40})"
            )
    return list(getattr(rows[0], "_fields", ())), rows


def _is_sequence(value: Any) -> bool:
    return hasattr(value, "__len__") and hasattr(value, "__getitem__") and not isinstance(value, str | bytes | Mapping)
