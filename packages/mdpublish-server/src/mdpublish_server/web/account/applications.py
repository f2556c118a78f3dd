"""Sign-ups before there is an account: checked, and confirmed by email where the service sends some."""

from collections.abc import Mapping
from urllib.parse import urlencode

from starlette.background import BackgroundTask
from starlette.requests import Request
from starlette.responses import Response

from mdpublish_server.auth.devices import sign_up_target
from mdpublish_server.auth.passwords import validate_email, validate_password
from mdpublish_server.ratelimit.throttles import RequestThrottle
from mdpublish_server.services.email_tokens import SIGN_UP
from mdpublish_server.services.mailer import Mailer, written_mail
from mdpublish_server.services.registration import Applicant, request_account
from mdpublish_server.state import AppState
from mdpublish_server.validation.usernames import validate_username
from mdpublish_server.web.devices import DeviceCookies
from mdpublish_server.web.one_time_secrets import OneTimeSecrets


class Applications:
    """`mailer` is None if email addresses are not confirmed."""

    def __init__(
        self, state: AppState, throttle: RequestThrottle, devices: DeviceCookies, one_time_secrets: OneTimeSecrets
    ) -> None:
        self.mailer: Mailer | None = state.mailer
        self._settings = state.settings
        self._database = state.database
        self._clock = state.clock
        self._hashing = state.hashing
        self._throttle = throttle
        self._devices = devices
        self._one_time_secrets = one_time_secrets

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
        self, request: Request, applicant: Applicant, path: str, query: Mapping[str, str]
    ) -> Response:
        """Redirect to `path`, then mail a link with `query`, or a notice of the existing account.

        The response is the same either way.
        """
        assert self.mailer
        response = await self._one_time_secrets.redirect(path, applicant.email)
        await self._devices.remember(request, response, sign_up_target(applicant.password_hash))
        if not await self._throttle.allows_email(applicant.email, SIGN_UP):
            return response
        token = await self._database.write(request_account, applicant, now=self._clock())
        name, dashboard_url = self._settings.service_name, self._settings.dashboard_url
        if token is None:
            mail = written_mail("existing_account", applicant.email, url=dashboard_url, service=name)
        else:
            given = urlencode({name: value for name, value in query.items() if value}, safe="/")
            url = f"{dashboard_url}/confirm/{token}{'?' if given else ''}{given}"
            purpose = "To create the account" + " and keep your page" * ("claim" in query)
            mail = written_mail("sign_up", applicant.email, purpose=purpose, url=url, service=name)
        response.background = BackgroundTask(self.mailer.enqueue, mail)
        return response
