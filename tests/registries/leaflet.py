"""A sample output for test_registries.py: the title in capitals, as bytes."""

from mdpublish_core.nodes import Document
from mdpublish_core.writers.context import RenderContext
from mdpublish_core.writers.document_defaults import title_of
from mdpublish_core.writers.rendering import RenderRequest
from mdpublish_core.writers.results import Conversion


def write(document: Document, request: RenderRequest) -> Conversion:
    return request.result(document, f"{title_of(document)}\n".upper().encode(), RenderContext(None))
