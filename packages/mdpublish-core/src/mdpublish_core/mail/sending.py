"""Sends a message from a program: to all of its recipients or to none, and with a ledger, to nobody twice."""

from collections.abc import Callable
from email.message import EmailMessage
from os import PathLike
from pathlib import Path
from typing import NamedTuple, Self

from mdpublish_core.arguments import require_path, require_type
from mdpublish_core.errors import InvalidEmail
from mdpublish_core.mail.headers import id_header, parse_mailbox
from mdpublish_core.mail.sent_ledger import Ledger
from mdpublish_core.mail.server import MailServer, parse_smtp_url
from mdpublish_core.mail.smtp import MessageRefused, Outbox, Uncertain


def send(
    message: EmailMessage,
    server: str,
    *,
    ledger: str | PathLike[str] | None = None,
    resend_uncertain: bool = False,
) -> bool:
    """Send a message, such as that of `email_message`, to all in To, Cc and Bcc; return whether it was sent now.

    `server` is `smtp://user:password@host:587` or `smtps://…:465`; a password is sent by TLS alone. `ledger` is a file
    that notes who got it: a program that runs again, even after it was killed, sends nothing twice to the same
    recipients, and returns False. Use a new file for each new message.

    Raises `MessageRefused` and `Unreachable` if nobody got it. Raises `Uncertain` if the connection was lost before the
    server's reply, and for a ledger that says so: `resend_uncertain=True` sends it again, with the same `Message-ID`.
    Raises `InvalidEmail` without a sender or recipients, `InvalidFile` for a ledger in use, `ValueError` for `server`.
    """
    require_type("message", message, EmailMessage)
    require_type("server", server, str)
    mailing = _Mailing.of(message, server)
    if ledger is None:
        mailing.send(before_end=lambda: None)
        return True
    require_path("ledger", ledger)
    opened = Ledger(Path(ledger))
    try:
        return _send_once(mailing, opened, resends=resend_uncertain)
    finally:
        opened.close()


def _send_once(mailing: "_Mailing", ledger: Ledger, *, resends: bool) -> bool:
    key = ", ".join(sorted(each.lower() for each in mailing.recipients))
    state = ledger.states.get(key)
    if state == "sent":
        return False
    if state == "sending" and not resends:
        raise Uncertain("the message was being sent when the last run ended; resend_uncertain=True sends it again")
    del mailing.message["Message-ID"]
    mailing.message["Message-ID"] = id_header("Message-ID", ledger.message_id(key, mailing.domain))
    send_noted(mailing.send, ledger, key)
    return True


def send_noted(transmit: Callable[..., None], ledger: Ledger, key: str) -> None:
    """Send a message, with its state in a ledger; `transmit` takes `before_end` and raises what `Outbox.send` does."""
    try:
        transmit(before_end=lambda: ledger.note(key, "sending"))
    except MessageRefused:
        ledger.note(key, "refused")
        raise
    ledger.note(key, "sent")


class _Mailing(NamedTuple):
    """A message, and its way."""

    message: EmailMessage
    server: MailServer
    sender: str
    recipients: list[str]

    @classmethod
    def of(cls, message: EmailMessage, server: str) -> Self:
        (sender, *_), to = (_mailboxes_in(message, *names) for names in (("From",), ("To", "Cc", "Bcc")))
        return cls(message, parse_smtp_url(server), sender, to)

    @property
    def domain(self) -> str:
        return self.sender.rpartition("@")[2]

    def send(self, *, before_end: Callable[[], None]) -> None:
        hidden = self.message["Bcc"]
        del self.message["Bcc"]
        content = self.message.as_bytes(policy=self.message.policy.clone(linesep="\r\n"))
        if hidden is not None:
            self.message["Bcc"] = hidden
        outbox = Outbox(self.server, name=self.domain)
        try:
            outbox.send(self.sender, self.recipients, content, before_end=before_end)
        finally:
            outbox.close()


def _mailboxes_in(message: EmailMessage, *names: str) -> list[str]:
    """Return the addresses in some headers, each once."""
    written = [each.addr_spec for name in names for header in message.get_all(name, ()) for each in header.addresses]
    if not written:
        raise InvalidEmail(f"message must have an address in {' or '.join(names)}")
    try:
        return list(dict.fromkeys(parse_mailbox(each).addr_spec for each in written))
    except ValueError as error:
        raise InvalidEmail(str(error)) from None
