"""The parser: Markdown to a finished `Document`.

lines → blocks (BlockScanner) → their inlines (InlineScanner) → footnotes numbered → raw HTML as nodes → URLs
rewritten → Document
"""

from collections.abc import Sequence

from mdpublish_core import nodes
from mdpublish_core.errors import LimitExceeded
from mdpublish_core.notices import Notice, too_complex_notice, unsafe_link_notice
from mdpublish_core.options.extensions import Extension, RawHtml
from mdpublish_core.options.limits import MIN_REFERENCE_EXPANSION, Limits, budget_of
from mdpublish_core.parsing.blocks import BlockScanner
from mdpublish_core.parsing.inlines import InlineScanner
from mdpublish_core.parsing.links import normalize_label
from mdpublish_core.parsing.raw_html import convert_raw_html
from mdpublish_core.parsing.url_rewriting import rewrite_urls
from mdpublish_core.resources.characters import replace_surrogates
from mdpublish_core.resources.urls import UrlRewriter


def parse_markdown(
    markdown: str,
    *,
    raw_html: RawHtml,
    extensions: frozenset[Extension],
    rewrite_url: UrlRewriter | None,
    limits: Limits,
) -> nodes.Document:
    source = normalize(markdown)
    size = len(source) if source.isascii() else len(source.encode())
    if size > limits.max_input_bytes:
        raise LimitExceeded("max_input_bytes", limits.max_input_bytes, size)
    document = _DocumentParser(raw_html, extensions, limits).document(source, size)
    if rewrite_url:
        rewrite_urls(document, rewrite_url)
    return document


def normalize(markdown: str) -> str:
    """Convert line ends to LF, drop a byte-order mark, and replace NUL and lone surrogates by U+FFFD."""
    source = markdown.removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n").replace("\0", "\ufffd")
    return replace_surrogates(source)


class _DocumentParser:
    def __init__(self, raw_html: RawHtml, extensions: frozenset[Extension], limits: Limits) -> None:
        self._raw_html: RawHtml = raw_html
        self._extensions = extensions
        self._limits = limits
        self._filters_tags = raw_html == "keep" and "tagfilter" in extensions
        self._notices: list[Notice] = []

    def document(self, source: str, size: int) -> nodes.Document:
        budget = budget_of(self._limits, size)
        scanner = BlockScanner(self._extensions, self._limits, budget, filters_tags=self._filters_tags)
        blocks = scanner.scan(source.removesuffix("\n").split("\n"))
        self._notices += scanner.notices
        inlines, with_html = self._scan_inlines(
            scanner, max(MIN_REFERENCE_EXPANSION, self._limits.max_reference_expansion * size)
        )
        notes = _number_footnotes(scanner.footnotes, inlines.footnote_references)
        if (scanner.has_raw_html or with_html) and self._raw_html != "keep":
            levels = 2 * self._limits.max_depth
            for note in notes:
                note.children = self._convert_raw_html(note.children or (), levels - 1, with_html, inlines.levels)
            blocks = self._convert_raw_html(blocks, levels, with_html, inlines.levels)
        self._notices.sort(key=lambda notice: notice.line or 0)
        return nodes.Document(
            blocks,
            footnote_definitions=notes,
            notices=tuple(self._notices),
            source_bytes=size,
            trusted=self._raw_html == "keep",
            bounded=True,
            steps_left=budget.left,
        )

    def _scan_inlines(self, scanner: BlockScanner, expansion: int) -> tuple[InlineScanner, set[nodes.Token]]:
        labels = {normalize_label(note.label) for note in scanner.footnotes}
        inlines = InlineScanner(
            self._extensions,
            scanner.references,
            labels,
            self._limits.max_depth,
            budget=scanner.budget,
            expansion=expansion,
            filters_tags=self._filters_tags,
        )
        has_notice, is_cut = False, scanner.is_cut
        with_html: set[nodes.Token] = set()
        for token, source in scanner.pending:
            token.children = inlines.scan(source)
            if not is_cut and scanner.budget.left < 0:
                is_cut = True
                self._notices.append(
                    too_complex_notice("inlines from here on are", getattr(token, "line_number", None))
                )
            if inlines.has_raw_html:
                with_html.add(token)
                inlines.has_raw_html = False
            if inlines.too_deep or inlines.unsafe_urls:
                self._add_notices(inlines, getattr(token, "line_number", None))
            if inlines.too_many_references and not has_notice:
                has_notice = True
                message = f"references expand to more than {expansion:,} characters; further ones are shown as text"
                self._notices.append(Notice("too-many-references", message, getattr(token, "line_number", None)))
        return inlines, with_html

    def _add_notices(self, inlines: InlineScanner, line: int | None) -> None:
        if inlines.too_deep:
            inlines.too_deep = False
            message = f"inlines nest deeper than {self._limits.max_depth} levels; the text is shown unparsed"
            self._notices.append(Notice("nesting-too-deep", message, line))
        if self._raw_html != "keep":
            self._notices += [unsafe_link_notice(url, line) for url in inlines.unsafe_urls]
        inlines.unsafe_urls.clear()

    def _convert_raw_html(
        self, blocks: Sequence[nodes.Token], max_depth: int, with_html: set[nodes.Token], inline_levels: int
    ) -> Sequence[nodes.Token]:
        assert self._raw_html != "keep"
        converted, notices = convert_raw_html(
            blocks, self._raw_html, max_depth=max_depth, blocks_with_html=with_html, inline_levels=inline_levels
        )
        self._notices += notices
        return converted


def _number_footnotes(
    notes: list[nodes.FootnoteDefinition], references: list[nodes.FootnoteReference]
) -> list[nodes.FootnoteDefinition]:
    """Return footnotes numbered by first reference, unreferenced ones last."""
    by_label: dict[str, nodes.FootnoteDefinition] = {}
    for note in notes:
        note.references = 0
        by_label.setdefault(normalize_label(note.label), note)
    numbered: list[nodes.FootnoteDefinition] = []
    for reference in references:
        note = by_label[normalize_label(reference.label)]
        if not note.references:
            numbered.append(note)
            note.number = len(numbered)
        note.references += 1
        reference.label, reference.number, reference.occurrence = note.label, note.number, note.references
    for note in notes:
        if not note.references:
            numbered.append(note)
            note.number = len(numbered)
    return numbered
