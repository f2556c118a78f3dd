"""Email files (.eml): RFC 5322, RFC 2046 and RFC 2387."""

from collections.abc import Iterable, Mapping, Sequence
from email import policy
from email.headerregistry import Address
from email.message import EmailMessage
from email.utils import localtime, make_msgid
from typing import Any, Unpack

from mdpublish_core.arguments import require_type, type_name
from mdpublish_core.errors import InvalidArgument, InvalidEmail
from mdpublish_core.mail_headers import CONTROLS, file_header, id_header, mailbox_header, parse_mailbox, text_header
from mdpublish_core.nodes import Document
from mdpublish_core.resources.media import Media
from mdpublish_core.writers.document_defaults import title_of
from mdpublish_core.writers.rendering import render
from mdpublish_core.writers.results import Conversion, StyleArguments, Written


def email_message(
    conversion: Conversion,
    *,
    subject: str,
    sender: str | Address,
    to: str | Address | Iterable[str | Address],
    cc: str | Address | Iterable[str | Address] = (),
    reply_to: str | Address | Iterable[str | Address] = (),
) -> EmailMessage:
    """Build an email with HTML, plain text and inline images from a conversion for `email`.

    An address is `you@example.org` or `You <you@example.org>`, whose name may have any characters in quotes. The message has a date and a
    message id, and can be sent with `smtplib`'s `send_message`; add headers and attachments as to any other `EmailMessage`.

    Raises `InvalidEmail` for a conversion for another destination, an invalid address, or a subject with a line end.
    """
    require_type("conversion", conversion, Conversion, expected="a Conversion")
    require_type("subject", subject, str)
    if conversion.destination != "email":
        raise InvalidEmail(f"needs a conversion for email (got one for {conversion.destination})")
    if CONTROLS.search(subject):
        raise InvalidEmail(f"subject must be one line without control characters (got {subject!r})")
    (from_,) = _mailboxes("sender", sender) or (None,)
    if from_ is None:
        raise InvalidEmail("sender must be an address (got none)")
    recipients = {"To": _mailboxes("to", to), "Cc": _mailboxes("cc", cc), "Reply-To": _mailboxes("reply_to", reply_to)}
    return _message(conversion, subject, {"From": (from_,), **recipients}, from_.domain)


def eml_file(
    conversion: Conversion, *, subject: str, sender: Address | None = None, recipients: Sequence[Address] = ()
) -> bytes:
    """Build an email file, which Outlook opens as a draft (`X-Unsent`)."""
    one_line = CONTROLS.sub(" ", subject).strip(" ")
    mailboxes = {"From": (sender,) if sender else (), "To": recipients}
    # Avoid a DNS lookup.
    mail = _message(conversion, one_line, mailboxes, sender.domain if sender else "localhost")
    mail["X-Unsent"] = "1"
    return mail.as_bytes()


def write(document: Document, options: Mapping[str, Any], *, name: str, **style: Unpack[StyleArguments]) -> Written:
    """Write the output `eml`."""
    conversion = render(document, destination="email", **style)
    subject = options.get("subject") or subject_of(document) or name
    sender, recipients = options.get("sender"), options.get("recipients", ())
    return Written(eml_file(conversion, subject=subject, sender=sender, recipients=recipients), conversion.notices)


def _message(
    conversion: Conversion, subject: str, mailboxes: Mapping[str, Sequence[Address]], domain: str
) -> EmailMessage:
    mail = EmailMessage(policy.SMTP)
    mail["Subject"] = text_header("Subject", subject)
    for name, each in mailboxes.items():
        if each:
            mail[name] = mailbox_header(name, each)
    mail["Date"] = localtime()
    mail["Message-ID"] = id_header("Message-ID", make_msgid(domain=domain))
    mail.set_content(conversion.plain_text, cte="quoted-printable")
    mail.add_alternative(conversion.html, subtype="html", cte="quoted-printable")
    html = mail.get_body(("html",))
    assert isinstance(html, EmailMessage)
    for media in conversion.media:
        _add_image(html, media)
    return mail


def _mailboxes(name: str, values: str | Address | Iterable[str | Address]) -> tuple[Address, ...]:
    written: object = values
    if isinstance(written, bytes) or not isinstance(written, Iterable | Address):
        raise InvalidArgument(name, f"must be an address or several (got {type_name(written)})")
    mailboxes = (values,) if isinstance(values, str | Address) else tuple(values)
    for each in mailboxes:
        require_type(name, each, str, Address)
    try:
        return tuple(parse_mailbox(each) if isinstance(each, str) else _checked(each) for each in mailboxes)
    except ValueError as error:
        raise InvalidEmail(f"{name}: {error}") from None


def _checked(mailbox: Address) -> Address:
    parse_mailbox(mailbox.addr_spec)
    if CONTROLS.search(mailbox.display_name):
        raise ValueError(f"the name {mailbox.display_name!r} must be one line without control characters")
    return mailbox


def subject_of(document: Document) -> str | None:
    """Return the subject in the front matter, else the title."""
    subject = document.front_matter.get("subject")
    if isinstance(subject, str) and subject.strip():
        return " ".join(subject.split())
    return title_of(document)


def _add_image(html: EmailMessage, media: Media) -> None:
    kind, _, subtype = media.media_type.partition("/")
    headers = [file_header("inline", media.content_id), id_header("Content-ID", f"<{media.content_id}>")]
    html.add_related(media.data, kind, subtype, headers=headers)
