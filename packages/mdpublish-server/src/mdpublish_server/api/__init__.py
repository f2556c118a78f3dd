"""The REST API: its operations, a line each; `operations` says how all of them are run."""

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
"""Every operation, a path before another that it would match too."""
