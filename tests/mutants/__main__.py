"""Changes the packages in one place at a time, and tells which changes no test finds.

    python -m tests.mutants [--number 400] [--seed 1] [--area AREA ...]

The sample has as many mutants of each area; the mutants are cosmic-ray's. A mutant is tried by the test files that run its
line, the fastest first, in a copy of the sources. The first run records the lines; `--lines FOLDER` keeps them.
"""

import argparse
import json
import os
import random
import shutil
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from difflib import unified_diff
from functools import cache
from pathlib import Path
from queue import SimpleQueue

from cosmic_ray.ast import Visitor, get_ast
from cosmic_ray.mutating import mutate_code
from cosmic_ray.plugins import get_operator
from coverage import Coverage

ROOT = Path(__file__).parents[2]
SOURCES = ("packages/mdpublish-core/src", "packages/mdpublish-server/src")
TESTS = ("tests/core", "tests/properties", "tests/conformance", "tests/plugins", "tests/server", "tests/templates")

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

MAX_FILES = 10
MAX_SECONDS = 120.0
"""Of test files for a mutant, as they took when the lines were recorded."""
TIMEOUT_SECONDS = 600
"""A mutant may never end."""
ATTEMPTS = 50
"""To draw a line with something to change."""


@dataclass(frozen=True, slots=True)
class Mutant:
    """A changed module, and the test files that run the line."""

    area: str
    path: str
    line: int
    operator: str
    code: str
    files: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Lines:
    """Which test files run each line of each module, and how long a file takes."""

    files: Mapping[str, Mapping[int, Sequence[str]]]
    seconds: Mapping[str, float]

    def nearest(self, path: str, line: int) -> tuple[str, ...]:
        """Return the fastest files that run a line; for one that runs only on import, those that run its module."""
        lines = self.files[path]
        files = {each for each in lines.get(line, ()) if each}
        if len(files) <= 1:
            files |= {each for others in lines.values() for each in others if each}
        chosen: list[str] = []
        left = MAX_SECONDS
        for file in sorted(files, key=lambda each: (self.seconds.get(each, 0.0), each))[:MAX_FILES]:
            left -= self.seconds.get(file, 0.0)
            if chosen and left < 0:
                break
            chosen.append(file)
        return tuple(chosen)


def main() -> None:
    parser = argparse.ArgumentParser(description="Try mutants of the packages.")
    parser.add_argument("--number", type=int, default=400)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--area", action="append", help="such as core/readers; all by default")
    parser.add_argument("--lines", type=Path, help="folder that keeps the recorded lines")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as scratch:
        folder = arguments.lines or Path(scratch) / "lines"
        if not folder.exists():
            record(folder)
        mutants = sample(read(folder), arguments.number, random.Random(arguments.seed), arguments.area)
        survivors = list(try_all(mutants, Path(scratch)))
    print_scores(mutants, survivors)


def record(folder: Path) -> None:
    folder.mkdir(parents=True)
    workers = f"--numprocesses={os.cpu_count() or 1}"
    command = (sys.executable, "-m", "pytest", "-q", "-p", "tests.mutants.lines", workers, "--dist=loadfile", *TESTS)
    environment = {**os.environ, "MUTANTS_LINES": str(folder.resolve())}
    subprocess.run(command, cwd=ROOT, env=environment, check=True)


def read(folder: Path) -> Lines:
    coverage = Coverage(data_file=str(folder / "combined"), config_file=False)
    coverage.combine([str(each) for each in folder.glob("lines.*")], keep=True)
    data = coverage.get_data()
    paths = {str(Path(file).relative_to(ROOT)): data.contexts_by_lineno(file) for file in data.measured_files()}
    seconds: dict[str, float] = {}
    for file in folder.glob("seconds-*.json"):
        seconds |= json.loads(file.read_text())
    return Lines(paths, seconds)


def area_of(path: str) -> str:
    """Return a package and its subpackage, such as `core/readers` or `server/web`; two for writers and figures."""
    package, *folders = Path(path).relative_to("packages").parts
    inside = folders[2:-1]
    depth = 2 if inside[:1] in (["figures"], ["writers"]) else 1
    return "/".join((package.removeprefix("mdpublish-"), *inside[:depth]))


def sample(lines: Lines, number: int, chance: random.Random, areas: Sequence[str] | None) -> list[Mutant]:
    """Draw as many mutants of each area, of lines that tests run."""
    modules: dict[str, list[str]] = {}
    for path in sorted(lines.files):
        modules.setdefault(area_of(path), []).append(path)
    chosen = [area for area in modules if not areas or area in areas]
    mutants: dict[str, Mutant] = {}
    for count in range(number):
        area = chosen[count % len(chosen)]
        sizes = [len(lines.files[path]) for path in modules[area]]
        for _ in range(ATTEMPTS):
            (path,) = chance.choices(modules[area], sizes)
            mutant = draw(area, path, lines, chance)
            if mutant and mutant.code not in mutants:
                mutants[mutant.code] = mutant
                break
    return list(mutants.values())


def draw(area: str, path: str, lines: Lines, chance: random.Random) -> Mutant | None:
    """Return a mutant of a random line, or None if nothing can be changed there."""
    line = chance.choice(sorted(lines.files[path]))
    code = (ROOT / path).read_text("utf-8")
    possible = [(name, occurrence) for at, name, occurrence in _changes(code) if at == line]
    if not possible:
        return None
    name, occurrence = chance.choice(possible)
    changed = mutate_code(code, get_operator(name)(), occurrence)
    files = lines.nearest(path, line)
    return Mutant(area, path, line, name, changed, files) if changed and files else None


class _ChangedLines(Visitor):  # type: ignore[misc]
    """The lines that an operator can change, in the order of its occurrences."""

    def __init__(self, operator: object) -> None:
        self.lines: list[int] = []
        self._operator = operator

    def visit(self, node: object) -> object:
        self.lines += [start[0] for start, _ in self._operator.mutation_positions(node)]  # type: ignore[attr-defined]
        return node


@cache
def _changes(code: str) -> tuple[tuple[int, str, int], ...]:
    """Return what can be changed in a module: lines, operators and their occurrences."""
    tree = get_ast(code)
    changes: list[tuple[int, str, int]] = []
    for name in OPERATORS:
        changed = _ChangedLines(get_operator(name)())
        changed.walk(tree)
        changes += ((line, name, occurrence) for occurrence, line in enumerate(changed.lines))
    return tuple(changes)


def try_all(mutants: Sequence[Mutant], scratch: Path) -> Iterator[Mutant]:
    """Yield the mutants that no test finds; each is tried in a copy of the sources, one copy for each processor."""
    copies: SimpleQueue[Path] = SimpleQueue()
    for number in range(os.cpu_count() or 1):
        copy = scratch / f"copy-{number}"
        for sources in SOURCES:
            shutil.copytree(ROOT / sources, copy / sources)
        copies.put(copy)

    def survives(mutant: Mutant) -> bool:
        copy = copies.get()
        module = copy / mutant.path
        module.write_text(mutant.code, "utf-8")
        try:
            return _pass(mutant.files, copy)
        finally:
            shutil.copyfile(ROOT / mutant.path, module)
            copies.put(copy)

    with ThreadPoolExecutor(os.cpu_count()) as threads:
        for mutant, survived in zip(mutants, threads.map(survives, mutants), strict=True):
            print("survived" if survived else "killed", mutant.path, mutant.line, mutant.operator, flush=True)
            if survived:
                yield mutant


def _pass(files: Sequence[str], copy: Path) -> bool:
    paths = os.pathsep.join(str(copy / sources) for sources in SOURCES)
    command = (sys.executable, "-m", "pytest", "-x", "-q", "-p", "no:cacheprovider", "-p", "no:xdist", *files)
    environment = {**os.environ, "PYTHONPATH": paths, "PYTHONDONTWRITEBYTECODE": "1"}
    try:
        result = subprocess.run(
            command, cwd=ROOT, env=environment, capture_output=True, timeout=TIMEOUT_SECONDS, check=False
        )
    except subprocess.TimeoutExpired:
        return False
    return result.returncode == 0


def print_scores(mutants: Sequence[Mutant], survivors: Sequence[Mutant]) -> None:
    for mutant in survivors:
        original = (ROOT / mutant.path).read_text("utf-8").splitlines(keepends=True)
        print("".join(unified_diff(original, mutant.code.splitlines(keepends=True), mutant.path, mutant.path, n=2)))
    tried, survived = Counter(each.area for each in mutants), Counter(each.area for each in survivors)
    print("| area | mutants | killed |\n|---|--:|--:|")
    for area, number in sorted(tried.items()):
        print(f"| {area} | {number} | {1 - survived[area] / number:.0%} |")
    print(f"| all | {len(mutants)} | {1 - len(survivors) / len(mutants):.0%} |")


if __name__ == "__main__":
    main()
