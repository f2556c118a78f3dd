"""`/signin`, `/signout`."""

from dataclasses import dataclass, replace
from unicodedata import normalize

from starlette.requests import Request
from starlette.responses import Response

from mdpublish_server.auth.passwords import needs_rehash, validate_email
from mdpublish_server.errors import ServiceError, ValidationError
from mdpublish_server.ratelimit.throttles import SignInThrottle
from mdpublish_server.settings import Settings
from mdpublish_server.storage import Account, Database
from mdpublish_server.storage.accounts import find_account_by_email, replace_password_hash
from mdpublish_server.validation.ip_addresses import client_network
from mdpublish_server.web.account.password_hashing import PasswordHashing
from mdpublish_server.web.account.sessions import Sessions, safe_next_path
from mdpublish_server.web.forms import FORM_BYTES, read_form
from mdpublish_server.web.site import Site

# Notices by their code in the query.
_NOTICES = {"ready": "If this address had no account yet, yours is ready. Sign in."}


@dataclass(frozen=True, slots=True, kw_only=True)
class SignIn:
    """Checks passwords, throttled."""

    database: Database
    throttle: SignInThrottle
    hashing: PasswordHashing

    async def authenticate(self, request: Request, email: str, password: str) -> Account:
        """Return the account; raise `Unauthorized` or `RateLimited`, revealing nothing else."""
        network = client_network(request)
        try:
            normalized = validate_email(email)
        except ValidationError:
            normalized = None
        throttle_key = normalized or email
        await self.throttle.admit(network, throttle_key)
        account = None
        if normalized is not None:
            account = await self.database.read(lambda transaction: find_account_by_email(transaction, normalized))
        authenticated = await self.hashing.authenticate(account, password)
        await self.throttle.clear(network, throttle_key)
        return await self._with_strong_hash(authenticated, password)

    async def _with_strong_hash(self, account: Account, password: str) -> Account:
        """Hash the password again if the parameters have changed since."""
        seen = account.password_hash
        assert seen is not None, "a password matched"
        if not needs_rehash(seen):
            return account
        stronger = await self.hashing.compute_hash(normalize("NFC", password))
        is_replaced = await self.database.write(
            lambda transaction: replace_password_hash(transaction, account.id, stronger, seen=seen)
        )
        return replace(account, password_hash=stronger) if is_replaced else account


class SignInPages:
    """The form to sign in, and signing out."""

    def __init__(self, settings: Settings, sessions: Sessions, site: Site, sign_in: SignIn) -> None:
        self._settings = settings
        self._sessions = sessions
        self._site = site
        self._sign_in = sign_in

    async def show_sign_in(self, request: Request) -> Response:
        notice = _NOTICES.get(request.query_params.get("notice", ""))
        return self._form(request.query_params.get("next"), notice=notice)

    async def sign_in(self, request: Request) -> Response:
        form: dict[str, str] = {}
        try:
            form = await read_form(request, ("email", "password", "next"), max_bytes=FORM_BYTES)
            account = await self._sign_in.authenticate(request, form.get("email", ""), form.get("password", ""))
        except ServiceError as error:
            return self._form(form.get("next"), error=error, email=form.get("email", ""))
        return await self._sessions.begin(request, account, path=safe_next_path(form.get("next")))

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
            is_open=self._settings.registration == "open",
        )
