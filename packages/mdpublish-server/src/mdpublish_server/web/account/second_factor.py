"""The second factor of accounts with a password: set up, asked for at sign-in, and removed."""

from base64 import b32encode

from msgspec import MsgspecError, json
from starlette.requests import Request
from starlette.responses import Response

from mdpublish_server.auth.authentication import AuthenticatedRequest
from mdpublish_server.auth.second_factor import new_secret, totp_of
from mdpublish_server.errors import Conflict, Expired, ServiceError
from mdpublish_server.services.security_mails import SECOND_FACTOR_OFF, SECOND_FACTOR_ON
from mdpublish_server.storage.accounts import set_second_factor
from mdpublish_server.web.account.notices import redirect_with_notice
from mdpublish_server.web.forms import FORM_BYTES, read_form
from mdpublish_server.web.page_context import Pages
from mdpublish_server.web.qr_codes import qr_code

_SETUP_SECONDS = 1_800


class SecondFactorPages(Pages):
    """The pages and their forms."""

    PATH = "/account/second-factor"
    CODES = f"{PATH}/codes"

    async def ask(self, request: Request) -> Response:
        """Ask who gave the right password for a code, too."""
        account, _ = await self._context.sign_in.half_signed_in(request)
        return self._site.page("account/code.html", email=account.email)

    async def sign_in(self, request: Request) -> Response:
        account, path = await self._context.sign_in.half_signed_in(request)
        try:
            form = await read_form(request, ("code",), max_bytes=FORM_BYTES)
            await self._context.sign_in.require_code(request, account, form.get("code", ""))
        except ServiceError as error:
            return self._site.page("account/code.html", error=error, email=account.email)
        token = await self._sessions.new_token(request, account)
        response = await self._sessions.redirect_with_session(request, token, account.email, path=path)
        self._context.sign_in.half_cookie.delete(response)
        return response

    async def show(self, _request: Request, auth: AuthenticatedRequest) -> Response:
        content = json.encode((auth.account.id, new_secret()))
        return await self._page(auth, await self._state.server_key.encrypt(content))

    async def add(self, request: Request, auth: AuthenticatedRequest) -> Response:
        form = await read_form(request, ("password", "code", "sealed"), max_bytes=FORM_BYTES)
        sealed = form.get("sealed", "")
        try:
            if auth.account.totp_secret is not None:
                raise Conflict("This account has a second factor; remove it first")
            await self._context.sign_in.require(request, auth.account, form.get("password", ""))
            secret = await self._secret(auth, sealed)
            codes = await self._context.second_factors.add(auth.account, secret, form.get("code", ""))
        except ServiceError as error:
            return await self._page(auth, sealed, error=error)
        await self._tell(SECOND_FACTOR_ON, auth.account, request)
        return await self._one_time_secrets.redirect(self.CODES, "\n".join(codes))

    async def show_codes(self, request: Request, auth: AuthenticatedRequest) -> Response:
        codes = await self._one_time_secrets.read(request)
        return self._site.page("account/recovery_codes.html", account=auth.account, codes=(codes or "").split())

    async def remove(self, request: Request, auth: AuthenticatedRequest) -> Response:
        form = await read_form(request, ("password", "code"), max_bytes=FORM_BYTES)
        try:
            await self._context.sign_in.require(request, auth.account, form.get("password", ""))
            await self._context.sign_in.require_code(request, auth.account, form.get("code", ""))
        except ServiceError as error:
            return await self._page(auth, "", error=error)
        await self._state.database.write(set_second_factor, auth.account.id, None)
        await self._tell(SECOND_FACTOR_OFF, auth.account, request)
        return redirect_with_notice("/account/settings", "second-factor")

    async def _secret(self, auth: AuthenticatedRequest, sealed: str) -> bytes:
        """Return the secret that the form shows; raise `Expired`."""
        content = await self._state.server_key.decrypt(sealed, max_age=_SETUP_SECONDS)
        try:
            account_id, secret = json.decode(content or b"", type=tuple[str, bytes])
        except MsgspecError:
            account_id, secret = "", b""
        if account_id != auth.account.id:
            raise Expired("This form is over 30 minutes old; open it again")
        return secret

    async def _page(self, auth: AuthenticatedRequest, sealed: str, *, error: ServiceError | None = None) -> Response:
        qr, secret = "", b""
        if auth.account.totp_secret is None and not isinstance(error, Expired):
            secret = await self._secret(auth, sealed)
            name = self._state.settings.service_name
            qr = qr_code(totp_of(secret).get_provisioning_uri(auth.account.email, name), "QR code of the secret")
        return self._site.page(
            "account/second_factor.html",
            error=error,
            account=auth.account,
            sealed=sealed,
            qr=qr,
            secret=b32encode(secret).decode(),
        )
