"""Where the text of a document's blocks and inlines stands in its lines.

Positions are computed for notices alone. An inline has a span (see `notices.Span`). Each line of a block's text ends a
line of the document, after the markers of containers, so its column follows from its length. Others have none.
"""

from bisect import bisect_left, bisect_right
from collections.abc import Mapping, Sequence

from mdpublish_core import nodes
from mdpublish_core.readers.markdown.tables import cell_starts, escape_bars
from mdpublish_core.strings.lazy_patterns import compile_lazily
from mdpublish_core.strings.positions import MAX_SOURCE_CHARACTERS, Positions, SourcePosition, Span

_FENCE = compile_lazily(r"`{3,}|~{3,}")
_BLANKS = " \t"
_MATH_CLOSERS = ("$$", r"\]")

_Point = tuple[int, int]
"""Indexes of a line and of a character in it."""


class DocumentPositions(Positions):
    """The positions of a parsed document.

    `sources` are its blocks with their text, of `size` characters, which spans count through; `row_lengths` the lengths
    of the rows of tables by index of their line, if they are shorter than their line; `row_bars` the places in a row of
    bars without a backslash that divide no cell.
    """

    def __init__(
        self,
        lines: Sequence[str],
        sources: list[tuple[nodes.Token, str]],
        size: int,
        row_lengths: Mapping[int, int],
        row_bars: Mapping[int, Sequence[int]],
    ) -> None:
        self._lines = lines
        self._sources = sources
        self._row_lengths = row_lengths
        self._row_bars = row_bars
        self._starts: list[int] = []
        self._reached = 0
        self._shifts: dict[int, tuple[Sequence[int], Sequence[int | None]]] = {}
        self._rows: dict[int, tuple[int, Sequence[int]]] = {}
        self._size = size

    def add(self, block: nodes.HtmlBlock) -> int:
        """Add a block without inlines of its own; return where the spans in its content start."""
        start = self._size
        self._sources.append((block, block.content))
        self._size += len(block.content)
        return start

    def of_span(self, span: Span | None, line: int | None) -> SourcePosition:
        if span is None:
            return SourcePosition(line)
        index, offset = self._text_at(span[0])
        return self._between(index, offset, offset + span[1] - span[0], line)

    def of_span_line(self, span: Span | None, line: int | None, content: str, number: int) -> SourcePosition:
        if span is None:
            return super().of_span_line(span, line, content, number)
        index, start = self._text_at(span[0])
        end = start + span[1] - span[0]
        written = self._sources[index][1]
        first = written.find(content, start, end)
        if first < 0:
            return self._between(index, start, end, line)
        begin = max(start, written.rfind("\n", start, first) + 1) if number == 1 else first
        for _ in range(number - 1):
            first = begin = written.find("\n", begin, end) + 1 or begin
        stop = written.find("\n", first, end)
        return self._between(index, begin, end if stop < 0 else stop, line)

    def of_content(
        self,
        line: int | None,
        content: str,
        number: int | None,
        column: int | None = None,
        *,
        content_line: int | None = None,
    ) -> SourcePosition:
        if line is None or number is None:
            return SourcePosition(line)
        content_lines = content.split("\n")
        written = content_lines[number - 1].rstrip(_BLANKS) if number <= len(content_lines) else ""
        first = content_line - 1 if content_line else self._first_index(line - 1, content_lines[0])
        index = first + number - 1
        start = len(written) - len(written.lstrip(_BLANKS))
        if column is not None and start < column <= len(written):
            start = column - 1
        if (end := self._end_of(index, written)) is None:
            return SourcePosition(min(index + 1, len(self._lines)))
        return self._position((index, end - len(written) + start), (index, end))

    def of_fence(self, line: int | None) -> SourcePosition:
        fence = _FENCE.search(self._lines[line - 1]) if line else None
        if line is None or fence is None:
            return SourcePosition(line)
        return self._position((line - 1, fence.start()), (line - 1, len(self._lines[line - 1].rstrip(_BLANKS))))

    def point_of(self, position: int) -> _Point | None:
        """Return the indexes of the line and the character at a position that spans count, if known."""
        return self._point(*self._text_at(position))

    def _between(self, index: int, start: int, end: int, line: int | None) -> SourcePosition:
        first, last = self._point(index, start), self._point(index, end)
        return self._position(first, last) if first and last else SourcePosition(line)

    def _position(self, first: _Point, last: _Point) -> SourcePosition:
        (index, column), (last_index, end) = first, last
        if index == last_index:
            source = self._lines[index][column : min(end, column + MAX_SOURCE_CHARACTERS)]
            return SourcePosition(index + 1, column + 1, source)
        # Each further line adds at least its line break.
        further = self._lines[index + 1 : min(last_index, index + MAX_SOURCE_CHARACTERS) + 1]
        if index + len(further) == last_index:
            further = [*further[:-1], further[-1][:end]]
        parts = (self._lines[index][column : column + MAX_SOURCE_CHARACTERS], *further)
        source = "\n".join(part[:MAX_SOURCE_CHARACTERS] for part in parts)[:MAX_SOURCE_CHARACTERS]
        return SourcePosition(index + 1, column + 1, source)

    def _text_at(self, position: int) -> tuple[int, int]:
        """Return the index of the text with a character of spans, and the character's offset in the text."""
        starts = self._starts
        for _, source in self._sources[len(starts) :]:
            starts.append(self._reached)
            self._reached += len(source)
        index = bisect_right(self._starts, position) - 1
        return index, position - self._starts[index]

    def _point(self, index: int, offset: int) -> _Point | None:
        block, source = self._sources[index]
        if (line := nodes.line_of(block)) is None:
            return None
        if isinstance(block, nodes.TableCell):
            return self._point_in_cell(index, line - 1, offset, source)
        if index not in self._shifts:
            self._shifts[index] = self._shifts_of(line - 1, source)
        starts, shifts = self._shifts[index]
        number = bisect_right(starts, offset) - 1
        shift = shifts[number]
        return None if shift is None else (line - 1 + number, offset - starts[number] + shift)

    def _shifts_of(self, index: int, source: str) -> tuple[Sequence[int], Sequence[int | None]]:
        """Return where the lines of a text start in it, and in their lines of the document, if known."""
        starts, shifts = [], []
        start = 0
        for number, line in enumerate(source.split("\n")):
            written = line.rstrip(_BLANKS)
            end = self._end_of(index + number, written)
            starts.append(start)
            shifts.append(None if end is None else end - len(written))
            start += len(line) + 1
        return starts, shifts

    def _point_in_cell(self, index: int, line_index: int, offset: int, source: str) -> _Point | None:
        line, bars = self._lines[line_index], self._row_bars.get(line_index, ())
        begin = len(line) - self._row_lengths.get(line_index, len(line))
        if line_index not in self._rows:
            first = index
            while first and _is_cell_of(self._sources[first - 1][0], line_index + 1):
                first -= 1
            self._rows[line_index] = first, cell_starts(escape_bars(line[begin:], bars))
        first, starts = self._rows[line_index]
        if index - first >= len(starts):
            return None
        # Bars in cells are written with a backslash, but for those of `bars`.
        column = starts[index - first] + offset + source.count("|", 0, offset)
        unwritten = bisect_left([bar + number for number, bar in enumerate(bars)], column) if bars else 0
        return line_index, begin + column - unwritten

    def _first_index(self, index: int, first_line: str) -> int:
        """Return the index of the line with the first line of a block's content."""
        if _FENCE.search(self._lines[index]):
            return index + 1
        last = len(self._lines) - 1
        while self._end_of(index, first_line.rstrip(_BLANKS)) is None and index < last:
            index += 1
            if self._lines[index].strip(" \t>"):
                break
        return index

    def _end_of(self, index: int, written: str) -> int | None:
        """Return where a text ends its line; behind it may be only closing marks of headings and math."""
        if not (core := written.strip(_BLANKS)) or index >= len(self._lines):
            return None
        line = self._lines[index].rstrip(_BLANKS)
        if line.endswith(core):
            return len(line)
        for closed in (line.rstrip("#"), *(line.removesuffix(closer) for closer in _MATH_CLOSERS)):
            rest = closed.rstrip(_BLANKS)
            if len(rest) < len(line) and rest.endswith(core):
                return len(rest)
        return None


def _is_cell_of(block: nodes.Token, line: int) -> bool:
    return isinstance(block, nodes.TableCell) and block.line_number == line
