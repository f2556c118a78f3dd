"""`GET /v1/usage`."""

from starlette.requests import Request
from starlette.responses import Response

from mdpublish_core.client.models import Usage
from mdpublish_server.api.operations import operation
from mdpublish_server.api.responses import json_response
from mdpublish_server.auth.authentication import AuthenticatedRequest, month_of, next_month, requests_used
from mdpublish_server.clock import iso
from mdpublish_server.state import AppState


async def show(_state: AppState, auth: AuthenticatedRequest, _request: Request) -> Response:
    used = requests_used(auth.account, now=auth.now)
    usage = Usage(
        used=used,
        limit=auth.plan.monthly_quota,
        # After a downgrade, usage may exceed the quota.
        remaining=max(0, auth.plan.monthly_quota - used),
        month=month_of(auth.now),
        reset_date=iso(next_month(auth.now)),
        image_bytes=auth.account.image_bytes,
        image_bytes_limit=auth.plan.max_image_bytes,
        tier=auth.plan.name,
    )
    return json_response(usage)


SHOW = operation("getUsage", show, Usage)
