"""Mails to an account's address about what may have been somebody else.

They have no secret, and no text that anybody chose, such as the name of an app or a key: a thief could have it mailed.
"""

from dataclasses import dataclass
from datetime import datetime
from typing import NamedTuple

from mdpublish_server.clock import Clock
from mdpublish_server.ratelimit.throttles import REQUEST_SPAN, Bucket, Hits
from mdpublish_server.services.mailer import Email, Mailer
from mdpublish_server.settings import Settings
from mdpublish_server.storage import Account
from mdpublish_server.validation.browsers import Place

MAX_MAILS = 5
"""Mails of one event and account within an hour; the last says that no more follow."""

_RESET = (
    "choose a new password. This signs everybody out and, unless you remove the tick, ends connected apps and API keys:"
    "\n\n{url}/forgot\n\nThen see what has access to your account:\n\n{url}/account/{page}"
)
_MAILBOX = "change the password of your mailbox, since somebody else may read it. Then " + _RESET
_OPERATOR = "ask the operator of this service."


class Event(NamedTuple):
    """What happened to an account, what to do if that was somebody else, and the page that shows it."""

    what: str
    remedy: str = _RESET
    page: str = "sessions"


PASSWORD_CHANGED = Event("The password of your account on {service} was changed")
PASSWORD_RESET = Event("The password of your account on {service} was reset by email", _MAILBOX)
SIGNED_OUT = Event("Your account on {service} was signed out everywhere")
SIGNED_IN = Event("A new browser signed in to your account on {service}")
SECOND_FACTOR_ON = Event("A second factor was added to your account on {service}")
SECOND_FACTOR_OFF = Event("The second factor of your account on {service} was removed")
APP_CONNECTED = Event("An app was connected to your account on {service}", page="apps")
KEY_CREATED = Event("An API key was created for your account on {service}", page="keys")
SUSPENDED = Event("Your account on {service} was suspended", _OPERATOR)
RESTORED = Event("The suspension of your account on {service} was ended", _OPERATOR)
DELETED = Event("Your account on {service} was deleted", _OPERATOR)


@dataclass(frozen=True, slots=True)
class SecurityMails:
    """Tells owners; without a mail server, nobody."""

    mailer: Mailer | None
    hits: Hits
    settings: Settings
    clock: Clock

    async def tell(self, event: Event, account: Account, place: Place) -> None:
        """Queue a mail about what has happened, unless the owner had enough of the same."""
        if self.mailer is None:
            return
        key = (account.id, event.what)
        is_last = bool(await self.hits.take(Bucket("security-mails", MAX_MAILS - 1, REQUEST_SPAN, key)))
        if is_last and await self.hits.take(Bucket("last-security-mails", 1, REQUEST_SPAN, key)):
            return
        mail = security_email(event, account, place, settings=self.settings, now=self.clock(), is_last=is_last)
        self.mailer.enqueue(mail)


def security_email(
    event: Event, account: Account, place: Place | None, *, settings: Settings, now: datetime, is_last: bool = False
) -> Email:
    """Return the mail about an event at a place; None is the operator's command."""
    what = event.what.format(service=settings.service_name)
    by = "the operator of this service" if place is None else f"{place.browser}, network {place.network or 'unknown'}"
    last = f"\n\nThis is email {MAX_MAILS} of this kind within an hour. Further ones are not sent." if is_last else ""
    remedy = event.remedy.format(url=settings.dashboard_url, page=event.page)
    expected = "If you expected this, there is nothing to do."
    body = f"{what}.\n\nWhen: {now:%-d %B %Y, %H:%M} UTC\nBy: {by}{last}\n\n{expected} If not, {remedy}\n"
    return Email(to=account.email, subject=what, body=body, is_security=True)
