"""Runs a test once more that waited too long, since a shared machine may be busy for a minute; logs a line for it.

Leaves out reports that nobody reads: of passed set-ups and ends, and in xdist's processes of starts and finishes.
"""

from collections.abc import Iterable

import pytest
from _pytest.runner import runtestprotocol

_PROPERTY = "second_try"


def pytest_runtest_protocol(item: pytest.Item, nextitem: pytest.Item | None) -> bool:
    hook, is_sent = item.ihook, hasattr(item.config, "workerinput")
    if not is_sent:
        hook.pytest_runtest_logstart(nodeid=item.nodeid, location=item.location)
    reports = runtestprotocol(item, log=False, nextitem=nextitem)
    if problem := _timeout(reports):
        _forget_failed_fixtures(item)
        reports = runtestprotocol(item, log=False, nextitem=nextitem)
        reports[0].user_properties.append((_PROPERTY, problem))
    for report in reports:
        if report.when == "call" or not report.passed or report.sections or report.user_properties:
            hook.pytest_runtest_logreport(report=report)
    if not is_sent:
        hook.pytest_runtest_logfinish(nodeid=item.nodeid, location=item.location)
    return True


def _timeout(reports: Iterable[pytest.TestReport]) -> str | None:
    """Return the first line of a timeout that a test failed with."""
    crashes = (getattr(report.longrepr, "reprcrash", None) for report in reports if report.failed)
    lines = (crash.message.partition("\n")[0] for crash in crashes if crash is not None)
    return next((line for line in lines if "Timeout" in line.partition(":")[0]), None)


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
