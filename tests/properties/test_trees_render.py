"""Law: every destination renders any tree; `html` and `plain_text` keep its words in order."""

from collections.abc import Iterator

from hypothesis import given

from mdpublish_core import nodes, render
from mdpublish_core.testing import check_words_preserved, documents
from mdpublish_core.writers.outputs import DESTINATIONS


@given(document=documents())
def test_every_text_of_a_tree_is_shown_in_sequence(document: nodes.Document) -> None:
    expected = list(words(document))
    for destination in DESTINATIONS:
        check_words_preserved(expected, render(document, to=destination))


def words(document: nodes.Document) -> Iterator[str]:
    """Skip figures, math and raw HTML."""
    for token in nodes.walk(document):
        if isinstance(token, nodes.RawText | nodes.InlineCode | nodes.AutoLink | nodes.CodeFence | nodes.BlockCode):
            yield from token.content.split()
