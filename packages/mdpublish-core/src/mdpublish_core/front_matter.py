"""The values of a document's front matter."""

from collections.abc import Iterator, Mapping
from typing import TypeAlias

from mdpublish_core.positions import Place

FrontMatterValue: TypeAlias = str | tuple[str, ...]


class FrontMatter(Mapping[str, FrontMatterValue]):
    """Front matter, read-only: strings, and tuples of strings, by key in the author's order."""

    __slots__ = ("_places", "_values")

    def __init__(
        self, values: Mapping[str, FrontMatterValue] | None = None, places: Mapping[str, Place] | None = None
    ) -> None:
        self._values = dict(values or {})
        self._places = dict(places or {})

    def __getitem__(self, key: str) -> FrontMatterValue:
        return self._values[key]

    def __iter__(self) -> Iterator[str]:
        return iter(self._values)

    def __len__(self) -> int:
        return len(self._values)

    def __repr__(self) -> str:
        return f"FrontMatter({self._values!r})"

    def place_of(self, key: str) -> Place:
        """Return where a key and its value are in the document; an empty place if they were not parsed."""
        return self._places.get(key, Place())
