"""A web page of its own: the blocks of `generic` in a frame, with head, stylesheet and footer.

The page has one `style` element and nothing else that a Content-Security-Policy would have to allow: no script, no
`style` attribute, no font or picture but those that the document links.
"""

from collections.abc import Mapping
from dataclasses import dataclass

from mdpublish_core.destinations import Setting, generic
from mdpublish_core.destinations.setting import join_css
from mdpublish_core.document import Document
from mdpublish_core.html import HtmlWriter
from mdpublish_core.templates import PageWidth, Template, ThemeMode, bind, get_template, page_css
from mdpublish_core.templates.overlay import overlay_rules


@dataclass(frozen=True, slots=True)
class Badge:
    """The line below a page that says who served it: its text, and where it leads."""

    text: str
    url: str


def render_page(
    document: Document,
    *,
    title: str,
    description: str | None = None,
    template: str | Template = "swiss",
    theme_mode: ThemeMode = "light",
    css: str | None = None,
    page_width: PageWidth = "standard",
    canonical_url: str | None = None,
    badge: Badge | None = None,
    robots: str | None = None,
    lang: str = "en",
) -> str:
    """Return a whole HTML page that shows `document`.

    `title` and `description` are plain text, `canonical_url` an absolute address, `robots` the content of that `meta`
    element (such as `noindex`), and `lang` a BCP 47 language tag. `css` is your own stylesheet, on top of the template's.

    Raises `UnknownTemplate`, `UnknownThemeMode`, `UnknownPageWidth` and `InvalidStylesheet`.
    """
    chosen = get_template(template) if isinstance(template, str) else template
    setting = Setting(bind(chosen, theme_mode), overlay=overlay_rules(css), trusted=document.trusted)
    css = join_css(page_css(chosen, theme_mode, page_width), setting.overlay, setting.style.scope)
    writer = HtmlWriter(trusted=document.trusted)
    writer.doctype()
    writer.start("html", (("lang", lang),))
    writer.line()
    metadata = {
        "viewport": "width=device-width, initial-scale=1",
        "color-scheme": theme_mode,
        "description": description,
        "robots": robots,
    }
    _write_head(writer, title, metadata, canonical_url, css)
    writer.line()
    writer.start("body", (("class", setting.style.scope),))
    writer.line()
    writer.start("main")
    writer.line()
    generic.write_blocks(writer, document, setting)
    writer.end()
    writer.line()
    if badge:
        _write_badge(writer, badge)
    writer.end()
    writer.line()
    writer.end()
    writer.line()
    return writer.finish()


def _write_head(
    writer: HtmlWriter, title: str, metadata: Mapping[str, str | None], canonical_url: str | None, css: str
) -> None:
    writer.start("head")
    writer.line()
    writer.empty("meta", (("charset", "utf-8"),))
    writer.line()
    for name, content in metadata.items():
        if content:
            writer.empty("meta", (("name", name), ("content", content)))
            writer.line()
    if canonical_url:
        writer.empty("link", (("rel", "canonical"), ("href", canonical_url)))
        writer.line()
    writer.start("title")
    writer.text(title)
    writer.end()
    writer.line()
    writer.style(css)
    writer.line()
    writer.end()


def _write_badge(writer: HtmlWriter, badge: Badge) -> None:
    writer.start("footer")
    writer.start("p")
    writer.start("a", (("href", badge.url),))
    writer.text(badge.text)
    writer.end()
    writer.end()
    writer.end()
    writer.line()
