"""Changes of a text, by its characters: what repairs and fixes make of one."""

from collections.abc import Iterable
from typing import NamedTuple

from mdpublish_core.strings.lazy_patterns import compile_lazily

NEWLINE = compile_lazily(r"\r\n?|\n")


class Change(NamedTuple):
    """Replaces the characters from `start` to `end`, as Python counts them, by `after`."""

    start: int
    end: int
    after: str


def with_changes(markdown: str, changes: Iterable[Change]) -> str:
    """Apply changes that are in order and do not overlap."""
    parts, end = list[str](), 0
    for change in changes:
        parts += markdown[end : change.start], change.after
        end = change.end
    return "".join((*parts, markdown[end:]))


def line_starts(markdown: str) -> list[int]:
    return [0, *(match.end() for match in NEWLINE.finditer(markdown))]
