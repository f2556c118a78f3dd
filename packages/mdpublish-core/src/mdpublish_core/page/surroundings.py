"""What stands above and below a page's text: the way up, who served it, and links beside that."""

from collections.abc import Sequence

from mdpublish_core.html import HtmlWriter
from mdpublish_core.page.frame import Breadcrumb, FooterLink, Frame


def write_breadcrumbs(writer: HtmlWriter, breadcrumbs: Sequence[Breadcrumb]) -> None:
    """Write the pages above this one, the highest first."""
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


def write_footer(writer: HtmlWriter, frame: Frame) -> None:
    """Write the badge and the links; nothing where there are neither."""
    badge = (FooterLink(frame.badge.text, frame.badge.url),) if frame.badge else ()
    links = (*badge, *frame.links)
    if not links:
        return
    writer.start("footer")
    writer.start("p")
    for number, link in enumerate(links):
        if number:
            writer.text(" ")
        writer.start("a", (("href", link.url), ("rel", link.rel)))
        writer.text(link.text)
        writer.end()
    writer.end()
    writer.end()
    writer.line()
