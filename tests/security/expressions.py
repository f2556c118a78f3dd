"""Generates code that is slow for a lexer, from the lexer's own regular expressions.

Backtracking is slow where an unbounded repetition is followed by a failure. For each one, the code reaches the lexer's
state, matches up to the repetition, then repeats.
"""

import random
import re
from collections.abc import Iterable, Iterator
from functools import cache
from re import _constants as sre  # type: ignore[attr-defined]
from re import _parser as parser  # type: ignore[attr-defined]
from typing import Any

from mdpublish_core.highlighting import lexers

MAX_KINDS = 600
"""Per lexer; all take ten minutes."""

LONGEST_UNIT = 60
"""Characters."""

MAX_REPETITIONS = 60
"""Some expressions list hundreds of words."""

Node = tuple[Any, Any]

_REPEATS = (sre.MAX_REPEAT, sre.MIN_REPEAT, sre.POSSESSIVE_REPEAT)
_CATEGORIES = {sre.CATEGORY_DIGIT: "0", sre.CATEGORY_SPACE: " ", sre.CATEGORY_NOT_WORD: "-"}
_ORDINARY = "a b0.,\"'\\*/<(-\n"


def trouble(alias: str) -> list[tuple[str, str]]:
    """Return prefixes and repeated units."""
    chance = random.Random(alias)
    tables: dict[str, list[Any]] = getattr(lexers._lexer_class(alias)(), "_tokens", {})
    kinds: dict[tuple[str, str], None] = {}
    for state, before in _ways_in(tables, chance).items():
        for match, *_ in tables[state]:
            repetitions = list(_repetitions(_parsed(match.__self__), "", chance))
            for start, unit in repetitions[:MAX_REPETITIONS]:
                kinds |= dict.fromkeys([(before + start, unit), ("", start + unit), (before, f"{start}{unit}\n")])
    candidates = [(start, unit) for start, unit in kinds if unit and len(unit) <= LONGEST_UNIT]
    return chance.sample(candidates, min(len(candidates), MAX_KINDS))


@cache
def _parsed(pattern: re.Pattern[str]) -> list[Node]:
    return list(parser.parse(pattern.pattern, pattern.flags))


def _ways_in(tables: dict[str, list[Any]], chance: random.Random) -> dict[str, str]:
    """Return a string that leads to each state."""
    ways = {"root": ""} if tables else {}
    states = list(ways)
    for state in states:
        for match, _, following in tables[state]:
            if isinstance(following, tuple):
                for new in following:
                    if new in tables and new not in ways:
                        ways[new] = ways[state] + _matching_string(_parsed(match.__self__), chance)
                        states.append(new)
    return ways


def _repetitions(nodes: Iterable[Node], before: str, chance: random.Random) -> Iterator[tuple[str, str]]:
    for node in nodes:
        operation, argument = node
        if operation in _REPEATS and argument[1] is sre.MAXREPEAT:
            yield from (
                (before, _matching_string(choice, chance)) for choice in _choices(argument[2]) for _ in range(2)
            )
        for inner in _inside(node):
            yield from _repetitions(inner, before, chance)
        before += _matching_string([node], chance)
        yield "", before


def _choices(nodes: Iterable[Node]) -> Iterable[Iterable[Node]]:
    only = list(nodes)
    if len(only) == 1 and only[0][0] in {sre.BRANCH, sre.SUBPATTERN}:
        return [choice for inner in _inside(only[0]) for choice in _choices(inner)]
    return [only]


def _inside(node: Node) -> Iterable[Iterable[Node]]:
    operation, argument = node
    if operation is sre.BRANCH:
        return list(argument[1])[:12]
    if operation in _REPEATS:
        return [argument[2]]
    if operation is sre.SUBPATTERN:
        return [argument[3]]
    if operation is sre.ASSERT:
        return [argument[1]]
    return [argument] if operation is sre.ATOMIC_GROUP else []


def _matching_string(nodes: Iterable[Node], chance: random.Random) -> str:
    return "".join(_matching_part(node, chance) for node in nodes)


def _matching_part(node: Node, chance: random.Random) -> str:
    operation, argument = node
    if operation is sre.LITERAL:
        return chr(argument)
    if operation is sre.NOT_LITERAL:
        return "b" if argument == ord("a") else "a"
    if operation is sre.ANY:
        return chance.choice('a "')
    if operation is sre.IN:
        return _one_of(argument, chance)
    if operation in _REPEATS:
        minimum, maximum, inner = argument
        times = min(minimum, LONGEST_UNIT) + (
            chance.randint(1, 2) if maximum > minimum and chance.random() < 0.5 else 0
        )
        return "".join(_matching_string(inner, chance) for _ in range(times))
    alternatives = list(_inside(node))
    return _matching_string(chance.choice(alternatives), chance) if alternatives else ""


def _one_of(members: Iterable[Node], chance: random.Random) -> str:
    characters = set()
    negated = False
    for operation, argument in members:
        if operation is sre.NEGATE:
            negated = True
        elif operation is sre.LITERAL:
            characters.add(chr(argument))
        elif operation is sre.RANGE:
            characters.add(chr(chance.randint(argument[0], min(argument[1], argument[0] + 25))))
        elif operation is sre.CATEGORY:
            characters.add(_CATEGORIES.get(argument, "a"))
    return chance.choice(sorted(set(_ORDINARY) - characters if negated else characters) or ["z"])
