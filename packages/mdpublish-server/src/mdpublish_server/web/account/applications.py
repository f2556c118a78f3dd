"""Sign-ups before there is an account: checked, and confirmed by email where the service sends some."""

from collections.abc import Mapping
from urllib.parse import urlencode

from starlette.background import BackgroundTask

from mdpublish_server.auth.password_hashing import PasswordHashing
from mdpublish_server.auth.passwords import validate_email, validate_password
from mdpublish_server.ratelimit.throttles import RequestThrottle
from mdpublish_server.services.email_tokens import SIGN_UP
from mdpublish_server.services.mailer import Mailer, written_mail
from mdpublish_server.services.registration import Applicant, request_account
from mdpublish_server.state import AppState
from mdpublish_server.validation.usernames import validate_username


class Applications:
    """`mailer` is None if email addresses are not confirmed."""

    def __init__(self, state: AppState, *, throttle: RequestThrottle, hashing: PasswordHashing) -> None:
        self.mailer: Mailer | None = state.mailer
        self._settings = state.settings
        self._database = state.database
        self._clock = state.clock
        self._throttle = throttle
        self._hashing = hashing

    async def check(self, form: Mapping[str, str], invitation: str | None, *, network: str) -> Applicant:
        """Raise `ValidationError` or `RateLimited`."""
        email = validate_email(form.get("email", ""))
        password = validate_password(form.get("password", ""))
        username = form.get("username") or None
        if username is not None:
            username = validate_username(username)
        await self._throttle.hit(network)
        return Applicant(
            email=email,
            password_hash=await self._hashing.compute_hash(password),
            username=username,
            invitation=invitation,
        )

    async def send_confirmation(
        self, mailer: Mailer, applicant: Applicant, query: Mapping[str, str], *, keeps_page: bool = False
    ) -> BackgroundTask | None:
        """Return the sending of a link with `query`, or of a notice of the existing account, after the response.

        The response must be the same either way.
        """
        if not await self._throttle.allows_email(applicant.email, SIGN_UP):
            return None
        token = await self._database.write(request_account, applicant, now=self._clock())
        name, dashboard_url = self._settings.service_name, self._settings.dashboard_url
        if token is None:
            mail = written_mail("existing_account", applicant.email, url=dashboard_url, service=name)
        else:
            given = urlencode({name: value for name, value in query.items() if value}, safe="/")
            url = f"{dashboard_url}/confirm/{token}{'?' if given else ''}{given}"
            purpose = "To create the account" + " and keep your page" * keeps_page
            mail = written_mail("sign_up", applicant.email, purpose=purpose, url=url, service=name)
        return BackgroundTask(mailer.enqueue, mail)
