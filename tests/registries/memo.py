"""A sample destination for test_registries.py: plain text under a heading."""

from mdpublish_core.nodes import Document
from mdpublish_core.writers import plain_text
from mdpublish_core.writers.context import RenderContext


def render(document: Document, context: RenderContext) -> str:
    context.notice("undated", "the memo has no date")
    return f"MEMO\n\n{plain_text.render(document, context)}"
