"""Counts the processes that the session `tests` starts, at most today's; with `--dearest`, prints CPU times.

CPU times differ between machines and so fail nothing. Each start of a worker is a second of it, of a service three.
"""

import os
import sys
from collections import Counter
from collections.abc import Generator
from typing import Any

import pytest

MAX_STARTS = {"workers": 320, "services": 25, "browsers": 0}
"""Started by tests themselves, not by a service or a fork. Two processes started 289 workers, and 9 services."""

WORKERS_PER_PROCESS = 8
"""More that each process of a run may start: those that its tests share, for conversions, figures and PDFs."""

_STARTS = Counter[str]()
_SECONDS = Counter[str]()


def _count(event: str, arguments: tuple[Any, ...]) -> None:
    if event == "subprocess.Popen" and not isinstance(arguments[1], str | bytes):
        words = [os.path.basename(os.fsdecode(each)) for each in arguments[1]]  # noqa: PTH119  (of any argument)
        _STARTS["workers"] += "mdpublish_core.workers" in words
        _STARTS["services"] += "serve" in words
        _STARTS["browsers"] += words[0].startswith(("chromium", "firefox", "WebKit"))


sys.addaudithook(_count)


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--dearest", type=int, default=0, metavar="N", help="print the tests that take most CPU time")


@pytest.hookimpl(wrapper=True)
def pytest_runtest_protocol(item: pytest.Item) -> Generator[None, object, object]:
    before = sum(os.times()[:4])
    try:
        return (yield)
    finally:
        _SECONDS[item.nodeid] = sum(os.times()[:4]) - before  # type: ignore[assignment]  # no whole number


def pytest_sessionfinish(session: pytest.Session) -> None:
    """Send an xdist worker's counts to the controller, which judges their sums."""
    config = session.config
    if hasattr(config, "workeroutput"):
        config.workeroutput["costs"] = (dict(_STARTS), dict(_SECONDS.most_common(config.getoption("--dearest"))))
    elif _surplus(config) and session.exitstatus == pytest.ExitCode.OK:
        session.exitstatus = pytest.ExitCode.TESTS_FAILED


@pytest.hookimpl(optionalhook=True)
def pytest_testnodedown(node: Any) -> None:
    starts, seconds = getattr(node, "workeroutput", {}).get("costs", ((), ()))
    _STARTS.update(starts)
    _SECONDS.update(seconds)


def _surplus(config: pytest.Config) -> list[str]:
    others = (config.option.markexpr, config.option.keyword, config.getoption("--with", ()))
    if any(others) or config.args_source != pytest.Config.ArgsSource.TESTPATHS:
        return []
    shared = WORKERS_PER_PROCESS * (config.getoption("numprocesses", None) or 1)
    limits = {**MAX_STARTS, "workers": MAX_STARTS["workers"] + shared}
    return [f"{_STARTS[name]} {name} (at most {limit})" for name, limit in limits.items() if _STARTS[name] > limit]


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter, config: pytest.Config) -> None:
    if surplus := _surplus(config):
        terminalreporter.write_line(f"FAILED: tests started {', '.join(surplus)}; share them, or raise tests/costs.py")
    if number := config.getoption("--dearest"):
        terminalreporter.write_line(", ".join(f"{_STARTS[name]} {name}" for name in MAX_STARTS) + " were started")
        for test, seconds in _SECONDS.most_common(number):
            terminalreporter.write_line(f"{seconds:6.1f} s of CPU: {test}")
