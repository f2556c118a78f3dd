"""`/authorize`: a person decides what an app may do with the account."""

from typing import Any
from urllib.parse import quote

from starlette.requests import Request
from starlette.responses import Response

from mdpublish_server.auth.authentication import AuthenticatedRequest
from mdpublish_server.auth.scopes import SCOPES
from mdpublish_server.errors import ValidationError
from mdpublish_server.services.apps import MAX_REQUEST_CHARACTERS, AuthorizationRequest, RefusedAuthorization
from mdpublish_server.services.client_documents import is_document_url
from mdpublish_server.services.security_mails import APP_CONNECTED
from mdpublish_server.validation.ip_addresses import client_network
from mdpublish_server.web.account.sessions import safe_next_path
from mdpublish_server.web.forms import FORM_BYTES, read_form
from mdpublish_server.web.page_context import Pages
from mdpublish_server.web.redirects import redirect


class ConsentPages(Pages):
    """The question, and its answer.

    Everything is in the query, which each request checks anew, so it works in two tabs, and after signing in or up.
    """

    PATH = "/authorize"

    async def show(self, request: Request) -> Response:
        try:
            authorization = await self._read_request(request)
        except RefusedAuthorization as refused:
            # With a link, not a redirect: anybody can register an app, and this is no way to its site unseen.
            return self._site.page("account/refused_app.html", error=refused.error, url=refused.url)
        if (auth := await self._sessions.request_of(request)) is None:
            return redirect(f"/signin?next={quote(safe_next_path(_path(request)), safe='/')}")
        return self._page(request, auth, authorization)

    async def decide(self, request: Request) -> Response:
        try:
            authorization = await self._read_request(request)
        except RefusedAuthorization as refused:
            raise refused.error from None
        auth = await self._sessions.request_of(request)
        form = await read_form(request, (*SCOPES, "account", "answer"), max_bytes=FORM_BYTES)
        if auth is None or form.get("account") != auth.account.id:
            # Signed out, or signed in as somebody else, since the page was shown.
            return redirect(_path(request))
        if form.get("answer") != "allow":
            return redirect(authorization.response(error="access_denied"))
        try:
            url = await self._state.apps.allow(auth.account, authorization, form)
        except ValidationError as error:
            return self._page(request, auth, authorization, error=error)
        await self._tell(APP_CONNECTED, auth.account, request)
        return redirect(url)

    async def _read_request(self, request: Request) -> AuthorizationRequest:
        query = request.scope["query_string"]
        if len(query) > MAX_REQUEST_CHARACTERS:
            raise ValidationError(
                f"The app's request must have at most {MAX_REQUEST_CHARACTERS:,} characters (got {len(query):,})"
            )
        parameters = request.query_params.multi_items()
        return await self._state.apps.read_request(parameters, network=client_network(request))

    def _page(
        self, request: Request, auth: AuthenticatedRequest, authorization: AuthorizationRequest, **values: Any
    ) -> Response:
        scheme = authorization.redirect_uri.partition(":")[0]
        client_id = authorization.client.id
        return self._site.page(
            "account/consent.html",
            # What is redirected to may redirect once more.
            form_targets=f" https: {scheme}:",
            runs_scripts=False,
            account=auth.account,
            client=authorization.client,
            origin=client_id.split("/")[2] if is_document_url(client_id) else None,
            host=authorization.redirect_host,
            scopes={name: SCOPES[name] for name in authorization.scopes},
            action=_path(request),
            **values,
        )


def _path(request: Request) -> str:
    return f"{ConsentPages.PATH}?{request.scope['query_string'].decode('latin-1')}"
