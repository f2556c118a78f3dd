"""`/v1/demo`: pages published without an account, and how they are claimed."""

from starlette.requests import Request
from starlette.responses import Response

from mdpublish_server.api.answers import answer
from mdpublish_server.api.bodies import read_model
from mdpublish_server.api.operations import Access, Operation, Services
from mdpublish_server.clock import iso
from mdpublish_server.demos import DemoDraft
from mdpublish_server.errors import ValidationError
from mdpublish_server.models import ClaimAnswer, ClaimBody, DemoPublishAnswer, DemoPublishBody
from mdpublish_server.policies.admission import Call
from mdpublish_server.policies.callers import address_of
from mdpublish_server.policies.plans import require_free_template
from mdpublish_server.policies.texts import checked_markdown, checked_template, checked_theme_mode, checked_title

# A token has 36; what is much longer is none, and is not looked for.
_TOKEN_CHARACTERS = 200


async def publish(services: Services, request: Request) -> Response:
    """Publish the body's text as a page that expires in 72 hours."""
    services.demo_cap.require_room(address_of(request))
    body = await read_model(request, DemoPublishBody)
    draft = DemoDraft(
        content=checked_markdown("content", body.content),
        title=checked_title(body.title),
        template_id=checked_template(body.template_id),
        theme_mode=checked_theme_mode(body.theme_mode),
    )
    require_free_template(draft.template_id)
    demo = await services.demos.publish(draft, caller=address_of(request))
    published = DemoPublishAnswer(
        url=demo.url,
        claim_token=demo.claim_token,
        claim_url=demo.claim_url,
        expires_at=iso(demo.expires_at),
        template_id=demo.document.template_id,
        id=demo.document.id,
    )
    return answer(published, status=201)


async def claim(services: Services, call: Call, request: Request) -> Response:
    """Make the demo of the body's token a document of the caller."""
    body = await read_model(request, ClaimBody)
    if not body.claim_token or len(body.claim_token) > _TOKEN_CHARACTERS:
        raise ValidationError(
            f"claim_token is {len(body.claim_token):,} characters; it takes the token that publishing the demo gave, "
            "which has 36"
        )
    publication = await services.demos.claim(call, body.claim_token)
    document = publication.document
    assert document.slug is not None
    claimed = ClaimAnswer(
        id=document.id,
        title=document.title,
        published_url=publication.url,
        slug=document.slug,
        template_id=document.template_id,
    )
    return answer(claimed)


PUBLISH = Operation(
    method="POST",
    path="/demo/publish",
    name="publishDemo",
    summary="Publish a demo page",
    description="Publishes a page without an account. It is public at an address that nobody can guess, search engines are "
    "asked not to list it, and it expires after 72 hours unless it is claimed. The text is looked through for abuse.",
    tag="Demo",
    endpoint=publish,
    access=Access.OPEN,
    is_counted=False,
    body=DemoPublishBody,
    body_example={"title": "Garden day", "content": "# Garden day\n\nWe meet on **Saturday**.\n"},
    status=201,
    answer=DemoPublishAnswer,
    answer_example={
        "url": "https://example.org/p/5w2n0c7x1kq9z3v8b4m6",
        "claim_token": "0b7c2f1e-6a56-4f0e-9d1a-0a5a3c1b7e42",
        "claim_url": "https://example.org/claim/0b7c2f1e-6a56-4f0e-9d1a-0a5a3c1b7e42",
        "expires_at": "2026-11-23T09:00:00.000000Z",
        "template_id": "swiss",
        "id": "9f6c1b34-9a53-4c53-8a83-6c1a8f0f2b11",
    },
    codes=("invalid_body", "validation_error", "content_rejected", "rate_limited", "render_error"),
)
CLAIM = Operation(
    method="POST",
    path="/demo/claim",
    name="claimDemo",
    summary="Claim a demo page",
    description="Makes a demo page a permanent document of the caller. It gets a new address, to which the old one "
    "redirects. A token is used once.",
    tag="Demo",
    endpoint=claim,
    access=Access.KEY_OR_SESSION,
    body=ClaimBody,
    body_example={"claim_token": "0b7c2f1e-6a56-4f0e-9d1a-0a5a3c1b7e42"},
    answer=ClaimAnswer,
    answer_example={
        "id": "9f6c1b34-9a53-4c53-8a83-6c1a8f0f2b11",
        "title": "Garden day",
        "published_url": "https://example.org/u/anna/garden-day-k3x9qz",
        "slug": "garden-day-k3x9qz",
        "template_id": "swiss",
    },
    codes=("invalid_body", "validation_error", "forbidden", "quota_exceeded", "not_found", "expired", "render_error"),
)
