"""The output `tree`: a document's tree, indented, for people."""

from mdpublish_core.nodes import Document
from mdpublish_core.writers import RenderContext
from mdpublish_core.writers.rendering import RenderRequest
from mdpublish_core.writers.results import Conversion


def write(document: Document, request: RenderRequest) -> Conversion:
    """Write the output `tree`."""
    return request.result(document, document.dump(lines=True), RenderContext(None))
