"""A text with the ends of its groups, found in one pass: searches for each one would take quadratic time."""

import re
from typing import NamedTuple

_MARKS = re.compile(r"\\.|[{}()\[\]$]", re.DOTALL)
_CLOSERS = {"(": ")", "[": "]", "$": "$"}


class Match(NamedTuple):
    """What a pattern matches: the part that counts, where the match ends, and further parts."""

    value: str
    end: int
    others: tuple[str, ...] = ()


class ChemistrySource:
    """A notation's text. Escaped braces and brackets are ordinary characters."""

    __slots__ = ("_ends", "content")

    def __init__(self, content: str) -> None:
        self.content = content
        self._ends = _group_ends(content)

    def end_of(self, opening: int) -> int:
        """Return the index of the mark that closes the one at `opening`; -1 if there is none.

        Brackets, parentheses and dollars end at the next closing mark in the same pair of braces, as in TeX.
        """
        return self._ends.get(opening, -1)


def _group_ends(content: str) -> dict[int, int]:
    ends: dict[int, int] = {}
    levels: list[dict[str, int]] = [{}]
    braces: list[int] = []
    for match in reversed(list(_MARKS.finditer(content))):
        mark, index = match[0], match.start()
        if mark == "}":
            braces.append(index)
            levels.append({})
        elif mark == "{":
            if braces:
                ends[index] = braces.pop()
                levels.pop()
        elif len(mark) == 1:
            closing = levels[-1]
            if mark in _CLOSERS and _CLOSERS[mark] in closing:
                ends[index] = closing[_CLOSERS[mark]]
            if mark not in "([":
                closing[mark] = index
    return ends
