"""`/signup`, `/signin`, `/signout`: forms for those who have an account, or want one."""

from anyio import CapacityLimiter, to_thread
from starlette.requests import Request
from starlette.responses import Response

from mdpublish_server.accounts import authenticated, open_account, sign_in
from mdpublish_server.api.operations import Services
from mdpublish_server.errors import Forbidden, ServiceError, ValidationError
from mdpublish_server.policies.callers import require_same_origin
from mdpublish_server.policies.passwords import checked_email, checked_password, hash_password
from mdpublish_server.settings import Settings
from mdpublish_server.storage import Account, Database, Transaction
from mdpublish_server.storage.accounts import find_account_by_email
from mdpublish_server.web.account.sessions import Sessions
from mdpublish_server.web.forms import read_form
from mdpublish_server.web.site import Site

_FORM_BYTES = 10_000

# Passwords that are hashed at once: each takes a processor and 19 MiB for some milliseconds.
_HASHING = 2


class Signing:
    """The forms."""

    def __init__(
        self, settings: Settings, database: Database, services: Services, sessions: Sessions, site: Site
    ) -> None:
        self._settings = settings
        self._database = database
        self._services = services
        self._sessions = sessions
        self._site = site
        self._hashing = CapacityLimiter(_HASHING)

    async def show_sign_up(self, _request: Request) -> Response:
        """Show the form to sign up."""
        return self._form("account/signup.html")

    async def show_sign_in(self, _request: Request) -> Response:
        """Show the form to sign in."""
        return self._form("account/signin.html")

    async def sign_up(self, request: Request) -> Response:
        """Make an account and sign in; show the form again, with what is wrong."""
        require_same_origin(request, self._settings.public_url)
        if self._settings.registration != "open":
            raise Forbidden("nobody can sign up here; ask whoever runs this service for an account")
        form: dict[str, str] = {}
        try:
            form = await read_form(request, ("email", "password", "username"), most=_FORM_BYTES)
            email = checked_email(form.get("email", ""))
            password = checked_password(form.get("password", ""))
            password_hash = await to_thread.run_sync(hash_password, password, limiter=self._hashing)
            now = self._services.clock()
            old = self._sessions.token_of(request)

            def work(transaction: Transaction) -> str:
                account = open_account(
                    transaction,
                    email=email,
                    password_hash=password_hash,
                    now=now,
                    username=form.get("username") or None,
                )
                return sign_in(transaction, account, now=now, instead_of=old)

            token = await self._database.write(work)
        except ServiceError as error:
            return self._form("account/signup.html", error=error, form=form)
        return self._sessions.answer_with(token)

    async def sign_in(self, request: Request) -> Response:
        """Begin a session; show the form again where address or password is wrong."""
        require_same_origin(request, self._settings.public_url)
        form: dict[str, str] = {}
        try:
            form = await read_form(request, ("email", "password"), most=_FORM_BYTES)
            account = await self._authenticated(form.get("email", ""), form.get("password", ""))
        except ServiceError as error:
            return self._form("account/signin.html", error=error, form=form)
        return await self._sessions.begin(request, account)

    async def sign_out(self, request: Request) -> Response:
        """End the session."""
        require_same_origin(request, self._settings.public_url)
        return await self._sessions.end(request)

    async def _authenticated(self, email: str, password: str) -> Account:
        """Return whose address and password these are; raises `Unauthorized`, whatever was wrong."""
        account = None
        try:
            address = checked_email(email)
        except ValidationError:
            address = None
        if address is not None:
            account = await self._database.read(lambda transaction: find_account_by_email(transaction, address))
        return await to_thread.run_sync(authenticated, account, password, limiter=self._hashing)

    def _form(
        self, template: str, *, error: ServiceError | None = None, form: dict[str, str] | None = None
    ) -> Response:
        """Show a form, filled in as it was sent, but for the password."""
        response = self._site.page(
            template,
            status=error.status if error else 200,
            error=error.message if error else None,
            email=(form or {}).get("email", ""),
            username=(form or {}).get("username", ""),
            is_open=self._settings.registration == "open",
        )
        if error:
            response.headers.update(error.headers)
        return response
