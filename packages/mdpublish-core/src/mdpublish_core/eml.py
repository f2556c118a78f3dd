"""Email files (.eml): RFC 5322, RFC 2046 and RFC 2387."""

import re
from collections.abc import Sequence
from email import policy
from email.errors import MessageError
from email.headerregistry import Address
from email.message import EmailMessage
from email.utils import localtime, make_msgid, parseaddr

from mdpublish_core.convert import Conversion
from mdpublish_core.document_defaults import defaults_of
from mdpublish_core.nodes import Document
from mdpublish_core.resources.characters import replace_surrogates
from mdpublish_core.resources.media import Media

_LINE_END = re.compile(r"[\r\n]")
_SPACES = re.compile(r"[\s\x00-\x1f\x7f-\x9f]+")


def eml_file(
    conversion: Conversion, *, subject: str, sender: Address | None = None, recipients: Sequence[Address] = ()
) -> bytes:
    """Build a multipart email with inline images, which Outlook opens as a draft (`X-Unsent`)."""
    mail = EmailMessage(policy.SMTP)
    mail["Subject"] = _SPACES.sub(" ", replace_surrogates(subject)).strip()
    if sender:
        mail["From"] = sender
    if recipients:
        mail["To"] = tuple(recipients)
    mail["Date"] = localtime()
    # Avoid a DNS lookup.
    mail["Message-ID"] = make_msgid(domain=sender.domain if sender else "localhost")
    mail["X-Unsent"] = "1"
    mail.set_content(conversion.plain_text, cte="quoted-printable")
    mail.add_alternative(conversion.html, subtype="html", cte="quoted-printable")
    html = mail.get_body(("html",))
    assert isinstance(html, EmailMessage)
    for media in conversion.media:
        _add_image(html, media)
    return mail.as_bytes()


def subject_of(document: Document) -> str | None:
    """Return the subject in the front matter, else the title."""
    subject = document.front_matter.get("subject")
    if isinstance(subject, str) and subject.strip():
        return " ".join(subject.split())
    return defaults_of(document).title or document.title


def parse_email_address(value: str) -> Address:
    name, email = parseaddr(value)
    try:
        email_address = Address(display_name=name, addr_spec=email)
        email.encode("ascii")
    except (ValueError, IndexError, MessageError):
        email_address = Address()
    if not email_address.domain or _LINE_END.search(value):
        raise ValueError(
            f"invalid email address {value!r}; use name@example.org or 'Name <name@example.org>', in ASCII"
        )
    return email_address


def _add_image(html: EmailMessage, media: Media) -> None:
    kind, _, subtype = media.media_type.partition("/")
    html.add_related(
        media.data, kind, subtype, cid=f"<{media.content_id}>", disposition="inline", filename=media.content_id
    )
