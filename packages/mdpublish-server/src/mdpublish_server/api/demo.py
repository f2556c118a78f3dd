"""`/v1/demo`: publish a page without an account, and claim it."""

from msgspec import UNSET
from starlette.requests import Request
from starlette.responses import Response

from mdpublish_core.client.models import ClaimedDocument, DemoPage
from mdpublish_server.api.operations import operation
from mdpublish_server.api.request_body import read_model
from mdpublish_server.api.responses import json_response
from mdpublish_server.auth.authentication import AuthenticatedRequest
from mdpublish_server.auth.plans import require_free_template
from mdpublish_server.errors import ValidationError
from mdpublish_server.models import DemoClaim, DemoCreate, response_of, shown_notices
from mdpublish_server.state import AppState
from mdpublish_server.validation.ip_addresses import client_network

_TOKEN_CHARACTERS = 200  # tokens have 36; longer ones are not looked up


async def publish(state: AppState, request: Request) -> Response:
    state.demo_limit.hit(client_network(request))
    draft = await read_model(request, DemoCreate)
    if draft.template_id is not UNSET:
        require_free_template(draft.template_id)
    demo = await state.demos.publish(draft, client_id=client_network(request))
    published = response_of(
        DemoPage, demo, template_id=demo.document.template_id, id=demo.document.id, notices=shown_notices(demo.notices)
    )
    return json_response(published, status=201)


async def claim(state: AppState, auth: AuthenticatedRequest, request: Request) -> Response:
    body = await read_model(request, DemoClaim)
    if not body.claim_token or len(body.claim_token) > _TOKEN_CHARACTERS:
        raise ValidationError(
            "claim_token must be the token of 36 characters that publishing the demo returned "
            f"(got {len(body.claim_token):,} characters)"
        )
    publication = await state.demos.claim(auth, body.claim_token)
    claimed = response_of(
        ClaimedDocument, publication.document, published_url=publication.url, notices=shown_notices(publication.notices)
    )
    return json_response(claimed)


PUBLISH = operation("publishDemo", publish, DemoPage, DemoCreate)
CLAIM = operation("claimDemo", claim, ClaimedDocument, DemoClaim)
