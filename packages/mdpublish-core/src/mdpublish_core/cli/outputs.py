"""Output formats: HTML, text, web page, email, Word file."""

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from mdpublish_core.cli.inputs import read_css, read_template

if TYPE_CHECKING:
    from collections.abc import Sequence
    from email.headerregistry import Address

    from mdpublish_core import Conversion, Document, Notice, Template
    from mdpublish_core.destinations import MediaUrl
    from mdpublish_core.docx import DocxOptions
    from mdpublish_core.page import PageOptions
    from mdpublish_core.templates import PageThemeMode

    Output = tuple[bytes, tuple[Notice, ...]]

OutputFormat = Literal["html", "page", "text", "mail", "docx"]


@dataclass(frozen=True, slots=True)
class StyleOptions:
    """How to style the output; where one is None, the front matter chooses."""

    template: "Template | None"
    theme_mode: "PageThemeMode | None"
    css: str | None


def read_style(template: str | None, theme_mode: "PageThemeMode | None", css_file: str | None) -> StyleOptions:
    return StyleOptions(read_template(template) if template else None, theme_mode, read_css(css_file))


def title_of(document: "Document") -> str | None:
    """Return the title in the front matter, else the first heading."""
    from mdpublish_core.document_defaults import defaults_of

    return defaults_of(document).title or document.title


def render_styled(
    style: StyleOptions, document: "Document", destination: str, *, media_url: "MediaUrl" = None
) -> "Conversion":
    from mdpublish_core import render

    return render(
        document,
        destination=destination,
        template=style.template,
        theme_mode=style.theme_mode,
        css=style.css,
        media_url=media_url,
    )


def render_self_contained(style: StyleOptions, document: "Document", destination: str) -> "Conversion":
    from mdpublish_core.resources.media import data_url

    return render_styled(style, document, destination, media_url=data_url)


def html_output(style: StyleOptions, document: "Document", destination: str) -> "Output":
    conversion = render_self_contained(style, document, destination)
    return conversion.html.encode(), conversion.notices


def text_output(style: StyleOptions, document: "Document", destination: str) -> "Output":
    from mdpublish_core.destinations import get_destination

    conversion = render_styled(style, document, destination)
    content = conversion.html if get_destination(destination).is_text else conversion.plain_text
    return content.encode(), conversion.notices


def blocks_output(document: "Document") -> "Output":
    """Return messages for Slack as JSON, one a line."""
    import json

    from mdpublish_core import render, slack_messages

    notices = [notice for notice in render(document, destination="slack").notices if notice.code != "slack-too-long"]
    lines = [f"{json.dumps(message, ensure_ascii=False)}\n" for message in slack_messages(document)]
    return "".join(lines).encode(), tuple(notices)


def page_output(style: StyleOptions, document: "Document", options: "PageOptions") -> "Output":
    from mdpublish_core.destinations import destination_notices, get_destination
    from mdpublish_core.page import build_page

    page = build_page(document, options, template=style.template, theme_mode=style.theme_mode, css=style.css)
    return page.html.encode(), (
        *document.notices,
        *destination_notices(document, get_destination("generic")),
        *page.notices,
    )


def mail_output(
    style: StyleOptions,
    document: "Document",
    subject: str,
    *,
    sender: "Address | None" = None,
    recipients: "Sequence[Address]" = (),
) -> "Output":
    from mdpublish_core.eml import eml_file

    conversion = render_styled(style, document, "email")
    return eml_file(conversion, subject=subject, sender=sender, recipients=recipients), conversion.notices


def docx_output(style: StyleOptions, document: "Document", options: "DocxOptions") -> "Output":
    from mdpublish_core.docx import build_docx

    file = build_docx(document, options, template=style.template, theme_mode=style.theme_mode, css=style.css)
    return file.content, file.notices
