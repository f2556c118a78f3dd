"""Law: a plain tree written by mistletoe's Markdown renderer parses as the same tree."""

from hypothesis import given
from mistletoe.markdown_renderer import MarkdownRenderer

from mdpublish_core import parse, to_mistletoe
from mdpublish_core.nodes import Document
from mdpublish_core.testing import plain_documents, shape


@given(plain_documents())
def test_written_tree_is_read_as_the_same(document: Document) -> None:
    with MarkdownRenderer() as renderer:
        markdown = renderer.render(to_mistletoe(document, blank_lines=True))

    assert shape(parse(markdown)) == shape(document), markdown
