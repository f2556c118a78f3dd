"""The values of a document's front matter."""

from collections.abc import Iterator, Mapping
from typing import TypeAlias

from mdpublish_core.strings.positions import SourcePosition

OPENINGS = ("---", "+++")
"""How the first line of a document with front matter begins: YAML, or TOML."""

FrontMatterValue: TypeAlias = str | tuple["FrontMatterValue", ...] | Mapping[str, "FrontMatterValue"]
"""A scalar as its text, since `1.10` is a version and `no` a language; a list; or a `FrontMatter` in another."""


class FrontMatter(Mapping[str, FrontMatterValue]):
    """Front matter, read-only: strings, tuples and mappings, by key in the author's order."""

    __slots__ = ("_positions", "_values")

    def __init__(
        self,
        values: Mapping[str, FrontMatterValue] | None = None,
        positions: Mapping[str, SourcePosition] | None = None,
    ) -> None:
        self._values = dict(values or {})
        self._positions = dict(positions or {})

    def __getitem__(self, key: str) -> FrontMatterValue:
        return self._values[key]

    def __iter__(self) -> Iterator[str]:
        return iter(self._values)

    def __len__(self) -> int:
        return len(self._values)

    def __repr__(self) -> str:
        return f"FrontMatter({self._values!r})"

    def with_value(self, key: str, value: FrontMatterValue) -> "FrontMatter":
        """Return a copy with one value more, or another."""
        return FrontMatter({**self._values, key: value}, self._positions)

    def position_of(self, key: str) -> SourcePosition:
        """Return where a key and its value are in the document; an empty position if they were not parsed."""
        return self._positions.get(key, SourcePosition())


def kind_of(value: FrontMatterValue) -> str:
    """Return what a value is, for messages."""
    if isinstance(value, str):
        return "text"
    if isinstance(value, Mapping):
        return "a mapping"
    return "a list" if all(isinstance(each, str) for each in value) else "a nested list"
