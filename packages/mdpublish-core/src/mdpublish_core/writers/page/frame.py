"""Parts around the text of a site's page: bar, menu, contents, search form, and the neighbors in the footer.

Menu, contents and search are popovers, so that small windows need no script; large ones show the first two beside the
page. They come last, so that the text comes first where no stylesheet is applied. Searching and remembering the theme
mode need scripts, which show their buttons.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from mdpublish_core.data_files import read_pairs
from mdpublish_core.html import Attributes, HtmlWriter
from mdpublish_core.options.styles import SiteLayout
from mdpublish_core.writers.options.page import PageLink, PageOptions
from mdpublish_core.writers.page.toc import TocEntry, write_entries
from mdpublish_core.writers.words import Words, data_attributes

MENU_ID, CONTENTS_ID, SEARCH_ID = "site-menu", "site-contents", "site-search"

_ICONS = read_pairs(__file__, "icons.tsv")
"""Lines in a square of 24."""


class MenuEntry(NamedTuple):
    """A page or a folder in the menu, with the entries below it that are shown."""

    label: str
    url: str | None
    is_current: bool = False
    entries: tuple["MenuEntry", ...] = ()
    is_section: bool = False
    """Whether there are entries below it, shown or not."""


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

    layout: SiteLayout = "docs"
    mode_script_url: str | None = None
    """The script that remembers the reader's theme mode, if pages have two."""

    repository: PageLink | None = None
    version: str | None = None
    versions: Sequence[PageLink] = ()
    """The same page, or the first one, in other versions."""

    previous: PageLink | None = None
    next: PageLink | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class FramedPageOptions(PageOptions):
    """Options of a page of a site."""

    frame: PageFrame


def write_bar(writer: HtmlWriter, frame: PageFrame, words: Words, *, has_contents: bool) -> None:
    writer.start("nav", (("class", "site-bar"), ("aria-label", frame.site_title)))
    _write_button(writer, MENU_ID, words["menu"])
    writer.element("a", frame.site_title, (("class", "site-title"), ("href", frame.home_url)))
    if frame.versions:
        writer.start("details", (("class", "site-versions"),))
        writer.element("summary", frame.version or words["versions"])
        _write_entries(writer, [MenuEntry(label, url, label == frame.version) for label, url, _ in frame.versions])
        writer.end()
    _write_button(writer, SEARCH_ID, words["search"])
    if frame.repository:
        writer.start("a", (("class", "site-repository"), ("href", frame.repository.url)))
        _write_icon(writer, "repository")
        writer.write_text(frame.repository.label)
        writer.end()
    if has_contents:
        _write_button(writer, CONTENTS_ID, words["contents"])
    if frame.mode_script_url:
        _write_button(writer, "mode", words["dark"], popover=False)
    writer.end_line()


def _write_button(writer: HtmlWriter, name: str, label: str, *, popover: bool = True) -> None:
    """Write a button that shows a popover, or does what a script says."""
    writer.start(
        "button",
        (
            ("type", "button"),
            ("class", f"for-{name}"),
            ("popovertarget", name if popover else None),
            ("title", label),
        ),
    )
    _write_icon(writer, name)
    writer.element("span", label)
    writer.end()


def _write_icon(writer: HtmlWriter, name: str) -> None:
    writer.start("svg", (("viewBox", "0 0 24 24"), ("aria-hidden", "true")))
    writer.element("path", "", (("d", _ICONS[name]),))
    writer.end()


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


def write_popovers(writer: HtmlWriter, frame: PageFrame, contents: Iterable[TocEntry], words: Words) -> None:
    """Write menu, contents and search form, and the script of the last."""
    if contents:
        _start_popover(writer, "nav", CONTENTS_ID, (("aria-label", words["contents"]),))
        writer.element("p", words["contents"])
        write_entries(writer, contents)
        writer.end()
    _start_popover(writer, "nav", MENU_ID, (("aria-label", words["site"]),))
    _write_entries(writer, frame.menu)
    writer.end()
    _write_search(writer, frame, words)
    writer.start_block("script", (("src", frame.script_url), ("defer", "")))
    writer.end_line()


def _start_popover(writer: HtmlWriter, tag: str, name: str, attributes: Attributes) -> None:
    writer.start_block(tag, (("class", f"site-panel {name}"), ("id", name), ("popover", "auto"), *attributes))


def _write_search(writer: HtmlWriter, frame: PageFrame, words: Words) -> None:
    data = (
        ("data-index", frame.index_url),
        ("data-root", frame.root_url),
        *data_attributes(words, "loading", "results", "no_results", "no_index"),
    )
    _start_popover(writer, "form", SEARCH_ID, (("role", "search"), *data))
    field = (("type", "search"), ("name", "q"), ("aria-label", words["search"]), ("placeholder", words["search"]))
    writer.empty("input", (*field, ("autocomplete", "off"), ("maxlength", "200"), ("autofocus", "")))
    writer.element("p", "", (("role", "status"),))
    writer.element("ol", "")
    writer.end_line()


def _write_entries(writer: HtmlWriter, entries: Sequence[MenuEntry]) -> None:
    writer.start("ul")
    for entry in entries:
        writer.start_block("li", (("class", "section" if entry.is_section else None),))
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
