"""`/signup`, `/signup/<invitation>`, `/confirm/<token>`.

Neither the email (with a mail server) nor the redirect to sign in (without) reveals whether an address has an account.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from urllib.parse import urlencode

from starlette.requests import Request
from starlette.responses import Response

from mdpublish_server.auth.devices import sign_up_target
from mdpublish_server.errors import Conflict, Expired, Forbidden, NotFound, RateLimited, ServiceError, Unauthorized
from mdpublish_server.services.accounts import sign_in
from mdpublish_server.services.email_tokens import SIGN_UP, find_valid_token
from mdpublish_server.services.invitations import invitation_path
from mdpublish_server.services.registration import Applicant, confirm, register, require_invited
from mdpublish_server.storage import Account, EmailToken, Transaction
from mdpublish_server.validation.browsers import place_of
from mdpublish_server.validation.ip_addresses import client_network
from mdpublish_server.web.account.claims import claim_path
from mdpublish_server.web.account.notices import path_of_claimed
from mdpublish_server.web.account.sessions import HOME, safe_next_path
from mdpublish_server.web.forms import FORM_BYTES, TOKEN_CHARACTERS, path_token, read_form
from mdpublish_server.web.page_context import Pages
from mdpublish_server.web.redirects import redirect

_CLAIM_CHARACTERS = 300  # sealed claim tokens have 140


@dataclass(frozen=True, slots=True, kw_only=True)
class _ConfirmationForm:
    """Values that the confirmation link carries along; `claim` is a sealed claim token."""

    invitation: str | None
    next_path: str
    claim: str

    @classmethod
    def of(cls, given: Mapping[str, str]) -> "_ConfirmationForm":
        return cls(
            invitation=given.get("invitation", "")[:TOKEN_CHARACTERS] or None,
            next_path=safe_next_path(given.get("next")),
            claim=given.get("claim", "")[:_CLAIM_CHARACTERS],
        )


class SignUpPages(Pages):
    """The forms."""

    SENT = "/signup/sent"

    async def show_sign_up(self, request: Request) -> Response:
        invitation = _invitation_of(request)
        try:
            await self._require_invited(invitation)
        except (Forbidden, NotFound, Expired) as error:
            return self._uninvited(error)
        return self._form(invitation, request.query_params.get("next"))

    async def sign_up(self, request: Request) -> Response:
        invitation = _invitation_of(request)
        form: dict[str, str] = {}
        try:
            await self._require_invited(invitation)
            form = await read_form(request, ("email", "password", "username", "next"), max_bytes=FORM_BYTES)
            applicant = await self._context.applications.check(form, invitation, network=client_network(request))
            next_path = safe_next_path(form.get("next"))
            if self._context.applications.mailer is not None:
                query = {"invitation": invitation or "", "next": "" if next_path == HOME else next_path}
                return await self._context.applications.send_confirmation(request, applicant, self.SENT, query)
            return await self._register(applicant, next_path)
        except (Forbidden, NotFound, Expired) as error:
            return self._uninvited(error)
        except ServiceError as error:
            return self._form(invitation, form.get("next"), error=error, form=form)

    async def show_sent(self, request: Request) -> Response:
        return await self._sent(request, SIGN_UP)

    async def show_confirm(self, request: Request) -> Response:
        confirmed = _ConfirmationForm.of(request.query_params)
        try:
            email_token = await self._find_email_token(path_token(request), confirmed)
        except Forbidden as error:
            return self._uninvited(error)
        except (NotFound, Expired) as error:
            return self._stale(error)
        return await self._confirm_form(request, email_token, confirmed)

    async def confirm(self, request: Request) -> Response:
        form = await read_form(request, ("invitation", "next", "claim", "password"), max_bytes=FORM_BYTES)
        token, confirmed = path_token(request), _ConfirmationForm.of(form)
        try:
            email_token = await self._find_email_token(token, confirmed)
            try:
                await self._require_password(request, email_token, form.get("password", ""))
            except (RateLimited, Unauthorized) as error:
                return await self._confirm_form(request, email_token, confirmed, error=error)
            account, session_token = await self._confirm(request, token, confirmed)
        except Forbidden as error:
            return self._uninvited(error)
        except (NotFound, Expired, Conflict) as error:
            return self._stale(error)
        path = await self._claim_sealed(account, confirmed.claim) or confirmed.next_path
        return await self._sessions.redirect_with_session(request, session_token, account.email, path=path)

    async def _claim_sealed(self, account: Account, sealed: str) -> str | None:
        """Claim the demo that was to be kept; return where it is, or the owner link, whose page says why not."""
        claim_token = await self._state.page_keeper.unseal(sealed) if sealed else None
        if claim_token is None:
            return None
        try:
            publication = await self._state.page_keeper.keep(account, claim_token)
        except ServiceError:
            return claim_path(claim_token)
        return path_of_claimed(publication.document.id)

    async def _find_email_token(self, token: str, confirmed: _ConfirmationForm) -> EmailToken:
        await self._require_invited(confirmed.invitation)
        return await self._state.database.read(find_valid_token, SIGN_UP, token, now=self._state.clock())

    async def _require_password(self, request: Request, email_token: EmailToken, password: str) -> None:
        """Raise `RateLimited` or `Unauthorized` unless the reader of the mail chose the password.

        The browser that signed up shows that it did. Otherwise a stranger could choose the password of an account that
        the mail's recipient opens by a hasty click.
        """
        password_hash = email_token.password_hash
        if await self._has_signed_up(request, email_token):
            return
        async with self._context.sign_in.guess(request, email_token.email, holds=path_token(request)):
            if password_hash is None or not await self._context.hashing.matches(password, password_hash):
                raise Unauthorized("The password is not the one chosen at sign-up")

    async def _has_signed_up(self, request: Request, email_token: EmailToken) -> bool:
        device = await self._context.devices.read(request)
        return device.id_for(sign_up_target(email_token.password_hash)) is not None

    async def _confirm_form(
        self,
        request: Request,
        email_token: EmailToken,
        confirmed: _ConfirmationForm,
        *,
        error: ServiceError | None = None,
    ) -> Response:
        return self._site.page(
            "account/confirm.html",
            error=error,
            email=email_token.email,
            username=email_token.username,
            asks_password=not await self._has_signed_up(request, email_token),
            action=f"/confirm/{path_token(request)}",
            invitation=confirmed.invitation or "",
            next_path=confirmed.next_path,
            claim=confirmed.claim,
        )

    async def _confirm(self, request: Request, token: str, confirmed: _ConfirmationForm) -> tuple[Account, str]:
        now = self._state.clock()
        old = self._sessions.token_of(request)

        def work(transaction: Transaction) -> tuple[Account, str]:
            account = confirm(
                transaction,
                token,
                registration=self._state.settings.registration,
                invitation=confirmed.invitation,
                now=now,
            )
            return account, sign_in(transaction, account, now=now, place=place_of(request), replaces=old)

        return await self._state.database.write(work)

    async def _register(self, applicant: Applicant, next_path: str) -> Response:
        """Create the account if the address is free; the response is the same either way."""
        now, registration = self._state.clock(), self._state.settings.registration
        await self._state.database.write(register, applicant, registration=registration, now=now)
        query = {"notice": "ready"} if next_path == HOME else {"notice": "ready", "next": next_path}
        return redirect(f"/signin?{urlencode(query, safe='/')}")

    async def _require_invited(self, invitation: str | None) -> None:
        now, registration = self._state.clock(), self._state.settings.registration
        await self._state.database.read(require_invited, registration, invitation, now=now)

    def _uninvited(self, error: ServiceError) -> Response:
        return self._site.page("account/uninvited.html", error=error)

    def _stale(self, error: ServiceError) -> Response:
        return self._site.page(
            "account/stale.html",
            error=error,
            retry_url="/signup" if self._state.settings.registration == "open" else None,
            words="Sign up again",
        )

    def _form(
        self,
        invitation: str | None,
        next_path: str | None,
        *,
        error: ServiceError | None = None,
        form: dict[str, str] | None = None,
    ) -> Response:
        return self._site.page(
            "account/signup.html",
            error=error,
            email=(form or {}).get("email", ""),
            username=(form or {}).get("username", ""),
            action="/signup" if invitation is None else invitation_path(invitation),
            next_path=safe_next_path(next_path),
        )


def _invitation_of(request: Request) -> str | None:
    return path_token(request) if "token" in request.path_params else None
