"""Parameters of tests: samples, of which the rest runs in another session, and the rows of tables."""

from collections.abc import Iterable, Mapping

import pytest
from _pytest.mark.structures import ParameterSet


def each_row(tables: Mapping[str, Iterable[object]]) -> list[ParameterSet]:
    """Return the rows of tables by behaviour, whose words and a number are their ids."""
    return [
        pytest.param(*_values(row), id=f"{behaviour} {number}")
        for behaviour, rows in tables.items()
        for number, row in enumerate(rows, 1)
    ]


def sampled(values: Iterable[object], step: int, session: str = "nightly") -> list[ParameterSet]:
    return [
        pytest.param(*_values(value), marks=[getattr(pytest.mark, session)] * bool(number % step))
        for number, value in enumerate(values)
    ]


def _values(row: object) -> tuple[object, ...]:
    return row if isinstance(row, tuple) else (row,)
