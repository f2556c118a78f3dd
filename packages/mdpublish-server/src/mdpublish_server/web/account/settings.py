"""`/account/settings` and `/account/delete`: username, default language, password, deletion."""

from collections.abc import Mapping
from dataclasses import dataclass

from starlette.requests import Request
from starlette.responses import Response

from mdpublish_server.auth.passwords import validate_password
from mdpublish_server.errors import Conflict, ServiceError, Unauthorized
from mdpublish_server.ratelimit.throttles import SignInThrottle
from mdpublish_server.services.accounts import change_password, delete_account, set_default_language, set_username
from mdpublish_server.state import AppState
from mdpublish_server.storage import Account, Transaction
from mdpublish_server.storage.accounts import find_account, lock_account
from mdpublish_server.validation.ip_addresses import client_network
from mdpublish_server.web.account.notices import notice_of, redirect_with_notice
from mdpublish_server.web.account.password_hashing import PasswordHashing
from mdpublish_server.web.account.sessions import Sessions
from mdpublish_server.web.forms import FORM_BYTES, read_form
from mdpublish_server.web.site import Site

PATH = "/account/settings"


@dataclass(frozen=True, slots=True, kw_only=True)
class Refusal:
    """The field with an error, and the submitted form without passwords."""

    field: str
    error: ServiceError
    form: Mapping[str, str] | None = None


class PasswordCheck:
    """Confirmation of the password, throttled like sign-in."""

    def __init__(self, throttle: SignInThrottle, hashing: PasswordHashing) -> None:
        self._throttle = throttle
        self._hashing = hashing

    async def require(self, request: Request, account: Account, password: str) -> None:
        """Check the account's password; raise `Unauthorized` or `RateLimited`."""
        network = client_network(request)
        await self._throttle.admit(network, account.email)
        try:
            await self._hashing.authenticate(account, password)
        except Unauthorized:
            raise Unauthorized("The password is incorrect") from None
        await self._throttle.clear(network, account.email)

    async def hashed(self, password: str) -> str:
        """Validate and hash a new password; raise `ValidationError`."""
        return await self._hashing.compute_hash(validate_password(password))


class SettingsPages:
    """The settings page and its forms."""

    def __init__(
        self,
        state: AppState,
        site: Site,
        *,
        sessions: Sessions,
        passwords: PasswordCheck,
    ) -> None:
        self._state = state
        self._sessions = sessions
        self._passwords = passwords
        self._site = site

    async def show(self, request: Request, account: Account) -> Response:
        return self._page(account, notice=notice_of(request))

    async def set_username(self, request: Request, account: Account) -> Response:
        form: dict[str, str] = {}
        try:
            form = await read_form(request, ("username",), max_bytes=FORM_BYTES)
            await self._state.authenticator.require_rate(self._state.authenticator.session_request(account))
            username = form.get("username", "").strip()
            now = self._state.clock()

            def change(transaction: Transaction) -> None:
                set_username(transaction, _current(transaction, account), username, now=now)

            await self._state.database.write(change)
        except ServiceError as error:
            return self._page(account, refusal=Refusal(field="username", error=error, form=form))
        return redirect_with_notice(PATH, "username")

    async def set_default_language(self, request: Request, account: Account) -> Response:
        form: dict[str, str] = {}
        try:
            form = await read_form(request, ("language",), max_bytes=FORM_BYTES)
            await self._state.authenticator.require_rate(self._state.authenticator.session_request(account))
            language = form.get("language", "").strip()

            def change(transaction: Transaction) -> None:
                set_default_language(transaction, _current(transaction, account), language)

            await self._state.database.write(change)
        except ServiceError as error:
            return self._page(account, refusal=Refusal(field="language", error=error, form=form))
        return redirect_with_notice(PATH, "language")

    async def change_password(self, request: Request, account: Account) -> Response:
        """Change the password, end all other sessions, and renew this one's token."""
        wrong = "current_password"
        try:
            form = await read_form(request, ("current_password", "new_password"), max_bytes=FORM_BYTES)
            await self._passwords.require(request, account, form.get("current_password", ""))
            wrong = "new_password"
            password_hash = await self._passwords.hashed(form.get("new_password", ""))
            now = self._state.clock()

            token = await self._state.database.write(
                lambda transaction: change_password(transaction, account, password_hash, now=now)
            )
        except ServiceError as error:
            return self._page(account, refusal=Refusal(field=wrong, error=error))
        return self._sessions.redirect_with_session(token, path=f"{PATH}?done=password")

    async def confirm_deletion(self, _request: Request, account: Account) -> Response:
        return self._deletion(account)

    async def delete(self, request: Request, account: Account) -> Response:
        try:
            form = await read_form(request, ("password",), max_bytes=FORM_BYTES)
            await self._passwords.require(request, account, form.get("password", ""))

            now = self._state.clock()

            def delete(transaction: Transaction) -> None:
                delete_account(transaction, _current(transaction, account), now=now)

            await self._state.database.write(delete, uses_reserve=True)
            self._state.cleanup.wake()
        except ServiceError as error:
            return self._deletion(account, error=error)
        return await self._sessions.end(request, path="/?done=goodbye")

    def _page(self, account: Account, *, notice: str | None = None, refusal: Refusal | None = None) -> Response:
        sent = (refusal.form if refusal else None) or {}
        return self._site.page(
            "account/settings.html",
            account=account,
            username=sent.get("username", account.username or ""),
            language=sent.get("language", account.default_language or ""),
            failed=refusal.field if refusal else None,
            error=refusal.error if refusal else None,
            notice=notice,
            sends_mail=self._state.settings.smtp_url is not None,
        )

    def _deletion(self, account: Account, *, error: ServiceError | None = None) -> Response:
        return self._site.page(
            "account/account_deletion.html",
            account=account,
            error=error,
            sends_mail=self._state.settings.smtp_url is not None,
        )


def _current(transaction: Transaction, account: Account) -> Account:
    """Lock and return the account; raise `Conflict` if a concurrent form changed it."""
    lock_account(transaction, account.id)
    now = find_account(transaction, account.id)
    if now is None or (now.username, now.password_hash) != (account.username, account.password_hash):
        raise Conflict("The account was modified concurrently; check it and retry")
    return now
