"""A destination that is added to a copy of the source: plain text in capitals."""

from mdpublish_core.destinations import plain_text
from mdpublish_core.destinations.setting import Setting
from mdpublish_core.nodes import Document


def render(document: Document, setting: Setting) -> str:
    """Return the document in capitals, and tell its author so."""
    setting.notice("shouting", "the text is in capitals")
    return plain_text.render(document, setting).upper()
