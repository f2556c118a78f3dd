"""Sessions: a random token in an HttpOnly, SameSite cookie."""

import re
from collections.abc import Awaitable, Callable

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.types import ASGIApp

from mdpublish_server.auth.authentication import AuthenticatedRequest, has_bearer
from mdpublish_server.auth.devices import account_target
from mdpublish_server.errors import NotFound, ServiceUnavailable
from mdpublish_server.services.accounts import SESSION_LIFETIME, sign_in, sign_out
from mdpublish_server.services.apps import MAX_REQUEST_CHARACTERS
from mdpublish_server.services.security_mails import SIGNED_IN
from mdpublish_server.state import AppState
from mdpublish_server.storage import Account, Session
from mdpublish_server.validation.browsers import place_of
from mdpublish_server.validation.cookies import read_cookie
from mdpublish_server.validation.ip_addresses import shown_network
from mdpublish_server.web.cookies import delete_cookie, set_cookie
from mdpublish_server.web.devices import DeviceCookies
from mdpublish_server.web.endpoints import Endpoint
from mdpublish_server.web.redirects import redirect

MemberEndpoint = Callable[[Request, AuthenticatedRequest], Awaitable[ASGIApp]]

HOME = "/documents"
"""Default target after signing in."""

# A single leading slash: two would name another host.
_NEXT_PATH = re.compile(r"/(?:[a-z0-9][A-Za-z0-9/_.~-]{0,300})?", re.ASCII)
# What an app asks for, after signing in.
_NEXT_REQUEST = re.compile(rf"/authorize\?[A-Za-z0-9%&=+_.~:/*-]{{1,{MAX_REQUEST_CHARACTERS}}}", re.ASCII)


class Sessions:
    """Store of sessions and their cookies."""

    def __init__(self, state: AppState, devices: DeviceCookies) -> None:
        self._settings = state.settings
        self._database = state.database
        self._authenticator = state.authenticator
        self._clock = state.clock
        self._devices = devices
        self._mails = state.security_mails

    async def account_of(self, request: Request) -> Account | None:
        """Return the signed-in account, unless it is barred."""
        if (token := self.token_of(request)) is None:
            return None
        return await self._authenticator.account_of_session(token, network=shown_network(request))

    async def request_of(self, request: Request) -> AuthenticatedRequest | None:
        """Return the request as the signed-in account's, which does not count for the month."""
        account = await self.account_of(request)
        return None if account is None else self._authenticator.session_request(account)

    async def account_if_known(self, request: Request) -> Account | None:
        """Return the signed-in account for a page that also works without the database; None in an outage."""
        try:
            return await self.account_of(request)
        except ServiceUnavailable:
            return None

    def with_use(self, endpoint: Endpoint) -> Endpoint:
        """Wrap `endpoint`, which shows an account's private pages to its session: record the use."""

        async def respond(request: Request) -> ASGIApp:
            await self.account_if_known(request)
            return await endpoint(request)

        return respond

    def require_sign_in(self, endpoint: MemberEndpoint) -> Endpoint:
        """Wrap `endpoint`: pass who is signed in, or redirect to sign in."""

        async def respond(request: Request) -> ASGIApp:
            auth = await self.request_of(request)
            return redirect_to_sign_in(request) if auth is None else await endpoint(request, auth)

        return respond

    def require_operator(self, endpoint: MemberEndpoint) -> Endpoint:
        """Wrap `endpoint` for operators; others get 404."""

        async def respond(request: Request, auth: AuthenticatedRequest) -> ASGIApp:
            if not auth.account.is_operator:
                raise NotFound("No page at this URL")
            return await endpoint(request, auth)

        return self.require_sign_in(respond)

    def token_of(self, request: Request) -> str | None:
        return read_cookie(request, self._settings.session_cookie)

    async def new_token(self, request: Request, account: Account, *, id_token: str | None = None) -> str:
        """Begin a session in place of the browser's old one, and return its token; mail the owner of a new browser."""
        now, place = self._clock(), place_of(request)
        old = self.token_of(request)
        # Who must delete something may have to sign in.
        token = await self._database.write_reserved(
            sign_in, account, now=now, place=place, replaces=old, id_token=id_token
        )
        if (await self._devices.read(request)).id_for(account_target(account.email)) is None:
            await self._mails.tell(SIGNED_IN, account, place)
        return token

    async def redirect_with_session(self, request: Request, token: str, email: str, *, path: str = HOME) -> Response:
        response = redirect(path)
        await self.set_token(request, response, token, email)
        return response

    async def set_token(self, request: Request, response: Response, token: str, email: str) -> None:
        """Set the cookie, and remember that the browser succeeded with the account of `email`."""
        await self._devices.remember(request, response, account_target(email))
        seconds = int(SESSION_LIFETIME.total_seconds())
        set_cookie(response, self._settings, self._settings.session_cookie, token, seconds=seconds)

    async def end(self, request: Request, *, path: str = "/") -> Response:
        """End the session, delete the cookie, and redirect."""
        await self.end_session(request)
        return self.without_token(redirect(path))

    async def end_session(self, request: Request) -> Session | None:
        """End the session, and return it."""
        token = self.token_of(request)
        return None if token is None else await self._database.write_reserved(sign_out, token)

    def without_token(self, response: Response) -> Response:
        delete_cookie(response, self._settings, self._settings.session_cookie)
        return response


def redirect_to_sign_in(request: Request) -> Response:
    if has_bearer(request):
        raise HTTPException(404)  # of a program, whose path lacks `/v1`
    if request.method not in ("GET", "HEAD"):
        return redirect("/signin")
    return redirect(f"/signin?next={safe_next_path(request.scope['path'])}")


def safe_next_path(path: str | None) -> str:
    """Return `path` if it is on this site, else `HOME`: no open redirects."""
    return path if path is not None and (_NEXT_PATH.fullmatch(path) or _NEXT_REQUEST.fullmatch(path)) else HOME
