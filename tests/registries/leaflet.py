"""A sample output for test_registries.py: the title in capitals, as bytes, as often as its option says."""

from mdpublish_core.nodes import Document
from mdpublish_core.writers.context import RenderContext
from mdpublish_core.writers.document_defaults import title_of
from mdpublish_core.writers.rendering import RenderRequest
from mdpublish_core.writers.results import Conversion


def write(document: Document, request: RenderRequest) -> Conversion:
    copies = int((request.options and request.options.folds) or 1)
    return request.result(document, f"{title_of(document)}\n".upper().encode() * copies, RenderContext(None))
