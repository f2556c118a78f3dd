"""Email files (.eml): RFC 5322, RFC 2046 and RFC 2387."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from email import policy
from email.headerregistry import Address
from email.message import EmailMessage
from email.utils import localtime, make_msgid
from typing import TypeAlias, cast

from mdpublish_core.arguments import require_type, type_name
from mdpublish_core.errors import InvalidArgument, InvalidEmail
from mdpublish_core.mail.headers import CONTROLS, file_header, id_header, mailbox_header, parse_mailbox, text_header
from mdpublish_core.nodes import Document
from mdpublish_core.resources.media import Media
from mdpublish_core.writers.document_defaults import defaults_of, title_of
from mdpublish_core.writers.options.eml import EmlOptions
from mdpublish_core.writers.outputs import DESTINATIONS
from mdpublish_core.writers.rendering import RenderRequest, write_destination
from mdpublish_core.writers.results import Conversion
from mdpublish_core.writers.words import words_of

Mailboxes: TypeAlias = str | Address | Iterable[str | Address]


def email_message(
    conversion: Conversion,
    *,
    subject: str,
    sender: str | Address,
    to: Mailboxes,
    cc: Mailboxes = (),
    reply_to: Mailboxes = (),
) -> EmailMessage:
    """Build an email with HTML, plain text and inline images from a conversion for `email`.

    An address is `you@example.org` or `You <you@example.org>`, whose name may have any characters in quotes. The
    message has a date and a message id, and can be sent with `smtplib`'s `send_message`; add headers and attachments to
    it.

    The plain text is the conversion's: empty, if it was made with `plain_text=False`.

    Raises `InvalidEmail` for a conversion for another destination, an invalid address, or a subject with a line end.
    """
    require_type("conversion", conversion, Conversion, expected="a Conversion")
    require_type("subject", subject, str)
    if conversion.output != "email":
        raise InvalidEmail(f"needs a conversion for email (got one for {conversion.output})")
    if CONTROLS.search(subject):
        raise InvalidEmail(f"subject must be one line without control characters (got {subject!r})")
    (from_,) = _mailboxes("sender", sender) or (None,)
    if from_ is None:
        raise InvalidEmail("sender must be an address (got none)")
    return _message(conversion, subject, {"From": (from_,), **_recipients(to, cc, reply_to)}, from_.domain)


def write(document: Document, request: RenderRequest) -> Conversion:
    """Write the output `eml`: a draft (`X-Unsent`), with a subject in one line."""
    options = request.options or EmlOptions()
    mail = write_destination(
        document, replace(request, output=DESTINATIONS["email"], options=None, media_url="cid:", plain_text=True)
    )
    subject = options.subject or subject_of(document) or options.default_title or words_of(document)["untitled"]
    (sender,) = _mailboxes("sender", cast("Mailboxes", options.sender)) if options.sender else (None,)
    recipients = (cast("Mailboxes", each) for each in (options.to, options.cc, options.reply_to))
    mailboxes = {"From": (sender,) if sender else (), **_recipients(*recipients)}
    # Avoid a DNS lookup.
    message = _message(mail, CONTROLS.sub(" ", subject).strip(" "), mailboxes, sender.domain if sender else "localhost")
    message["X-Unsent"] = "1"
    return replace(
        mail,
        content=message.as_bytes(),
        output=request.output.name,
        media_type=request.output.media_type,
        suffix=request.output.suffix,
        plain_text=mail.plain_text if request.plain_text else "",
    )


def _recipients(to: Mailboxes, cc: Mailboxes, reply_to: Mailboxes) -> dict[str, tuple[Address, ...]]:
    return {"To": _mailboxes("to", to), "Cc": _mailboxes("cc", cc), "Reply-To": _mailboxes("reply_to", reply_to)}


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


def _mailboxes(name: str, values: Mailboxes) -> tuple[Address, ...]:
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
    checked = parse_mailbox(mailbox.addr_spec)
    if CONTROLS.search(mailbox.display_name):
        raise ValueError(f"the name {mailbox.display_name!r} must be one line without control characters")
    return Address(mailbox.display_name, checked.username, checked.domain)


def subject_of(document: Document) -> str | None:
    """Return the subject in the front matter, else the title."""
    return defaults_of(document).subject or title_of(document)


def _add_image(html: EmailMessage, media: Media) -> None:
    kind, _, subtype = media.media_type.partition("/")
    headers = [file_header("inline", media.content_id), id_header("Content-ID", f"<{media.content_id}>")]
    html.add_related(media.data, kind, subtype, headers=headers)
