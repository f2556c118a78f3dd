"""One space follows the signs of a heading, and none are at its end.

Before blanks, Python-Markdown shows signs at the end: then they stay, as do the blanks.
"""

from collections.abc import Iterable

from mdpublish_core.formatting.source import MarkedSource, Unit
from mdpublish_core.strings.lazy_patterns import compile_lazily

_HEADING = compile_lazily(r"#{1,6}([ \t]+)(?=[^ \t#])")
_CLOSING = compile_lazily(r"(?<![ \t])[ \t]+#+$")


def propose(source: MarkedSource, name: str) -> Iterable[Unit]:
    for line, column in source.marks.headings:
        content = source.lines[line]
        opening = _HEADING.match(content[column:])
        if not opening:
            continue
        changes = []
        if opening[1] != " ":
            changes.append(source.change((line, column + opening.start(1)), len(opening[1]), " "))
        if closing := _CLOSING.search(content, column + opening.end()):
            changes.append(source.change((line, closing.start()), len(closing[0]), ""))
        if changes:
            yield Unit(name, changes)
