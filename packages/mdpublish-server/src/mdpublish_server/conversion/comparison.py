"""Two contents side by side: lines, and words within changed lines, by difflib.

difflib alone may take minutes for a megabyte. Here, the ranges that it searches are charged to a budget of steps,
largest first; a range past the budget is shown as replaced. What is shown is bounded, too; a comparison says so.
"""

import re
from bisect import bisect_left
from collections import deque
from collections.abc import Iterable, Iterator, Mapping, Sequence
from difflib import SequenceMatcher
from itertools import accumulate, chain, zip_longest

from mdpublish_server.conversion.protocol import ComparedLine, ComparedRow, Comparison, Span

MAX_STEPS = 2_000_000
"""Pairs of lines or words that are looked at: about half a second."""

MAX_ROWS = 1_000
MAX_CHARACTERS = 200_000
SPAN_CHARACTERS = 20
"""Characters that a span counts in addition to its own."""

MAX_LINE = 20_000
"""Shown; of a longer line, the start."""

CONTEXT = 2
"""Unchanged lines shown around a change."""

# Pairs of changed lines are sought among so many, and have this share of words in common.
_NEAR_LINES = 10
_SIMILAR = 0.4
_STEPS_OF_PAIR = 20

# From this length on, difflib does not search for what is frequent, such as blank lines.
_POPULAR_FROM = 200
_NEAR_POPULAR = 50

# Ideographs, kana and syllables of Hangul are words of their own.
_CJK = "\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af"
_TOKEN = re.compile(rf"[{_CJK}]|[^\W{_CJK}]+|\s+|[^\w\s]")

_BLOCK = 4_096

_Block = tuple[int, int, int]
"""Start in both sequences, and length."""


def compare(before: str, after: str) -> Comparison:
    """Return the rows that a reader sees, without unchanged parts."""
    lines, words = Search(MAX_STEPS), Search(MAX_STEPS)
    old, new = _lines_of(before), _lines_of(after)
    if old == new:
        return Comparison(rows=(), is_coarse=False, is_partial=False)
    rows, is_partial = _shown(_rows(old, new, lines, words))
    return Comparison(rows=tuple(rows), is_coarse=lines.is_exhausted, is_partial=is_partial)


class Search:
    """Searches for what two sequences have in common, within a budget of steps."""

    def __init__(self, steps: int) -> None:
        self._steps = steps
        self.is_exhausted = False

    def take(self, steps: int) -> bool:
        """Return False if the budget has fewer steps left."""
        if steps > self._steps:
            self.is_exhausted = True
            return False
        self._steps -= steps
        return True

    def common_blocks(self, first: Sequence[str], second: Sequence[str]) -> list[_Block]:
        """Return blocks that both have, in their sequence, with an empty one at the end."""
        length = min(len(first), len(second))
        start = common_start(first, second, length)
        end = common_start(first[::-1], second[::-1], length - start)
        blocks = [(0, 0, start), (len(first) - end, len(second) - end, end), (len(first), len(second), 0)]
        middle, other = first[start : len(first) - end], second[start : len(second) - end]
        blocks += ((i + start, j + start, size) for i, j, size in self._blocks_within(middle, other))
        return list(_joined(sorted(blocks)))

    def _blocks_within(self, first: Sequence[str], second: Sequence[str]) -> Iterator[_Block]:
        if not first or not second or not self.take(len(first) + len(second)):
            return
        matcher = SequenceMatcher(None, first, second)
        # What `find_longest_match` looks at in each line.
        positions: Mapping[str, Sequence[int]] = matcher.b2j  # type: ignore[attr-defined]  # documented, not declared
        costs = [0, *accumulate(1 + len(positions.get(line, ())) for line in first)]
        ranges = deque([(0, len(first), 0, len(second))])
        while ranges:
            i, i_end, j, j_end = ranges.popleft()
            if i == i_end or j == j_end or not self.take(costs[i_end] - costs[i]):
                continue
            block = matcher.find_longest_match(i, i_end, j, j_end)
            if block.size:
                yield block.a, block.b, block.size
                ranges += ((i, block.a, j, block.b), (block.a + block.size, i_end, block.b + block.size, j_end))
            elif len(second) >= _POPULAR_FROM and self.take(i_end - i + j_end - j):
                blocks = _next_common(first[i:i_end], second[j:j_end])
                yield from ((i + i_same, j + j_same, 1) for i_same, j_same in blocks)


def _next_common(first: Sequence[str], second: Sequence[str]) -> Iterator[tuple[int, int]]:
    """Yield the indices at which both have the same, each as soon as possible after the one before."""
    indices: dict[str, list[int]] = {}
    for index, line in enumerate(second):
        indices.setdefault(line, []).append(index)
    j = 0
    for i, line in enumerate(first):
        others = indices.get(line, [])
        index = bisect_left(others, j)
        if index < len(others) and others[index] < j + _NEAR_POPULAR:
            j = others[index]
            yield i, j
            j += 1


def _joined(blocks: Iterable[_Block]) -> Iterator[_Block]:
    """Join blocks that follow each other; drop empty ones but the last."""
    i = j = size = 0
    for i_next, j_next, size_next in blocks:
        if (i_next, j_next) == (i + size, j + size):
            size += size_next
            continue
        if size:
            yield i, j, size
        i, j, size = i_next, j_next, size_next
    yield i, j, size


def _rows(old: Sequence[str], new: Sequence[str], lines: Search, words: Search) -> Iterator[ComparedRow]:
    i = j = 0
    for i_same, j_same, size in lines.common_blocks(old, new):
        yield from _changed_rows(old, range(i, i_same), new, range(j, j_same), words)
        i, j = i_same + size, j_same + size
        # Nothing has changed before the first line, nor after the last.
        head = CONTEXT if i_same or j_same else 0
        tail = CONTEXT if i < len(old) or j < len(new) else 0
        # A line takes no more room than its number.
        skipped = size - head - tail if size - head - tail > 1 else 0
        for offset in range(size):
            if offset == head and skipped:
                yield ComparedRow(skipped=skipped)
            if not head <= offset < head + skipped:
                yield _same_row(i_same + offset, j_same + offset, old[i_same + offset])


def _changed_rows(
    old: Sequence[str], old_range: range, new: Sequence[str], new_range: range, words: Search
) -> Iterator[ComparedRow]:
    """Yield rows of similar lines, and between them what is only on one side."""
    i, j = old_range.start, new_range.start
    end = (old_range.stop, new_range.stop)
    for i_next, j_next in chain(_similar_lines(old, old_range, new, new_range, words), (end,)):
        for removed, added in zip_longest(range(i, i_next), range(j, j_next)):
            yield ComparedRow(
                before=None if removed is None else _whole(removed, old[removed], is_changed=True),
                after=None if added is None else _whole(added, new[added], is_changed=True),
                is_changed=True,
            )
        if (i_next, j_next) != end:
            before, after = _words_compared(old[i_next], new[j_next], words)
            yield ComparedRow(
                before=ComparedLine(number=i_next + 1, spans=before),
                after=ComparedLine(number=j_next + 1, spans=after),
                is_changed=True,
            )
        i, j = i_next + 1, j_next + 1


def _similar_lines(
    old: Sequence[str], old_range: range, new: Sequence[str], new_range: range, words: Search
) -> Iterator[tuple[int, int]]:
    j = new_range.start
    for i in old_range:
        if words.is_exhausted or j == new_range.stop:
            return
        near = range(j, min(j + _NEAR_LINES, new_range.stop))
        match = next((other for other in near if _is_similar(old[i], new[other], words)), None)
        if match is not None:
            yield i, match
            j = match + 1


def _is_similar(first: str, second: str, words: Search) -> bool:
    # In steps, which take about as long as two characters do.
    if max(len(first), len(second)) > MAX_LINE or not words.take((len(first) + len(second)) // 2 + _STEPS_OF_PAIR):
        return False
    ours, theirs = ({token for token in _TOKEN.findall(line) if token[0].isalnum()} for line in (first, second))
    return len(ours & theirs) >= _SIMILAR * max(len(ours), len(theirs), 1)


def _words_compared(first: str, second: str, words: Search) -> tuple[tuple[Span, ...], tuple[Span, ...]]:
    old, new = _TOKEN.findall(first), _TOKEN.findall(second)
    blocks = words.common_blocks(old, new)
    return (_spans(old, [(i, size) for i, _, size in blocks]), _spans(new, [(j, size) for _, j, size in blocks]))


def _spans(tokens: Sequence[str], same: Sequence[tuple[int, int]]) -> tuple[Span, ...]:
    """Return a line's runs; a space between two changed words is changed, too."""
    flags = [True] * len(tokens)
    for start, size in same:
        flags[start : start + size] = [False] * size
    for index in range(1, len(tokens) - 1):
        if tokens[index].isspace() and flags[index - 1] and flags[index + 1]:
            flags[index] = True
    spans: list[Span] = []
    start = 0
    for end in range(1, len(tokens) + 1):
        if end == len(tokens) or flags[end] != flags[start]:
            spans.append(Span(content="".join(tokens[start:end]), is_changed=flags[start]))
            start = end
    return tuple(spans)


def _shown(rows: Iterator[ComparedRow]) -> tuple[list[ComparedRow], bool]:
    """Return the first rows, and whether there are more, or more of a line."""
    shown: list[ComparedRow] = []
    characters = 0
    is_partial = False
    for row in rows:
        lines = [line for line in (row.before, row.after) if line]
        characters += sum(len(span.content) + SPAN_CHARACTERS for line in lines for span in line.spans)
        if len(shown) == MAX_ROWS or characters > MAX_CHARACTERS:
            return shown, True
        is_partial = is_partial or any(line.is_cut for line in lines)
        shown.append(row)
    return shown, is_partial


def _same_row(i: int, j: int, line: str) -> ComparedRow:
    return ComparedRow(before=_whole(i, line, is_changed=False), after=_whole(j, line, is_changed=False))


def _whole(index: int, line: str, *, is_changed: bool) -> ComparedLine:
    span = Span(content=line[:MAX_LINE], is_changed=is_changed)
    return ComparedLine(number=index + 1, spans=(span,) if line else (), is_cut=len(line) > MAX_LINE)


def _lines_of(content: str) -> list[str]:
    return content.replace("\r\n", "\n").removesuffix("\n").split("\n")


def common_start(first: Sequence[str], second: Sequence[str], length: int) -> int:
    """Return how many of the first `length` elements are the same; most of them are compared in blocks."""
    for start in range(0, length, _BLOCK):
        end = min(start + _BLOCK, length)
        if first[start:end] != second[start:end]:
            return next(index for index in range(start, end) if first[index] != second[index])
    return length
