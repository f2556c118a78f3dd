"""The values of a document's front matter."""

from collections.abc import Iterator, Mapping
from typing import TypeAlias

FrontMatterValue: TypeAlias = str | tuple[str, ...]


class FrontMatter(Mapping[str, FrontMatterValue]):
    """Front matter, read-only: strings, and tuples of strings, by key in the author's order."""

    __slots__ = ("_lines", "_values")

    def __init__(
        self, values: Mapping[str, FrontMatterValue] | None = None, lines: Mapping[str, int] | None = None
    ) -> None:
        self._values = dict(values or {})
        self._lines = dict(lines or {})

    def __getitem__(self, key: str) -> FrontMatterValue:
        return self._values[key]

    def __iter__(self) -> Iterator[str]:
        return iter(self._values)

    def __len__(self) -> int:
        return len(self._values)

    def __repr__(self) -> str:
        return f"FrontMatter({self._values!r})"

    def line_of(self, key: str) -> int | None:
        """Return the line of a key in the document, 1-based; None if it was not parsed."""
        return self._lines.get(key)
