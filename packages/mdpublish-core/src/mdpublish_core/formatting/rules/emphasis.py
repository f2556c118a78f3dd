"""Marks of emphasis are the most frequent ones of the file, and so are those of strong emphasis.

Beside another mark, or within a word, programs differ in what they pair: such marks stay.
"""

from collections.abc import Iterable

from mdpublish_core.formatting.source import MarkedSource, Unit, prevailing
from mdpublish_core.readers.markdown.marks import Pair


def propose(source: MarkedSource, name: str) -> Iterable[Unit]:
    for length in (1, 2):
        pairs = [pair for pair in source.marks.pairs if pair.length == length]
        chosen = prevailing((_mark(source, pair) for pair in pairs), "*_")
        for pair in pairs:
            if _mark(source, pair) != chosen and _is_apart(source, pair):
                changes = [source.change(point, length, chosen * length) for point in (pair.opening, pair.closing)]
                yield Unit(name, changes)


def _mark(source: MarkedSource, pair: Pair) -> str:
    line, column = pair.opening
    return source.lines[line][column]


def _is_apart(source: MarkedSource, pair: Pair) -> bool:
    (first, start), (last, end) = pair.opening, pair.closing
    opening, closing = source.lines[first], source.lines[last]
    inner, outer = start + pair.length, end + pair.length
    before, after = opening[max(0, start - 1) : start], closing[outer : outer + 1]
    around = before, opening[inner : inner + 1], closing[max(0, end - 1) : end], after
    return not (before.isalnum() or after.isalnum() or any(each and each in "*_\\" for each in around))
