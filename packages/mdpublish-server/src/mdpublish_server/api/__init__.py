"""The REST API: the table of its operations.

An operation is a value: method, path, access, request body, responses, errors and examples. Router, OpenAPI document
and reference come from it. msgspec reads JSON and checks types; `validation` checks the rest, with messages that name
the field, the limit and the value that arrived. Models go straight to the services: their fields have the document's
names, and validators.
"""

from mdpublish_server.api import convert, demo, documents, images, imports, publishing, templates, usage
from mdpublish_server.api.operations import Operation

OPERATIONS: tuple[Operation, ...] = (
    convert.CONVERT,
    imports.IMPORT,
    documents.CREATE,
    documents.LIST,
    publishing.CREATE_AND_PUBLISH,
    documents.SHOW,
    documents.UPDATE,
    documents.DELETE,
    publishing.PUBLISH,
    publishing.UNPUBLISH,
    images.UPLOAD,
    images.LIST,
    images.FREE,
    images.DELETE,
    demo.PUBLISH,
    demo.CLAIM,
    templates.LIST,
    usage.SHOW,
)
"""Fixed paths before the patterns that also match them."""
