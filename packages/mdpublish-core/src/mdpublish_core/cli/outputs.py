"""What the commands make of a document: HTML, text, a web page, a mail; each with what its author is to be told."""

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from mdpublish_core.cli.reading import read_css, read_template

if TYPE_CHECKING:
    from collections.abc import Sequence
    from email.headerregistry import Address

    from mdpublish_core import Conversion, Document, Notice, Template
    from mdpublish_core.destinations import MediaUrl
    from mdpublish_core.page import PageOptions
    from mdpublish_core.templates import ThemeMode

    Made = tuple[bytes, tuple[Notice, ...]]

Form = Literal["html", "page", "text", "mail"]
"""What is made of a document: what its destination shows, a whole web page, text, or a whole mail."""


@dataclass(frozen=True, slots=True)
class Look:
    """How output looks: in a template, in a theme mode, and with a stylesheet of the user's own, if there is one."""

    template: "Template"
    theme_mode: "ThemeMode"
    css: str | None


def read_look(template: str, theme_mode: "ThemeMode", css_file: str | None) -> Look:
    """Return the look that the options name; raises what `get_template` and `load_template` do."""
    return Look(read_template(template), theme_mode, read_css(css_file))


def render_in(look: Look, document: "Document", destination: str, *, media_url: "MediaUrl" = None) -> "Conversion":
    """Render a document in a look."""
    from mdpublish_core import render

    return render(
        document,
        destination=destination,
        template=look.template,
        theme_mode=look.theme_mode,
        css=look.css,
        media_url=media_url,
    )


def render_alone(look: Look, document: "Document", destination: str) -> "Conversion":
    """Render a document into output that holds its pictures, since nothing beside it could carry them."""
    from mdpublish_core.media import data_url

    return render_in(look, document, destination, media_url=data_url)


def make_html(look: Look, document: "Document", destination: str) -> "Made":
    """Return what a destination shows."""
    conversion = render_alone(look, document, destination)
    return conversion.html.encode(), conversion.notices


def make_text(look: Look, document: "Document", destination: str) -> "Made":
    """Return the text of a destination: its own, or else plain text."""
    from mdpublish_core.destinations import get_destination

    conversion = render_in(look, document, destination)
    text = conversion.html if get_destination(destination).is_text else conversion.plain_text
    return text.encode(), conversion.notices


def make_page(look: Look, document: "Document", options: "PageOptions") -> "Made":
    """Return a whole web page."""
    from mdpublish_core.destinations import destination_notices, get_destination
    from mdpublish_core.page import build_page

    page = build_page(document, options, template=look.template, theme_mode=look.theme_mode, css=look.css)
    return page.html.encode(), (
        *document.notices,
        *destination_notices(document, get_destination("generic")),
        *page.notices,
    )


def make_mail(
    look: Look,
    document: "Document",
    subject: str,
    *,
    sender: "Address | None" = None,
    recipients: "Sequence[Address]" = (),
) -> "Made":
    """Return a whole mail, with its pictures."""
    from mdpublish_core.cli.mails import mail_file

    conversion = render_in(look, document, "email")
    return mail_file(conversion, subject=subject, sender=sender, recipients=recipients), conversion.notices
