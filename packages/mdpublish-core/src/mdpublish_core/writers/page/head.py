"""The head of a page, and what a page has above and below its text."""

from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING

from mdpublish_core.html import HtmlWriter
from mdpublish_core.templates import PageThemeMode
from mdpublish_core.writers.options.page import PageLink, PageOptions
from mdpublish_core.writers.words import Words, data_attributes

if TYPE_CHECKING:
    from mdpublish_core.writers.page.frame import PageFrame


def write_head(
    writer: HtmlWriter,
    options: PageOptions,
    theme_mode: PageThemeMode,
    css: str,
    *,
    fonts: Iterable[str],
    script_words: Words | None,
    frame: "PageFrame | None" = None,
) -> None:
    """`script_words` are those of the script, if there is one."""
    writer.start_line("head")
    writer.empty_line("meta", (("charset", "utf-8"),))
    for name, content in _metadata(options, theme_mode):
        if content:
            # Open Graph uses RDFa's `property`.
            attribute = "property" if name.startswith("og:") else "name"
            writer.empty_line("meta", ((attribute, name), ("content", content)))
    for font in fonts:
        # Without `crossorigin` the browser would fetch the font twice.
        preload = (("as", "font"), ("type", "font/woff2"), ("crossorigin", ""))
        writer.empty_line("link", (("rel", "preload"), ("href", font), *preload))
    if options.canonical_url:
        writer.empty_line("link", (("rel", "canonical"), ("href", options.canonical_url)))
    if frame:
        writer.empty_line("link", (("rel", "icon"), ("href", frame.icon_url)))
    for alternate in options.alternates:
        kind = (("rel", "alternate"), ("type", alternate.media_type), ("title", alternate.title))
        writer.empty_line("link", (*kind, ("href", alternate.url)))
    writer.element_line("title", options.title or "")
    writer.style(css)
    writer.line()
    if frame and frame.mode_script_url:
        # Before the first paint, which would show the other mode.
        writer.element_line("script", "", (("src", frame.mode_script_url),))
    if script_words is not None:
        from mdpublish_core.writers.page.copy_code import copy_script

        writer.script(copy_script(), data_attributes(script_words, "copy", "copied", "not_copied"))
        writer.line()
    writer.end()


def _metadata(options: PageOptions, theme_mode: PageThemeMode) -> Iterator[tuple[str, str | None]]:
    yield "viewport", "width=device-width, initial-scale=1"
    yield "color-scheme", "light dark" if theme_mode == "auto" else theme_mode
    yield "description", options.description
    yield "robots", options.robots
    if options.site_name or options.social_image:
        yield from _social_metadata(options)


def _social_metadata(options: PageOptions) -> Iterator[tuple[str, str | None]]:
    """Yield metadata of https://ogp.me and https://developer.x.com/en/docs/x-for-websites/cards."""
    yield "og:type", "article"
    yield "og:title", options.title
    yield "og:description", options.description
    yield "og:url", options.canonical_url
    yield "og:site_name", options.site_name
    if options.social_image:
        yield "og:image", options.social_image.url
        yield "og:image:width", str(options.social_image.width)
        yield "og:image:height", str(options.social_image.height)
        yield "og:image:alt", options.social_image.alt
    yield "twitter:card", "summary_large_image" if options.social_image else "summary"


def write_breadcrumbs(writer: HtmlWriter, breadcrumbs: Sequence[PageLink], words: Words) -> None:
    writer.start("header", (("class", "kicker"),))
    writer.start("nav", (("aria-label", words["breadcrumb"]),))
    _write_links(writer, breadcrumbs, separator=" / ")
    writer.end()
    writer.end_line()


def write_mode_switch(writer: HtmlWriter, words: Words, *, is_banner: bool) -> None:
    """`is_banner`: it is a landmark of its own, since the page has no header."""
    # Hidden, since without the stylesheet it would do nothing.
    kind, label = (("class", "mode"), ("type", "checkbox"), ("hidden", "")), words["switch_mode"]
    writer.start("div", (("role", "banner" if is_banner else None),))
    writer.empty("input", (*kind, ("aria-label", label), ("title", label)))
    writer.end_line()


def write_footer(writer: HtmlWriter, options: PageOptions, words: Words, frame: "PageFrame | None" = None) -> None:
    links = (options.badge, *options.links) if options.badge else options.links
    if not links and not (frame and (frame.previous or frame.next)):
        return
    writer.start("footer", (("class", "colophon"),))
    if frame:
        from mdpublish_core.writers.page.frame import write_pager

        write_pager(writer, frame, words)
    if links:
        writer.start("p")
        _write_links(writer, links, separator=" ")
        writer.end()
    writer.end_line()


def _write_links(writer: HtmlWriter, links: Sequence[PageLink], *, separator: str) -> None:
    for number, link in enumerate(links):
        if number:
            writer.write_text(separator)
        writer.element("a", link.label, (("href", link.url), ("rel", link.rel)))
