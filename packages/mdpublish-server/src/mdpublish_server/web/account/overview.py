"""`/account`: the plan and its usage."""

from dataclasses import dataclass

from starlette.requests import Request
from starlette.responses import Response

from mdpublish_server.auth.authentication import AuthenticatedRequest, next_month, requests_used
from mdpublish_server.services.images import MEGABYTE
from mdpublish_server.storage.accounts import UNLIMITED
from mdpublish_server.web.account.notices import notice_of
from mdpublish_server.web.page_context import Pages


@dataclass(frozen=True, slots=True, kw_only=True)
class UsageOf:
    """Usage of a limit, which may exceed it after a downgrade; a `limit` of None is unlimited."""

    used: int
    limit: int | None


class OverviewPage(Pages):
    """The account's overview."""

    async def show(self, request: Request, auth: AuthenticatedRequest) -> Response:
        account, plan, now = auth.account, auth.plan, auth.now
        return self._site.page(
            "account/overview.html",
            account=account,
            plan=plan,
            api_requests=_use(requests_used(account, now=now), plan.monthly_quota),
            documents=_use(account.documents, plan.documents),
            images=_use(round(account.image_bytes / MEGABYTE), plan.image_megabytes),
            pages=_use(account.pages, plan.pages),
            reset=next_month(now),
            notice=notice_of(request),
        )


def _use(used: int, limit: int) -> UsageOf:
    return UsageOf(used=used, limit=None if limit >= UNLIMITED else limit)
