"""What a source is read as: JSON values, and code in their place."""

from dataclasses import dataclass, field
from typing import TypeAlias


@dataclass(frozen=True, slots=True)
class Code:
    """An expression that is not run. `start` is its position in the source."""

    excerpt: str
    """The beginning."""

    start: int
    is_function: bool = False


@dataclass(frozen=True, slots=True)
class Date:
    """A date made by `new Date(…)`."""

    value: str | int | float


@dataclass(slots=True)
class Branch:
    """An object: values and positions by key."""

    values: dict[str, "Tree"] = field(default_factory=dict)
    positions: dict[str, int] = field(default_factory=dict)


Leaf: TypeAlias = bool | int | float | str | None
Tree: TypeAlias = Leaf | Code | Date | Branch | list["Tree"]
