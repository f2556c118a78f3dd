"""Hypothesis profiles, and selection of tests by session."""

import gc
import os
import re
import signal
import subprocess
import sys
from collections import Counter
from collections.abc import Callable, Iterable
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, settings

from tests.remarks import REMARKS, remark

pytest_plugins = [
    "tests.chromium",
    "tests.contract.report",
    "tests.corpora.fixtures",
    "tests.costs",
    "tests.second_tries",
    "tests.server.postgresql_server",
    "tests.server.redis_server",
    "tests.server.s3_server",
]

# Tests draw figures; none come from the user's cache.
os.environ["MDPUBLISH_CACHE"] = "0"

# A shell's background jobs ignore Ctrl-C, and so would the programs that tests start and interrupt.
signal.signal(signal.SIGINT, signal.default_int_handler)

# `tests` and CI draw the same examples everywhere; `nox -s properties` draws random ones.
settings.register_profile("deterministic", max_examples=60, deadline=None, derandomize=True, print_blob=True)
settings.register_profile("mutants", settings.get_profile("deterministic"), max_examples=10)
for name, examples in (("random", 1_000), ("nightly", 5_000)):
    settings.register_profile(
        name,
        max_examples=examples,
        deadline=None,
        derandomize=False,
        suppress_health_check=[HealthCheck.too_slow],
        print_blob=True,
    )
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "deterministic"))

# Slow tests and those with dependencies outside pip, by nox session.
SESSIONS = (
    "browser",
    "browsers",
    "interop",
    "conformance",
    "visual_figures",
    "visual_charts",
    "templates",
    "security",
    "stress",
    "nightly",
    "docs",
    "schemathesis",
    "contract",
    "lighthouse",
    "fuzz",
    "site_check",
    "assistants",
    "lint",
    "corpora",
)

FOLDERS = {"tests": "lint", "tests/docs": "docs"}
"""Sessions of a folder's tests that have no other: those about the repository, and about the documentation."""

OPTIONAL_PACKAGES = (
    "fontTools",
    "merman",
    "mmdr",
    "pygraphviz",
    "pypandoc",
    "resvg_py",
    "weasyprint",
    "ziafont",
    "ziamath",
)
"""What tests are marked to need."""

_IMPORTABLE = "TESTS_IMPORTABLE"
"""The environment variable with those that can be imported."""


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--short", action="store_true", help="run the tests marked `short` alone: a session's part in CI")
    parser.addoption("--with", action="append", default=[], metavar="SESSION", help="run tests left to it, too")
    parser.addoption("--postgresql", action="store_true", help="check the contract on PostgreSQL instead of SQLite")
    fuzzing = parser.getgroup("fuzz")
    fuzzing.addoption(
        "--seconds", type=float, metavar="N", help="duration of `nox -s fuzz` (an hour; short: 5 minutes)"
    )
    fuzzing.addoption("--conversions", type=int, metavar="N", help="number of conversions, instead of a duration")
    fuzzing.addoption("--fuzz-seed", metavar="WORD", help="the seed of a session to repeat")


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    """Skip files without tests of the session; by default, those with a module-level session mark."""
    chosen: str = config.option.markexpr
    if collection_path.suffix != ".py" or not collection_path.name.startswith("test_"):
        return None
    chosen_paths = (config.invocation_params.dir / each.partition("::")[0] for each in config.args)
    if not any(collection_path.is_relative_to(each.resolve()) for each in chosen_paths):
        return True
    source, path = collection_path.read_text("utf-8"), collection_path.relative_to(config.rootpath)
    folder = FOLDERS.get(path.parent.as_posix(), "")
    if chosen in SESSIONS and chosen != "nightly":
        return None if chosen == folder or re.search(rf"mark\.{chosen}|\"{chosen}\"", source) else True
    whole = re.search(r"^pytestmark = .+$", source, re.MULTILINE)
    marks = dict(re.findall(r"pytest\.mark\.(\w+)(\(.*?\))?", whole[0])) if whole else {}
    if missing := missing_packages(re.findall(r"\w+", marks.get("needs", ""))):
        remark(config, f"not run, cannot import {' and '.join(missing)}: {path}")
        return True
    session = next((name for name in marks if name in SESSIONS), folder)
    if chosen in {"", "nightly"} and session in SESSIONS and session not in config.getoption("--with"):
        remark(config, f"left to `nox -s {session.replace('_', '-')}`: {path}")
        return True
    return None


def missing_packages(packages: Iterable[str]) -> list[str]:
    return [package for package in packages if not can_import(package)]


@cache
def can_import(package: str) -> bool:
    """Return False also where a native library is missing. In another process: pygraphviz reports leaks at exit."""
    if _IMPORTABLE in os.environ:
        assert package in OPTIONAL_PACKAGES, package
        return package in os.environ[_IMPORTABLE].split()
    return not subprocess.run([sys.executable, "-c", f"import {package}"], capture_output=True, check=False).returncode


def pytest_configure(config: pytest.Config) -> None:
    """Find out once for all of xdist's processes what can be imported."""
    if config.getoption("numprocesses", None):
        os.environ[_IMPORTABLE] = " ".join(filter(can_import, OPTIONAL_PACKAGES))


def packages_missing_for(item: pytest.Item) -> list[str]:
    return missing_packages(package for mark in item.iter_markers("needs") for package in mark.args)


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Deselect tests without the packages they need, other sessions' tests, and with `--short` long ones."""
    for item in items:
        folder = FOLDERS.get(item.path.parent.relative_to(config.rootpath).as_posix())
        if folder and not sessions_of(item):
            item.add_marker(folder)
    if config.option.markexpr == "corpora":
        select(config, items, lambda item: sessions_of(item) == {"corpora"})
    missing = {item: " and ".join(packages_missing_for(item)) for item in items}
    select(config, items, lambda item: not missing[item])
    for packages, number in sorted(Counter(filter(None, missing.values())).items()):
        remark(config, f"not run, cannot import {packages}: {number} tests")
    if config.option.short:
        select(config, items, lambda item: item.get_closest_marker("short") is not None)
    if not config.option.markexpr:
        sessions = {item: sessions_of(item) - {*config.getoption("--with")} for item in items}
        left = Counter(session for item in items for session in sessions[item])
        select(config, items, lambda item: not sessions[item])
        for session, number in sorted(left.items()):
            remark(config, f"left to `nox -s {session.replace('_', '-')}`: {number} tests")


def sessions_of(item: pytest.Item) -> set[str]:
    return {mark.name for mark in item.iter_markers()}.intersection(SESSIONS)


def select(config: pytest.Config, items: list[pytest.Item], is_selected: Callable[[pytest.Item], bool]) -> None:
    selected = {item for item in items if is_selected(item)}
    config.hook.pytest_deselected(items=[item for item in items if item not in selected])
    items[:] = [item for item in items if item in selected]


def pytest_collection() -> None:
    """Garbage collection need not scan thousands of tests, each time there are a few more."""
    gc.disable()


def pytest_collection_finish() -> None:
    gc.freeze()
    gc.set_threshold(20_000, 50, 50)
    gc.enable()


@pytest.hookimpl(trylast=True)
def pytest_sessionfinish(session: pytest.Session) -> None:
    """Send an xdist worker's remarks to the controller."""
    if hasattr(session.config, "workeroutput"):
        session.config.workeroutput["remarks"] = session.config.stash.get(REMARKS, [])


@pytest.hookimpl(optionalhook=True)
def pytest_testnodedown(node: Any) -> None:
    for line in getattr(node, "workeroutput", {}).get("remarks", ()):
        remark(node.config, line)


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter, config: pytest.Config) -> None:
    for line in dict.fromkeys(config.stash.get(REMARKS, None) or ()):
        terminalreporter.write_line(line)
