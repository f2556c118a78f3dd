"""Google Docs: everything in spans with styles, code as paragraphs in a monospace font."""

from mdpublish_core.readers.html.parse import Element
from mdpublish_core.readers.html.sources.cleaning import join_code, unwrap_item_paragraphs


def clean(root: Element) -> None:
    join_code(root)
    unwrap_item_paragraphs(root)
