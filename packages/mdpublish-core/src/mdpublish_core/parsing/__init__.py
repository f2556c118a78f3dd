"""The parser: Markdown to a finished `Document`.

lines → front matter taken off → blocks (BlockScanner) → their inlines (InlineScanner) → footnotes numbered → raw HTML as nodes →
fences read by functions → transforms → URLs rewritten → Document
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any

from mdpublish_core import nodes
from mdpublish_core.budget import LEAF_STEPS
from mdpublish_core.errors import LimitExceeded
from mdpublish_core.front_matter import FrontMatter
from mdpublish_core.notices import (
    MAX_NOTICES,
    Notice,
    limit_notices,
    sorted_by_place,
    too_complex_notice,
    unclosed_html_notice,
    unsafe_link_notice,
)
from mdpublish_core.options.extensions import DEFAULT_EXTENSIONS, Extension, RawHtml, named_extensions
from mdpublish_core.options.limits import MIN_REFERENCE_EXPANSION, Limits, budget_of
from mdpublish_core.parsing.blocks import BlockScanner
from mdpublish_core.parsing.claims import claims_of
from mdpublish_core.parsing.html_syntax import required_end
from mdpublish_core.parsing.inlines import InlineScanner
from mdpublish_core.parsing.links import normalize_label
from mdpublish_core.parsing.positions import DocumentPositions
from mdpublish_core.parsing.raw_html import convert_raw_html
from mdpublish_core.positions import Place, Span
from mdpublish_core.resources.characters import replace_surrogates

if TYPE_CHECKING:
    from mdpublish_core.parsing.fences import FenceFunction, FenceParser
    from mdpublish_core.parsing.transforms import Transform
    from mdpublish_core.resources.url_rewriters import UrlRewriter


def parse_markdown(
    markdown: str,
    *,
    raw_html: RawHtml,
    extensions: frozenset[Extension] | None,
    rewrite_url: "UrlRewriter | None",
    limits: Limits,
    shows_unknown_tags: bool | None = None,
    fences: "Mapping[str, FenceFunction] | None" = None,
    transforms: Sequence["tuple[str, Transform]"] = (),
    front_matter: FrontMatter | None = None,
    nesting: int = 0,
) -> nodes.Document:
    """Parse normalized text; unknown tags are text if raw HTML is sanitized, or as `shows_unknown_tags` says.

    Without `fences`, those of installed packages are read. `front_matter` and `nesting` are those of a document whose fence contains
    the text.
    """
    source = normalize(markdown)
    size = len(source) if source.isascii() else len(source.encode())
    if size > limits.max_input_bytes:
        raise LimitExceeded("max_input_bytes", limits.max_input_bytes, size)
    lines = source.removesuffix("\n").split("\n")
    front_matter, notices = front_matter or FrontMatter(), list[Notice]()
    if source.startswith("---") and (extensions is None or "front-matter" in extensions):
        front_matter = _take_front_matter(lines, notices)
        if extensions is None:
            from mdpublish_core.parsing.front_matter import extensions_of

            extensions, unknown = extensions_of(front_matter)
            notices += unknown
    if extensions is None:
        extensions = DEFAULT_EXTENSIONS
    make_fence_parser = partial(
        _make_fence_parser,
        fences,
        raw_html=raw_html,
        extensions=extensions,
        limits=limits,
        front_matter=front_matter,
        nesting=nesting,
    )
    parser = _DocumentParser(
        raw_html,
        extensions,
        limits,
        notices,
        shows_unknown_tags=shows_unknown_tags,
        claims=claims_of(fences, extensions, nesting),
        make_fence_parser=make_fence_parser,
    )
    document = parser.document(lines, size, front_matter)
    if transforms:
        from mdpublish_core.parsing.transforms import apply_transforms

        document = apply_transforms(document, transforms, raw_html=raw_html, limits=limits)
    if rewrite_url:
        from mdpublish_core.parsing.url_rewriting import rewrite_urls

        rewrite_urls(document, rewrite_url)
    return document


def read_front_matter(markdown: str) -> tuple[FrontMatter, Sequence[Notice]]:
    """Return the front matter alone, with notices about its lines."""
    notices: list[Notice] = []
    if not markdown.removeprefix("\ufeff").startswith("---"):
        return FrontMatter(), notices
    values = _take_front_matter(normalize(markdown).split("\n"), notices)
    return values, tuple(limit_notices(notices))


def added_extensions(markdown: str, names: Iterable[str], defaults: Iterable[str] = ()) -> frozenset[Extension]:
    """Return the default extensions, with valid names added or, by `no-`, removed.

    First come `defaults`, then the front matter's, then `names`.
    """
    from mdpublish_core.parsing.front_matter import words_of

    values, _ = read_front_matter(markdown)
    return named_extensions([*defaults, *words_of(values.get("extensions", "")), *names])[0]


def normalize(markdown: str) -> str:
    """Convert line ends to LF, drop a byte-order mark, and replace NUL and lone surrogates by U+FFFD."""
    source = markdown.removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n").replace("\0", "\ufffd")
    return replace_surrogates(source)


def _take_front_matter(lines: list[str], notices: list[Notice]) -> FrontMatter:
    """Make its lines blank, so that those below keep their numbers."""
    from mdpublish_core.parsing.front_matter import find_front_matter

    block = find_front_matter(lines)
    if block is None:
        return FrontMatter()
    if isinstance(block, Notice):
        notices.append(block)
        return FrontMatter()
    lines[: block.end] = [""] * block.end
    notices += block.notices
    return block.values


def _make_fence_parser(functions: "Mapping[str, FenceFunction] | None", **options: Any) -> "FenceParser":
    from mdpublish_core.parsing.fences import FenceParser

    return FenceParser(functions, **options)


class _DocumentParser:
    def __init__(
        self,
        raw_html: RawHtml,
        extensions: frozenset[Extension],
        limits: Limits,
        notices: list[Notice],
        *,
        shows_unknown_tags: bool | None,
        claims: Callable[[str], bool] | None,
        make_fence_parser: "Callable[[], FenceParser]",
    ) -> None:
        self._raw_html: RawHtml = raw_html
        self._extensions = extensions
        self._limits = limits
        self._filters_tags = raw_html == "keep" and "tagfilter" in extensions
        self._shows_unknown_tags = raw_html == "sanitize" if shows_unknown_tags is None else shows_unknown_tags
        self._claims = claims
        self._make_fence_parser = make_fence_parser
        self._notices = notices
        self._unsafe_urls: list[tuple[str, Span, int | None]] = []
        self._unclosed: list[tuple[str, Span, int | None]] = []

    def document(self, lines: Sequence[str], size: int, front_matter: FrontMatter) -> nodes.Document:
        budget = budget_of(self._limits, size)
        budget.try_spend(LEAF_STEPS * len(front_matter))
        scanner = BlockScanner(
            self._extensions,
            self._limits,
            budget,
            filters_tags=self._filters_tags,
            shows_unknown_tags=self._shows_unknown_tags,
            claims=self._claims,
        )
        blocks = scanner.scan(lines)
        self._notices += scanner.notices
        inlines, with_html = self._scan_inlines(
            scanner, max(MIN_REFERENCE_EXPANSION, self._limits.max_reference_expansion * size)
        )
        positions = DocumentPositions(lines, scanner.pending, inlines.position, scanner.row_lengths)
        for number, (url, span, line) in enumerate(self._unsafe_urls):
            place = positions.of_span(span, line) if number < MAX_NOTICES else Place(line)
            self._notices.append(unsafe_link_notice(url, place))
        self._notices += [
            unclosed_html_notice(opening, positions.of_span(span, line)) for opening, span, line in self._unclosed
        ]
        notes = _number_footnotes(scanner.footnotes, inlines.footnote_references)
        if (scanner.has_raw_html or with_html) and self._raw_html != "keep":
            levels = 2 * self._limits.max_depth
            for note in notes:
                note.children = self._convert_raw_html(
                    note.children or (), levels - 1, with_html, scanner, inlines.levels, positions=positions
                )
            blocks = self._convert_raw_html(blocks, levels, with_html, scanner, inlines.levels, positions=positions)
        if scanner.claimed_fences:
            fences = self._make_fence_parser()
            root = nodes.Document(blocks)
            fences.replace_fences([root, *notes], scanner.claimed_fences, budget, positions)
            blocks = root.children
            self._notices += fences.notices
            size += fences.source_bytes
        return nodes.Document(
            blocks,
            footnote_definitions=notes,
            notices=tuple(limit_notices(sorted_by_place(self._notices))),
            front_matter=front_matter,
            source_bytes=size,
            trusted=self._raw_html == "keep",
            bounded=True,
            steps_left=budget.left,
            positions=positions,
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
            shows_unknown_tags=self._shows_unknown_tags,
        )
        has_notice, is_cut = False, scanner.is_cut
        with_html: set[nodes.Token] = set()
        for token, source in scanner.pending:
            token.children = inlines.scan(source)
            inlines.position += len(source)
            if not is_cut and scanner.budget.left < 0:
                is_cut = True
                self._notices.append(
                    too_complex_notice("inlines from here on are", getattr(token, "line_number", None))
                )
            if inlines.has_raw_html:
                with_html.add(token)
                inlines.has_raw_html = False
            if inlines.too_deep or inlines.unsafe_urls or inlines.unclosed:
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
            self._unsafe_urls += [(url, span, line) for url, span in inlines.unsafe_urls]
        inlines.unsafe_urls.clear()
        self._unclosed += [(opening, span, line) for opening, span in inlines.unclosed]
        inlines.unclosed.clear()

    def _convert_raw_html(
        self,
        blocks: Sequence[nodes.Token],
        max_depth: int,
        with_html: set[nodes.Token],
        scanner: BlockScanner,
        inline_levels: int,
        *,
        positions: DocumentPositions,
    ) -> Sequence[nodes.Token]:
        def ends_later(opening: str, line: int) -> bool:
            end = required_end(opening, 0)
            return end is not None and scanner.ends_later(end, line - 1)

        assert self._raw_html != "keep"
        converted, notices = convert_raw_html(
            blocks,
            self._raw_html,
            max_depth=max_depth,
            blocks_with_html=with_html,
            inline_levels=inline_levels,
            ends_later=ends_later,
            positions=positions,
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
