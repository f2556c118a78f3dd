"""What the site's pages are made with."""

from dataclasses import dataclass
from typing import Any

from starlette.requests import Request
from starlette.responses import Response

from mdpublish_server.auth.password_hashing import PasswordHashing
from mdpublish_server.ratelimit.guesses import sign_in_throttle
from mdpublish_server.ratelimit.throttles import RequestThrottle
from mdpublish_server.services.email_tokens import LIFETIMES
from mdpublish_server.services.security_mails import Event
from mdpublish_server.state import AppState
from mdpublish_server.storage import Account
from mdpublish_server.validation.browsers import place_of
from mdpublish_server.web.account.applications import Applications
from mdpublish_server.web.account.sessions import Sessions
from mdpublish_server.web.account.sign_in import SignIn
from mdpublish_server.web.devices import DeviceCookies
from mdpublish_server.web.one_time_secrets import OneTimeSecrets
from mdpublish_server.web.site import Site


@dataclass(frozen=True, slots=True, kw_only=True)
class PageContext:
    """What all pages share: one of each, so that their limits hold for all forms together."""

    state: AppState
    site: Site
    sessions: Sessions
    devices: DeviceCookies
    one_time_secrets: OneTimeSecrets
    hashing: PasswordHashing
    requests: RequestThrottle
    sign_in: SignIn
    applications: Applications

    @classmethod
    def of(cls, state: AppState, site: Site) -> "PageContext":
        hashing, requests = state.hashing, RequestThrottle(state.hits)
        devices = DeviceCookies(state.settings, state.server_key, state.clock)
        return cls(
            state=state,
            site=site,
            sessions=Sessions(state, devices),
            devices=devices,
            one_time_secrets=OneTimeSecrets(state.settings, state.server_key, state.clock),
            hashing=hashing,
            requests=requests,
            sign_in=SignIn(
                database=state.database, throttle=sign_in_throttle(state.hits), hashing=hashing, devices=devices
            ),
            applications=Applications(state, throttle=requests, hashing=hashing),
        )


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
