"""A pytest plugin that records each test function's mutants, the functions it enters, and its CPU time.

An import hook inserts calls that note this into the modules of mutants. What a worker process does is done once more in
the process of the test. That of PDFs is left out: it loads the system's Pango beside the one in Graphviz's package, and
two copies of GLib in a process wait for each other.
"""

import ast
import builtins
import json
import os
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import wraps
from importlib import import_module
from importlib.machinery import ModuleSpec, PathFinder, SourceFileLoader
from pathlib import Path
from types import CodeType
from typing import Any

import pytest

from tests.mutants.reach import ROOT, WATCHED, recorded, statements

FOLDER = Path(os.environ["MUTANTS_FOLDER"])

NOTE = "_note_mutant"
NOTED = set[str]()
"""What the running test reached: a module's path and the line of a function, or of a mutant's statement, negative."""

MAX_CASES = 4
"""Recorded of a test function, evenly among them: a run of all takes an hour."""

_PDF_ENGINE = "mdpublish_core.writers.pdf.engine"


class Watching(SourceFileLoader):
    """Loads a module with calls of `NOTE`, and no bytecode file."""

    def __init__(self, name: str, file: str, module: str, lines: Sequence[int]) -> None:
        super().__init__(name, file)
        self._module = module
        self._lines = lines

    def get_code(self, fullname: str) -> CodeType | None:
        code = self.get_data(self.get_filename(fullname)).decode()
        return compile(with_notes(code, self._module, self._lines), self.path, "exec", dont_inherit=True)


class Finder:
    """Finds the modules of mutants."""

    def __init__(self) -> None:
        self._watched: Mapping[str, Sequence[int]] = json.loads((FOLDER / WATCHED).read_text())

    def find_spec(self, name: str, path: Sequence[str] | None, target: Any = None) -> ModuleSpec | None:
        if not name.startswith(("mdpublish_core", "mdpublish_server")):
            return None
        if spec := PathFinder.find_spec(name, path, target):
            module = (spec.origin or "").removeprefix(f"{ROOT}/")
            if module in self._watched:
                spec.loader = Watching(name, str(spec.origin), module, self._watched[module])
        return spec


def with_notes(code: str, module: str, lines: Sequence[int]) -> ast.Module:
    """Call `NOTE` at the start of each function, and in it before each statement that starts in one of the lines."""
    tree = ast.parse(code)
    for each in reversed(list(statements(tree))):
        statement = each.node
        if isinstance(statement, ast.FunctionDef | ast.AsyncFunctionDef):
            start = int(ast.get_docstring(statement, clean=False) is not None)
            statement.body.insert(start, _note(f"{module}:{statement.lineno}", statement))
        if statement.lineno in lines and each.is_in_function:
            each.block.insert(each.index, _note(f"{module}:-{statement.lineno}", statement))
    return tree


def _note(noted: str, place: ast.stmt) -> ast.stmt:
    statement = ast.parse(f"{NOTE}({noted!r})").body[0]
    for node in ast.walk(statement):
        ast.copy_location(node, place)
    return statement


class Recorder:
    """Records one process, a file for each file of tests."""

    def __init__(self) -> None:
        self._file = ""
        self._files: dict[str, dict[str, Case]] = {}
        self._cases: dict[str, Case] = {}
        self._weights: Mapping[str, float] = {}
        """How many cases of a function each recorded one stands for."""
        self._fixtures: dict[pytest.FixtureDef[Any], tuple[frozenset[str], float]] = {}
        """What those of several tests did when they were set up, and their CPU time."""
        self._began = 0.0

    @pytest.hookimpl(wrapper=True)
    def pytest_runtestloop(self) -> Iterator[None]:
        workers = import_module("mdpublish_core.workers")
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(workers.Worker, "run", _run_here_too(workers.Worker.run))
            return (yield)

    @pytest.hookimpl(trylast=True)
    def pytest_collection_modifyitems(self, items: list[pytest.Item]) -> None:
        """Leave some cases of each function."""
        cases: dict[str, list[pytest.Item]] = {}
        for item in items:
            cases.setdefault(_function(item.nodeid), []).append(item)
        spread = {name: each[:: -(-len(each) // MAX_CASES)] for name, each in cases.items()}
        self._weights = {name: len(cases[name]) / len(each) for name, each in spread.items()}
        left = {item for each in spread.values() for item in each}
        items[:] = [item for item in items if item in left]

    def pytest_runtest_logstart(self, nodeid: str) -> None:
        if (file := nodeid.partition("::")[0]) != self._file:
            self._save()
            self._file, self._cases = file, self._files.setdefault(file, {})
        self._cases[nodeid] = Case()
        NOTED.clear()
        self._began = _cpu_seconds()

    @pytest.hookimpl(wrapper=True)
    def pytest_fixture_setup(self, fixturedef: pytest.FixtureDef[Any]) -> Iterator[None]:
        noted, began = NOTED.copy(), _cpu_seconds()
        NOTED.clear()
        try:
            return (yield)
        finally:
            if fixturedef.scope != "function":
                self._fixtures[fixturedef] = frozenset(NOTED), _cpu_seconds() - began
            NOTED.update(noted)

    def pytest_runtest_setup(self, item: pytest.Function) -> None:
        """A test does what its fixtures did, though they were set up for an earlier one."""
        for definitions in item._fixtureinfo.name2fixturedefs.values():
            for noted, seconds in filter(None, map(self._fixtures.get, definitions)):
                NOTED.update(noted)
                self._cases[item.nodeid].seconds += seconds

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_call(self, item: pytest.Item) -> Iterator[None]:
        began = _cpu_seconds()
        try:
            return (yield)
        finally:
            others = self._weights[_function(item.nodeid)] - 1
            self._cases[item.nodeid].seconds += (_cpu_seconds() - began) * others

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        self._cases[report.nodeid].has_failed |= report.failed

    def pytest_runtest_logfinish(self, nodeid: str) -> None:
        case = self._cases[nodeid]
        case.seconds += _cpu_seconds() - self._began
        case.noted = frozenset(NOTED)

    def pytest_sessionfinish(self, exitstatus: int) -> None:
        if exitstatus in {pytest.ExitCode.OK, pytest.ExitCode.TESTS_FAILED}:
            self._save()

    def _save(self) -> None:
        functions: dict[str, list[Case]] = {}
        for nodeid, case in self._cases.items():
            functions.setdefault(_function(nodeid), []).append(case)
        passed = {
            name: (sum(case.seconds for case in cases), " ".join(set().union(*(case.noted for case in cases))))
            for name, cases in functions.items()
            if not any(case.has_failed for case in cases)
        }
        if self._file:
            recorded(FOLDER, self._file).write_text(json.dumps(passed))


@dataclass(slots=True)
class Case:
    """What a case of a test function did, and the CPU time of those that it stands for."""

    seconds: float = 0.0
    has_failed: bool = False
    noted: frozenset[str] = frozenset()


def _cpu_seconds() -> float:
    """Return that of this process and of those it waited for."""
    return sum(os.times()[:4])


def _function(nodeid: str) -> str:
    """Return the test function of a case; each claim of the contract is a test of its own."""
    return nodeid if nodeid.startswith("tests/contract/") else nodeid.partition("[")[0]


def _run_here_too(run: Any) -> Any:
    @wraps(run)
    def run_twice(worker: Any, job: str, payload: bytes, **limits: Any) -> bytes:
        result: bytes = run(worker, job, payload, **limits)
        module = worker._module
        # Tests of workers have jobs of their own, which may do anything to their process.
        if module.startswith("mdpublish") and module != _PDF_ENGINE:
            with suppress(Exception):
                import_module(module).JOBS[job](payload)
        return result

    return run_twice


setattr(builtins, NOTE, NOTED.add)
sys.meta_path.insert(0, Finder())


def pytest_configure(config: pytest.Config) -> None:
    config.pluginmanager.register(Recorder())
