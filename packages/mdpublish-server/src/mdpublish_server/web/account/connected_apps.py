"""`/account/apps`: what has access to the account, until it is disconnected."""

from starlette.requests import Request
from starlette.responses import Response

from mdpublish_server.auth.authentication import AuthenticatedRequest
from mdpublish_server.auth.scopes import SCOPES
from mdpublish_server.errors import NotFound
from mdpublish_server.services.apps import resource_of
from mdpublish_server.web.account.notices import notice_of, redirect_with_notice
from mdpublish_server.web.page_context import Pages


class ConnectedApps(Pages):
    """The list, and its buttons."""

    PATH = "/account/apps"

    async def show(self, request: Request, auth: AuthenticatedRequest) -> Response:
        return self._site.page(
            "account/apps.html",
            account=auth.account,
            grants=await self._state.apps.list(auth.account),
            sentences=SCOPES,
            url=resource_of(self._state.settings),
            notice=notice_of(request),
        )

    async def disconnect(self, request: Request, auth: AuthenticatedRequest) -> Response:
        for grant in await self._state.apps.list(auth.account):
            if grant.id == request.path_params["id"]:
                await self._state.apps.disconnect(grant)
                return redirect_with_notice(self.PATH, "disconnected")
        raise NotFound("No connected app has this id")
