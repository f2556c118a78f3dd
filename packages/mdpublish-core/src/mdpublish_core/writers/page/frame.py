"""What a page of a site has around its text: a bar with a menu, the menu with a search form, the neighbors in the footer.

The menu is a popover, so that small windows need no script; large ones show it beside the page. It comes last, so that the text
comes first where no stylesheet is applied. Only searching needs the script, which shows the form.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

from mdpublish_core.html import HtmlWriter
from mdpublish_core.writers.page.options import PageLink, PageOptions
from mdpublish_core.writers.words import Words, data_attributes

MENU_ID = "site-menu"


class MenuEntry(NamedTuple):
    """A page or a folder in the menu, with the entries below it that are shown."""

    label: str
    url: str | None
    is_current: bool = False
    entries: tuple["MenuEntry", ...] = ()


class PageFrame(NamedTuple):
    """The site around a page. URLs are relative to it."""

    site_title: str
    home_url: str
    menu: Sequence[MenuEntry]
    icon_url: str
    script_url: str
    index_url: str
    """The search index, a script."""

    root_url: str
    """What the index's URLs are relative to."""

    previous: PageLink | None = None
    next: PageLink | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class FramedPageOptions(PageOptions):
    """Options of a page of a site."""

    frame: PageFrame


def write_bar(writer: HtmlWriter, frame: PageFrame, words: Words) -> None:
    writer.start("div", (("class", "site-bar"),))
    _write_title(writer, frame)
    writer.element("button", words["menu"], (("type", "button"), ("popovertarget", MENU_ID)))
    writer.end_line()


def write_pager(writer: HtmlWriter, frame: PageFrame, words: Words) -> None:
    if not frame.previous and not frame.next:
        return
    writer.start("nav", (("class", "site-pager"), ("aria-label", words["pager"])))
    for rel, arrow, link in (("prev", "← ", frame.previous), ("next", "→ ", frame.next)):
        if link:
            writer.start("a", (("href", link.url), ("rel", rel)))
            writer.element("span", arrow, (("aria-hidden", "true"),))
            writer.write_text(link.label)
            writer.end()
    writer.end_line()


def write_menu(writer: HtmlWriter, frame: PageFrame, words: Words) -> None:
    writer.start("nav", (("class", "site-menu"), ("id", MENU_ID), ("popover", "auto"), ("aria-label", words["site"])))
    _write_title(writer, frame)
    writer.line()
    _write_search(writer, frame, words)
    _write_entries(writer, frame.menu)
    writer.end()
    writer.start_block("script", (("src", frame.script_url), ("defer", "")))
    writer.end_line()


def _write_title(writer: HtmlWriter, frame: PageFrame) -> None:
    writer.element("a", frame.site_title, (("class", "site-title"), ("href", frame.home_url)))


def _write_search(writer: HtmlWriter, frame: PageFrame, words: Words) -> None:
    data = (
        ("data-index", frame.index_url),
        ("data-root", frame.root_url),
        *data_attributes(words, "loading", "results", "no_results", "no_index"),
    )
    writer.start("form", (("class", "site-search"), ("role", "search"), *data))
    field = (("type", "search"), ("name", "q"), ("aria-label", words["search"]), ("placeholder", words["search"]))
    writer.empty("input", (*field, ("autocomplete", "off"), ("maxlength", "200")))
    writer.element("p", "", (("role", "status"),))
    writer.element("ol", "")
    writer.end_line()


def _write_entries(writer: HtmlWriter, entries: Sequence[MenuEntry]) -> None:
    writer.start("ul")
    for entry in entries:
        writer.start_block("li")
        if entry.url is None:
            writer.start("span")
        else:
            writer.start("a", (("href", entry.url), ("aria-current", "page" if entry.is_current else None)))
        writer.write_text(entry.label)
        writer.end()
        if entry.entries:
            _write_entries(writer, entry.entries)
        writer.end()
    writer.line()
    writer.end()
