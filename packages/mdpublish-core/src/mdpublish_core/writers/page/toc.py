"""Reading time and table of contents."""

from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from mdpublish_core import nodes
from mdpublish_core.html import HtmlWriter
from mdpublish_core.writers.options.page import PageOptions
from mdpublish_core.writers.structure.anchors import Anchors
from mdpublish_core.writers.structure.bidi import Direction, detect_direction
from mdpublish_core.writers.words import Words

WORDS_PER_MINUTE = 200

MIN_TIMED_WORDS = 200
"""Shorter texts are read at a glance: no reading time."""

MIN_HEADINGS = 4
"""Fewer are easy to find by scrolling."""

MIN_WORDS = 800
"""About three screens."""

HEADING_LEVELS = (2, 3)
"""Level 1 is the title."""


class TocEntry(NamedTuple):
    """A heading and the headings below it."""

    title: str
    href: str
    direction: Direction | None
    entries: list["TocEntry"]


def reading_minutes(word_count: int) -> int:
    """Return the reading time in minutes, at least 1."""
    return max(1, -(-word_count // WORDS_PER_MINUTE))


def write_page_info(
    writer: HtmlWriter, document: nodes.Document, options: PageOptions, words: Words, entries: Sequence[TocEntry]
) -> None:
    shows_time = options.reading_time and document.word_count >= MIN_TIMED_WORDS
    if not shows_time and not entries:
        return
    writer.start_block("div", (("class", "meta"),))
    if shows_time:
        writer.element("p", words["minutes"].format(reading_minutes(document.word_count)))
    if entries:
        _write_toc(writer, entries, words["contents"])
    writer.end_line()


def toc_entries(document: nodes.Document) -> list[TocEntry]:
    anchors = document.cached(Anchors)
    headings = [heading for heading in _toc_headings(document.children) if anchors.heading_id(heading)]
    if len(headings) < MIN_HEADINGS or document.word_count < MIN_WORDS:
        return []
    return entries_of(headings, anchors)


def all_entries(document: nodes.Document) -> list[TocEntry]:
    """Return the entries of a document of any length, without its title."""
    anchors = document.cached(Anchors)
    return entries_of([each for each in _toc_headings(document.children) if anchors.heading_id(each)], anchors)


def entries_of(headings: Iterable[nodes.Heading | nodes.SetextHeading], anchors: Anchors) -> list[TocEntry]:
    entries: list[TocEntry] = []
    for heading in headings:
        entry = TocEntry(
            nodes.text_content(heading), f"#{anchors.heading_id(heading)}", detect_direction(heading.children), []
        )
        is_below = heading.level > HEADING_LEVELS[0] and entries
        (entries[-1].entries if is_below else entries).append(entry)
    return entries


def _toc_headings(blocks: Iterable[nodes.Token]) -> Iterator[nodes.Heading | nodes.SetextHeading]:
    for block in blocks:
        if isinstance(block, nodes.Heading | nodes.SetextHeading):
            if block.level in HEADING_LEVELS:
                yield block
        elif isinstance(block, nodes.HtmlElement):
            yield from _toc_headings(block.children)


def _write_toc(writer: HtmlWriter, entries: Iterable[TocEntry], title: str) -> None:
    writer.start("nav", (("aria-label", title),))
    writer.start("details")
    writer.element("summary", title)
    write_entries(writer, entries)
    writer.end()
    writer.end()


def write_entries(writer: HtmlWriter, entries: Iterable[TocEntry]) -> None:
    writer.start("ol")
    for entry in entries:
        writer.start_block("li", (("dir", None if entry.direction == "ltr" else entry.direction),))
        writer.element("a", entry.title, (("href", entry.href),))
        if entry.entries:
            write_entries(writer, entry.entries)
        writer.end()
    writer.line()
    writer.end()
