"""Items of lists have one space behind their marker, and what they hold stands below their text. Tabs and quotes stay."""

from collections.abc import Iterable

from mdpublish_core.formatting.source import MarkedSource, Unit
from mdpublish_core.strings.changes import Change
from mdpublish_core.strings.lazy_patterns import compile_lazily

_MARKER = compile_lazily(r"(?:[-+*]|\d+[.)])( {1,4})(?=[^ \t])")


def propose(source: MarkedSource, name: str) -> Iterable[Unit]:
    """Propose a unit for each outermost item, with the items in it."""
    markers = {point for point, _ in (*source.marks.bullets, *source.marks.numbers)}
    changes: list[Change] = []
    # Where the text of each open item starts, and how far it moves.
    items: list[tuple[int, int]] = []
    for number, line in enumerate(source.lines):
        indent = len(line) - len(line.lstrip(" "))
        if indent == len(line):
            continue
        while items and indent < items[-1][0]:
            items.pop()
        if not items and changes:
            yield Unit(name, changes)
            changes = []
        if moved := sum(by for _, by in items):
            changes.append(source.change((number, 0), moved, ""))
        marker = _MARKER.match(line, indent) if (number, indent) in markers else None
        if marker:
            items.append((marker.end(), len(marker[1]) - 1))
            if len(marker[1]) > 1:
                changes.append(source.change((number, marker.start(1)), len(marker[1]) - 1, ""))
    if changes:
        yield Unit(name, changes)
