"""Footnotes as Word writes them in HTML, so that they arrive as footnotes of Word's own.

Word calls a footnote from one place, and never from another footnote or from a link. The first call in the text is the one;
every other becomes a cross-reference to the footnote. What is called from no such place would be lost in Word: it stands
behind the text as ordinary paragraphs. Word numbers its footnotes by itself, so they are numbered here as it does.
"""

from collections.abc import Iterator, Sequence

from mdpublish_core import nodes


class Notes:
    """A document's footnotes: which call is Word's own, and the numbers that a reader sees."""

    def __init__(self, document: nodes.Document) -> None:
        self._own_calls: set[int] = set()
        self._shown: dict[int, int] = {}
        for call in _calls(document.children) if document.footnote_definitions else ():
            if call.number not in self._shown:
                self._own_calls.add(id(call))
                self._shown[call.number] = len(self._shown) + 1
        self.called: list[nodes.FootnoteDefinition] = []
        self.others: list[nodes.FootnoteDefinition] = []
        for note in document.footnote_definitions:
            if note.number in self._shown:
                self.called.append(note)
            else:
                self.others.append(note)
                self._shown[note.number] = len(self._shown) + 1
        self.called.sort(key=lambda note: self._shown[note.number])

    def is_own_call(self, token: nodes.FootnoteReference) -> bool:
        """Tell whether this is the call that Word makes a footnote of."""
        return id(token) in self._own_calls

    def is_called(self, note: nodes.FootnoteDefinition) -> bool:
        """Tell whether a footnote is one of Word's own."""
        return self._shown[note.number] <= len(self.called)

    def shown(self, number: int) -> int:
        """Return the number that a reader sees for the footnote of this number."""
        return self._shown.get(number, number)


def _calls(blocks: Sequence[nodes.Token]) -> Iterator[nodes.FootnoteReference]:
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
