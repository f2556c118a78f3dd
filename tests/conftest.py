"""What all tests share: Hypothesis's profiles, and the word on which tests were left to other sessions."""

import gc
import os
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, settings

from tests.remarks import REMARKS, remark

pytest_plugins = [
    "tests.chromium",
    "tests.corpora.fixtures",
    "tests.server.postgresql_server",
    "tests.server.redis_server",
]

# `tests` draws the same examples everywhere, so that a change is judged by what it changes; `nox -s properties` draws random ones.
settings.register_profile("deterministic", max_examples=60, deadline=None, derandomize=True, print_blob=True)
settings.register_profile(
    "nightly",
    max_examples=5_000,
    deadline=None,
    derandomize=False,
    suppress_health_check=[HealthCheck.too_slow],
    print_blob=True,
)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "deterministic"))

# Marks of tests that need a program which pip does not install, or much time: each is also the name of a nox session. With the
# folders that such tests are in, so that a session need not read all the others.
SESSIONS = {
    "browser": ("browser",),
    "interop": ("interop", "docs"),
    "conformance": ("conformance", "core"),
    "visual_figures": ("visual",),
    "visual_charts": ("visual",),
    "templates": ("templates", "browser"),
    "security": ("security", "server"),
    "stress": ("stress", "server"),
    "schemathesis": ("schemathesis",),
    "lighthouse": ("lighthouse",),
}

TESTS = Path(__file__).parent


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    """Leave the folders out in which a session has no tests."""
    folders = SESSIONS.get(config.option.markexpr)
    if folders is None or TESTS not in collection_path.parents:
        return None
    return True if collection_path.relative_to(TESTS).parts[0] not in folders else None


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leave the tests of other sessions out, unless `-m` chose them, and count them."""
    left: Counter[str] = Counter()
    if not config.option.markexpr:
        selected, deselected = [], []
        for item in items:
            sessions = [name for name in SESSIONS if item.get_closest_marker(name)]
            for session in sessions:
                if item.path.relative_to(TESTS).parts[0] not in SESSIONS[session]:
                    raise pytest.UsageError(f"`nox -s {session.replace('_', '-')}` would not find {item.nodeid}")
            if sessions:
                left[sessions[0]] += 1
                deselected.append(item)
            else:
                selected.append(item)
        config.hook.pytest_deselected(items=deselected)
        items[:] = selected
    for session, number in sorted(left.items()):
        remark(config, f"left to `nox -s {session.replace('_', '-')}`: {number} tests")


def pytest_collection_finish() -> None:
    """Spare the collector of garbage thousands of tests, which it would look through again and again and never free."""
    gc.collect()
    gc.freeze()


@pytest.hookimpl(trylast=True)
def pytest_sessionfinish(session: pytest.Session) -> None:
    """Have one of several processes hand its remarks to the one that prints."""
    if hasattr(session.config, "workeroutput"):
        session.config.workeroutput["remarks"] = session.config.stash.get(REMARKS, [])


@pytest.hookimpl(optionalhook=True)
def pytest_testnodedown(node: Any) -> None:
    """Take a process's remarks; one that died made none."""
    for line in getattr(node, "workeroutput", {}).get("remarks", ()):
        remark(node.config, line)


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter, config: pytest.Config) -> None:
    """Print the remarks."""
    for line in dict.fromkeys(config.stash.get(REMARKS, None) or ()):
        terminalreporter.write_line(line)
