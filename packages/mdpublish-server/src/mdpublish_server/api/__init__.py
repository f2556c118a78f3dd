"""The REST API: the table of its operations."""

from mdpublish_server.api import convert, demo, documents, publishing, templates, usage
from mdpublish_server.api.operations import Operation

OPERATIONS: tuple[Operation, ...] = (
    convert.CONVERT,
    documents.CREATE,
    documents.LIST,
    publishing.CREATE_AND_PUBLISH,
    documents.SHOW,
    documents.UPDATE,
    documents.DELETE,
    publishing.PUBLISH,
    publishing.UNPUBLISH,
    demo.PUBLISH,
    demo.CLAIM,
    templates.LIST,
    usage.SHOW,
)
"""Fixed paths before the patterns that also match them."""
