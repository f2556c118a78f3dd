"""Parameters of which one in `step` runs by default, and the others in another session."""

from collections.abc import Iterable

import pytest
from _pytest.mark.structures import ParameterSet


def sampled(values: Iterable[object], step: int, session: str = "nightly") -> list[ParameterSet]:
    return [
        pytest.param(
            *(value if isinstance(value, tuple) else (value,)),
            marks=[getattr(pytest.mark, session)] * bool(number % step),
        )
        for number, value in enumerate(values)
    ]
