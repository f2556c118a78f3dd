"""Where the marks of a document stand: of lists, headings, fences and emphasis, and escapes.

Nodes have no such positions, since nothing but a formatter asks for them. Scanners that derive from the parser's note
them as they pass; the parser itself pays nothing. Lines and columns are 0-based, as the lines are written.
"""

from collections.abc import Collection, Sequence
from typing import NamedTuple

from mdpublish_core.nodes import open_nodes as nodes
from mdpublish_core.options.budget import Budget
from mdpublish_core.options.limits import MIN_REFERENCE_EXPANSION, budget_of
from mdpublish_core.readers.markdown.blocks import (
    _DISPLAY_MATH,
    _HTML,
    _ITEM,
    _NO_LEAF,
    _PARAGRAPH,
    _TABLE,
    BlockScanner,
    _line_from,
)
from mdpublish_core.readers.markdown.inlines import InlineScanner, _DelimiterRun, _InlineScan
from mdpublish_core.readers.markdown.links import normalize_label
from mdpublish_core.readers.markdown.options import ReaderOptions
from mdpublish_core.readers.markdown.positions import DocumentPositions
from mdpublish_core.strings.positions import Span

_MAX_CELL_CHARACTERS = 10_000
"""A place in a cell takes the time of the cell's length to find; longer ones have no marks."""

Point = tuple[int, int]
"""Indexes of a line and of a character in it."""


class ItemMark(NamedTuple):
    """The marker of an item; `list_number` tells lists apart."""

    point: Point
    list_number: int


class Underlined(NamedTuple):
    """A heading of one line, which the line below underlines."""

    point: Point
    level: int
    is_in_item: bool


class FenceMark(NamedTuple):
    """A fence of code, and its last line, which closes it unless the document or its container ends there."""

    point: Point
    last: int


class Verbatim(NamedTuple):
    """The first and the last line of code, a formula or HTML, in which nothing is Markdown."""

    first: int
    last: int
    is_html: bool


class Pair(NamedTuple):
    """A pair of delimiters of emphasis, of one or two characters each."""

    opening: Point
    closing: Point
    length: int


class ParagraphLines(NamedTuple):
    """A paragraph: where each line of its text begins, and the spans in the text that are one word for a formatter."""

    source: str
    lines: Sequence[Point]
    atoms: Sequence[Span]


class Marks(NamedTuple):
    """The marks of a document, in source order but for pairs.

    Lists are named by `ItemMark.list_number`.
    """

    bullets: Sequence[ItemMark]
    numbers: Sequence[ItemMark]
    adjacent_lists: Collection[int]
    """Lists next to another list, from which only their marks separate them."""

    lists_below_text: Collection[int]
    """Lists without an empty line above, which Python-Markdown shows as text."""

    tables: Sequence[tuple[Point, int]]
    """Start and last line; tables below text, or that programs divide differently, are left out."""

    headings: Sequence[Point]
    underlined: Sequence[Underlined]
    fences: Sequence[FenceMark]
    verbatim: Sequence[Verbatim]
    pairs: Sequence[Pair]
    escapes: Sequence[Point]
    paragraphs: Sequence[ParagraphLines]


class _BlockMarks(BlockScanner):
    def __init__(self, options: ReaderOptions, budget: Budget) -> None:
        super().__init__(options, budget, None)
        self.bullets: list[ItemMark] = []
        self.numbers: list[ItemMark] = []
        self.adjacent_lists: set[int] = set()
        self.lists_below_text: set[int] = set()
        self._below = -1  # line of the last item, if it is in such a list
        self.tables: list[tuple[Point, Sequence[nodes.TableRow]]] = []
        self.headings: list[Point] = []
        self.underlined: list[Underlined] = []
        self.fences: list[FenceMark] = []
        self.verbatim: list[Verbatim] = []

    def _point_on(self, line: str, start: int, number: int) -> Point:
        """Return the point of a character of a line whose tabs may be expanded."""
        written = self._source[number]
        if "\t" not in written:
            return number, start
        return number, len(written) - len(_line_from(line, start, written))

    def _open_container(self, line: str, position: int, start: int, number: int, matched: int) -> int:
        parent = self._stack[-1]
        is_below_text = self._leaf in (_PARAGRAPH, _TABLE, _HTML) and not (parent.kind == _ITEM and not parent.children)
        end = super()._open_container(line, position, start, number, matched)
        owner = self._stack[-1].owner
        if end >= 0 and self._stack[-1].kind == _ITEM and owner:
            is_bullet = line[start] in "-+*"
            marks = self.bullets if is_bullet else self.numbers
            marks.append(ItemMark(self._point_on(line, start, number), id(owner.token)))
            siblings = self._stack[-2].children
            if is_bullet and len(siblings) > 1 and isinstance(siblings[-2], nodes.List):
                self.adjacent_lists |= {id(siblings[-2]), id(owner.token)}
            outer = (id(each.owner.token) for each in self._stack[:-1] if each.kind == _ITEM and each.owner)
            is_below_text |= self._below >= 0 and all(each.strip(" \t>") for each in self._source[self._below : number])
            if is_below_text or not self.lists_below_text.isdisjoint(outer):
                self.lists_below_text.add(id(owner.token))
            self._below = number if id(owner.token) in self.lists_below_text else -1
        return end

    def _open_table(self, source: str, number: int) -> bool:
        header, is_alone = self._lines[-1], len(self._lines) == 1
        is_table = super()._open_table(source, number)
        if is_table and is_alone:
            point = number - 1, len(self._source[number - 1]) - len(header)
            self.tables.append((point, self._rows))
        return is_table

    def _heading(self, line: str, start: int, number: int, matched: int, written: str | None) -> bool:
        is_heading = super()._heading(line, start, number, matched, written)
        if is_heading:
            self.headings.append(self._point_on(line, start, number))
        return is_heading

    def _convert_paragraph(self, line: str, start: int, number: int, written: str | None) -> bool:
        content = self._lines[-1]
        is_converted = super()._convert_paragraph(line, start, number, written)
        if is_converted and self._leaf == _NO_LEAF:
            heading = self._stack[-1].children[-1]
            if isinstance(heading, nodes.SetextHeading) and heading.line_number == number:
                point = number - 1, len(self._source[number - 1]) - len(content)
                is_in_item = any(container.kind == _ITEM for container in self._stack)
                self.underlined.append(Underlined(point, heading.level, is_in_item))
        return is_converted

    def _open_fence(self, line: str, position: int, start: int, number: int, matched: int) -> bool:
        is_fence = super()._open_fence(line, position, start, number, matched)
        if is_fence:
            self.fences.append(FenceMark(self._point_on(line, start, number), -1))
        return is_fence

    def _close_leaf(self) -> None:
        leaf = self._leaf
        super()._close_leaf()
        if leaf in (_PARAGRAPH, _TABLE):
            return
        last = self._line + len(self._lines) - 1
        if leaf == _DISPLAY_MATH and self._display_math:
            last = self._line + self._display_math.line_count - 1
        elif self.fences and self.fences[-1].point[0] == self._line:
            last = min(last + 2, len(self._source) - 1)
            self.fences[-1] = self.fences[-1]._replace(last=last)
        self.verbatim.append(Verbatim(self._line, last, leaf == _HTML))


class _InlineMarks(InlineScanner):
    """Scans texts for their marks alone; positions count through all texts."""

    def __init__(self, scanner: BlockScanner, options: ReaderOptions, expansion: int) -> None:
        labels = {normalize_label(note.label) for note in scanner.footnotes}
        super().__init__(options, scanner.references, labels, budget=scanner.budget, expansion=expansion)
        self.pairs: list[tuple[int, int, int]] = []
        self.escapes: list[int] = []

    def read(self, source: str) -> list[Span]:
        """Note the marks of a text; return the spans in it of code, links, images, formulas and raw HTML."""
        pattern, _ = self._pattern_for(source)
        if not (match := pattern.search(source)):
            return []
        scan = _MarkScan(self, source, pattern)
        spans = scan.code_spans = []
        spans += (
            (item.span[0] - self.position, item.span[1] - self.position)
            for item in scan.items(match)
            if isinstance(item, nodes.SpanToken) and item.span
        )
        return spans


class _MarkScan(_InlineScan):
    def _backslash(self, end: int) -> int:
        scanner, count = self._scanner, len(self._items)
        following = super()._backslash(end)
        if following == end + 1 and isinstance(scanner, _InlineMarks):
            item = self._items[-1] if len(self._items) > count else None
            if item == self._source[end]:
                scanner.escapes.append(scanner.position + end - 1)
        return following

    def _pair(self, opener: _DelimiterRun, closer: _DelimiterRun) -> _DelimiterRun | None:
        scanner = self._scanner
        if closer.character in "*_" and isinstance(scanner, _InlineMarks):
            length = 2 if closer.rest >= 2 and opener.rest >= 2 else 1
            start = scanner.position + opener.position + opener.rest - length
            end = scanner.position + closer.position + closer.length - closer.rest
            scanner.pairs.append((start, end, length))
        return super()._pair(opener, closer)


def read_marks(lines: Sequence[str], size: int, options: ReaderOptions, *, has_paragraphs: bool) -> Marks:
    """Return the marks of normalized lines of `size` bytes, which have no front matter; paragraphs on request."""
    scanner = _BlockMarks(options, budget_of(options.limits, size))
    scanner.scan(lines)
    inlines = _InlineMarks(
        scanner, options, max(MIN_REFERENCE_EXPANSION, options.limits.max_reference_expansion * size)
    )
    atoms = []
    for token, source in scanner.pending:
        is_read = not isinstance(token, nodes.TableCell) or len(source) <= _MAX_CELL_CHARACTERS
        atoms.append(inlines.read(source) if is_read else [])
        inlines.position += len(source)
    positions = DocumentPositions(lines, scanner.pending, inlines.position, scanner.row_lengths, scanner.row_bars)
    pairs = []
    for start, end, length in inlines.pairs:
        opening, closing = positions.point_of(start), positions.point_of(end)
        if opening and closing:
            pairs.append(Pair(opening, closing, length))
    escapes = [point for position in inlines.escapes if (point := positions.point_of(position))]
    paragraphs = []
    reached = 0
    for (token, source), spans in zip(scanner.pending if has_paragraphs else (), atoms, strict=False):
        if isinstance(token, nodes.Paragraph):
            paragraphs += _paragraph(positions, reached, source, spans)
        reached += len(source)
    tables = [(point, point[0] + 1 + len(rows)) for point, rows in scanner.tables]
    disputed = {each.line - 1 for each in scanner.notices if each.line and each.code.startswith("table-")}
    return Marks(
        scanner.bullets,
        scanner.numbers,
        scanner.adjacent_lists,
        scanner.lists_below_text,
        [(point, last) for point, last in tables if disputed.isdisjoint(range(point[0], last + 1))],
        scanner.headings,
        scanner.underlined,
        scanner.fences,
        scanner.verbatim,
        pairs,
        escapes,
        paragraphs,
    )


def _paragraph(positions: DocumentPositions, reached: int, source: str, atoms: Sequence[Span]) -> list[ParagraphLines]:
    """Return a paragraph if the places of all its lines are known."""
    starts = [0]
    while (following := source.find("\n", starts[-1]) + 1) > 0:
        starts.append(following)
    points = [point for start in starts if (point := positions.point_of(reached + start))]
    return [ParagraphLines(source, points, atoms)] if len(points) == len(starts) else []
