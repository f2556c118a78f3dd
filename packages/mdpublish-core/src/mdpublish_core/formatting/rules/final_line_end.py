"""A file ends with one line end."""

from collections.abc import Iterable

from mdpublish_core.formatting.source import BLANKS, MarkedSource, Unit
from mdpublish_core.strings.changes import Change


def propose(source: MarkedSource, name: str) -> Iterable[Unit]:
    last = len(source.lines) - 1
    while last >= 0 and last not in source.verbatim and not source.lines[last].strip(BLANKS):
        last -= 1
    start = source.end_of(last) if last >= 0 else 0
    change = Change(start, len(source.markdown), source.newline_after(start) if last >= 0 else "")
    if source.markdown[start:] != change.after:
        yield Unit(name, [change])
