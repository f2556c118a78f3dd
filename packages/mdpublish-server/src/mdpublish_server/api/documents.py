"""`/v1/documents`: create, list, get, update, delete."""

import re
from base64 import urlsafe_b64decode, urlsafe_b64encode
from datetime import UTC, datetime
from typing import TypeVar
from uuid import UUID

from starlette.requests import Request
from starlette.responses import Response

from mdpublish_server import models
from mdpublish_server.api.bodies import read_model
from mdpublish_server.api.operations import Operation, Parameter
from mdpublish_server.api.responses import json_response
from mdpublish_server.documents import no_document
from mdpublish_server.errors import ValidationError
from mdpublish_server.models import response_of
from mdpublish_server.policies.admission import Call
from mdpublish_server.policies.bodies import DOCUMENT_BODY_BYTES
from mdpublish_server.state import AppState
from mdpublish_server.storage import Document, DocumentSummary
from mdpublish_server.storage.times import microseconds, moment

_Model = TypeVar("_Model", models.Document, models.DocumentSummary)

DEFAULT_PAGE = 20
LONGEST_PAGE = 100

_ID = re.compile(r"[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}")
_INTEGER = re.compile(r"[+-]?[0-9]{1,4000}")
_CURSOR = re.compile(r"[A-Za-z0-9_-]{32}")
_LATEST = datetime.max.replace(tzinfo=UTC)

_EXAMPLE_ID = "9f6c1b34-9a53-4c53-8a83-6c1a8f0f2b11"
_EXAMPLE_TIME = "2026-11-20T09:00:00.000000Z"

ID = Parameter(
    name="id",
    place="path",
    description="The document's id.",
    schema={"type": "string", "format": "uuid"},
    example=_EXAMPLE_ID,
    is_required=True,
)


async def create(state: AppState, call: Call, request: Request) -> Response:
    """Keep a new document."""
    new = await read_model(request, models.DocumentCreate, most=DOCUMENT_BODY_BYTES)
    document = await state.documents.create(call, new)
    return json_response(response_of(models.CreatedDocument, document), status=201)


async def show_list(state: AppState, call: Call, request: Request) -> Response:
    """List the caller's documents, the one edited last first."""
    most = _page_size(request.query_params.get("limit"))
    before, before_id = read_cursor(request.query_params.get("cursor"))
    documents, has_more = await state.documents.list(call, before=before, before_id=before_id, most=most)
    listed = models.DocumentList(
        data=tuple(_shown(models.DocumentSummary, document) for document in documents),
        has_more=has_more,
        next_cursor=cursor_of(documents[-1]) if has_more else None,
    )
    return json_response(listed)


async def show(state: AppState, call: Call, request: Request) -> Response:
    """Give one document."""
    document = await state.documents.get(call, document_id(request))
    return json_response(_shown(models.Document, document))


async def update(state: AppState, call: Call, request: Request) -> Response:
    """Change what the body names."""
    found_id = document_id(request)
    changes = await read_model(request, models.DocumentUpdate, most=DOCUMENT_BODY_BYTES)
    document = await state.documents.update(call, found_id, changes)
    return json_response(response_of(models.UpdatedDocument, document))


async def delete(state: AppState, call: Call, request: Request) -> Response:
    """Delete a document for good."""
    await state.documents.delete(call, document_id(request))
    return json_response(models.DeletedDocument(success=True))


def document_id(request: Request) -> str:
    """Return the id in the path; raises `NotFound` where it cannot be one."""
    given: str = request.path_params["id"]
    if not _ID.fullmatch(given):
        raise no_document()
    return given


def _page_size(limit: str | None) -> int:
    """Return how many documents to list: 1 to 100, the nearest to what was asked for; raises `ValidationError`."""
    if limit is None:
        return DEFAULT_PAGE
    if not _INTEGER.fullmatch(limit):
        raise ValidationError(f"limit is {limit[:20]!r}; it takes an integer, and lists 1 to {LONGEST_PAGE}")
    return min(max(int(limit), 1), LONGEST_PAGE)


def cursor_of(document: DocumentSummary) -> str:
    """Return what marks the place in the list behind a document."""
    place = microseconds(document.updated_at).to_bytes(8) + UUID(document.id).bytes
    return urlsafe_b64encode(place).decode()


def read_cursor(cursor: str | None) -> tuple[datetime, str]:
    """Return the place in the list that a cursor marks; raises `ValidationError`."""
    if cursor is None:
        return _LATEST, ""
    if not _CURSOR.fullmatch(cursor):
        raise ValidationError("cursor is not one that a list gave as its next_cursor")
    place = urlsafe_b64decode(cursor)
    latest = microseconds(_LATEST)
    return moment(min(int.from_bytes(place[:8]), latest)), str(UUID(bytes=place[8:]))


def _shown(model: type[_Model], document: Document | DocumentSummary) -> _Model:
    """Return a document as it is shown: its slug is kept while it is not published, and not shown."""
    is_published = document.published_at is not None
    return response_of(model, document, is_published=is_published, slug=document.slug if is_published else None)


_EXAMPLE_SUMMARY = {
    "id": _EXAMPLE_ID,
    "title": "Garden day",
    "template_id": "swiss",
    "theme_mode": "light",
    "is_published": True,
    "slug": "garden-day-k3x9qz",
    "page_width": "standard",
    "word_count": 6,
    "created_at": _EXAMPLE_TIME,
    "updated_at": _EXAMPLE_TIME,
}

CREATE = Operation(
    method="POST",
    path="/documents",
    name="createDocument",
    summary="Create a document",
    description="Keeps a document, unpublished.",
    tag="Documents",
    endpoint=create,
    body=models.DocumentCreate,
    body_example={"title": "Garden day", "content": "# Garden day\n\nWe meet on **Saturday**.\n"},
    status=201,
    answer=models.CreatedDocument,
    answer_example={
        "id": _EXAMPLE_ID,
        "title": "Garden day",
        "template_id": "swiss",
        "theme_mode": "light",
        "created_at": _EXAMPLE_TIME,
    },
    codes=("invalid_body", "validation_error", "forbidden"),
)
LIST = Operation(
    method="GET",
    path="/documents",
    name="listDocuments",
    summary="List documents",
    description="Lists the caller's documents without their text, the one edited last first. Go on with `next_cursor` until "
    "`has_more` is false. Not counted against the monthly quota.",
    tag="Documents",
    endpoint=show_list,
    is_counted=False,
    parameters=(
        Parameter(
            name="limit",
            place="query",
            description=f"Documents in one answer, 1 to {LONGEST_PAGE}; what lies beyond is taken for the nearest of them.",
            schema={"type": "integer", "default": DEFAULT_PAGE},
            example=DEFAULT_PAGE,
        ),
        Parameter(
            name="cursor",
            place="query",
            description="The `next_cursor` of the answer before, unchanged.",
            schema={"type": "string", "pattern": f"^{_CURSOR.pattern}$"},
            example="AAYmGJp6wACfbBs0mlNMU4qDbBqPDysR",
        ),
    ),
    answer=models.DocumentList,
    answer_example={"data": [_EXAMPLE_SUMMARY], "has_more": False, "next_cursor": None},
    codes=("validation_error",),
)
SHOW = Operation(
    method="GET",
    path="/documents/{id}",
    name="getDocument",
    summary="Get a document",
    description="Gives a document with its text. Not counted against the monthly quota.",
    tag="Documents",
    endpoint=show,
    is_counted=False,
    parameters=(ID,),
    answer=models.Document,
    answer_example={
        "id": _EXAMPLE_ID,
        "title": "Garden day",
        "content": "# Garden day\n\nWe meet on **Saturday**.\n",
        "template_id": "swiss",
        "theme_mode": "light",
        "is_published": True,
        "slug": "garden-day-k3x9qz",
        "published_at": _EXAMPLE_TIME,
        "description": None,
        "page_width": "standard",
        "visibility": "link",
        "word_count": 6,
        "created_at": _EXAMPLE_TIME,
        "updated_at": _EXAMPLE_TIME,
    },
    codes=("not_found",),
)
UPDATE = Operation(
    method="PATCH",
    path="/documents/{id}",
    name="updateDocument",
    summary="Change a document",
    description="Changes the fields that the body names. The page of a published document changes at once.",
    tag="Documents",
    endpoint=update,
    parameters=(ID,),
    body=models.DocumentUpdate,
    body_example={"content": "# Garden day\n\nWe meet on **Sunday**.\n", "description": None},
    answer=models.UpdatedDocument,
    answer_example={
        "id": _EXAMPLE_ID,
        "title": "Garden day",
        "template_id": "swiss",
        "theme_mode": "light",
        "page_width": "standard",
        "updated_at": _EXAMPLE_TIME,
    },
    codes=("invalid_body", "validation_error", "forbidden", "not_found", "render_error"),
)
DELETE = Operation(
    method="DELETE",
    path="/documents/{id}",
    name="deleteDocument",
    summary="Delete a document",
    description="Deletes a document for good, with its page.",
    tag="Documents",
    endpoint=delete,
    parameters=(ID,),
    answer=models.DeletedDocument,
    answer_example={"success": True},
    codes=("not_found",),
)
