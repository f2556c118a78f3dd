# What templates/reduction.py uses of cssutils 2's values.

from collections.abc import Iterator

class Value:
    # Any part of a value; which of the attributes it has depends on its type.

    type: str
    cssText: str
    value: float
    dimension: str | None
    red: int
    green: int
    blue: int
    alpha: float

class PropertyValue:
    def __init__(self, cssText: str) -> None: ...
    def __iter__(self) -> Iterator[Value]: ...
