"""`/claim/<token>`: a demo's owner link, which leads to its claim by an account, or to its deletion.

Whoever has the link may do both, as by the API: it is shown once, to who published the demo.
"""

from starlette.requests import Request
from starlette.responses import Response

from mdpublish_server.auth.csrf import require_same_origin
from mdpublish_server.errors import NotFound, ServiceError
from mdpublish_server.state import AppState
from mdpublish_server.storage import Account
from mdpublish_server.web.account.notices import redirect_with_notice
from mdpublish_server.web.account.sessions import Sessions, redirect, safe_next_path
from mdpublish_server.web.site import Site

# A claim token has 36; what is much longer is none, and is not looked for.
_TOKEN_CHARACTERS = 200


class ClaimPages:
    """The page of an owner link, and its two buttons."""

    def __init__(self, state: AppState, sessions: Sessions, site: Site) -> None:
        self._state = state
        self._sessions = sessions
        self._site = site

    async def show(self, request: Request) -> Response:
        """Show the demo, and what can be done with it."""
        return await self._page(_token_of(request), await self._sessions.account_of(request))

    async def claim(self, request: Request) -> Response:
        """Make the demo a document of whoever is signed in; it costs no call of the month."""
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
        """Show what is lost with the demo."""
        token = _token_of(request)
        demo = await self._state.demos.owned(token)
        return self._site.page("account/demo_deletion.html", demo=demo, claim_path=_path(token))

    async def delete(self, request: Request) -> Response:
        """Delete the demo with its text, at once."""
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
    """Return the claim token that the path names; raises `NotFound` where it cannot be one."""
    token: str = request.path_params["token"]
    if len(token) > _TOKEN_CHARACTERS:
        raise NotFound("there is nothing at this address")
    return token


def _path(token: str) -> str:
    return f"/claim/{token}"
