"""What the site's pages are made with."""

from typing import Any

from starlette.requests import Request
from starlette.responses import Response

from mdpublish_server.auth.second_factor import SecondFactors
from mdpublish_server.ratelimit.guesses import second_factor_throttle, sign_in_throttle
from mdpublish_server.ratelimit.throttles import RequestThrottle
from mdpublish_server.services.email_tokens import LIFETIMES
from mdpublish_server.services.security_mails import Event
from mdpublish_server.state import AppState
from mdpublish_server.storage import Account
from mdpublish_server.validation.browsers import place_of
from mdpublish_server.web.account.applications import Applications
from mdpublish_server.web.account.sessions import Sessions
from mdpublish_server.web.account.sign_in import HALF_SECONDS, SignIn
from mdpublish_server.web.cookies import EncryptedCookie
from mdpublish_server.web.devices import DeviceCookies
from mdpublish_server.web.one_time_secrets import OneTimeSecrets
from mdpublish_server.web.site import Site


class PageContext:
    """What all pages share: one of each, so that their limits hold for all forms together."""

    def __init__(self, state: AppState, site: Site) -> None:
        self.state = state
        self.site = site
        self.hashing = state.hashing
        self.requests = RequestThrottle(state.hits)
        self.devices = DeviceCookies(state.settings, state.server_key)
        self.sessions = Sessions(state, self.devices)
        self.one_time_secrets = OneTimeSecrets(state.settings, state.server_key)
        self.second_factors = SecondFactors(state.database, state.server_key, state.clock)
        self.sign_in = SignIn(
            database=state.database,
            throttle=sign_in_throttle(state.hits),
            hashing=state.hashing,
            devices=self.devices,
            settings=state.settings,
            second_factors=self.second_factors,
            code_throttle=second_factor_throttle(state.hits),
            half_cookie=EncryptedCookie("half", state.settings, state.server_key, seconds=HALF_SECONDS),
        )
        self.applications = Applications(state, self.requests, self.devices, self.one_time_secrets)


class Pages:
    """Some pages of the site, with their forms."""

    def __init__(self, context: PageContext) -> None:
        self._context = context
        self._state = context.state
        self._site = context.site
        self._sessions = context.sessions
        self._one_time_secrets = context.one_time_secrets

    async def _tell(self, event: Event, account: Account, request: Request) -> None:
        """Mail the account's owner what this request has done."""
        await self._state.security_mails.tell(event, account, place_of(request))

    async def _sent(self, request: Request, purpose: str, **values: Any) -> Response:
        """Say that a link was sent, to the address that the browser's secret names."""
        minutes = int(LIFETIMES[purpose].total_seconds()) // 60
        email = await self._one_time_secrets.read(request)
        return self._site.page(
            "account/sent.html", email=email, hours=minutes // 60, minutes=minutes, purpose=purpose, **values
        )
