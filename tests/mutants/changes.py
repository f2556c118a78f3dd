"""Draws changes of the packages by cosmic-ray's operators, as many of each area."""

import random
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import cycle, islice
from pathlib import Path
from typing import Any

from cosmic_ray.ast import Visitor, get_ast
from cosmic_ray.mutating import mutate_code
from cosmic_ray.plugins import get_operator

from tests.mutants.lines import ROOT, Lines

OPERATORS = tuple(
    f"core/{name}"
    for name in (
        *(f"ReplaceBinaryOperator_{pair}" for pair in ("Add_Sub", "Sub_Add", "Mul_Div", "Div_Mul", "FloorDiv_Mul")),
        *(f"ReplaceComparisonOperator_{pair}" for pair in ("Eq_NotEq", "NotEq_Eq", "Lt_LtE", "LtE_Lt", "Gt_GtE")),
        *(f"ReplaceComparisonOperator_{pair}" for pair in ("GtE_Gt", "Is_IsNot", "IsNot_Is")),
        *("ReplaceUnaryOperator_Delete_USub", "ReplaceUnaryOperator_Delete_Not", "AddNot", "NumberReplacer"),
        *("ReplaceTrueWithFalse", "ReplaceFalseWithTrue", "ReplaceAndWithOr", "ReplaceOrWithAnd"),
        *("ReplaceBreakWithContinue", "ReplaceContinueWithBreak", "ZeroIterationForLoop"),
    )
)

SECONDS = 60.0
"""CPU time of the tests that a mutant is tried with, without pytest's start."""

ATTEMPTS = 50
"""To draw a line with something to change."""


@dataclass(frozen=True, slots=True)
class Mutant:
    """A changed module, and the test functions that run the line, the nearest first."""

    area: str
    path: str
    line: int
    operator: str
    code: str
    functions: Sequence[str]


def area_of(path: str) -> str:
    """Return a package and its subpackage, such as `core/readers` or `server/web`; two for writers and figures."""
    package, *folders = Path(path).relative_to("packages").parts
    inside = folders[2:-1]
    depth = 2 if inside[:1] in (["figures"], ["writers"]) else 1
    return "/".join((package.removeprefix("mdpublish-"), *inside[:depth]))


def sample(lines: Lines, number: int, chance: random.Random, areas: Sequence[str] | None) -> Iterator[Mutant]:
    """Draw as many mutants of each area, of lines that tests run."""
    modules: dict[str, list[str]] = {}
    for path in lines.runs:
        modules.setdefault(area_of(path), []).append(path)
    chosen = [area for area in modules if not areas or area in areas]
    sizes = {path: len(lines.of(path)) for path in lines.runs}
    drawn: set[str] = set()
    for area in islice(cycle(chosen), number):
        for _ in range(ATTEMPTS):
            (path,) = chance.choices(modules[area], [sizes[each] for each in modules[area]])
            mutant = _draw(area, path, lines, chance)
            if mutant and mutant.code not in drawn:
                drawn.add(mutant.code)
                yield mutant
                break


def _draw(area: str, path: str, lines: Lines, chance: random.Random) -> Mutant | None:
    """Return a mutant of a random line, or None if nothing can be changed there."""
    line = chance.choice(lines.of(path))
    code = (ROOT / path).read_text("utf-8")
    possible = [(name, occurrence) for at, name, occurrence in changes(code) if at == line]
    if not possible:
        return None
    name, occurrence = chance.choice(possible)
    changed = mutate_code(code, get_operator(name)(), occurrence)
    functions = lines.nearest(path, line, SECONDS)
    return Mutant(area, path, line, name, changed, functions) if changed and functions else None


class _Changes(Visitor):  # type: ignore[misc]
    """What each operator can change: lines, the operator, and its occurrences in the order of the tree."""

    def __init__(self) -> None:
        self.places: list[tuple[int, str, int]] = []
        self._operators = {name: get_operator(name)() for name in OPERATORS}
        self._counts = Counter[str]()

    def visit(self, node: Any) -> Any:
        for name, operator in self._operators.items():
            for start, _ in operator.mutation_positions(node):
                if not _is_declaration(node):
                    self.places.append((start[0], name, self._counts[name]))
                self._counts[name] += 1
        return node


def _is_declaration(node: Any) -> bool:
    """Whether a node is an argument of a decorator, such as `slots=True`, or a star, which cosmic-ray multiplies with."""
    is_star = node.type == "operator" and node.value == "*" and node.parent.type != "term"
    return is_star or node.search_ancestor("decorator") is not None


@cache
def changes(code: str) -> Sequence[tuple[int, str, int]]:
    """Return what can be changed in a module: lines, operators and their occurrences."""
    visitor = _Changes()
    visitor.walk(get_ast(code))
    return visitor.places
