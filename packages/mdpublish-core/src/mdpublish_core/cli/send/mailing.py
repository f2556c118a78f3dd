"""The messages of a mailing, and their way to the mail server."""

import mimetypes
import time
from collections.abc import Iterator, Mapping, Sequence
from email.headerregistry import Address
from email.message import EmailMessage
from functools import partial
from pathlib import Path
from typing import NamedTuple

import click

from mdpublish_core import Document, Notice, email_message, render
from mdpublish_core.cli.inputs import read_bytes
from mdpublish_core.cli.options import StyleOptions
from mdpublish_core.cli.send.fields import fill_document, fill_text, fill_url
from mdpublish_core.cli.send.recipients import Recipient
from mdpublish_core.mail.headers import CONTROLS, file_header, id_header, text_header
from mdpublish_core.mail.sending import send_noted
from mdpublish_core.mail.sent_ledger import Ledger
from mdpublish_core.mail.smtp import MessageRefused, Outbox, Uncertain
from mdpublish_core.writers.email.eml import subject_of
from mdpublish_core.writers.outputs import OUTPUTS

MAX_ATTACHED_BYTES = 18_000_000
"""Together: 25 MB in base64, Gmail's limit."""

_WAYS_TO_UNSUBSCRIBE = ("https://", "mailto:")

# Their content is not encoded in base64 (RFC 2046, sections 5.1 and 5.2.1).
_NOT_ENCODED = ("message", "multipart")


class Attachment(NamedTuple):
    """A file to attach."""

    name: str
    media_type: str
    content: bytes


class Mailing(NamedTuple):
    """What all messages have in common."""

    document: Document
    style: StyleOptions
    sender: Address
    subject: str | None
    default_subject: str
    attachments: Sequence[Attachment] = ()
    unsubscribe: str | None = None

    def message(
        self,
        to: Sequence[Address],
        cc: Sequence[Address] = (),
        *,
        values: Mapping[str, str] | None = None,
        message_id: str | None = None,
    ) -> tuple[EmailMessage, tuple[Notice, ...]]:
        """Return a message, with the values of a recipient in its fields, and what could not be shown."""
        document, subject, unsubscribe = self.document, self.subject, self.unsubscribe
        if values is not None:
            document = fill_document(document, values)
            subject = subject and fill_text(values, subject)
            unsubscribe = unsubscribe and fill_url(values, unsubscribe)
        style = self.style.for_document(document, OUTPUTS["email"])
        conversion = render(document, to="email", media_url="cid:", **style)
        subject = CONTROLS.sub(" ", subject or subject_of(document) or self.default_subject)
        message = email_message(conversion, subject=subject, sender=self.sender, to=to, cc=cc)
        if message_id:
            message.replace_header("Message-ID", id_header("Message-ID", message_id))
        if unsubscribe:
            message["List-Unsubscribe"] = id_header("List-Unsubscribe", f"<{checked_unsubscribe(unsubscribe)}>")
            if unsubscribe.startswith("https://"):  # RFC 8058
                message["List-Unsubscribe-Post"] = text_header("List-Unsubscribe-Post", "List-Unsubscribe=One-Click")
        for attachment in self.attachments:
            kind, _, subtype = attachment.media_type.partition("/")
            headers = [file_header("attachment", attachment.name)]
            message.add_attachment(attachment.content, kind, subtype, headers=headers)
        return message, conversion.notices


class Outcome(NamedTuple):
    """What happened to the message to an address or a channel, in words."""

    recipient: str
    action: str
    problem: str = ""


def checked_unsubscribe(url: str) -> str:
    """Return a URL for the header List-Unsubscribe, which is written as it is. Raises `ClickException`."""
    is_plain = url.isascii() and url.isprintable() and not set(url) & set(" <>,") and "=?" not in url
    if not (is_plain and url.startswith(_WAYS_TO_UNSUBSCRIBE) and len(url) <= 900):  # a line has 998
        raise click.ClickException(
            f"--unsubscribe must be an https:// or mailto: URL in ASCII of at most 900 characters (got {url[:60]!r})"
        )
    return url


def read_attachments(files: Sequence[str]) -> list[Attachment]:
    attachments = []
    for file in files:
        media_type = mimetypes.guess_type(file)[0] or "application/octet-stream"
        if media_type.startswith(_NOT_ENCODED):
            media_type = "application/octet-stream"
        name = Path(file).name
        if CONTROLS.search(name):
            raise click.ClickException(f"cannot attach {name!r}: its name has control characters")
        attachments.append(Attachment(name, media_type, read_bytes(file) or b""))
    if (size := sum(len(each.content) for each in attachments)) > MAX_ATTACHED_BYTES:
        raise click.ClickException(
            f"attachments must be at most {MAX_ATTACHED_BYTES:,} bytes together (got {size:,}); link to them instead"
        )
    return attachments


def send_each(
    mailing: Mailing,
    recipients: Sequence[Recipient],
    outbox: Outbox,
    ledger: Ledger,
    *,
    per_minute: int | None,
    resends: bool,
) -> Iterator[Outcome]:
    """Send one message to each recipient who has none, at most so many a minute. Raises `Unreachable`."""
    next_at = time.monotonic()
    for recipient in recipients:
        email_address = recipient.email_address
        state = ledger.states.get(recipient.key)
        if state == "sent":
            yield Outcome(email_address, "already sent")
            continue
        if state == "sending" and not resends:
            yield Outcome(
                email_address, "uncertain", "was being sent when the last run ended; --resend-uncertain sends again"
            )
            continue
        message_id = ledger.message_id(recipient.key, mailing.sender.domain)
        message, _ = mailing.message([recipient.mailbox], values=recipient.values, message_id=message_id)
        if per_minute:
            time.sleep(max(0, next_at - time.monotonic()))
            next_at = max(next_at, time.monotonic()) + 60 / per_minute
        yield _send_one(outbox, ledger, mailing.sender.addr_spec, recipient, message.as_bytes())


def _send_one(outbox: Outbox, ledger: Ledger, sender: str, recipient: Recipient, message: bytes) -> Outcome:
    email_address = recipient.email_address
    try:
        send_noted(partial(outbox.send, sender, [email_address], message), ledger, recipient.key)
    except MessageRefused as refused:
        return Outcome(email_address, "refused", str(refused))
    except Uncertain as error:
        return Outcome(email_address, "uncertain", f"{error}; --resend-uncertain sends again")
    return Outcome(email_address, "sent")
