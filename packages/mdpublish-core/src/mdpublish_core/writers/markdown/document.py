"""What a document has beside its blocks: where the definitions of footnotes stand, and front matter.

Footnotes are numbered by their first reference, those in other footnotes included. So a definition goes to the end, but
for one that has references which must be counted before others. Front matter is YAML: plain where a reader finds the
same value, otherwise in double quotes.
"""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence

from mdpublish_core import nodes
from mdpublish_core.front_matter import FrontMatter, FrontMatterValue
from mdpublish_core.readers.markdown.yaml_values import UnreadableValue, double_quoted, read_pair


def with_footnotes(document: nodes.Document) -> Iterator[nodes.Token]:
    """Yield the document's blocks, and definitions where they keep the numbers of references."""
    notes = document.footnote_definitions
    return _Placement(notes).blocks(document.children) if notes else iter(document.children)


class _Placement:
    def __init__(self, notes: Sequence[nodes.FootnoteDefinition]) -> None:
        self._notes = list(notes)
        self._places = {
            (reference.number, reference.occurrence): index
            for index, note in enumerate(notes)
            for reference in _references_in(note)
        }
        self._placed: set[int] = set()
        self._counts: dict[int, int] = {}

    def blocks(self, blocks: Sequence[nodes.Token]) -> Iterator[nodes.Token]:
        for block in blocks:
            yield from self._notes_before(block)
            yield block
        for index in range(len(self._notes)):
            yield from self._place(index)

    def _place(self, index: int) -> Iterator[nodes.Token]:
        if index not in self._placed:
            self._placed.add(index)
            note = self._notes[index]
            yield from self._notes_before(note)
            yield note

    def _notes_before(self, block: nodes.Token) -> Iterator[nodes.Token]:
        for reference in _references_in(block):
            while (missing := self._missing(reference)) is not None:
                yield from self._place(missing)
            self._counts[reference.number] = self._counts.get(reference.number, 0) + 1

    def _missing(self, reference: nodes.FootnoteReference) -> int | None:
        """Return a definition that has references to be counted before this one."""
        count = self._counts.get(reference.number, 0) + 1
        if count < reference.occurrence:
            place = self._places.get((reference.number, count))
        elif count == 1 and len(self._counts) + 1 < reference.number:
            place = self._places.get((len(self._counts) + 1, 1))
        else:
            return None
        return place if place is not None and place not in self._placed else None


def _references_in(block: nodes.Token) -> list[nodes.FootnoteReference]:
    return [token for token in nodes.walk(block) if isinstance(token, nodes.FootnoteReference)]


_PLAIN_KEY = re.compile(r"[^\W_][\w.-]{0,60}(?:[ :][\w.-]{1,60}){0,3}|_\w[\w.-]{0,60}")
_PLAIN_VALUE = re.compile(r"[\w(/.][^\n#\[\]{},\x00-\x1f\x7f-\x9f]*")


def front_matter_lines(values: FrontMatter) -> list[str]:
    """Return the lines of front matter; none if it is empty."""
    lines = [_line(key, value) for key, value in values.items()]
    return ["---", *lines, "---"] if lines else []


def _line(key: str, value: FrontMatterValue) -> str:
    written = key if _PLAIN_KEY.fullmatch(key) else f'"{key}"'
    if all(map(_is_plain, _strings_in(value))):
        plain = f"{written}: {_flow(value, str)}"
        if _is_read(plain, key, value):
            return plain
    return f"{written}: {_flow(value, double_quoted)}"


def _strings_in(value: FrontMatterValue) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    else:
        for each in (*value, *value.values()) if isinstance(value, Mapping) else value:
            yield from _strings_in(each)


def _flow(value: FrontMatterValue, write: Callable[[str], str]) -> str:
    if isinstance(value, str):
        return write(value)
    if isinstance(value, Mapping):
        return f"{{{', '.join(f'{write(key)}: {_flow(each, write)}' for key, each in value.items())}}}"
    return f"[{', '.join(_flow(each, write) for each in value)}]"


def _is_plain(value: str) -> bool:
    return _PLAIN_VALUE.fullmatch(value) is not None


def _is_read(line: str, key: str, value: FrontMatterValue) -> bool:
    try:
        return read_pair(f"{line}\n") == (key, value)
    except UnreadableValue:
        return False
