"""`/forgot`, `/reset/<token>`: password reset by email. No response tells whether an address has an account."""

from starlette.background import BackgroundTask
from starlette.requests import Request
from starlette.responses import Response

from mdpublish_server.auth.devices import account_target
from mdpublish_server.auth.passwords import validate_email, validate_password
from mdpublish_server.errors import Expired, NotFound, ServiceError
from mdpublish_server.services import email_tokens
from mdpublish_server.services.accounts import sign_in
from mdpublish_server.services.email_tokens import PASSWORD, find_valid_token
from mdpublish_server.services.mailer import written_mail
from mdpublish_server.services.security_mails import PASSWORD_RESET
from mdpublish_server.storage import Account, Transaction
from mdpublish_server.storage.accounts import find_account_by_email
from mdpublish_server.validation.browsers import place_of
from mdpublish_server.validation.ip_addresses import client_network
from mdpublish_server.web.account.sessions import HOME
from mdpublish_server.web.forms import FORM_BYTES, path_token, read_form
from mdpublish_server.web.page_context import Pages


class PasswordResetPages(Pages):
    """The forms; without a `mailer`, a page that refers to the operator."""

    SENT = "/forgot/sent"

    async def show_forgot(self, _request: Request) -> Response:
        return self._forgot_form()

    async def send_email(self, request: Request) -> Response:
        if self._state.mailer is None:
            return self._forgot_form(status=404)
        form: dict[str, str] = {}
        try:
            form = await read_form(request, ("email",), max_bytes=FORM_BYTES)
            email = validate_email(form.get("email", ""))
            await self._context.requests.hit(client_network(request))
        except ServiceError as error:
            return self._forgot_form(error=error, email=form.get("email", ""))
        response = await self._one_time_secrets.redirect(self.SENT, email)
        device = (await self._context.devices.read(request)).id_for(account_target(email))
        is_allowed = await self._context.requests.allows_email(email, PASSWORD, device=device)
        if is_allowed and (token := await self._create_token(email)) is not None:
            url = f"{self._state.settings.dashboard_url}/reset/{token}"
            service = self._state.settings.service_name
            mail = written_mail("password_reset", email, url=url, service=service, is_security=True)
            response.background = BackgroundTask(self._state.mailer.enqueue, mail)
        return response

    async def show_sent(self, request: Request) -> Response:
        return await self._sent(request, PASSWORD)

    async def show_reset(self, request: Request) -> Response:
        token = path_token(request)
        try:
            email_token = await self._state.database.read(find_valid_token, PASSWORD, token, now=self._state.clock())
        except (NotFound, Expired) as error:
            return self._stale(error)
        return self._reset_form(token, email_token.email)

    async def reset(self, request: Request) -> Response:
        """Set the new password, end what had access, and begin a session here."""
        now = self._state.clock()
        token = path_token(request)
        form = await read_form(request, ("password", "programs"), max_bytes=FORM_BYTES)
        try:
            # Before the slow hashing.
            email_token = await self._state.database.read(find_valid_token, PASSWORD, token, now=now)
            try:
                password = validate_password(form.get("password", ""))
            except ServiceError as error:
                return self._reset_form(token, email_token.email, error=error)
            password_hash = await self._context.hashing.compute_hash(password)
            old = self._sessions.token_of(request)

            def work(transaction: Transaction) -> tuple[Account, str | None]:
                account = email_tokens.reset_password(
                    transaction, token, password_hash=password_hash, ends_programs="programs" in form, now=now
                )
                if account.totp_secret is not None:
                    return account, None
                return account, sign_in(transaction, account, now=now, place=place_of(request), replaces=old)

            account, session_token = await self._state.database.write(work)
        except (NotFound, Expired) as error:
            return self._stale(error)
        await self._tell(PASSWORD_RESET, account, request)
        if session_token is None:
            return await self._context.sign_in.ask_for_code(account, HOME)
        return await self._sessions.redirect_with_session(request, session_token, email_token.email)

    async def _create_token(self, email: str) -> str | None:
        """Return a token, or None if nobody can sign in with the address; same writes either way."""
        now = self._state.clock()

        def work(transaction: Transaction) -> str | None:
            account = find_account_by_email(transaction, email)
            if account is None or account.is_barred:
                email_tokens.create_dummy_token(transaction, PASSWORD, email=email, now=now)
                return None
            return email_tokens.create_email_token(transaction, PASSWORD, email=email, account=account, now=now)

        return await self._state.database.write(work)

    def _forgot_form(self, *, error: ServiceError | None = None, email: str = "", status: int = 200) -> Response:
        return self._site.page(
            "account/forgot.html", status=status, error=error, email=email, has_mail=self._state.mailer is not None
        )

    def _reset_form(self, token: str, email: str, *, error: ServiceError | None = None) -> Response:
        return self._site.page("account/reset.html", error=error, action=f"/reset/{token}", email=email)

    def _stale(self, error: ServiceError) -> Response:
        return self._site.page("account/stale.html", error=error, retry_url="/forgot", words="Request a new link")
