"""What the strategies for tests draw: a law is shown of nothing that they leave out."""

import pytest
from hypothesis import Phase, given, settings
from hypothesis.strategies import SearchStrategy

from mdpublish_core import nodes
from mdpublish_core.testing import documents, plain_documents

EVERY = {each for each in vars(nodes).values() if isinstance(each, type) and issubclass(each, nodes.Token)}
ABSTRACT = {nodes.Token, nodes.BlockToken, nodes.SpanToken}

OURS = {
    *(nodes.Callout, nodes.Figure, nodes.FootnoteDefinition, nodes.FootnoteReference, nodes.HtmlBlock),
    *(nodes.HtmlElement, nodes.HtmlSpan, nodes.MathBlock, nodes.MathSpan, nodes.TaskItem),
}
"""Those that mistletoe does not know."""

CONTAINERS = (nodes.Quote, nodes.Callout, nodes.List)
MARKS = (nodes.Emphasis, nodes.Strong, nodes.Strikethrough, nodes.Link)


def drawn(strategy: SearchStrategy[nodes.Document]) -> list[nodes.Document]:
    """Return 150 documents, always the same ones."""
    examples: list[nodes.Document] = []

    @settings(max_examples=150, derandomize=True, database=None, phases=[Phase.generate])
    @given(strategy)
    def draw(document: nodes.Document) -> None:
        examples.append(document)

    draw()
    return examples


def kinds(strategy: SearchStrategy[nodes.Document]) -> set[type[nodes.Token]]:
    return {type(token) for document in drawn(strategy) for token in nodes.walk(document)}


def test_documents_have_nodes_of_every_kind() -> None:
    assert EVERY - kinds(documents()) == ABSTRACT


def test_plain_documents_have_nodes_of_every_kind_that_mistletoe_reads() -> None:
    assert EVERY - kinds(plain_documents()) == ABSTRACT | OURS


def nesting(token: nodes.Token, counted: tuple[type[nodes.Token], ...]) -> int:
    return isinstance(token, counted) + max((nesting(each, counted) for each in nodes.children_of(token)), default=0)


@pytest.mark.parametrize("strategy", [documents(max_depth=1), plain_documents(max_depth=1)], ids=["all", "plain"])
def test_documents_nest_as_deep_as_they_may(strategy: SearchStrategy[nodes.Document]) -> None:
    examples = drawn(strategy)

    assert [max(nesting(each, counted) for each in examples) for counted in (CONTAINERS, MARKS)] == [1, 1]
