"""The parts of a text, by the parser's own blocks: prose, code, and what in prose is not to be read as words."""

import re
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property
from typing import NamedTuple

from mdpublish_core import nodes
from mdpublish_core.front_matter import OPENINGS
from mdpublish_core.notices import Notice
from mdpublish_core.options.extensions import DEFAULT_EXTENSIONS
from mdpublish_core.options.limits import Limits, budget_of
from mdpublish_core.readers.markdown.blocks import BlockScanner
from mdpublish_core.readers.markdown.document import normalize
from mdpublish_core.readers.markdown.front_matter import find_front_matter
from mdpublish_core.readers.markdown.inlines import InlineScanner
from mdpublish_core.readers.markdown.options import ReaderOptions
from mdpublish_core.strings.changes import NEWLINE, Change, line_starts
from mdpublish_core.strings.lazy_patterns import compile_lazily

Span = tuple[int, int]

# Diagrams are code like any other.
_OPTIONS = ReaderOptions(extensions=DEFAULT_EXTENSIONS - {"figure"})
_FENCE = compile_lazily(r"[ \t>]*(?:`{3,}|~{3,})[ \t]*$")
# Tags and autolinks, destinations of links, URLs; bounded, so that no mark is searched for in vain for long.
_MARKUP = compile_lazily(r"<[^<>\n]{1,500}>|(?<=\]\()[^()\s]{1,500}(?:\([^()\s]{0,500}\))?|\bhttps?://[^\s<>]{1,500}")


class Fence(NamedTuple):
    """Fenced code, from the opening fence to the line after the content, both counted from 0."""

    first: int
    end: int
    language: str
    is_closed: bool
    is_top_level: bool


class Prose(NamedTuple):
    """A paragraph, a heading or the row of a table, its first line, counted from 0, and the places of its lines."""

    block: nodes.Token
    first: int
    lines: Sequence[Span]

    @property
    def span(self) -> Span:
        return self.lines[0][0], self.lines[-1][1]


class Source:
    """A text as it is parsed."""

    def __init__(self, markdown: str, limits: Limits) -> None:
        self.markdown = markdown
        self.starts = line_starts(markdown)
        self.newline = (NEWLINE.findall(markdown) or ["\n"])[0]
        ends = [*self.starts[1:], len(markdown)]
        self.lines = [markdown[start:end].rstrip("\r\n") for start, end in zip(self.starts, ends, strict=True)]
        self.written = [index for index, line in enumerate(self.lines) if line.strip(" \t")]
        """Indexes of the lines that are not blank."""
        budget = budget_of(limits, len(markdown))
        self._scanner = BlockScanner(_OPTIONS._replace(limits=limits), budget, None)
        self._inlines = InlineScanner(_OPTIONS, {}, (), budget=budget, expansion=0)
        scanned = normalize(markdown).split("\n")
        if len(scanned) > 1 and not scanned[-1]:
            scanned.pop()
        front_matter = find_front_matter(scanned) if scanned[0].startswith(OPENINGS) else None
        if front_matter and not isinstance(front_matter, Notice):
            scanned[: front_matter.end] = [""] * front_matter.end
        self.blocks = self._scanner.scan(scanned)
        self._top_level = set(map(id, self.blocks))
        self.footnote_labels = frozenset(note.label for note in self._scanner.footnotes)

    @cached_property
    def prose(self) -> Sequence[Prose]:
        prose = list[Prose]()
        for block, content in self._scanner.pending:
            first = (nodes.line_of(block) or 1) - 1
            if not isinstance(block, nodes.TableCell):
                lines = enumerate(content.split("\n"), first)
                prose.append(Prose(block, first, [self._span(index, line.strip(" \t")) for index, line in lines]))
            elif not prose or prose[-1].first != first:
                prose.append(Prose(block, first, [self._span(first, self.lines[first])]))
        return sorted(prose, key=lambda each: each.first)

    def _span(self, index: int, content: str) -> Span:
        """Return where a line has a text: none of it if it is written in another way, with tabs or a NUL."""
        position = self.lines[index].rfind(content)
        start = self.starts[index] + max(0, position)
        return start, start + (len(content) if position >= 0 else 0)

    @cached_property
    def paragraphs(self) -> Sequence[Prose]:
        """Paragraphs that are in no list, quote or other block."""
        return [e for e in self.prose if isinstance(e.block, nodes.Paragraph) and id(e.block) in self._top_level]

    def lines_of(self, prose: Prose) -> Sequence[tuple[int, str]]:
        """Return the whole lines of a block, with their indexes."""
        return [(index, self.lines[index]) for index in range(prose.first, prose.first + len(prose.lines))]

    def _nested(self) -> Iterator[nodes.Token]:
        """Yield all blocks but the parts of tables."""
        waiting: list[nodes.Token] = [*self.blocks, *self._scanner.footnotes]
        while waiting:
            yield (block := waiting.pop())
            waiting += () if isinstance(block, nodes.Table) else block.children or ()

    @cached_property
    def fences(self) -> Sequence[Fence]:
        fences = list[Fence]()
        for block in self._nested():
            if isinstance(block, nodes.CodeFence) and block.line_number:
                end = min(block.line_number + block.content.count("\n"), len(self.lines))
                is_closed = end < len(self.lines) and bool(_FENCE.match(self.lines[end]))
                is_top_level = id(block) in self._top_level
                fences.append(Fence(block.line_number - 1, end, block.language.lower(), is_closed, is_top_level))
        return sorted(fences)

    @cached_property
    def code_spans(self) -> Sequence[Span]:
        """Inline code, with its backticks."""
        return self._verbatim[0]

    @property
    def slips(self) -> Sequence[tuple[str, Span]]:
        """Pairs of marks that are not read as meant, by their kinds; in a row of a table, those of a cell."""
        return self._verbatim[2]

    @cached_property
    def _verbatim(self) -> tuple[Sequence[Span], Sequence[Span], Sequence[tuple[str, Span]]]:
        """Return the places of inline code, of code, formulas, tags and URLs without overlaps, and of slips."""
        every_code, every, slips = list[Span](), list[Span](), list[tuple[str, Span]]()
        for each in self.prose:
            start, end = each.span
            written = self.markdown[start:end]
            self._inlines.slips.clear()
            code, formulas = self._inlines.verbatim_spans(written)
            is_row = isinstance(each.block, nodes.TableCell)
            slips += (
                (kind, (start + first, start + last))
                for (kind, label), (first, last) in self._inlines.slips
                if not (is_row and "|" in label)
            )
            every_code += [(start + first, start + last) for first, last in code]
            markup = (match.span() for match in _MARKUP.finditer(written))
            for first, last in sorted([*code, *formulas, *markup]):
                if every and start + first <= every[-1][1]:
                    every[-1] = every[-1][0], max(start + last, every[-1][1])
                else:
                    every.append((start + first, start + last))
        return every_code, every, slips

    def matches(self, pattern: re.Pattern[str], *, is_markup: bool = False) -> Iterator[re.Match[str]]:
        """Yield matches in lines of prose, outside code and, unless `is_markup`, outside formulas, tags and URLs."""
        if not pattern.search(self.markdown):
            return
        verbatim = self.code_spans if is_markup else self._verbatim[1]
        for start, end in (line for each in self.prose for line in each.lines):
            yield from _outside(verbatim, pattern.finditer(self.markdown, start, end))

    def formulas(self, pattern: re.Pattern[str]) -> Iterator[re.Match[str]]:
        """Yield matches that may have several lines, outside code, whether they are read as formulas or not."""
        lines = {(nodes.line_of(block) or 0) - 1 for block in self._nested() if isinstance(block, nodes.MathBlock)}
        lines |= {index for each in self.prose for index, _ in self.lines_of(each)}
        for match in _outside(self.code_spans, pattern.finditer(self.markdown)):
            if bisect_right(self.starts, match.start()) - 1 in lines:
                yield match

    def end_of(self, index: int) -> int:
        """Return where a line ends, without the spaces there."""
        return self.starts[index] + len(self.lines[index].rstrip())

    def without_lines(self, first: int, end: int) -> Change:
        """Return what removes lines, with their newlines."""
        return Change(self.starts[first], self.starts[end] if end < len(self.starts) else len(self.markdown), "")


def _outside(verbatim: Sequence[Span], matches: Iterable[re.Match[str]]) -> Iterator[re.Match[str]]:
    for match in matches:
        index = bisect_right(verbatim, match.end() - 1, key=lambda span: span[0])
        if not index or verbatim[index - 1][1] <= match.start():
            yield match
