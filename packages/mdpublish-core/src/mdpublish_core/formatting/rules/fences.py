"""Fences of code are backticks or tildes, as most of the file's are. Their lengths stay.

So do those behind the marker of an item, or with a longer end, in which Python-Markdown reads no code.
"""

from collections.abc import Iterable

from mdpublish_core.formatting.source import MarkedSource, Unit, prevailing

_LENGTH = 3


def propose(source: MarkedSource, name: str) -> Iterable[Unit]:
    fences = source.marks.fences
    chosen = prevailing((source.lines[line][column] for (line, column), _ in fences), "`~")
    for (line, column), last in fences:
        opening, closing = source.lines[line][column:], source.lines[last]
        mark = opening[0]
        length = len(opening) - len(opening.lstrip(mark))
        marks = closing.lstrip(" \t>").rstrip(" \t")
        is_closed = last > line and marks == mark * length and not source.lines[line][:column].strip(" \t>")
        content = (opening, *source.lines[line + 1 : last])
        if mark == chosen or not is_closed or chosen in opening or any(chosen * _LENGTH in each for each in content):
            continue
        end = closing.rindex(marks)
        yield Unit(
            name,
            [
                source.change((line, column), length, chosen * length),
                source.change((last, end), len(marks), chosen * len(marks)),
            ],
        )
