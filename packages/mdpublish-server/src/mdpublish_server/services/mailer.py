"""Outgoing email.

    enqueue ──▶ two bounded queues ──▶ one thread ──▶ SMTP, with retries

Requests never wait: response times must not reveal whether an email is sent. Logs omit addresses and texts.
"""

import heapq
import logging
import smtplib
import tomllib
from contextlib import suppress
from dataclasses import dataclass, field
from email.headerregistry import Address
from email.message import EmailMessage
from email.utils import make_msgid
from itertools import count
from pathlib import Path
from threading import Condition, Thread
from time import monotonic

from anyio import to_thread

from mdpublish_core.hosting.mail import MailServer, id_header, mailbox_header, open_smtp, parse_mailbox, text_header
from mdpublish_server.clock import Clock, utc_now

TIMEOUT_SECONDS = 10
"""Per SMTP response."""

PAUSE_SECONDS = (5.0, 60.0, 600.0)
"""Between attempts."""

DRAIN_SECONDS = 5.0
"""On shutdown."""

_MAX_WAITING = 1_000

_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True, kw_only=True)
class Email:
    """An email, in plain text and maybe in HTML too."""

    to: str
    subject: str
    body: str = field(repr=False)
    html: str | None = field(default=None, repr=False)
    is_security: bool = False
    """Whether it is about an account's security: such mails have a queue of their own, which goes first."""


_WRITTEN: dict[str, dict[str, str]] = tomllib.loads(Path(__file__).with_name("mails.toml").read_text("utf-8"))


def written_mail(name: str, to: str, *, html: str | None = None, is_security: bool = False, **values: object) -> Email:
    """Return an email that `mails.toml` has, with values in the place of their names."""
    subject, body = (_WRITTEN[name][part].format(**values) for part in ("subject", "body"))
    return Email(to=to, subject=subject, body=body, html=html, is_security=is_security)


_Queue = list[tuple[float, int, int, Email]]


class Mailer:
    """Sends from a background thread."""

    def __init__(
        self,
        server: MailServer,
        *,
        sender: str,
        sender_name: str,
        pauses: tuple[float, ...] = PAUSE_SECONDS,
        clock: Clock = utc_now,
    ) -> None:
        self._server = server
        unnamed = parse_mailbox(sender)
        self._sender = Address(sender_name, unnamed.username, unnamed.domain)
        self._from = mailbox_header("From", [self._sender])
        self._pauses = pauses
        self._clock = clock
        self._changed = Condition()
        # Of security and of others, by due time, then FIFO.
        self._queues: tuple[_Queue, _Queue] = ([], [])
        self._numbers = count()
        self._ends_at: float | None = None
        self._thread: Thread | None = None

    def start(self) -> None:
        self._thread = Thread(target=self._run, name="mdpublish-mail", daemon=True)
        self._thread.start()

    def enqueue(self, mail: Email) -> None:
        """Drop the email if the queue is full."""
        self._put(mail, tries=0, due=monotonic())

    async def stop(self) -> None:
        """Send what is queued, for a few seconds."""
        if self._thread is None:
            return
        with self._changed:
            self._ends_at = monotonic() + DRAIN_SECONDS
            self._changed.notify()
        await to_thread.run_sync(self._thread.join, DRAIN_SECONDS)
        with self._changed:
            if waiting := sum(map(len, self._queues)):
                _log.warning("%d emails were not sent before shutdown", waiting)

    def _put(self, mail: Email, *, tries: int, due: float) -> None:
        queue = self._queues[not mail.is_security]
        with self._changed:
            if len(queue) >= _MAX_WAITING:
                _log.error("Email dropped: the queue is full (%d)", _MAX_WAITING)
                return
            heapq.heappush(queue, (due, next(self._numbers), tries, mail))
            self._changed.notify()

    def _run(self) -> None:
        while (taken := self._next()) is not None:
            tries, mail = taken
            try:
                self._deliver(mail)
            except Exception as error:  # noqa: BLE001  (must survive)
                self._fail(mail, tries, error)

    def _next(self) -> tuple[int, Email] | None:
        """Block until an email is due; None when stopped."""
        with self._changed:
            while True:
                now, queues = monotonic(), [queue for queue in self._queues if queue]
                if self._ends_at is not None and (not queues or now >= self._ends_at):
                    return None
                for queue in queues:
                    # On shutdown, a last attempt without delay.
                    if self._ends_at is not None or queue[0][0] <= now:
                        _, _, tries, mail = heapq.heappop(queue)
                        return tries, mail
                self._changed.wait(min((queue[0][0] - now for queue in queues), default=None))

    def _fail(self, mail: Email, tries: int, error: Exception) -> None:
        """Log type and code only: messages may quote the address."""
        code = getattr(error, "smtp_code", "")
        if isinstance(error, smtplib.SMTPRecipientsRefused):
            code = next(iter(error.recipients.values()))[0]
        what = f"{type(error).__name__} {code}".rstrip()
        is_refused = isinstance(code, int) and code >= 500
        if is_refused or tries >= len(self._pauses) or self._ends_at is not None:
            _log.error("Email not sent, giving up after %d attempts: %s", tries + 1, what)
            return
        pause = self._pauses[tries]
        _log.warning("Email not sent, retrying in %g s: %s", pause, what)
        self._put(mail, tries=tries + 1, due=monotonic() + pause)

    def _deliver(self, mail: Email) -> None:
        message = self.message(mail)
        # smtplib's default name is a DNS lookup without a timeout.
        client = open_smtp(self._server, name=self._sender.domain, timeout=TIMEOUT_SECONDS)
        try:
            client.send_message(message, from_addr=self._sender.addr_spec, to_addrs=[mail.to])
        finally:
            # The email is already accepted or rejected.
            with suppress(smtplib.SMTPException, OSError):
                client.quit()
            client.close()

    def message(self, mail: Email) -> EmailMessage:
        message = EmailMessage()
        message["From"] = self._from
        message["To"] = mailbox_header("To", [parse_mailbox(mail.to)])
        message["Subject"] = text_header("Subject", mail.subject)
        message["Date"] = self._clock()
        message["Message-ID"] = id_header("Message-ID", make_msgid(domain=self._sender.domain))
        message["Auto-Submitted"] = "auto-generated"
        message.set_content(mail.body)
        if mail.html is not None:
            message.add_alternative(mail.html, subtype="html")
        return message
