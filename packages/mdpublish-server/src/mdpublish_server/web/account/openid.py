"""Signing in and out with the operator's OpenID Connect provider."""

import zlib
from datetime import timedelta

from msgspec import json
from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from mdpublish_server.errors import ServiceError, Unauthorized, ValidationError
from mdpublish_server.ratelimit.throttles import Bucket
from mdpublish_server.services.accounts import end_access, end_one_session
from mdpublish_server.services.identities import enter
from mdpublish_server.services.openid import Attempt, OpenIdProvider
from mdpublish_server.storage import Transaction
from mdpublish_server.storage.accounts import find_account_by_subject
from mdpublish_server.storage.audit import act_as
from mdpublish_server.storage.keys import list_sessions
from mdpublish_server.web.account.sessions import safe_next_path
from mdpublish_server.web.cookies import EncryptedCookie
from mdpublish_server.web.forms import FORM_BYTES, read_form
from mdpublish_server.web.page_context import PageContext, Pages
from mdpublish_server.web.redirects import redirect

_ATTEMPT_SECONDS = 600
_COOKIE_CHARACTERS = 3_900  # browsers drop those above 4,096 bytes
_ONCE = timedelta(days=1)  # longer than what must not come twice is valid


class OpenIdPages(Pages):
    """The way to the provider and back, and the provider's own requests."""

    START = "/signin/provider"
    CALLBACK = "/signin/callback"
    LOGOUT = "/signout/provider"

    def __init__(self, context: PageContext, provider: OpenIdProvider) -> None:
        super().__init__(context)
        self._provider = provider
        state = context.state
        self._cookie = EncryptedCookie("attempt", state.settings, state.server_key, seconds=_ATTEMPT_SECONDS)

    async def begin(self, request: Request) -> Response:
        """Redirect to the provider; the browser keeps what its answer must fit."""
        attempt = Attempt(next_path=safe_next_path(request.query_params.get("next")))
        response = redirect(await self._provider.authorization_url(attempt))
        if await self._cookie.set(response, zlib.compress(json.encode(attempt))) > _COOKIE_CHARACTERS:
            raise ValidationError("The page to go on with has too long a URL; sign in first, then open it again")
        return response

    async def finish(self, request: Request) -> Response:
        """Sign in who comes back with what this browser was sent away with."""
        content = await self._cookie.read(request)
        attempt = json.decode(zlib.decompress(content), type=Attempt) if content else None
        if attempt is None or request.query_params.get("state") != attempt.state:
            raise Unauthorized("This sign-in was not begun in this browser, or it took over 10 minutes; start again")
        await self._require_first("states", attempt.state)
        identity = await self._provider.identity(attempt, request.query_params)
        settings, now = self._state.settings, self._state.clock()
        account = await self._state.database.write(lambda transaction: enter(transaction, identity, settings, now=now))
        token = await self._sessions.new_token(request, account, id_token=identity.id_token)
        response = await self._sessions.redirect_with_session(request, token, account.email, path=attempt.next_path)
        self._cookie.delete(response)
        return response

    async def sign_out(self, request: Request) -> Response:
        """End the session here, then at the provider: by a page, since forms must not redirect to other sites."""
        session = await self._sessions.end_session(request)
        url = await self._provider.end_session_url(session.id_token) if session and session.id_token else None
        response = self._site.page("account/leaving.html", url=url, runs_scripts=False) if url else redirect("/")
        return self._sessions.without_token(response)

    async def log_out(self, request: Request) -> Response:
        """Do what a logout token says: end the sessions that it names by `sid`, or all that has access."""
        try:
            form = await read_form(request, ("logout_token",), max_bytes=FORM_BYTES)
            claims = await self._provider.read_logout(form.get("logout_token", ""))
            await self._require_first("logouts", str(claims["jti"]))
        except ServiceError as error:
            content = {"error": "invalid_request", "error_description": error.message}
            return JSONResponse(content, 400, {"Cache-Control": "no-store"})
        now = self._state.clock()
        act_as("provider")

        def end(transaction: Transaction) -> None:
            account = find_account_by_subject(transaction, claims["iss"], claims["sub"])
            if account is None:
                return
            if "sid" not in claims:
                end_access(transaction, account, ends_programs_at=now)
                return
            for session in list_sessions(transaction, account.id, now=now):
                if session.id_token and self._provider.session_of(session.id_token) == claims["sid"]:
                    end_one_session(transaction, session.token_hash)

        await self._state.database.write_reserved(end)
        return Response(headers={"Cache-Control": "no-store"})

    async def _require_first(self, kind: str, secret: str) -> None:
        if await self._state.hits.take(Bucket(f"openid-{kind}", 1, _ONCE, (secret,))):
            raise Unauthorized("This was used before; start again")
