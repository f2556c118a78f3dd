"""From Markdown text to a finished tree: normalises the text, keeps the bounds, and gives the parser's notices.

    lines → blocks (BlockScanner) → their inlines (InlineScanner) → footnotes numbered → raw HTML lowered → addresses
    resolved → Document

Both scanners keep their state in themselves, one pair for each text, so that any number of texts are parsed side by side.
"""

import re
from collections.abc import Sequence

from mdpublish_core import nodes
from mdpublish_core.errors import LimitExceeded
from mdpublish_core.extensions import Extension, RawHtml
from mdpublish_core.limits import LEAST_EXPANSION, Limits
from mdpublish_core.notices import Notice, unsafe_url
from mdpublish_core.parsing.addresses import resolve_addresses
from mdpublish_core.parsing.blocks import BlockScanner
from mdpublish_core.parsing.inlines import InlineScanner
from mdpublish_core.parsing.links import normalised_label
from mdpublish_core.parsing.raw_html import lower_raw_html
from mdpublish_core.urls import Resolve

_LONE_SURROGATE = re.compile(r"[\ud800-\udfff]")


def parse_text(
    markdown: str, *, raw_html: RawHtml, extensions: frozenset[Extension], resolve: Resolve | None, limits: Limits
) -> nodes.Document:
    """Return the tree of a text; the promise is that of `convert.parse`."""
    text = normalise(markdown)
    size = len(text) if text.isascii() else len(text.encode())
    if size > limits.input_bytes:
        raise LimitExceeded("input_bytes", limits.input_bytes, size)
    document = _Parsing(raw_html, extensions, limits).document(text, size)
    if resolve:
        resolve_addresses(document, resolve)
    return document


def normalise(markdown: str) -> str:
    """Make line ends LF, drop a byte-order mark, and put U+FFFD where NUL or a lone surrogate stands."""
    text = markdown.removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n").replace("\0", "\ufffd")
    if text.isascii():
        return text
    try:
        text.encode()
    except UnicodeEncodeError:
        return _LONE_SURROGATE.sub("\ufffd", text)
    return text


class _Parsing:
    """One text on its way through the scanners, and what they give notice of."""

    def __init__(self, raw_html: RawHtml, extensions: frozenset[Extension], limits: Limits) -> None:
        self._raw_html: RawHtml = raw_html
        self._extensions = extensions
        self._limits = limits
        self._filters_tags = raw_html == "keep" and "tagfilter" in extensions
        self._notices: list[Notice] = []

    def document(self, text: str, size: int) -> nodes.Document:
        """Return the finished tree of a normalised text of `size` bytes."""
        scanner = BlockScanner(self._extensions, self._limits, filters_tags=self._filters_tags)
        blocks = scanner.scan(text.removesuffix("\n").split("\n"))
        self._notices += scanner.notices
        inlines, with_html = self._scan_inlines(scanner, max(LEAST_EXPANSION, self._limits.references * size))
        notes = _numbered(scanner.footnotes, inlines.calls)
        if (scanner.has_raw_html or with_html) and self._raw_html != "keep":
            levels = 2 * self._limits.nesting
            for note in notes:
                note.children = self._lowered(note.children or (), levels - 1, with_html, inlines.levels)
            blocks = self._lowered(blocks, levels, with_html, inlines.levels)
        self._notices.sort(key=lambda notice: notice.line or 0)
        return nodes.Document(
            blocks,
            footnote_definitions=notes,
            notices=tuple(self._notices),
            source_bytes=size,
            trusted=self._raw_html == "keep",
            bounded=True,
        )

    def _scan_inlines(self, scanner: BlockScanner, expansion: int) -> tuple[InlineScanner, set[nodes.Token]]:
        """Scan the text of every block that has one; return the scanner, and the blocks with raw HTML in their text."""
        labels = {normalised_label(note.label) for note in scanner.footnotes}
        inlines = InlineScanner(
            self._extensions,
            scanner.references,
            labels,
            self._limits.nesting,
            expansion=expansion,
            filters_tags=self._filters_tags,
        )
        told = False
        with_html: set[nodes.Token] = set()
        for token, text in scanner.pending:
            token.children = inlines.scan(text)
            if inlines.has_raw_html:
                with_html.add(token)
                inlines.has_raw_html = False
            if inlines.too_deep or inlines.unsafe_urls:
                self._give_notice(inlines, getattr(token, "line_number", None))
            if inlines.too_many_references and not told:
                told = True
                message = (
                    f"references stand for more than {expansion:,} characters; from here on they are shown as text"
                )
                self._notices.append(Notice("references", message, getattr(token, "line_number", None)))
        return inlines, with_html

    def _give_notice(self, inlines: InlineScanner, line: int | None) -> None:
        """Tell the author what could not be shown in the text of the block that begins on this line."""
        if inlines.too_deep:
            inlines.too_deep = False
            message = f"inlines nest deeper than {self._limits.nesting} levels; the text is shown as it stands"
            self._notices.append(Notice("nesting", message, line))
        if self._raw_html != "keep":
            self._notices += [unsafe_url(url, line) for url in inlines.unsafe_urls]
        inlines.unsafe_urls.clear()

    def _lowered(
        self, blocks: Sequence[nodes.Token], nesting: int, with_html: set[nodes.Token], inline_levels: int
    ) -> Sequence[nodes.Token]:
        """Return blocks with their raw HTML lowered."""
        assert self._raw_html != "keep"
        lowered, notices = lower_raw_html(
            blocks, self._raw_html, nesting=nesting, texts=with_html, inline_levels=inline_levels
        )
        self._notices += notices
        return lowered


def _numbered(
    notes: list[nodes.FootnoteDefinition], calls: list[nodes.FootnoteReference]
) -> list[nodes.FootnoteDefinition]:
    """Return the footnotes in the order of their first calls, numbered; those that are never called come last."""
    by_label: dict[str, nodes.FootnoteDefinition] = {}
    for note in notes:
        note.references = 0
        by_label.setdefault(normalised_label(note.label), note)
    ordered: list[nodes.FootnoteDefinition] = []
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
