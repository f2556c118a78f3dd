"""`/account/settings` and `/account/delete`: username, default language, password, deletion."""

from collections.abc import Callable
from datetime import timedelta
from typing import Any

from starlette.requests import Request
from starlette.responses import Response

from mdpublish_server.auth.authentication import AuthenticatedRequest, secret_hash
from mdpublish_server.errors import Conflict, ServiceError
from mdpublish_server.services.accounts import change_password, delete_account, set_default_language, set_username
from mdpublish_server.services.security_mails import DELETED, PASSWORD_CHANGED
from mdpublish_server.storage import Account, Transaction
from mdpublish_server.storage.accounts import find_account, lock_account
from mdpublish_server.storage.keys import list_sessions
from mdpublish_server.validation.browsers import place_of
from mdpublish_server.web.account.notices import notice_of, redirect_with_notice
from mdpublish_server.web.forms import FORM_BYTES, read_form
from mdpublish_server.web.page_context import Pages

PATH = "/account/settings"

_RECENTLY = timedelta(minutes=10)

Change = Callable[[Transaction, Account, str], object]
"""Checks and stores what a form with one field sets."""


class SettingsPages(Pages):
    """The settings page and its forms."""

    async def show(self, request: Request, auth: AuthenticatedRequest) -> Response:
        return self._page(auth.account, notice=notice_of(request))

    async def set_username(self, request: Request, auth: AuthenticatedRequest) -> Response:
        def change(transaction: Transaction, account: Account, username: str) -> None:
            # Not when the form began to arrive.
            set_username(transaction, account, username, now=self._state.clock())

        return await self._set(request, auth, "username", change)

    async def set_default_language(self, request: Request, auth: AuthenticatedRequest) -> Response:
        return await self._set(request, auth, "language", set_default_language)

    async def change_password(self, request: Request, auth: AuthenticatedRequest) -> Response:
        """Change the password, end all other sessions, and renew this one's token."""
        wrong = "current_password"
        try:
            form = await read_form(
                request, ("current_password", "new_password", "programs", "code"), max_bytes=FORM_BYTES
            )
            await self._require(request, auth.account, form.get("current_password", ""), form.get("code", ""))
            wrong = "new_password"
            password_hash = await self._context.sign_in.hashed(form.get("new_password", ""))
            now, ends_programs, place = self._state.clock(), "programs" in form, place_of(request)

            token = await self._state.database.write(
                change_password, auth.account, password_hash, ends_programs=ends_programs, place=place, now=now
            )
        except ServiceError as error:
            return self._page(auth.account, failed=wrong, error=error)
        await self._tell(PASSWORD_CHANGED, auth.account, request)
        return await self._sessions.redirect_with_session(
            request, token, auth.account.email, path=f"{PATH}?done=password"
        )

    async def _require(self, request: Request, account: Account, password: str, code: str) -> None:
        """Check the password and a code of the second factor, or that the session began at the provider just now.

        Raises `Unauthorized`.
        """
        now, current = self._state.clock(), secret_hash(self._sessions.token_of(request) or "")
        for session in await self._state.database.read(list_sessions, account.id, now=now):
            if session.token_hash == current and session.id_token and now - session.created_at < _RECENTLY:
                return
        await self._context.sign_in.require(request, account, password)
        await self._context.sign_in.require_code(request, account, code)

    async def confirm_deletion(self, _request: Request, auth: AuthenticatedRequest) -> Response:
        return self._deletion(auth.account)

    async def delete(self, request: Request, auth: AuthenticatedRequest) -> Response:
        try:
            form = await read_form(request, ("password", "code"), max_bytes=FORM_BYTES)
            await self._require(request, auth.account, form.get("password", ""), form.get("code", ""))
            now = self._state.clock()
            await self._state.database.write_reserved(
                lambda transaction: delete_account(transaction, _current(transaction, auth.account), now=now)
            )
            self._state.cleanup.wake()
        except ServiceError as error:
            return self._deletion(auth.account, error=error)
        await self._tell(DELETED, auth.account, request)
        return await self._sessions.end(request, path="/?done=goodbye")

    async def _set(self, request: Request, auth: AuthenticatedRequest, field: str, change: Change) -> Response:
        form: dict[str, str] = {}
        try:
            form = await read_form(request, (field,), max_bytes=FORM_BYTES)
            await self._state.authenticator.require_rate(auth)
            value = form.get(field, "").strip()
            await self._state.database.write(
                lambda transaction: change(transaction, _current(transaction, auth.account), value)
            )
        except ServiceError as error:
            return self._page(auth.account, failed=field, error=error, **form)
        return redirect_with_notice(PATH, field)

    def _page(self, account: Account, **values: Any) -> Response:
        """Show the settings, or in their place what a form sent; `failed` is the field with an error."""
        shown = {"username": account.username or "", "language": account.default_language or "", "failed": None}
        sends_mail = self._state.settings.smtp_url is not None
        return self._site.page(
            "account/settings.html", account=account, sends_mail=sends_mail, **{"notice": None, **shown, **values}
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
