"""From Markdown text to a finished tree: normalises the text, keeps the bounds, and gives the parser's notices.

    lines → blocks (BlockScanner) → their inlines (InlineScanner) → footnotes numbered → raw HTML lowered → Document

Both scanners keep their state in themselves, one pair for each text, so that any number of texts are parsed side by side.
"""

import re
from collections.abc import Sequence

from mdpublish_core.document import Document, FootnoteDefinition, FootnoteReference, Image, Link, Token, walk
from mdpublish_core.errors import LimitExceeded
from mdpublish_core.extensions import Extension, RawHtml
from mdpublish_core.limits import Limits
from mdpublish_core.notices import Notice
from mdpublish_core.parsing.blocks import BlockScanner
from mdpublish_core.parsing.inlines import InlineScanner
from mdpublish_core.parsing.links import normalised_label
from mdpublish_core.parsing.raw_html import filter_tags, lower_raw_html
from mdpublish_core.urls import is_safe_url

_LONE_SURROGATE = re.compile(r"[\ud800-\udfff]")

# How much of an address a notice repeats.
_SHOWN_CHARACTERS = 40


def parse_text(markdown: str, *, raw_html: RawHtml, extensions: frozenset[Extension], limits: Limits) -> Document:
    """Return the tree of a text; the promise is that of `convert.parse`."""
    text = normalise(markdown)
    size = len(text.encode())
    if size > limits.input_bytes:
        raise LimitExceeded("input_bytes", limits.input_bytes, size)
    scanner = BlockScanner(extensions, limits)
    blocks = scanner.scan(text.removesuffix("\n").split("\n"))
    inlines = _scan_inlines(scanner, extensions, limits)
    notes = _numbered(scanner.footnotes, inlines.calls)
    notices = scanner.notices
    if scanner.has_raw_html or inlines.has_raw_html:
        if raw_html != "keep":
            blocks = _lowered(blocks, notes, raw_html, limits, notices)
        elif "tagfilter" in extensions:
            filter_tags([*blocks, *notes])
    document = Document(blocks, footnote_definitions=notes, source_bytes=size, trusted=raw_html == "keep", bounded=True)
    if raw_html != "keep":
        notices += _unsafe_url_notices(document)
    notices.sort(key=lambda notice: notice.line or 0)
    document.notices = tuple(notices)
    return document


def normalise(markdown: str) -> str:
    """Make line ends LF, drop a byte-order mark, and put U+FFFD where NUL or a lone surrogate stands."""
    text = markdown.removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n").replace("\0", "\ufffd")
    return text if text.isascii() else _LONE_SURROGATE.sub("\ufffd", text)


def _scan_inlines(scanner: BlockScanner, extensions: frozenset[Extension], limits: Limits) -> InlineScanner:
    """Scan the text of every block that has one, and return the scanner with what it found."""
    labels = {normalised_label(note.label) for note in scanner.footnotes}
    inlines = InlineScanner(extensions, scanner.references, labels, limits.nesting)
    for token, text in scanner.pending:
        token.children = inlines.scan(text)
        if inlines.too_deep:
            inlines.too_deep = False
            message = f"inlines nest deeper than {limits.nesting} levels; the text is shown as it stands"
            scanner.notices.append(Notice("nesting", message, getattr(token, "line_number", None)))
    return inlines


def _numbered(notes: list[FootnoteDefinition], calls: list[FootnoteReference]) -> list[FootnoteDefinition]:
    """Return the footnotes in the order of their first calls, numbered; those that are never called come last."""
    by_label: dict[str, FootnoteDefinition] = {}
    for note in notes:
        note.references = 0
        by_label.setdefault(normalised_label(note.label), note)
    ordered: list[FootnoteDefinition] = []
    for call in calls:
        note = by_label[normalised_label(call.label)]
        if not note.references:
            ordered.append(note)
            note.number = len(ordered)
        note.references += 1
        call.label, call.number, call.occurrence = note.label, note.number, note.references
    for note in notes:
        if not note.references:
            ordered.append(note)
            note.number = len(ordered)
    return ordered


def _lowered(
    blocks: Sequence[Token], notes: list[FootnoteDefinition], raw_html: RawHtml, limits: Limits, notices: list[Notice]
) -> Sequence[Token]:
    """Return the blocks with their raw HTML lowered, and lower the footnotes'."""
    assert raw_html != "keep"
    for note in notes:
        note.children, found = lower_raw_html(note.children, raw_html, nesting=2 * limits.nesting)
        notices += found
    lowered, found = lower_raw_html(blocks, raw_html, nesting=2 * limits.nesting)
    notices += found
    return lowered


def _unsafe_url_notices(document: Document) -> list[Notice]:
    """Tell the author which links and images lose their address; the writer of HTML is what takes it away."""
    notices = []
    line = 1
    for token in walk(document):
        if isinstance(token, Link | Image):
            url = token.target if isinstance(token, Link) else token.src
            if not is_safe_url(url):
                shown = url if len(url) <= _SHOWN_CHARACTERS else url[: _SHOWN_CHARACTERS - 1] + "…"
                notices.append(Notice("unsafe_url", f"the address {shown!r} is of a scheme that is not linked", line))
        else:
            line = getattr(token, "line_number", None) or line
    return notices
