"""Parameters of which one in `step` runs by default, and all in the nightly session."""

from collections.abc import Iterable

import pytest
from _pytest.mark.structures import ParameterSet


def sampled(values: Iterable[object], step: int) -> list[ParameterSet]:
    return [
        pytest.param(
            *(value if isinstance(value, tuple) else (value,)), marks=[pytest.mark.nightly] * bool(number % step)
        )
        for number, value in enumerate(values)
    ]
