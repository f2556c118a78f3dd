"""Runs a test again, once, that waited too long: a shared machine may be busy for a minute. Each second try is a line in the log."""

from collections.abc import Iterator

import pytest
from _pytest.runner import runtestprotocol

_PROPERTY = "second_try"
_TIMED_OUT = pytest.StashKey[str]()


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item, call: pytest.CallInfo[None]) -> Iterator[None]:
    if call.excinfo is not None and "Timeout" in call.excinfo.typename:
        item.stash[_TIMED_OUT] = call.excinfo.exconly()
    return (yield)


def pytest_runtest_protocol(item: pytest.Item, nextitem: pytest.Item | None) -> bool:
    hook = item.ihook
    hook.pytest_runtest_logstart(nodeid=item.nodeid, location=item.location)
    reports = runtestprotocol(item, log=False, nextitem=nextitem)
    if problem := item.stash.get(_TIMED_OUT, ""):
        _forget_failed_fixtures(item)
        reports = runtestprotocol(item, log=False, nextitem=nextitem)
        reports[0].user_properties.append((_PROPERTY, problem.partition("\n")[0]))
    for report in reports:
        hook.pytest_runtest_logreport(report=report)
    hook.pytest_runtest_logfinish(nodeid=item.nodeid, location=item.location)
    return True


def _forget_failed_fixtures(item: pytest.Item) -> None:
    """Let fixtures that failed, such as a service that did not start, be set up again."""
    assert isinstance(item, pytest.Function)
    for definitions in item._fixtureinfo.name2fixturedefs.values():
        for definition in definitions:
            result = definition.cached_result
            if result is not None and result[2] is not None:
                definition.cached_result = None


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    reports = [
        each for group in terminalreporter.stats.values() for each in group if isinstance(each, pytest.TestReport)
    ]
    for report in reports:
        for name, problem in report.user_properties:
            if name == _PROPERTY:
                terminalreporter.write_line(f"ran twice, since it waited too long: {report.nodeid} ({problem})")
