"""`/signin`, `/signout`."""

from starlette.requests import Request
from starlette.responses import Response

from mdpublish_server.errors import ServiceError
from mdpublish_server.web.account.sessions import safe_next_path
from mdpublish_server.web.account.sign_in import SecondFactorRequired
from mdpublish_server.web.forms import FORM_BYTES, read_form
from mdpublish_server.web.page_context import Pages

# Notices by their code in the query.
_NOTICES = {"ready": "If this address had no account yet, yours is ready. Sign in."}


class SignInPages(Pages):
    """The form to sign in, and signing out."""

    async def show_sign_in(self, request: Request) -> Response:
        notice = _NOTICES.get(request.query_params.get("notice", ""))
        return self._form(request.query_params.get("next"), notice=notice)

    async def sign_in(self, request: Request) -> Response:
        form: dict[str, str] = {}
        try:
            form = await read_form(request, ("email", "password", "next"), max_bytes=FORM_BYTES)
            account = await self._context.sign_in.authenticate(request, form.get("email", ""), form.get("password", ""))
        except SecondFactorRequired as half:
            return await self._context.sign_in.ask_for_code(half.account, safe_next_path(form.get("next")))
        except ServiceError as error:
            return self._form(form.get("next"), error=error, email=form.get("email", ""))
        token = await self._sessions.new_token(request, account)
        path = safe_next_path(form.get("next"))
        return await self._sessions.redirect_with_session(request, token, account.email, path=path)

    async def sign_out(self, request: Request) -> Response:
        return await self._sessions.end(request)

    def _form(
        self, next_path: str | None, *, error: ServiceError | None = None, notice: str | None = None, email: str = ""
    ) -> Response:
        return self._site.page(
            "account/signin.html",
            error=error,
            notice=notice,
            email=email,
            next_path=safe_next_path(next_path),
            is_open=self._state.settings.registration == "open",
        )
