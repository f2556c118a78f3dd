"""The parser of one text: blocks, their inlines, footnotes, raw HTML, and what replaces its fences."""

from collections.abc import Callable, Iterable, Sequence
from functools import cache, partial
from operator import itemgetter
from typing import TypeAlias

from mdpublish_core.arguments import require_input_size
from mdpublish_core.front_matter import FrontMatter
from mdpublish_core.nodes import open_nodes as nodes
from mdpublish_core.nodes.tokens import amend
from mdpublish_core.notices import (
    MAX_NOTICES,
    Notice,
    limit_notices,
    shorten,
    sorted_by_position,
    too_complex_notice,
    unclosed_html_notice,
    unsafe_link_notice,
)
from mdpublish_core.options.budget import LEAF_STEPS, Budget
from mdpublish_core.options.extensions import RawHtml
from mdpublish_core.options.limits import MIN_REFERENCE_EXPANSION, Limits, budget_of, html_levels
from mdpublish_core.readers.markdown.abbreviations import MAX_NAMES, mark_abbreviations
from mdpublish_core.readers.markdown.blocks import BlockScanner
from mdpublish_core.readers.markdown.html_syntax import required_end
from mdpublish_core.readers.markdown.includes import Include
from mdpublish_core.readers.markdown.inlines import InlineScanner
from mdpublish_core.readers.markdown.links import normalize_label
from mdpublish_core.readers.markdown.options import ReaderOptions
from mdpublish_core.readers.markdown.positions import DocumentPositions
from mdpublish_core.readers.markdown.raw_html import convert_raw_html
from mdpublish_core.readers.markdown.unread import Unread, find_marks, unread_notice
from mdpublish_core.resources.characters import replace_surrogates
from mdpublish_core.strings.positions import Positions, SourcePosition, Span

FenceReplacement: TypeAlias = Callable[
    [Iterable[nodes.Token], Sequence[nodes.CodeFence], Budget, Positions], tuple[Sequence[Notice], int]
]
"""Replaces fences below tokens; returns notices, and the size of what it added, in bytes of source."""


def normalize(markdown: str) -> str:
    """Convert line ends to LF, drop a byte-order mark, and replace NUL and lone surrogates by U+FFFD."""
    source = markdown.removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n").replace("\0", "\ufffd")
    return replace_surrogates(source)


def source_lines(markdown: str, limits: Limits) -> tuple[list[str], int]:
    """Return normalized lines, and their size in bytes. Raises `LimitExceeded`."""
    source = normalize(markdown)
    size = len(source) if source.isascii() else len(source.encode())
    require_input_size(size, limits)
    return source.removesuffix("\n").split("\n"), size


_READ_BY = {"indented-admonitions": "admonitions", "image-sizes": "wikilinks"}
"""Syntaxes that an extension of another name reads, too."""


class DocumentParser:
    """Parses one document; `notices` are those of its front matter, `claims` says which fences are replaced."""

    def __init__(
        self,
        options: ReaderOptions,
        notices: list[Notice],
        *,
        claims: Callable[[str], bool] | None,
        replace_fences: FenceReplacement,
        include: Include | None = None,
    ) -> None:
        self._options = options
        self._raw_html: RawHtml = options.raw_html
        self._limits = options.limits
        self._claims = claims
        self._replace_fences = replace_fences
        self._include = include if "snippets" in options.extensions else None
        self._notices = notices
        self._unsafe_urls: list[tuple[str, Span, int | None]] = []
        self._unclosed: list[tuple[str, Span, int | None]] = []

    def document(self, lines: Sequence[str], size: int, front_matter: FrontMatter) -> nodes.Document:
        count = len(lines)
        if self._include and (appended := self._include.appended()):
            more, more_bytes = source_lines(appended, self._limits)
            lines, size = [*lines, "", *more], size + more_bytes
        budget = budget_of(self._limits, size)
        budget.try_spend(LEAF_STEPS * len(front_matter))
        scanner = BlockScanner(self._options, budget, self._claims)
        scanner.include = self._include
        blocks = scanner.scan(lines)
        self._notices += scanner.notices
        inlines, with_html = self._scan_inlines(
            scanner, max(MIN_REFERENCE_EXPANSION, self._limits.max_reference_expansion * size)
        )
        positions = DocumentPositions(lines, scanner.pending, inlines.position, scanner.row_lengths, scanner.row_bars)
        for number, (url, span, line) in enumerate(self._unsafe_urls):
            position = positions.of_span(span, line) if number < MAX_NOTICES else SourcePosition(line)
            self._notices.append(unsafe_link_notice(url, position))
        self._notices += [
            unclosed_html_notice(opening, positions.of_span(span, line)) for opening, span, line in self._unclosed
        ]
        self._add_unread(scanner, inlines, positions)
        if unused := [each.label for key, each in scanner.references.items() if key.startswith(" ")]:
            last = {
                line.lstrip(" \t>").partition("]:")[0]: number for number, line in enumerate(lines, 1) if "]:" in line
            }
            self._notices += (
                Notice(
                    "undefined-reference",
                    f"[{shorten(label)}] is defined before; this is not used",
                    last.get(f"[{label}"),
                )
                for label in unused[:MAX_NOTICES]
            )
        for note, paragraph, start in inlines.inline_notes:
            note.line_number = paragraph.line_number = positions.of_span((start, start), None).line
            if with_html:
                with_html.add(id(paragraph))
        notes = number_footnotes(
            [*scanner.footnotes, *(note for note, *_ in inlines.inline_notes)], inlines.footnote_references
        )
        if (scanner.has_raw_html or with_html) and self._raw_html != "keep":
            levels = html_levels(self._limits)
            for note in notes:
                note.children = self._convert_raw_html(
                    note.children or (), levels - 1, with_html, scanner, inlines.levels, positions=positions
                )
            blocks = self._convert_raw_html(blocks, levels, with_html, scanner, inlines.levels, positions=positions)
        if scanner.claimed_fences:
            root = nodes.Document(blocks)
            added, added_bytes = self._replace_fences([root, *notes], scanner.claimed_fences, budget, positions)
            blocks = root.children
            self._notices += added
            size += added_bytes
        if len(lines) > count:  # lines of another file are no lines of this one
            self._notices = [
                Notice(each.code, each.message) if (each.line or 0) > count else each for each in self._notices
            ]
        return nodes.Document(
            blocks,
            footnote_definitions=notes,
            notices=tuple(limit_notices(sorted_by_position(self._notices))),
            front_matter=front_matter,
            trusted=self._raw_html == "keep",
            origin=nodes.Origin(
                size,
                positions,
                budget.left,
                self._options.extensions,
                self._raw_html,
                tuple(scanner.references.values()),
                tuple(sorted(scanner.comments, key=itemgetter(0))),
            ),
        )

    def _scan_inlines(self, scanner: BlockScanner, expansion: int) -> tuple[InlineScanner, set[int]]:
        labels = {normalize_label(note.label) for note in scanner.footnotes}
        inlines = InlineScanner(self._options, scanner.references, labels, budget=scanner.budget, expansion=expansion)
        inlines.examples = scanner.examples
        has_notice, is_cut = False, scanner.is_cut
        with_html: set[int] = set()
        for token, source in scanner.pending:
            token.children = inlines.scan(source)
            inlines.position += len(source)
            if not is_cut and scanner.budget.left < 0:
                is_cut = True
                self._notices.append(
                    too_complex_notice("inlines from here on are", getattr(token, "line_number", None))
                )
            if inlines.has_raw_html:
                with_html.add(id(token))
                inlines.has_raw_html = False
            if inlines.comments:
                line = getattr(token, "line_number", None) or max((line for line, _ in scanner.comments), default=1)
                scanner.comments += ((line, comment) for comment in inlines.comments)
                inlines.comments = []
            if inlines.too_deep or inlines.unsafe_urls or inlines.unclosed:
                self._add_notices(inlines, getattr(token, "line_number", None))
            if inlines.too_many_references and not has_notice:
                has_notice = True
                message = f"references expand to more than {expansion:,} characters; further ones are shown as text"
                self._notices.append(Notice("too-many-references", message, getattr(token, "line_number", None)))
        if "image-captions" in self._options.extensions:
            title_lone_images(scanner.pending)
        is_marking = "abbreviations" in self._options.extensions
        if is_marking and (count := mark_abbreviations(scanner.pending, scanner.references)) > MAX_NAMES:
            message = f"abbreviations must be at most {MAX_NAMES} (got {count:,}); further ones are not explained"
            self._notices.append(Notice("too-many-references", message))
        return inlines, with_html

    def _add_unread(self, scanner: BlockScanner, inlines: InlineScanner, positions: Positions) -> None:
        unread_places = [(unread, *place) for unread, place in inlines.unread.items()]
        unread_places += ((unread, span, 1) for unread, span in inlines.slips)
        if not scanner.is_cut:
            # Of no document, so that what is read here again is not counted.
            new_scanner = partial(InlineScanner, self._options, {}, (), budget=budget_of(self._limits, 0), expansion=0)
            mark_scanner = cache(new_scanner)
            # What was not included was not read.
            read = frozenset[str](self._options.extensions) - {"snippets"}
            read |= {name for name, of in _READ_BY.items() if of in read}
            unread_places += find_marks(scanner.pending, read, lambda source: mark_scanner().literal_spans(source))
        self._notices += [
            unread_notice(unread, count, positions.of_span(span, None)) for unread, span, count in unread_places
        ]
        for name, lines in scanner.unread.items():
            self._notices.append(unread_notice(Unread(name), len(lines), positions.of_fence(lines[0])))

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
        with_html: set[int],
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


def title_lone_images(pending: Iterable[tuple[nodes.Token, str]]) -> None:
    """Give images that are paragraphs their text as a title, which is a caption.

    Source: Pandoc's manual, `implicit_figures`.
    """
    for token, _ in pending:
        # An anchor may follow it.
        others = [each for each in token.children[1:] if not isinstance(each, nodes.HtmlElement) or each.children]
        image = token.children[0] if isinstance(token, nodes.Paragraph) and token.children and not others else None
        if isinstance(image, nodes.Image) and (alt := nodes.text_content(image)):
            image.title = image.title or alt


def number_footnotes(
    notes: list[nodes.FootnoteDefinition], references: list[nodes.FootnoteReference]
) -> list[nodes.FootnoteDefinition]:
    """Return footnotes numbered by first reference, unreferenced ones last."""
    by_label: dict[str, nodes.FootnoteDefinition] = {}
    for note in notes:
        amend(note, references=0)
        by_label.setdefault(normalize_label(note.label), note)
    numbered: list[nodes.FootnoteDefinition] = []
    for reference in references:
        note = by_label[normalize_label(reference.label)]
        if not note.references:
            numbered.append(note)
            amend(note, number=len(numbered))
        amend(note, references=note.references + 1)
        amend(reference, label=note.label, number=note.number, occurrence=note.references)
    for note in notes:
        if not note.references:
            numbered.append(note)
            amend(note, number=len(numbered))
    return numbered
