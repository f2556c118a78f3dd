"""Where the definitions of footnotes stand.

Footnotes are numbered by their first reference, those in other footnotes included. So a definition goes to the end, but
for one that has references which must be counted before others.
"""

from collections.abc import Iterator, Sequence

from mdpublish_core import nodes


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
