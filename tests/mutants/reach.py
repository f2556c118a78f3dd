"""Which test functions reach each mutant, recorded in one run of the tests, and the nearest of a mutant."""

import ast
import hashlib
import json
import os
import sys
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from pathlib import Path
from subprocess import Popen
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tests.mutants.changes import Mutant

ROOT = Path(__file__).parents[2]

FOLDERS = {
    "": ("core", "server", "linters", "templates", "properties"),
    "docs": ("docs",),
    "contract": ("contract",),
    "conformance": ("conformance",),
}
"""Folders of tests, by the mark of their session."""

FILE_SECONDS = 0.3
"""CPU time to load a file of tests."""

WATCHED = "watched"
"""A file with the modules to watch, and in each the lines of mutants' statements."""


@dataclass(frozen=True, slots=True)
class Statement:
    """A statement, and where it stands."""

    node: ast.stmt
    block: list[ast.stmt]
    index: int
    is_in_function: bool


def statements(node: ast.AST, is_in_function: bool = False) -> Iterator[Statement]:
    """Return all statements below a node, each before those in it."""
    for child in (*getattr(node, "handlers", ()), *getattr(node, "cases", ())):
        yield from statements(child, is_in_function)
    for name in ("body", "orelse", "finalbody"):
        block: list[ast.stmt] = getattr(node, name, [])
        for index, child in enumerate(block):
            yield Statement(child, block, index, is_in_function)
            yield from statements(child, is_in_function or isinstance(child, ast.FunctionDef | ast.AsyncFunctionDef))


@dataclass(frozen=True, slots=True)
class Reach:
    """What each test function does, and its CPU time."""

    reached: Mapping[str, frozenset[str]]
    """Mutants' statements, as a module's path and a negative line."""
    entered: Mapping[str, Mapping[str, int]]
    """The number of functions in each module."""
    seconds: Mapping[str, float]

    def nearest(self, mutant: "Mutant") -> list[str]:
        """Return the functions that reach a mutant, those that do least first, then others that call its module.

        If the module has no functions, those of its package.
        """
        place, package = f"{mutant.path}:-{mutant.statement}", mutant.path.rpartition("/")[0]
        inside = self._entering(mutant.path) or self._entering(f"{package}/")
        shares = {name: number / sum(self.entered[name].values()) for name, number in inside.items()}
        # Of a function with many cases, some were recorded: the others may reach it.
        return sorted(
            shares, key=lambda name: (place not in self.reached[name], -shares[name], self.seconds[name], name)
        )

    def named(self, mutant: "Mutant") -> list[str]:
        """Return test files named like a mutant's module or package: what runs in another program is not recorded.

        Outside of functions, the test of the reference, too.
        """
        parts = Path(mutant.path).with_suffix("").parts[4:]
        # Such as test_web_pages.py for web/public/pages.py.
        names = {"_".join(path) for length in range(1, len(parts) + 1) for path in combinations(parts, length)}
        if not mutant.is_in_function:
            # Its tables have the defaults of limits and options.
            names.add("reference")
        files = {function.partition("::")[0] for function in self.seconds}
        return sorted(file for file in files if Path(file).stem.removeprefix("test_") in names)

    def _entering(self, start: str) -> dict[str, int]:
        """Return how many functions each test function enters in modules whose path begins so, without zeros."""
        modules = ((name, entered.items()) for name, entered in self.entered.items())
        numbers = {name: sum(number for path, number in each if path.startswith(start)) for name, each in modules}
        return {name: number for name, number in numbers.items() if number}

    def within(self, functions: Iterable[str], seconds: float) -> list[str]:
        """Return the first functions that take up to `seconds` with their files, without those that take too long."""
        chosen: list[str] = []
        files = set[str]()
        for function in functions:
            file = function.partition("::")[0]
            cost = self.seconds[function] + (0 if file in files else FILE_SECONDS)
            if cost <= seconds:
                seconds -= cost
                chosen.append(function)
                files.add(file)
        return chosen


def record(folder: Path, mutants: Iterable["Mutant"], within: str) -> Reach:
    """Record what is not in the folder yet, or was recorded with other sources, mutants or tests."""
    watched = json.dumps(_watched(mutants))
    folder /= digest(path.read_bytes() for path in sorted((ROOT / "packages").glob("*/src/**/*.py")))
    folder /= digest([watched.encode()])
    folder.mkdir(parents=True, exist_ok=True)
    (folder / WATCHED).write_text(watched)
    reached: dict[str, frozenset[str]] = {}
    entered: dict[str, Mapping[str, int]] = {}
    seconds: dict[str, float] = {}
    for mark, names in FOLDERS.items():
        paths = (path for name in names for path in sorted((ROOT / "tests" / name).rglob("test_*.py")))
        files = [file for path in paths if (file := str(path.relative_to(ROOT))).startswith(within)]
        _record(folder, [file for file in files if _is_due(folder, file)], mark)
        for file in files:
            for function, (cpu_seconds, notes) in json.loads(recorded(folder, file).read_text()).items():
                places = notes.split()
                reached[function] = frozenset(place for place in places if ":-" in place)
                entered[function] = Counter(place.partition(":")[0] for place in places if ":-" not in place)
                seconds[function] = cpu_seconds
    return Reach(reached, entered, seconds)


def _watched(mutants: Iterable["Mutant"]) -> dict[str, list[int]]:
    watched: dict[str, list[int]] = {}
    for mutant in mutants:
        watched.setdefault(mutant.path, []).append(mutant.statement)
        if not mutant.is_in_function and "def " not in (ROOT / mutant.path).read_text("utf-8"):
            for path in (ROOT / mutant.path).parent.rglob("*.py"):
                watched.setdefault(str(path.relative_to(ROOT)), [])
    return watched


def recorded(folder: Path, file: str) -> Path:
    """Return the file that keeps what a file of tests reached."""
    return folder / file.replace("/", "-")


def _is_due(folder: Path, file: str) -> bool:
    record_file = recorded(folder, file)
    return not record_file.exists() or record_file.stat().st_mtime < (ROOT / file).stat().st_mtime


def _record(folder: Path, files: Sequence[str], mark: str) -> None:
    if not files:
        return
    for file in files:
        recorded(folder, file).unlink(missing_ok=True)
    options = ("-q", "-ptests.mutants.recorder", "-pno:xdist", "-pno:cacheprovider", "--with=corpora", "-m", mark)
    environment = {**os.environ, "MUTANTS_FOLDER": str(folder)}
    # One more than processors, as tests of the service often wait. Each collects only its files.
    number = min((os.cpu_count() or 1) + 1, len(files))
    command = (sys.executable, "-m", "pytest", *options)
    running = [Popen((*command, *files[first::number]), cwd=ROOT, env=environment) for first in range(number)]
    statuses = {process.wait() for process in running}
    # Functions that fail are left out.
    if not statuses <= {0, 1, 5}:
        sys.exit("The tests could not be recorded.")
    for file in files:
        if not recorded(folder, file).exists():
            recorded(folder, file).write_text("{}")


def digest(contents: Iterable[bytes]) -> str:
    return hashlib.sha256(b"".join(hashlib.sha256(each).digest() for each in contents)).hexdigest()
