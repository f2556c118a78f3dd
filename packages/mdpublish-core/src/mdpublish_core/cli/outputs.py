"""Output formats: HTML, text, web page, email, Word file."""

from typing import TYPE_CHECKING, Literal, NamedTuple, TypedDict

from mdpublish_core.cli.configuration import ConfiguredDefaults
from mdpublish_core.cli.inputs import read_css, read_template

if TYPE_CHECKING:
    from collections.abc import Sequence
    from email.headerregistry import Address

    from mdpublish_core import Conversion, Document, Notice, Template
    from mdpublish_core.resources.media import MediaUrl
    from mdpublish_core.templates import PageThemeMode, PageWidth
    from mdpublish_core.writers.docx import DocxOptions
    from mdpublish_core.writers.page import PageOptions

    Output = tuple[bytes, tuple[Notice, ...]]

OutputFormat = Literal["html", "page", "text", "mail", "docx"]


class StyleOptions(NamedTuple):
    """How to style the output; where one is None, the front matter chooses, then the configuration."""

    template: "Template | None"
    theme_mode: "PageThemeMode | None"
    css: str | None
    configured_template: "Template | None" = None
    configured_theme_mode: "PageThemeMode | None" = None

    def for_document(self, document: "Document", destination: str = "generic") -> "StyleArguments":
        """Return arguments of the library. A configured `auto` is light where there is no page."""
        from mdpublish_core.writers.document_defaults import defaults_of

        written = defaults_of(document)
        configured_mode = self.configured_theme_mode
        if configured_mode == "auto" and destination != "generic":
            configured_mode = None
        return {
            "template": self.template or (None if written.template_id else self.configured_template),
            "theme_mode": self.theme_mode or (None if written.theme_mode else configured_mode),
            "css": self.css,
        }


class StyleArguments(TypedDict):
    """Keyword arguments of `render` and `build_page`."""

    template: "Template | None"
    theme_mode: "PageThemeMode | None"
    css: str | None


def read_style(
    template: str | None, theme_mode: "PageThemeMode | None", css_file: str | None, configured: ConfiguredDefaults
) -> StyleOptions:
    return StyleOptions(
        read_template(template) if template else None,
        theme_mode,
        read_css(css_file),
        read_template(configured.template) if configured.template and not template else None,
        configured.theme_mode,
    )


def chosen_lang(option: str | None, document: "Document", configured: ConfiguredDefaults) -> str | None:
    """Return the language that an option or the configuration sets, None if the front matter has one."""
    from mdpublish_core.writers.document_defaults import defaults_of

    return option or (None if defaults_of(document).lang else configured.lang)


def chosen_page_width(
    option: "PageWidth | None", document: "Document", configured: ConfiguredDefaults
) -> "PageWidth | None":
    from mdpublish_core.writers.document_defaults import defaults_of

    return option or (None if defaults_of(document).page_width else configured.page_width)


def title_of(document: "Document") -> str | None:
    """Return the title in the front matter, else the first heading."""
    from mdpublish_core.writers.document_defaults import defaults_of

    return defaults_of(document).title or document.title


def render_styled(
    style: StyleOptions, document: "Document", destination: str, *, media_url: "MediaUrl" = None
) -> "Conversion":
    from mdpublish_core import render

    return render(document, destination=destination, media_url=media_url, **style.for_document(document, destination))


def render_self_contained(style: StyleOptions, document: "Document", destination: str) -> "Conversion":
    from mdpublish_core.resources.media_urls import data_url

    return render_styled(style, document, destination, media_url=data_url)


def html_output(style: StyleOptions, document: "Document", destination: str) -> "Output":
    conversion = render_self_contained(style, document, destination)
    return conversion.html.encode(), conversion.notices


def text_output(style: StyleOptions, document: "Document", destination: str) -> "Output":
    from mdpublish_core.writers import get_destination

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
    from mdpublish_core.writers import destination_notices, get_destination
    from mdpublish_core.writers.page import build_page

    page = build_page(document, options, **style.for_document(document))
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
    from mdpublish_core.writers.email.eml import eml_file

    conversion = render_styled(style, document, "email")
    return eml_file(conversion, subject=subject, sender=sender, recipients=recipients), conversion.notices


def docx_output(style: StyleOptions, document: "Document", options: "DocxOptions") -> "Output":
    from mdpublish_core.writers.docx import build_docx

    file = build_docx(document, options, **style.for_document(document, "word"))
    return file.content, file.notices
