"""Blocks are separated by one empty line at the utmost, and the file begins with none."""

from collections.abc import Iterable
from itertools import groupby

from mdpublish_core.formatting.front_matter import end_of_front_matter
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
        # Those at the end are another rule's. Two make no definition of what follows, for programs that have such lists.
        if (
            not is_blank
            or last == len(source.lines) - 1
            or source.lines[last + 1].lstrip().startswith((": ", ":\t", "~ "))
        ):
            continue
        start, end = source.start_of(first), source.start_of(last + 1)
        after = source.newline_after(start)
        if not first and source.is_first:
            # Python-Markdown reads blanks as code here; and what follows must not become front matter.
            if any(source.lines[: last + 1]) or end_of_front_matter(source.markdown[end:]):
                continue
            after = ""
        if source.markdown[start:end] != after:
            yield Unit(name, [Change(start, end, after)])
