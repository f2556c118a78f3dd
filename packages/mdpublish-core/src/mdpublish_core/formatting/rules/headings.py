"""Underlined headings get signs before them, if they have one line."""

from collections.abc import Iterable

from mdpublish_core.formatting.source import BLANKS, MarkedSource, Unit
from mdpublish_core.strings.changes import Change


def propose(source: MarkedSource, name: str) -> Iterable[Unit]:
    for (line, column), level, is_outer in source.marks.underlined:
        # Python-Markdown reads no heading behind spaces.
        start = 0 if is_outer and not source.lines[line][:column].strip(BLANKS) else column
        end = source.start_of(line) + len(source.lines[line])
        underline_end = source.start_of(line + 1) + len(source.lines[line + 1])
        changes = [source.change((line, start), column - start, f"{'#' * level} "), Change(end, underline_end, "")]
        yield Unit(name, changes)
