"""`/v1/documents`: create, list, get, update, delete."""

import re
from collections.abc import Callable
from typing import TypeVar

from starlette.requests import Request
from starlette.responses import Response

from mdpublish_core.client import models as responses
from mdpublish_server import models
from mdpublish_server.api import preconditions
from mdpublish_server.api.operations import example_of, operation
from mdpublish_server.api.pagination import cursor_after, page_size, read_cursor
from mdpublish_server.api.request_body import read_model
from mdpublish_server.api.responses import HEADERS, json_response
from mdpublish_server.auth.authentication import AuthenticatedRequest
from mdpublish_server.errors import NotFound
from mdpublish_server.models import response_of
from mdpublish_server.services.documents import no_document
from mdpublish_server.state import AppState
from mdpublish_server.storage import DocumentSummary
from mdpublish_server.validation.body import DOCUMENT_BODY_BYTES
from mdpublish_server.validation.validators import validate_folder

_Model = TypeVar("_Model", responses.Document, responses.DocumentSummary)

# In either case (RFC 9562, section 4).
DOCUMENT_ID = re.compile(r"[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12}")


async def create(state: AppState, auth: AuthenticatedRequest, request: Request) -> Response:
    new = await read_model(request, models.DocumentCreate, max_bytes=DOCUMENT_BODY_BYTES)
    document, notices = await state.documents.create(auth, new)
    created = response_of(responses.CreatedDocument, document, notices=models.shown_notices(notices))
    return preconditions.with_tag(json_response(created, status=201), document.revision)


async def show_list(state: AppState, auth: AuthenticatedRequest, request: Request) -> Response:
    limit = page_size(request.query_params.get("limit"))
    before, before_id = read_cursor(request.query_params.get("cursor"))
    folder = request.query_params.get("folder")
    documents, has_more = await state.documents.list(
        auth,
        before=before,
        before_id=before_id,
        limit=limit,
        folder=None if folder is None else validate_folder(folder) or "",
    )
    listed = responses.DocumentList(
        data=tuple(_shown(responses.DocumentSummary, document) for document in documents),
        has_more=has_more,
        next_cursor=cursor_after(documents[-1].updated_at, documents[-1].id) if has_more else None,
    )
    return json_response(listed)


async def show(state: AppState, auth: AuthenticatedRequest, request: Request) -> Response:
    working = await state.working_copies.get(auth, path_document_id(request))
    document, is_changed = working.document, working.is_changed
    if preconditions.is_known(request, document.revision, is_changed=is_changed):
        response = Response(status_code=304, headers=HEADERS)
    else:
        response = json_response(_shown(responses.Document, document, has_draft_changes=is_changed))
    return preconditions.with_tag(response, document.revision, is_changed=is_changed)


async def update(state: AppState, auth: AuthenticatedRequest, request: Request) -> Response:
    document_id = path_document_id(request)
    changes = await read_model(request, models.DocumentUpdate, max_bytes=DOCUMENT_BODY_BYTES)
    async with preconditions.expected_revisions(request) as seen:
        updated = await state.documents.update(auth, document_id, changes, seen=seen)
    shown = response_of(responses.UpdatedDocument, updated.document, notices=models.shown_notices(updated.notices))
    return preconditions.with_tag(json_response(shown), updated.document.revision)


async def delete(state: AppState, auth: AuthenticatedRequest, request: Request) -> Response:
    async with preconditions.expected_revisions(request) as seen:
        await state.documents.delete(auth, path_document_id(request), seen=seen)
    return json_response(responses.DeletedDocument(success=True))


def path_document_id(request: Request) -> str:
    """Return the id in the path, in lower case; raise `NotFound` if it is not a UUID."""
    return path_id(request, no_document)


def path_id(request: Request, no_such: Callable[[], NotFound]) -> str:
    value: str = request.path_params["id"]
    if not DOCUMENT_ID.fullmatch(value):
        raise no_such()
    return value.lower()


def _shown(model: type[_Model], document: DocumentSummary, **computed: bool) -> _Model:
    """Build the response model; an unpublished document's slug is hidden."""
    is_published = document.published_at is not None
    slug = document.slug if is_published else None
    return response_of(model, document, is_published=is_published, slug=slug, **computed)


CREATE = operation("createDocument", create, responses.CreatedDocument, models.DocumentCreate)
LIST = operation(
    "listDocuments",
    show_list,
    responses.DocumentList,
    response_example={"data": [example_of(responses.DocumentSummary)]},
)
SHOW = operation("getDocument", show, responses.Document)
UPDATE = operation(
    "updateDocument",
    update,
    responses.UpdatedDocument,
    models.DocumentUpdate,
    body_example={"content": "# Garden day\n\nWe meet on **Sunday**.\n", "description": None},
)
DELETE = operation("deleteDocument", delete, responses.DeletedDocument)
