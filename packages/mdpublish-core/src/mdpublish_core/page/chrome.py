"""Breadcrumbs and footer of a page."""

from collections.abc import Sequence

from mdpublish_core.html import HtmlWriter
from mdpublish_core.page.options import PageLink, PageOptions


def write_breadcrumbs(writer: HtmlWriter, breadcrumbs: Sequence[PageLink]) -> None:
    writer.start("header", (("class", "kicker"),))
    writer.start("nav", (("aria-label", "Breadcrumb"),))
    _write_links(writer, breadcrumbs, separator=" / ")
    writer.end()
    writer.end()
    writer.line()


def write_footer(writer: HtmlWriter, options: PageOptions) -> None:
    links = (options.badge, *options.links) if options.badge else options.links
    if not links:
        return
    writer.start("footer", (("class", "colophon"),))
    writer.start("p")
    _write_links(writer, links, separator=" ")
    writer.end()
    writer.end()
    writer.line()


def _write_links(writer: HtmlWriter, links: Sequence[PageLink], *, separator: str) -> None:
    for number, link in enumerate(links):
        if number:
            writer.write_text(separator)
        writer.start("a", (("href", link.url), ("rel", link.rel)))
        writer.write_text(link.label)
        writer.end()
