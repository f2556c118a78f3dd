"""The patterns of mhchem's notation, by name. One matches at a position, and names the characters it begins with."""

import re
from collections.abc import Callable
from typing import NamedTuple

from mdpublish_core.data_files import read_table

_MARKS = re.compile(r"\\.|[{}()\[\]$]", re.DOTALL)
_CLOSERS = {"(": ")", "[": "]", "$": "$"}


class Match(NamedTuple):
    """What a pattern matches: the part that counts, where the match ends, and further parts."""

    value: str
    end: int
    others: tuple[str, ...] = ()


class ChemistrySource:
    """A notation's text; escaped braces and brackets are ordinary characters.

    The ends of its groups are found in one pass: searches for each one would take quadratic time.
    """

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


Finder = Callable[[ChemistrySource, int], Match | None]


class Pattern(NamedTuple):
    """`begins` lists the possible first characters; empty if any, or the end, will do."""

    find: Finder
    begins: str = ""


_NAME = re.compile(r"\\[a-zA-Z]+\{")
_PHRASE_END = r"(?=\Z|[\s,;)\]}])"

_LOWERCASE = "abcdefghijklmnopqrstuvwxyz"
_DIGITS = "0123456789"


def _expression(begins: str, pattern: str) -> Pattern:
    """Match an expression; its first group counts, if it has one that matches."""
    match = re.compile(pattern).match

    def find(source: ChemistrySource, start: int) -> Match | None:
        matched = match(source.content, start)
        return None if matched is None else Match(matched[matched.lastindex or 0] or matched[0], matched.end())

    return Pattern(find, begins)


def _parts(begins: str, pattern: str) -> Pattern:
    """Match an expression, but not the empty string; all groups count."""
    match = re.compile(pattern).match

    def find(source: ChemistrySource, start: int) -> Match | None:
        matched = match(source.content, start)
        if matched is None or matched.end() == start:
            return None
        return Match(matched[0], matched.end(), tuple(group or "" for group in matched.groups()))

    return Pattern(find, begins)


def _inside(before: str = "", *, after: str = "") -> Pattern:
    """Match braces after `before`; what is in them counts."""

    def find(source: ChemistrySource, start: int) -> Match | None:
        opening = start + len(before)
        if not source.content.startswith(f"{before}{{", start):
            return None
        end = source.end_of(opening)
        if end < 0 or not source.content.startswith(after, end + 1):
            return None
        return Match(source.content[opening + 1 : end], end + 1 + len(after))

    return Pattern(find, before[:1] or "{")


def _pair(before: str, between: str = "") -> Pattern:
    """Match two pairs of braces."""
    first, second = _inside(before, after=between).find, _inside().find

    def find(source: ChemistrySource, start: int) -> Match | None:
        one = first(source, start)
        two = None if one is None else second(source, one.end)
        return None if one is None or two is None else Match(one.value, two.end, (two.value,))

    return Pattern(find, before[:1])


def _whole(before: str, opening: str) -> Pattern:
    """Match a group; its braces or dollars count."""

    def find(source: ChemistrySource, start: int) -> Match | None:
        begin = start + len(before)
        if not source.content.startswith(before + opening, start):
            return None
        end = source.end_of(begin)
        return None if end < 0 else Match(source.content[begin : end + 1], end + 1)

    return Pattern(find, before[:1] or opening)


def _command(before: str, arguments: str) -> Pattern:
    """Match a TeX command with its arguments."""

    def find(source: ChemistrySource, start: int) -> Match | None:
        begin = start + len(before)
        name = _NAME.match(source.content, begin) if source.content.startswith(before, start) else None
        if name is None:
            return None
        end = source.end_of(name.end() - 1)
        for _ in range(int(arguments) - 1):
            end = source.end_of(end + 1) if end >= 0 and source.content.startswith("{", end + 1) else -1
        return None if end < 0 else Match(source.content[begin : end + 1], end + 1)

    return Pattern(find, before[:1] or "\\")


_STATE = re.compile(r"\([a-z]{1,3}(?=[),])")
_CRYSTAL_SYSTEM = re.compile(r"\((?:\\ca\s?)?\$[amothc]\$\)")
_END_OF_PHRASE = re.compile(_PHRASE_END)


def _state_of_aggregation(source: ChemistrySource, start: int) -> Match | None:
    if _STATE.match(source.content, start):
        end = source.end_of(start) + 1
        if end and _END_OF_PHRASE.match(source.content, end):
            return Match(source.content[start:end], end)
    crystal = _CRYSTAL_SYSTEM.match(source.content, start)
    return None if crystal is None else Match(crystal[0], crystal.end())


_AMOUNT = re.compile(
    r"(?:\([+-]?[0-9]+/[0-9]+\)|[+-]?(?:[0-9]+|\$[a-z]\$|[a-z])/[0-9]+|[+-]?[0-9]+[.,][0-9]+|[+-]?\.[0-9]+|[+-]?[0-9]+)"
    r"(?:[a-z](?=\s*[A-Z]))?|[+-]?[a-z](?=\s*[A-Z])|\+(?!\s)"
)
_VARIABLE_AMOUNT = re.compile(r"\$(?:\(?[+-]?(?:[0-9]*[a-z]?[+-])?[0-9]*[a-z](?:[+-][0-9]*[a-z]?)?\)?|\+|-)\$")


def _amount(source: ChemistrySource, start: int) -> Match | None:
    matched = _AMOUNT.match(source.content, start) or _VARIABLE_AMOUNT.match(source.content, start)
    return None if matched is None else Match(matched[0], matched.end())


def _math_inside(source: ChemistrySource, start: int) -> Match | None:
    """Match `$…$` or `${…}$`; the marks do not count."""
    if source.content.startswith("${", start):
        end = source.end_of(start + 1)
        if end >= 0 and source.content.startswith("$", end + 1):
            return Match(source.content[start + 2 : end], end + 2)
    end = source.end_of(start)
    return None if end < 0 else Match(source.content[start + 1 : end], end + 1)


_BUILDERS: dict[str, Callable[..., Pattern]] = {
    "parts": _parts,
    "expression": _expression,
    "inside": _inside,
    "whole": _whole,
    "command": _command,
    "pair": _pair,
}
PATTERNS: dict[str, Pattern] = {
    **{name: _BUILDERS[kind](*rest) for kind, name, *rest in read_table(__file__, "patterns.tsv")},
    "state of aggregation": Pattern(_state_of_aggregation, "("),
    "math inside": Pattern(_math_inside, "$"),
    "label": Pattern(
        lambda source, start: (
            Match(source.content[start + 1 : end], end + 1)
            if source.content.startswith("[", start) and (end := source.end_of(start)) >= 0
            else None
        ),
        "[",
    ),
    "amount": Pattern(_amount, f"($+-.{_DIGITS}{_LOWERCASE}"),
}
