"""`/signup`, `/signup/<invitation>`, `/confirm/<token>`: forms for those who want an account.

With a mail server the form leads to a letter, whatever the e-mail address; without one to the form to sign in. Neither
tells whether the address has an account.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from urllib.parse import urlencode

from starlette.background import BackgroundTask
from starlette.requests import Request
from starlette.responses import Response

from mdpublish_server.accounts import sign_in
from mdpublish_server.clock import Clock
from mdpublish_server.errors import Conflict, Expired, Forbidden, NotFound, RateLimited, ServiceError, Unauthorized
from mdpublish_server.invitations import invitation_path
from mdpublish_server.letters import LIFETIMES, SIGN_UP, find, known_mail, sign_up_mail
from mdpublish_server.mails import Outbox
from mdpublish_server.policies.callers import address_of, require_same_origin
from mdpublish_server.policies.passwords import checked_email, checked_password
from mdpublish_server.policies.sign_ins import RequestThrottle, SignInThrottle
from mdpublish_server.policies.usernames import checked_username
from mdpublish_server.registration import Applicant, ask, confirm, register, require_invited
from mdpublish_server.settings import Settings
from mdpublish_server.storage import Account, Database, Letter, Transaction
from mdpublish_server.web.account.hashing import Hashing
from mdpublish_server.web.account.sessions import HOME, Sessions, checked_place, sent_on
from mdpublish_server.web.forms import FORM_BYTES, TOKEN_CHARACTERS, read_form, token_in
from mdpublish_server.web.site import Site


@dataclass(frozen=True, slots=True, kw_only=True)
class _Confirmed:
    """What the form behind a mailed link brings along."""

    invitation: str | None
    place: str

    @classmethod
    def of(cls, given: Mapping[str, str]) -> "_Confirmed":
        """Return what a query or a form says."""
        return cls(
            invitation=given.get("invitation", "")[:TOKEN_CHARACTERS] or None, place=checked_place(given.get("next"))
        )


class Registering:
    """The forms; with an `outbox`, nobody gets an account whose mail somebody else reads."""

    def __init__(
        self,
        settings: Settings,
        database: Database,
        sessions: Sessions,
        site: Site,
        *,
        throttle: RequestThrottle,
        guesses: SignInThrottle,
        hashing: Hashing,
        outbox: Outbox | None,
        clock: Clock,
    ) -> None:
        self._settings = settings
        self._database = database
        self._sessions = sessions
        self._throttle = throttle
        self._guesses = guesses
        self._hashing = hashing
        self._site = site
        self._outbox = outbox
        self._clock = clock

    async def show_sign_up(self, request: Request) -> Response:
        """Show the form to sign up; without leave to do so, say what it takes."""
        invitation = _invitation_of(request)
        try:
            await self._require_invited(invitation)
        except (Forbidden, NotFound, Expired) as error:
            return self._uninvited(error)
        return self._form(invitation, request.query_params.get("next"))

    async def sign_up(self, request: Request) -> Response:
        """Take what an account is to be; show the form again, with what is wrong."""
        require_same_origin(request, self._settings.account_url)
        invitation = _invitation_of(request)
        form: dict[str, str] = {}
        try:
            await self._require_invited(invitation)
            form = await read_form(request, ("email", "password", "username", "next"), most=FORM_BYTES)
            applicant = await self._applicant(form, invitation, client=address_of(request))
            place = checked_place(form.get("next"))
            if self._outbox is not None:
                return await self._write(self._outbox, applicant, place)
            return await self._register(applicant, place)
        except (Forbidden, NotFound, Expired) as error:
            return self._uninvited(error)
        except ServiceError as error:
            return self._form(invitation, form.get("next"), error=error, form=form)

    async def show_confirm(self, request: Request) -> Response:
        """Show the form that opens the account."""
        confirmed = _Confirmed.of(request.query_params)
        try:
            letter = await self._letter(token_in(request), confirmed)
        except Forbidden as error:
            return self._uninvited(error)
        except (NotFound, Expired) as error:
            return self._stale(error)
        return self._confirm_form(request, letter, confirmed)

    async def confirm(self, request: Request) -> Response:
        """Open the account and sign in; show the form again where the password is another."""
        require_same_origin(request, self._settings.account_url)
        form = await read_form(request, ("invitation", "next", "password"), most=FORM_BYTES)
        token, confirmed = token_in(request), _Confirmed.of(form)
        try:
            letter = await self._letter(token, confirmed)
            try:
                await self._require_password(letter, form.get("password", ""), client=address_of(request))
            except (RateLimited, Unauthorized) as error:
                return self._confirm_form(request, letter, confirmed, error=error)
            session_token = await self._confirm(request, token, confirmed)
        except Forbidden as error:
            return self._uninvited(error)
        except (NotFound, Expired, Conflict) as error:
            return self._stale(error)
        return self._sessions.answer_with(session_token, place=confirmed.place)

    async def _letter(self, token: str, confirmed: _Confirmed) -> Letter:
        """Return the letter of a token; raises `Forbidden`, `NotFound` and `Expired`."""
        await self._require_invited(confirmed.invitation)
        now = self._clock()
        return await self._database.read(lambda transaction: find(transaction, SIGN_UP, token, now=now))

    async def _require_password(self, letter: Letter, password: str, *, client: str) -> None:
        """Have whoever reads the mail prove to be the one who asked for the account; raises `RateLimited`, `Unauthorized`.

        Otherwise a stranger could choose the password of an account that somebody else opens by a hasty click.
        """
        self._guesses.require_room(client, letter.email)
        self._guesses.count_failure(client, letter.email)
        if letter.password_hash is None or not await self._hashing.fits(password, letter.password_hash):
            raise Unauthorized("the password is not the one that was chosen when this account was asked for")
        self._guesses.clear(client, letter.email)

    def _confirm_form(
        self, request: Request, letter: Letter, confirmed: _Confirmed, *, error: ServiceError | None = None
    ) -> Response:
        return self._site.page(
            "account/confirm.html",
            error=error,
            email=letter.email,
            username=letter.username,
            action=f"/confirm/{token_in(request)}",
            invitation=confirmed.invitation or "",
            place=confirmed.place,
        )

    async def _confirm(self, request: Request, token: str, confirmed: _Confirmed) -> str:
        now = self._clock()
        old = self._sessions.token_of(request)

        def work(transaction: Transaction) -> str:
            account: Account = confirm(
                transaction,
                token,
                registration=self._settings.registration,
                invitation=confirmed.invitation,
                now=now,
            )
            return sign_in(transaction, account, now=now, instead_of=old)

        return await self._database.write(work)

    async def _applicant(self, form: dict[str, str], invitation: str | None, *, client: str) -> Applicant:
        """Return who asks for an account; raises `ValidationError` and `RateLimited`."""
        email = checked_email(form.get("email", ""))
        password = checked_password(form.get("password", ""))
        username = form.get("username") or None
        if username is not None:
            username = checked_username(username)
        self._throttle.require_room(client)
        return Applicant(
            email=email,
            password_hash=await self._hashing.hashed(password),
            username=username,
            invitation=invitation,
        )

    async def _register(self, applicant: Applicant, place: str) -> Response:
        """Open the account, if the e-mail address is free, and lead to the form to sign in in either case."""
        now = self._clock()
        registration = self._settings.registration

        def work(transaction: Transaction) -> None:
            register(transaction, applicant, registration=registration, now=now)

        await self._database.write(work)
        query = {"notice": "ready"} if place == HOME else {"notice": "ready", "next": place}
        return sent_on(f"/signin?{urlencode(query, safe='/')}")

    async def _write(self, outbox: Outbox, applicant: Applicant, place: str) -> Response:
        """Mail a link, or that there is an account already, once the answer is sent, which is the same in either case."""
        response = self._site.page(
            "account/sent.html",
            email=applicant.email,
            hours=int(LIFETIMES[SIGN_UP].total_seconds()) // 3600,
            purpose=SIGN_UP,
        )
        if not self._throttle.takes_letter(applicant.email):
            return response
        now = self._clock()
        token = await self._database.write(lambda transaction: ask(transaction, applicant, now=now))
        name = self._settings.service_name
        if token is None:
            mail = known_mail(applicant.email, account_url=self._settings.account_url, service_name=name)
        else:
            url = self._confirm_url(token, applicant.invitation, place)
            mail = sign_up_mail(applicant.email, url=url, service_name=name)
        response.background = BackgroundTask(outbox.post, mail)
        return response

    def _confirm_url(self, token: str, invitation: str | None, place: str) -> str:
        query = {"invitation": invitation or "", "next": "" if place == HOME else place}
        given = urlencode({name: value for name, value in query.items() if value}, safe="/")
        return f"{self._settings.account_url}/confirm/{token}{'?' if given else ''}{given}"

    async def _require_invited(self, invitation: str | None) -> None:
        now = self._clock()
        registration = self._settings.registration
        await self._database.read(lambda transaction: require_invited(transaction, registration, invitation, now=now))

    def _uninvited(self, error: ServiceError) -> Response:
        return self._site.page("account/uninvited.html", error=error)

    def _stale(self, error: ServiceError) -> Response:
        return self._site.page(
            "account/stale.html",
            error=error,
            again="/signup" if self._settings.registration == "open" else None,
            words="Sign up again",
        )

    def _form(
        self,
        invitation: str | None,
        place: str | None,
        *,
        error: ServiceError | None = None,
        form: dict[str, str] | None = None,
    ) -> Response:
        """Show the form, filled in as it was sent, but for the password."""
        return self._site.page(
            "account/signup.html",
            error=error,
            email=(form or {}).get("email", ""),
            username=(form or {}).get("username", ""),
            action="/signup" if invitation is None else invitation_path(invitation),
            place=checked_place(place),
        )


def _invitation_of(request: Request) -> str | None:
    """Return the invitation that the path names, if it names one."""
    return token_in(request) if "token" in request.path_params else None
