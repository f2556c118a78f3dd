"""Forms that outlive their session: they come back with a sign-in form that keeps what was written.

The sign-in form is sent to where the form was sent to, with all of its fields: after signing in, the form has its
effect.
"""

from collections.abc import Awaitable, Callable

from starlette.requests import Request
from starlette.responses import Response

from mdpublish_server.api.responses import error_response
from mdpublish_server.auth.authentication import AuthenticatedRequest
from mdpublish_server.errors import ServiceError, Unauthorized
from mdpublish_server.web.account.document_form import DocumentForm, read_document_form
from mdpublish_server.web.endpoints import Endpoint
from mdpublish_server.web.page_context import Pages

FormEndpoint = Callable[[Request, AuthenticatedRequest, DocumentForm], Awaitable[Response]]


class Resumption(Pages):
    """Passes forms on to endpoints, once their sender is signed in."""

    def require_sign_in(self, endpoint: FormEndpoint) -> Endpoint:
        """Wrap `endpoint`: pass who is signed in and the form, or ask for the password and keep the form."""

        async def respond(request: Request) -> Response:
            form = await read_document_form(request)
            try:
                return await self._passed_on(request, form, endpoint)
            except ServiceError as error:
                if is_from_script(request):
                    return error_response(error)
                return self.page(request.scope["path"], form, error=error)

        return respond

    async def _passed_on(self, request: Request, form: DocumentForm, endpoint: FormEndpoint) -> Response:
        """Raise `Unauthorized` and `RateLimited` if the sender does not sign in, `ServiceUnavailable` in an outage."""
        if (auth := await self._sessions.request_of(request)) is not None:
            return await endpoint(request, auth, form)
        if form.email is None:
            raise signed_out()
        account = await self._context.sign_in.authenticate(request, form.email, form.password or "")
        token = await self._sessions.new_token(request, account)
        response = await endpoint(request, self._state.authenticator.session_request(account), form)
        await self._sessions.set_token(request, response, token, account.email)
        return response

    def page(self, action: str, form: DocumentForm, *, error: ServiceError) -> Response:
        """Show the form's text, to be sent to `action` again; with a password if that is what is missing."""
        is_signed_out = form.email is not None or isinstance(error, Unauthorized)
        return self._site.page(
            "account/resumption.html", error=error, action=action, form=form, is_signed_out=is_signed_out
        )


def is_from_script(request: Request) -> bool:
    """Whether a script saves in the background, and reads JSON."""
    return request.headers.get("accept") == "application/json"


def signed_out() -> Unauthorized:
    return Unauthorized("You are signed out; sign in to save your text")
