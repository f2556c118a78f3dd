"""State machines: tables of what a reader does with each pattern in each state."""

from collections.abc import Callable, Sequence
from typing import Generic, NamedTuple, TypeVar

from mdpublish_core.figures.math.chemistry.patterns import PATTERNS, ChemistrySource, Match, Pattern

Reader = TypeVar("Reader")
Action = Callable[[Reader, Match], None]

ALL = "*"
BEGIN = "begin"
STAY = ""
"""Instead of a state: the one that the machine is in."""


class Rule(NamedTuple, Generic[Reader]):
    """What to do with the patterns in the states, and the next state."""

    patterns: str
    """Separated by `|`; the first that matches counts."""

    states: str
    """Separated by spaces, or `ALL`."""

    actions: Sequence[Action[Reader]] = ()
    then: str = STAY
    revisits: bool = False  # what matches stays to be read in the next state
    goes_on: bool = False  # with the later rules, which match at the same place


class _Step(NamedTuple, Generic[Reader]):
    pattern: Pattern
    rule: Rule[Reader]


class Machine(Generic[Reader]):
    """Of the rules for a state, the first whose pattern matches applies."""

    __slots__ = ("_by_character", "_steps")

    def __init__(self, rules: Sequence[Rule[Reader]]) -> None:
        states = {state for rule in rules for state in rule.states.split()} - {ALL}
        states |= {rule.then for rule in rules} - {STAY}
        self._steps: dict[str, list[_Step[Reader]]] = {
            state: [
                _Step(PATTERNS[name], rule)
                for rule in rules
                if rule.states == ALL or state in rule.states.split()
                for name in rule.patterns.split("|")
            ]
            for state in states | {BEGIN}
        }
        # Of ASCII: a table of bounded size.
        self._by_character: dict[tuple[str, str], list[_Step[Reader]]] = {}

    def run(self, reader: Reader, content: str) -> None:
        source, state, position = ChemistrySource(content), BEGIN, 0
        while True:
            for pattern, rule in self._candidates(state, content[position : position + 1]):
                matched = pattern.find(source, position)
                if matched is None:
                    continue
                for action in rule.actions:
                    action(reader, matched)
                state = rule.then or state
                if position >= len(content):
                    return
                if not rule.revisits:
                    position = matched.end
                if not rule.goes_on:
                    break

    def _candidates(self, state: str, character: str) -> list[_Step[Reader]]:
        if not character.isascii():
            return self._steps[state]
        key = state, character
        if key not in self._by_character:
            self._by_character[key] = [
                step
                for step in self._steps[state]
                if not step.pattern.begins or (character and character in step.pattern.begins)
            ]
        return self._by_character[key]
