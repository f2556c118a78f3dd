"""`/v1/documents/publish` and `/v1/documents/{id}/publish`: a document's page."""

from msgspec import UNSET
from starlette.requests import Request
from starlette.responses import Response

from mdpublish_core.page import reading_minutes
from mdpublish_server.api.answers import answer
from mdpublish_server.api.bodies import read_model
from mdpublish_server.api.documents import ID, document_id
from mdpublish_server.api.operations import Operation, Services
from mdpublish_server.clock import iso
from mdpublish_server.documents import NewDocument
from mdpublish_server.models import CreateAndPublishBody, PublishAnswer, PublishBody, UnpublishAnswer
from mdpublish_server.policies.admission import Call
from mdpublish_server.policies.bodies import DOCUMENT_BODY_BYTES
from mdpublish_server.policies.slugs import checked_slug
from mdpublish_server.policies.texts import (
    CONTENT_BYTES,
    checked_description,
    checked_markdown,
    checked_page_width,
    checked_template,
    checked_theme_mode,
    checked_title,
    checked_visibility,
)
from mdpublish_server.publishing import Publication, PublishOptions


async def create_and_publish(services: Services, call: Call, request: Request) -> Response:
    """Keep a new document and publish it."""
    body = await read_model(request, CreateAndPublishBody, most=DOCUMENT_BODY_BYTES)
    new = NewDocument(
        title=checked_title(body.title),
        content=checked_markdown("content", body.content, most=CONTENT_BYTES),
        template_id=checked_template(body.template_id),
        theme_mode=checked_theme_mode(body.theme_mode),
    )
    options = PublishOptions(
        slug=UNSET if body.slug is UNSET else checked_slug(body.slug),
        description=UNSET if body.description is UNSET else checked_description(body.description),
    )
    return _published(await services.publisher.create_and_publish(call, new, options), status=201)


async def publish(services: Services, call: Call, request: Request) -> Response:
    """Publish a document, or publish it anew."""
    found_id = document_id(request)
    body = await read_model(request, PublishBody)
    options = PublishOptions(
        slug=UNSET if body.slug is UNSET else checked_slug(body.slug),
        description=UNSET if body.description is UNSET else checked_description(body.description),
        hide_badge=body.hide_badge,
        visibility=UNSET if body.visibility is UNSET else checked_visibility(body.visibility),
        page_width=UNSET if body.page_width is UNSET else checked_page_width(body.page_width),
    )
    return _published(await services.publisher.publish(call, found_id, options), status=200)


async def unpublish(services: Services, call: Call, request: Request) -> Response:
    """Take a document's page away."""
    found_id = document_id(request)
    await services.publisher.unpublish(call, found_id)
    return answer(UnpublishAnswer(id=found_id, is_published=False))


def _published(publication: Publication, *, status: int) -> Response:
    document = publication.document
    assert document.published_at is not None
    published = PublishAnswer(
        id=document.id,
        title=document.title,
        published_url=publication.url,
        published_at=iso(document.published_at),
        template_id=document.template_id,
        word_count=document.word_count,
        reading_time_minutes=reading_minutes(document.word_count),
    )
    return answer(published, status=status)


_EXAMPLE_ANSWER = {
    "id": "9f6c1b34-9a53-4c53-8a83-6c1a8f0f2b11",
    "title": "Garden day",
    "published_url": "https://example.org/u/anna/garden-day-k3x9qz",
    "published_at": "2026-11-20T09:00:00.000000Z",
    "template_id": "swiss",
    "word_count": 6,
    "reading_time_minutes": 1,
}

CREATE_AND_PUBLISH = Operation(
    method="POST",
    path="/documents/publish",
    name="createAndPublishDocument",
    summary="Create and publish a document",
    description="Keeps a document and publishes it, in one step.",
    tag="Publishing",
    endpoint=create_and_publish,
    body=CreateAndPublishBody,
    body_example={"title": "Garden day", "content": "# Garden day\n\nWe meet on **Saturday**.\n"},
    status=201,
    answer=PublishAnswer,
    answer_example=_EXAMPLE_ANSWER,
    codes=("invalid_body", "validation_error", "forbidden", "quota_exceeded", "conflict", "render_error"),
)
PUBLISH = Operation(
    method="POST",
    path="/documents/{id}/publish",
    name="publishDocument",
    summary="Publish a document",
    description="Publishes a document, or publishes it anew with its newest text; options that are left out stay as they "
    "were.",
    tag="Publishing",
    endpoint=publish,
    parameters=(ID,),
    body=PublishBody,
    body_example={"description": "What we plant this year.", "page_width": "wide"},
    answer=PublishAnswer,
    answer_example=_EXAMPLE_ANSWER,
    codes=("invalid_body", "validation_error", "forbidden", "quota_exceeded", "not_found", "conflict", "render_error"),
)
UNPUBLISH = Operation(
    method="DELETE",
    path="/documents/{id}/publish",
    name="unpublishDocument",
    summary="Unpublish a document",
    description="Takes a document's page away. Its slug stays its own, so that publishing it again gives the same address.",
    tag="Publishing",
    endpoint=unpublish,
    parameters=(ID,),
    answer=UnpublishAnswer,
    answer_example={"id": "9f6c1b34-9a53-4c53-8a83-6c1a8f0f2b11", "is_published": False},
    codes=("not_found",),
)
