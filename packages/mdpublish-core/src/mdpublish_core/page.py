"""A web page of its own: the blocks of `generic` in a frame, with head, stylesheet and footer.

The page has one `style` element and nothing else that a Content-Security-Policy would have to allow: no script, no
`style` attribute, no font or picture but those that the document links.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from mdpublish_core.destinations import Setting, generic
from mdpublish_core.destinations.setting import join_css
from mdpublish_core.document import Document
from mdpublish_core.html import HtmlWriter
from mdpublish_core.templates import PageWidth, Template, ThemeMode, bind, get_template, page_css
from mdpublish_core.templates.overlay import overlay_rules


@dataclass(frozen=True, slots=True)
class Badge:
    """The line below a page that says who served it."""

    text: str
    """What it says."""

    url: str
    """Where it leads."""


@dataclass(frozen=True, slots=True)
class Breadcrumb:
    """A page above the one that is made."""

    text: str
    """Its name."""

    url: str
    """Where it is."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Frame:
    """What stands around the blocks of a page; the fields are `render_page`'s."""

    title: str
    description: str | None = None
    page_width: PageWidth = "standard"
    canonical_url: str | None = None
    breadcrumbs: Sequence[Breadcrumb] = ()
    badge: Badge | None = None
    robots: str | None = None
    lang: str = "en"


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
    breadcrumbs: Sequence[Breadcrumb] = (),
    badge: Badge | None = None,
    robots: str | None = None,
    lang: str = "en",
) -> str:
    """Return a whole HTML page that shows `document`.

    `title` and `description` are plain text, `canonical_url` an absolute address, `robots` the content of that `meta`
    element (such as `noindex`), and `lang` a BCP 47 language tag. `css` is your own stylesheet, on top of the template's.
    `breadcrumbs` are the pages above this one, the highest first; they stand on top, and `badge` at the end.

    Raises `UnknownTemplate`, `UnknownThemeMode`, `UnknownPageWidth` and `InvalidStylesheet`.
    """
    chosen = get_template(template) if isinstance(template, str) else template
    frame = Frame(
        title=title,
        description=description,
        page_width=page_width,
        canonical_url=canonical_url,
        breadcrumbs=breadcrumbs,
        badge=badge,
        robots=robots,
        lang=lang,
    )
    setting = Setting(bind(chosen, theme_mode), overlay=overlay_rules(css), trusted=document.trusted)
    return frame_document(document, chosen, theme_mode, setting, frame)


def frame_document(
    document: Document, template: Template, theme_mode: ThemeMode, setting: Setting, frame: Frame
) -> str:
    """Return a page for a setting of the caller's own, in which its notices are then found."""
    css = join_css(page_css(template, theme_mode, frame.page_width), setting.overlay, setting.style.scope)
    writer = HtmlWriter(trusted=document.trusted)
    writer.doctype()
    writer.start("html", (("lang", frame.lang),))
    writer.line()
    _write_head(writer, frame, theme_mode, css)
    writer.line()
    writer.start("body", (("class", setting.style.scope),))
    writer.line()
    if frame.breadcrumbs:
        _write_breadcrumbs(writer, frame.breadcrumbs)
    writer.start("main")
    writer.line()
    generic.write_blocks(writer, document, setting)
    writer.end()
    writer.line()
    if frame.badge:
        _write_badge(writer, frame.badge)
    writer.end()
    writer.line()
    writer.end()
    writer.line()
    return writer.finish()


def _write_head(writer: HtmlWriter, frame: Frame, theme_mode: ThemeMode, css: str) -> None:
    writer.start("head")
    writer.line()
    writer.empty("meta", (("charset", "utf-8"),))
    writer.line()
    metadata = {
        "viewport": "width=device-width, initial-scale=1",
        "color-scheme": theme_mode,
        "description": frame.description,
        "robots": frame.robots,
    }
    for name, content in metadata.items():
        if content:
            writer.empty("meta", (("name", name), ("content", content)))
            writer.line()
    if frame.canonical_url:
        writer.empty("link", (("rel", "canonical"), ("href", frame.canonical_url)))
        writer.line()
    writer.start("title")
    writer.text(frame.title)
    writer.end()
    writer.line()
    writer.style(css)
    writer.line()
    writer.end()


def _write_breadcrumbs(writer: HtmlWriter, breadcrumbs: Sequence[Breadcrumb]) -> None:
    writer.start("header")
    writer.start("nav", (("aria-label", "Breadcrumb"),))
    for number, breadcrumb in enumerate(breadcrumbs):
        if number:
            writer.text(" / ")
        writer.start("a", (("href", breadcrumb.url),))
        writer.text(breadcrumb.text)
        writer.end()
    writer.end()
    writer.end()
    writer.line()


def _write_badge(writer: HtmlWriter, badge: Badge) -> None:
    writer.start("footer")
    writer.start("p")
    writer.start("a", (("href", badge.url),))
    writer.text(badge.text)
    writer.end()
    writer.end()
    writer.end()
    writer.line()
