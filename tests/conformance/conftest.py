"""Prints, below a run, how many examples of each section of a specification passed."""

from collections import Counter

import pytest


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Print a table from what the tests recorded as `section`."""
    passed: Counter[str] = Counter()
    run: Counter[str] = Counter()
    outcomes = ("passed", "failed", "xfailed")
    reports = [report for outcome in outcomes for report in terminalreporter.stats.get(outcome, ())]
    for report in sorted(reports, key=lambda report: report.start):
        section = dict(report.user_properties).get("section")
        # A failure in set-up has a report of its own; only the call says whether an example passed.
        if report.when == "call" and section:
            run[section] += 1
            passed[section] += report.outcome == "passed"
    if not run:
        return
    terminalreporter.section("examples passed, by section")
    width = max(map(len, run))
    for section, number in run.items():
        terminalreporter.write_line(f"{section:{width}}  {passed[section]:4} / {number:4}")
    terminalreporter.write_line(f"{'all':{width}}  {passed.total():4} / {run.total():4}")
