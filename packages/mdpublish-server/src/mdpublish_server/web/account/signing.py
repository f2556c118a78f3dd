"""`/signin`, `/signout`: forms for those who have an account."""

from starlette.requests import Request
from starlette.responses import Response

from mdpublish_server.errors import ServiceError, ValidationError
from mdpublish_server.policies.callers import address_of, require_same_origin
from mdpublish_server.policies.passwords import checked_email
from mdpublish_server.policies.sign_ins import SignInThrottle
from mdpublish_server.settings import Settings
from mdpublish_server.storage import Account, Database
from mdpublish_server.storage.accounts import find_account_by_email
from mdpublish_server.web.account.hashing import Hashing
from mdpublish_server.web.account.sessions import Sessions, checked_place
from mdpublish_server.web.forms import FORM_BYTES, read_form
from mdpublish_server.web.site import Site

# What may be told above the form, by the name that the address gives it.
_NOTICES = {"ready": "If this address was free, your account is ready: sign in."}


class Signing:
    """The forms."""

    def __init__(
        self,
        settings: Settings,
        database: Database,
        sessions: Sessions,
        site: Site,
        *,
        throttle: SignInThrottle,
        hashing: Hashing,
    ) -> None:
        self._settings = settings
        self._database = database
        self._sessions = sessions
        self._throttle = throttle
        self._hashing = hashing
        self._site = site

    async def show_sign_in(self, request: Request) -> Response:
        """Show the form to sign in."""
        notice = _NOTICES.get(request.query_params.get("notice", ""))
        return self._form(request.query_params.get("next"), notice=notice)

    async def sign_in(self, request: Request) -> Response:
        """Begin a session; show the form again where address or password is wrong."""
        require_same_origin(request, self._settings.account_url)
        form: dict[str, str] = {}
        try:
            form = await read_form(request, ("email", "password", "next"), most=FORM_BYTES)
            account = await self._authenticated(
                form.get("email", ""), form.get("password", ""), client=address_of(request)
            )
        except ServiceError as error:
            return self._form(form.get("next"), error=error, email=form.get("email", ""))
        return await self._sessions.begin(request, account, place=checked_place(form.get("next")))

    async def sign_out(self, request: Request) -> Response:
        """End the session."""
        require_same_origin(request, self._settings.account_url)
        return await self._sessions.end(request)

    async def _authenticated(self, email: str, password: str, *, client: str) -> Account:
        """Return whose address and password these are.

        Raises `Unauthorized`, whatever was wrong, and `RateLimited`, whatever would have been right.
        """
        try:
            address = checked_email(email)
        except ValidationError:
            address = None
        named = address or email
        self._throttle.require_room(client, named)
        self._throttle.count_failure(client, named)
        account = None
        if address is not None:
            account = await self._database.read(lambda transaction: find_account_by_email(transaction, address))
        found = await self._hashing.authenticated(account, password)
        self._throttle.clear(client, named)
        return found

    def _form(
        self, place: str | None, *, error: ServiceError | None = None, notice: str | None = None, email: str = ""
    ) -> Response:
        """Show the form, filled in as it was sent, but for the password."""
        return self._site.page(
            "account/signin.html",
            error=error,
            notice=notice,
            email=email,
            place=checked_place(place),
            is_open=self._settings.registration == "open",
        )
