"""Blocks are separated by one empty line at the utmost, and the file begins with none."""

from collections.abc import Iterable
from itertools import groupby

from mdpublish_core.formatting.source import BLANKS, MarkedSource, Unit
from mdpublish_core.strings.changes import Change


def propose(source: MarkedSource, name: str) -> Iterable[Unit]:
    verbatim = source.verbatim
    numbered = groupby(
        range(len(source.lines)), key=lambda number: number not in verbatim and not source.lines[number].strip(BLANKS)
    )
    for is_blank, run in numbered:
        first, *others = run
        last = others[-1] if others else first
        # Those at the end are another rule's.
        if is_blank and last < len(source.lines) - 1:
            change = Change(
                source.start_of(first),
                source.start_of(last + 1),
                "" if source.is_first and not first else source.newline,
            )
            if source.markdown[change.start : change.end] != change.after:
                yield Unit(name, [change])
