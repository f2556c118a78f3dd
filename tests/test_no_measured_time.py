"""No test of CI judges a measured time, and none gives up before a minute has passed.

Whatever CI runs is green on a busy machine. A function measures time if it subtracts what a clock shows, or calls one
that does. Tests count steps instead (`mdpublish_core.testing.steps`), or belong to a session by hand.
"""

import ast
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent

CLOCKS = frozenset({"perf_counter", "process_time", "thread_time", "monotonic", "time", "getrusage", "times"})

LONG_FORMS = frozenset(
    {"nightly", "security", "stress", "visual_figures", "visual_charts", "templates", "lighthouse", "site_check"}
)
"""Sessions of which CI runs only the tests marked `short`."""

MIN_SECONDS = 60

NOT_JUDGED = {
    "tests.browser.test_vectors.tally": "prints it",
    "tests.browser.test_workbench.reading": "prints it",
    "tests.contract.checks.limits.conversion_without_cpu_time_is_retried": "at least: the limit is a backstop",
    "tests.core.test_workers.test_interrupted_job_fails_and_is_charged_no_more_than_its_time": "CPU time is less on any machine",
    "tests.fuzz.session._run": "prints it",
    "tests.server.abuse_measure.main": "prints it",
    "tests.server.test_cli_processes.test_processes_count_the_rate_together": "allows more requests when they take longer",
    "tests.visual.test_math._convert": "prints it in CI",
}
"""Functions that measure a time, and why no busy machine makes a test fail."""

IMPATIENT = {
    "tests.core.theft_jobs._connect": "is refused by the kernel",
    "tests.server.test_middleware_metrics.test_metrics_are_served_on_this_computer_only": "is refused by the kernel",
    "tests.stress.test_fairness.measure": "the duration of a load, by hand",
    "tests.stress.test_outages.load": "the duration of a load, by hand",
    "tests.stress.test_three_processes._read": "goes on without a process that hangs, by hand",
}
"""Waits of less than a minute, and why they may end."""


Function = ast.FunctionDef | ast.AsyncFunctionDef


@dataclass(frozen=True, slots=True)
class Module:
    """Functions of a file, what it imports from other files of tests, and its numbers."""

    path: Path
    tree: ast.Module
    functions: dict[str, Function]
    imported: dict[str, tuple[str, str]]
    numbers: dict[str, float]


Modules = dict[str, Module]


@pytest.fixture(scope="module")
def known() -> Iterator[Modules]:
    """Those of all tests. They don't stay in memory: their trees would slow the garbage collection of later tests."""
    yield {
        path.relative_to(ROOT).with_suffix("").as_posix().replace("/", "."): _read(path)
        for path in sorted((ROOT / "tests").rglob("*.py"))
    }
    _subtracts.cache_clear()
    _names.cache_clear()


def _read(path: Path) -> Module:
    tree = ast.parse(path.read_text("utf-8"))
    nodes = list(ast.walk(tree))
    return Module(
        path,
        tree,
        {node.name: node for node in nodes if isinstance(node, Function)},
        {
            alias.asname or alias.name: (node.module, alias.name)
            for node in nodes
            if isinstance(node, ast.ImportFrom) and node.module and node.module.startswith("tests.")
            for alias in node.names
        },
        {
            target.id: float(node.value.value)
            for node in tree.body
            if isinstance(node, ast.Assign) and isinstance(node.value, ast.Constant)
            for target in node.targets
            if isinstance(target, ast.Name) and isinstance(node.value.value, int | float)
        },
    )


def _name(node: ast.AST) -> str:
    return node.id if isinstance(node, ast.Name) else node.attr if isinstance(node, ast.Attribute) else ""


def _is_clock(node: ast.AST) -> bool:
    return isinstance(node, ast.Call) and _name(node.func) in CLOCKS


@cache
def _subtracts(function: Function) -> bool:
    return any(
        isinstance(node, ast.BinOp) and isinstance(node.op, ast.Sub) and (_is_clock(node.left) or _is_clock(node.right))
        for node in ast.walk(function)
    ) or any(_is_clock(node) and _name(node.func) in ("getrusage", "times") for node in ast.walk(function))  # type: ignore[attr-defined]


@cache
def _names(function: Function) -> frozenset[str]:
    return frozenset(map(_name, ast.walk(function))) | {argument.arg for argument in function.args.args}


def measures(module: str, function: str, known: Modules) -> bool:
    """Return whether it subtracts from a clock, or uses what does."""
    seen, todo = set[tuple[str, str]](), [(module, function)]
    while todo:
        each = todo.pop()
        if each in seen or each[0] not in known or ".".join(each) in NOT_JUDGED:
            continue
        seen.add(each)
        file = known[each[0]]
        if each[1] in file.imported:
            todo.append(file.imported[each[1]])
        elif node := file.functions.get(each[1]):
            if _subtracts(node):
                return True
            todo += [(each[0], name) for name in _names(node) if name in file.functions or name in file.imported]
    return False


def _marks(nodes: list[ast.expr]) -> set[str]:
    return {_name(inner) for node in nodes for inner in ast.walk(node)}


def judged_by_ci(known: Modules) -> Iterator[tuple[str, str]]:
    """Yield the module and the name of each."""
    for name, module in known.items():
        whole = [
            node.value
            for node in module.tree.body
            if isinstance(node, ast.Assign) and _name(node.targets[0]) == "pytestmark"
        ]
        for function in module.functions.values():
            marks = _marks([*whole, *function.decorator_list])
            # `claim` registers a check of the contract.
            if (function.name.startswith("test_") or "claim" in marks) and ("short" in marks or not marks & LONG_FORMS):
                yield name, function.name


def waits(known: Modules) -> Iterator[tuple[str, str, float | None]]:
    """Yield where a test waits, in which function, and for how many seconds, if the source says it."""
    for name, module in known.items():
        for function in module.functions.values():
            for node in ast.walk(function):
                for limit in _limits(node):
                    yield name, function.name, _seconds(module, limit, known)


def _limits(node: ast.AST) -> Iterator[ast.expr]:
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Add) and _is_clock(node.left):
        yield node.right
    if isinstance(node, ast.Call):
        yield from (keyword.value for keyword in node.keywords if keyword.arg == "timeout")
        if _name(node.func) == "timeout":
            yield from node.args


def _seconds(module: Module, limit: ast.expr, known: Modules) -> float | None:
    if isinstance(limit, ast.Constant):
        return float(limit.value) if isinstance(limit.value, int | float) else None
    name = _name(limit)
    if name in module.imported:
        source, original = module.imported[name]
        return known[source].numbers.get(original) if source in known else None
    return module.numbers.get(name)


def test_no_test_of_ci_judges_a_measured_time(known: Modules) -> None:
    assert [f"{module}.{name}" for module, name in judged_by_ci(known) if measures(module, name, known)] == []


def test_exceptions_measure_times(known: Modules) -> None:
    measuring = {
        f"{module}.{name}"
        for module, file in known.items()
        for name, function in file.functions.items()
        if _subtracts(function)
    }

    assert sorted(NOT_JUDGED.keys() - measuring) == []


def test_what_judges_a_time_is_seen(tmp_path: Path) -> None:
    source = """
def seconds(): return perf_counter() - 1.0
def test_directly(): assert perf_counter() - began < 1
@pytest.mark.security
@pytest.mark.short
def test_by_another_function(): assert seconds() < 1
@pytest.mark.security
def test_by_hand(): assert seconds() < 1
def test_steps(): assert count_steps(work) < 1
def test_that_gives_up(): work(timeout=5)
"""
    (tmp_path / "test_sample.py").write_text(source)
    sample = {"test_sample": _read(tmp_path / "test_sample.py")}

    measuring = [name for module, name in judged_by_ci(sample) if measures(module, name, sample)]

    assert measuring == ["test_directly", "test_by_another_function"]
    assert list(waits(sample)) == [("test_sample", "test_that_gives_up", 5.0)]


def test_tests_wait_for_a_minute(known: Modules) -> None:
    impatient = {
        f"{module}.{function}"
        for module, function, seconds in waits(known)
        if seconds is not None and seconds < MIN_SECONDS
    }

    assert sorted(impatient - IMPATIENT.keys()) == []
    assert sorted(IMPATIENT.keys() - impatient) == []
