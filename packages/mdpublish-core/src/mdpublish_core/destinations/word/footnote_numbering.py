"""Footnotes as Word writes them in HTML, so that they arrive as footnotes of Word's own.

Word calls a footnote from one place, and never from another footnote or from a link. The first call in the text is the one;
every other becomes a cross-reference to the footnote. What is called from no such place would be lost in Word: it stands
behind the text as ordinary paragraphs. Word numbers its footnotes by itself, so they are numbered here as it does.
"""

from collections.abc import Iterator, Sequence

from mdpublish_core import nodes


class FootnoteNumbering:
    """A document's footnotes: which call is Word's own, and the numbers that a reader sees."""

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
        """Tell whether this is the call that Word makes a footnote of."""
        return id(token) in self._native_references

    def is_native(self, footnote: nodes.FootnoteDefinition) -> bool:
        """Tell whether a footnote is one of Word's own."""
        return self._display_numbers[footnote.number] <= len(self.native)

    def display_number(self, number: int) -> int:
        """Return the number that a reader sees for the footnote of this number."""
        return self._display_numbers.get(number, number)


def _linkable_references(blocks: Sequence[nodes.Token]) -> Iterator[nodes.FootnoteReference]:
    """Yield the calls that Word can make its own, in the order of the text."""
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
