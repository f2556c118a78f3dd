"""`/v1/documents/publish` and `/v1/documents/{id}/publish`."""

from starlette.requests import Request
from starlette.responses import Response

from mdpublish_core.client import models as responses
from mdpublish_core.hosting.pages import reading_minutes
from mdpublish_server import models
from mdpublish_server.api.documents import path_document_id
from mdpublish_server.api.operations import operation
from mdpublish_server.api.preconditions import expected_revisions, with_tag
from mdpublish_server.api.request_body import read_model
from mdpublish_server.api.responses import json_response
from mdpublish_server.auth.authentication import AuthenticatedRequest
from mdpublish_server.services.publishing import Publication
from mdpublish_server.state import AppState
from mdpublish_server.validation.body import DOCUMENT_BODY_BYTES


async def create_and_publish(state: AppState, auth: AuthenticatedRequest, request: Request) -> Response:
    new = await read_model(request, models.DocumentCreateAndPublish, max_bytes=DOCUMENT_BODY_BYTES)
    return _published(await state.publisher.create_and_publish(auth, new), status=201)


async def publish(state: AppState, auth: AuthenticatedRequest, request: Request) -> Response:
    document_id = path_document_id(request)
    options = await read_model(request, models.PublishOptions)
    async with expected_revisions(request) as seen:
        publication = await state.publisher.publish(auth, document_id, options, seen=seen)
    return _published(publication, status=200)


async def unpublish(state: AppState, auth: AuthenticatedRequest, request: Request) -> Response:
    document_id = path_document_id(request)
    async with expected_revisions(request) as seen:
        await state.publisher.unpublish(auth, document_id, seen=seen)
    return json_response(responses.UnpublishedDocument(id=document_id, is_published=False))


def _published(publication: Publication, *, status: int) -> Response:
    document = publication.document
    published = models.response_of(
        responses.PublishedDocument,
        document,
        published_url=publication.url,
        reading_time_minutes=reading_minutes(document.word_count),
        notices=models.shown_notices(publication.notices),
    )
    return with_tag(json_response(published, status=status), document.revision)


CREATE_AND_PUBLISH = operation(
    "createAndPublishDocument", create_and_publish, responses.PublishedDocument, models.DocumentCreateAndPublish
)
PUBLISH = operation("publishDocument", publish, responses.PublishedDocument, models.PublishOptions)
UNPUBLISH = operation("unpublishDocument", unpublish, responses.UnpublishedDocument)
