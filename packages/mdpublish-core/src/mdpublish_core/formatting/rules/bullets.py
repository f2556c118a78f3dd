"""Markers of lists are the most frequent one of the file. Widths of markers and indents stay.

So do the markers of lists that follow each other without another block between them: alike, they would be one; and of
those that begin directly below text, which Python-Markdown shows as text.
"""

from collections.abc import Iterable

from mdpublish_core.formatting.source import MarkedSource, Unit, prevailing
from mdpublish_core.strings.changes import Change


def propose(source: MarkedSource, name: str) -> Iterable[Unit]:
    """Propose a unit for each list, since a list has one marker."""
    bullets = source.marks.bullets
    fixed = {*source.marks.adjacent_lists, *source.marks.lists_below_text}
    chosen = prevailing((source.lines[line][column] for (line, column), _ in bullets), "-*+")
    changes: dict[int, list[Change]] = {}
    for (line, column), list_number in bullets:
        if source.lines[line][column] != chosen and list_number not in fixed:
            changes.setdefault(list_number, []).append(source.change((line, column), 1, chosen))
    return (Unit(name, each) for each in changes.values())
