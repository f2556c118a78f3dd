"""Draws changes of the packages by cosmic-ray's operators, as many of each area."""

import ast
import random
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from cosmic_ray.ast import Visitor, get_ast
from cosmic_ray.mutating import mutate_code
from cosmic_ray.plugins import get_operator

from tests.mutants.reach import ROOT, Statement, statements

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

ATTEMPTS = 100
"""To draw a statement with something to change."""


@dataclass(frozen=True, slots=True)
class Mutant:
    """A changed module, and its line with the first of the innermost statement that it is in."""

    area: str
    path: str
    line: int
    statement: int
    is_in_function: bool
    operator: str
    code: str


def is_compilable(mutant: Mutant) -> bool:
    """Return False for `if not name := value`: any test would find it."""
    try:
        compile(mutant.code, mutant.path, "exec", dont_inherit=True)
    except SyntaxError:
        return False
    return True


def area_of(path: str) -> str:
    """Return a package and its subpackage, such as `core/readers` or `server/web`; two for writers and figures."""
    package, *folders = Path(path).relative_to("packages").parts
    inside = folders[2:-1]
    depth = 2 if inside[:1] in (["figures"], ["writers"]) else 1
    return "/".join((package.removeprefix("mdpublish-"), *inside[:depth]))


def sample(number: int, chance: random.Random, areas: Sequence[str] | None) -> Iterator[Mutant]:
    """Draw as many mutants of each area."""
    modules: dict[str, dict[str, int]] = {}
    for path in sorted((ROOT / "packages").glob("*/src/**/*.py")):
        name = str(path.relative_to(ROOT))
        if size := len(statements_of(path.read_text("utf-8"))):
            modules.setdefault(area_of(name), {})[name] = size
    chosen = [area for area in modules if not areas or area in areas]
    drawn: set[str] = set()
    while chosen and len(drawn) < number:
        area = chosen.pop(0)
        for _ in range(ATTEMPTS):
            (path,) = chance.choices(*zip(*modules[area].items(), strict=True))
            mutant = _draw(area, path, chance)
            if mutant and mutant.code not in drawn:
                drawn.add(mutant.code)
                chosen.append(area)
                yield mutant
                break


def _draw(area: str, path: str, chance: random.Random) -> Mutant | None:
    """Return a mutant of a random statement, or None if nothing can be changed there."""
    code = (ROOT / path).read_text("utf-8")
    every = statements_of(code)
    chosen = chance.choice(every)
    # Statements follow those that they are in.
    owners = {line: each for each in every for line in range(each.node.lineno, (each.node.end_lineno or 0) + 1)}
    possible = [change for change in changes(code) if owners.get(change[0]) is chosen]
    if not possible:
        return None
    line, name, occurrence = chance.choice(possible)
    changed = mutate_code(code, get_operator(name)(), occurrence)
    return changed and Mutant(area, path, line, chosen.node.lineno, chosen.is_in_function, name, changed)


# Most nodes, which no operator changes.
_UNCHANGED = frozenset({"name", "newline", "string", "fstring_string"})
_PUNCTUATION = frozenset("()[]{}.,:=")


class _Changes(Visitor):  # type: ignore[misc]
    """What each operator can change: lines, the operator, and its occurrences in the order of the tree."""

    def __init__(self) -> None:
        self.places: list[tuple[int, str, int]] = []
        self._operators = {name: get_operator(name)() for name in OPERATORS}
        self._counts = Counter[str]()

    def visit(self, node: Any) -> Any:
        if node.type in _UNCHANGED or getattr(node, "value", "") in _PUNCTUATION:
            return node
        for name, operator in self._operators.items():
            for start, _ in operator.mutation_positions(node):
                if not _is_declaration(node):
                    self.places.append((start[0], name, self._counts[name]))
                self._counts[name] += 1
        return node


def _is_declaration(node: Any) -> bool:
    """Whether a node is an argument of a decorator, such as `slots=True`, or a star, which is no multiplication."""
    is_star = node.type == "operator" and node.value == "*" and node.parent.type != "term"
    return is_star or node.search_ancestor("decorator") is not None


@cache
def statements_of(code: str) -> Sequence[Statement]:
    return list(statements(ast.parse(code)))


@cache
def changes(code: str) -> Sequence[tuple[int, str, int]]:
    """Return what can be changed in a module: lines, operators and their occurrences."""
    visitor = _Changes()
    visitor.walk(get_ast(code))
    return visitor.places
