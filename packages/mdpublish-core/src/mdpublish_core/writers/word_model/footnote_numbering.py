"""Which footnotes become native Word footnotes, and their numbers.

Word allows one reference per footnote, none of them in a link or another footnote. The first such reference becomes
native, later ones are cross-references. A footnote without one would be lost in Word, so it becomes a paragraph at the
end. Word numbers native footnotes itself; this numbering matches it.
"""

from collections.abc import Iterator, Sequence

from mdpublish_core import nodes


class FootnoteNumbering:
    """Numbers the footnotes of a document."""

    def __init__(self, document: nodes.Document) -> None:
        self._native_references: set[int] = set()
        self._display_numbers: dict[int, int] = {}
        for reference in _linkable_references(document.children) if document.footnote_definitions else ():
            if reference.number not in self._display_numbers:
                self._native_references.add(id(reference))
                self._display_numbers[reference.number] = len(self._display_numbers) + 1
        self.native: list[nodes.FootnoteDefinition] = []
        self.plain: list[nodes.FootnoteDefinition] = []
        for footnote in document.footnote_definitions:
            if footnote.number in self._display_numbers:
                self.native.append(footnote)
            else:
                self.plain.append(footnote)
                self._display_numbers[footnote.number] = len(self._display_numbers) + 1
        self.native.sort(key=lambda footnote: self._display_numbers[footnote.number])

    def is_native_reference(self, token: nodes.FootnoteReference) -> bool:
        return id(token) in self._native_references

    def is_native(self, footnote: nodes.FootnoteDefinition) -> bool:
        return self._display_numbers[footnote.number] <= len(self.native)

    def display_number(self, number: int) -> int:
        return self._display_numbers.get(number, number)


def _linkable_references(blocks: Sequence[nodes.Token]) -> Iterator[nodes.FootnoteReference]:
    pending = list(reversed(blocks))
    while pending:
        token = pending.pop()
        if isinstance(token, nodes.FootnoteReference):
            yield token
        elif not (
            isinstance(token, nodes.Link | nodes.AutoLink | nodes.Image)
            or (isinstance(token, nodes.HtmlElement) and token.tag == "a")
        ):
            pending += reversed(nodes.children_of(token))
