"""Markers of lists that are more than `1.`: `a)`, `(iv)`, `A.`, `#.`, `(1)`, `(@example)`.

Sources: Pandoc's manual, `fancy_lists`, `startnum` and `example_lists`. `i` is Roman, other single letters are not; a
capital and a period need two spaces, since they may begin a name.
"""

from collections.abc import Mapping
from functools import cache
from typing import NamedTuple

from mdpublish_core.strings.lazy_patterns import compile_lazily
from mdpublish_core.strings.list_numbers import to_roman

_MARKER = compile_lazily(r"(\(?)([0-9]{1,9}|#|[A-Za-z]|[ivxlcdm]{2,9}|[IVXLCDM]{2,9})([.)])(?=([ \t]*)(.?))")


_EXAMPLE = compile_lazily(r"\(@[\w-]*\)(?=[ \t]|\Z)")


class Marker(NamedTuple):
    """A marker: as written, its number, and how the list is numbered, as in `List.numbering`."""

    leader: str
    number: int
    numbering: str


def read_marker(line: str, start: int, continued: str | None = None) -> Marker | None:
    """Read a marker; one of a list that is numbered as `continued` is read so if it can be."""
    match = _MARKER.match(line, start)
    if not match or bool(match[1]) > (match[3] == ")") or not (match[4] or not match[5]):
        return None
    opening, written, closing, spaces, content = match.groups()
    if closing == "." and written.isupper() and len(written) == 1 and content and len(spaces.expandtabs(4)) < 2:
        return None
    if written == "#" or written.isdigit():
        numbering = f"{opening}1{closing}"
        return Marker(match[0], int(written) if written != "#" else 1, "" if numbering == "1." else numbering)
    for kind, number in _readings(written):
        numbering = f"{opening}{kind}{closing}"
        if numbering == continued or continued is None:
            return Marker(match[0], number, numbering)
    return read_marker(line, start) if continued is not None else None


def read_example(line: str, start: int, number: int) -> Marker | None:
    """Read the marker of an example; those of a document are numbered through all lists."""
    match = _EXAMPLE.match(line, start)
    return Marker(match[0], number, "(1)") if match else None


def _readings(written: str) -> list[tuple[str, int]]:
    """Return the types of numbers that letters may be, the likeliest first, and the numbers."""
    lower = written.lower()
    readings = [("i", number)] if (number := _roman_numbers().get(lower)) else []
    if len(written) == 1:
        readings.insert(lower == "i", ("a", ord(lower) - ord("a") + 1))
    return [(kind.upper() if written.isupper() else kind, number) for kind, number in readings]


@cache
def _roman_numbers() -> Mapping[str, int]:
    return {to_roman(number): number for number in range(1, 1000)}
