"""Charts of data as Markdown."""

import json
from collections.abc import Sequence
from math import isfinite
from numbers import Integral
from typing import Any

from mdpublish_core import nodes
from mdpublish_core.errors import InvalidArgument
from mdpublish_core.markdown.columns import Column, is_missing, read_columns
from mdpublish_core.markdown.escaping import Markdown
from mdpublish_core.markdown.tables import written_values
from mdpublish_core.readers import parse

KINDS = ("bar", "line", "pie", "doughnut", "radar", "polarArea", "scatter", "bubble")


def chart(kind: str, data: Any, *, columns: Sequence[str] | None = None, title: str = "") -> Markdown:
    """Return a chart of some data, as Chart.js draws one of this type.

    `data` and `columns` are as in `table`: the first column has the labels, or the x values of `scatter`; each of the
    others is a series. `bubble` takes three columns: x, y, and the radius in pixels. Missing values leave gaps.

    Raises `InvalidArgument` for another kind, other data, and a value in a series that is no number.
    """
    if kind not in KINDS:
        raise InvalidArgument("kind", f"must be one of {', '.join(KINDS)} (got {kind!r})")
    first, *others = read_columns(data, columns)
    if not others or (kind == "bubble" and len(others) != 2):
        needed = "columns of x, y and radius" if kind == "bubble" else "a column of labels and at least one of numbers"
        raise InvalidArgument("data", f"must have {needed} (got {1 + len(others)})")
    drawn: dict[str, Any]
    if kind == "bubble":
        drawn = {"datasets": [{"data": _points("xyr", first, *others)}]}
    elif kind == "scatter":
        drawn = {"datasets": [{"label": each.name, "data": _points("xy", first, each)} for each in others]}
    else:
        datasets = [{"label": each.name, "data": _numbers(each)} for each in others]
        drawn = {"labels": [*map(_label, written_values(first))], "datasets": datasets}
    source = {"type": kind, "data": drawn}
    if title:
        source["options"] = {"plugins": {"title": {"display": True, "text": title}}}
    return Markdown(f"```chart\n{json.dumps(source, ensure_ascii=False)}\n```")


def _label(value: object) -> str:
    if isinstance(value, Markdown):
        return nodes.text_content(parse(value))
    return "" if is_missing(value) else str(value)


def _points(names: str, *columns: Column) -> list[dict[str, float | None]]:
    return [dict(zip(names, values, strict=True)) for values in zip(*map(_numbers, columns), strict=True)]


def _numbers(column: Column) -> list[float | None]:
    return [_number(column.name, value) for value in column.values]


def _number(column: str, value: Any) -> float | None:
    if is_missing(value):
        return None
    try:
        # Of Decimal, too, which is no Real.
        number = int(value) if isinstance(value, Integral) else float(value)
    except (TypeError, ValueError):
        number = None
    if number is None or isinstance(value, str):
        raise InvalidArgument("data", f"must have numbers in {column!r} (got {value!r:.40})")
    return number if isfinite(number) else None
