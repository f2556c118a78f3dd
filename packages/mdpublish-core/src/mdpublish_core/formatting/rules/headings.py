"""Underlined headings get signs before them, if they have one line."""

from collections.abc import Iterable

from mdpublish_core.formatting.source import BLANKS, MarkedSource, Unit
from mdpublish_core.strings.changes import Change


def propose(source: MarkedSource, name: str) -> Iterable[Unit]:
    for (line, column), level, is_outer in source.marks.underlined:
        # Python-Markdown reads no heading behind spaces.
        start = 0 if is_outer and not source.lines[line][:column].strip(BLANKS) else column
        signs = source.change((line, start), column - start, f"{'#' * level} ")
        yield Unit(name, [signs, Change(source.end_of(line), source.end_of(line + 1), "")])
