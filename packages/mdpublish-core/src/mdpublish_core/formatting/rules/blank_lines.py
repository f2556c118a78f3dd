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
        # Those at the end are another rule's; blanks on first lines are code for Python-Markdown.
        if not is_blank or last == len(source.lines) - 1 or (not first and any(source.lines[: last + 1])):
            continue
        start = source.start_of(first)
        after = "" if source.is_first and not first else source.newline_after(start)
        change = Change(start, source.start_of(last + 1), after)
        if source.markdown[change.start : change.end] != after:
            yield Unit(name, [change])
