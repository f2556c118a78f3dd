"""Underlined headings get signs before them, if they have one line.

For Python-Markdown, those in list items are none, nor are signs behind spaces.
"""

from collections.abc import Iterable

from mdpublish_core.formatting.source import BLANKS, MarkedSource, Unit
from mdpublish_core.strings.changes import Change


def propose(source: MarkedSource, name: str) -> Iterable[Unit]:
    for (line, column), level, is_in_item in source.marks.underlined:
        if is_in_item:
            continue
        start = column if source.lines[line][:column].strip(BLANKS) else 0
        signs = source.change((line, start), column - start, f"{'#' * level} ")
        yield Unit(name, [signs, Change(source.end_of(line), source.end_of(line + 1), "")])
