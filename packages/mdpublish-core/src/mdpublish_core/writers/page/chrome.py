"""Breadcrumbs and footer of a page."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from mdpublish_core.html import HtmlWriter
from mdpublish_core.writers.options.page import PageLink, PageOptions
from mdpublish_core.writers.words import Words

if TYPE_CHECKING:
    from mdpublish_core.writers.page.frame import PageFrame


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
