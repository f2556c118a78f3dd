"""`/claim/<token>`: a demo's owner link, to claim or delete it. The token is the only authorization."""

from starlette.requests import Request
from starlette.responses import Response

from mdpublish_server.auth.csrf import require_same_origin
from mdpublish_server.errors import NotFound, ServiceError
from mdpublish_server.state import AppState
from mdpublish_server.storage import Account
from mdpublish_server.web.account.notices import redirect_with_notice
from mdpublish_server.web.account.sessions import Sessions, redirect, safe_next_path
from mdpublish_server.web.site import Site

_TOKEN_CHARACTERS = 200  # tokens have 36; longer ones are not looked up


class ClaimPages:
    """The owner link's page and its forms."""

    def __init__(self, state: AppState, sessions: Sessions, site: Site) -> None:
        self._state = state
        self._sessions = sessions
        self._site = site

    async def show(self, request: Request) -> Response:
        return await self._page(_token_of(request), await self._sessions.account_of(request))

    async def claim(self, request: Request) -> Response:
        """Claim the demo for the signed-in account; not counted against the monthly quota."""
        require_same_origin(request, self._state.settings.dashboard_url)
        token = _token_of(request)
        account = await self._sessions.account_of(request)
        if account is None:
            return redirect(f"/signin?next={safe_next_path(_path(token))}")
        auth = self._state.authenticator.session_request(account)
        try:
            await self._state.authenticator.require_rate(auth)
            await self._state.demos.claim(auth, token)
        except ServiceError as error:
            if error.status not in (403, 429):
                raise
            return await self._page(token, account, error=error)
        return redirect_with_notice("/account/documents", "claimed")

    async def confirm_deletion(self, request: Request) -> Response:
        token = _token_of(request)
        demo = await self._state.demos.owned(token)
        return self._site.page("account/demo_deletion.html", demo=demo, claim_path=_path(token))

    async def delete(self, request: Request) -> Response:
        require_same_origin(request, self._state.settings.dashboard_url)
        await self._state.demos.delete(_token_of(request))
        return redirect("/?done=deleted")

    async def _page(self, token: str, account: Account | None, *, error: ServiceError | None = None) -> Response:
        demo = await self._state.demos.owned(token)
        return self._site.page(
            "account/claim.html",
            error=error,
            demo=demo,
            claim_path=_path(token),
            account=account,
            is_open=self._state.settings.registration == "open",
        )


def _token_of(request: Request) -> str:
    token: str = request.path_params["token"]
    if len(token) > _TOKEN_CHARACTERS:
        raise NotFound("No page at this URL")
    return token


def _path(token: str) -> str:
    return f"/claim/{token}"
