"""Prints results by section of a specification, and the differential tests' tables."""

from collections import Counter

import pytest


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    outcomes = ("passed", "failed", "xfailed")
    reports = [report for outcome in outcomes for report in terminalreporter.stats.get(outcome, ())]
    # Set-up failures are reported separately.
    test_reports = sorted((report for report in reports if report.when == "call"), key=lambda report: report.start)
    _print_sections(terminalreporter, test_reports)
    tables = [value for report in test_reports for name, value in report.user_properties if name == "table"]
    if tables:
        terminalreporter.section("ours beside other implementations'")
        for table in tables:
            terminalreporter.write_line(table)


def _print_sections(terminalreporter: pytest.TerminalReporter, reports: list[pytest.TestReport]) -> None:
    passed: Counter[str] = Counter()
    run: Counter[str] = Counter()
    for report in reports:
        section = dict(report.user_properties).get("section")
        if isinstance(section, str):
            run[section] += 1
            passed[section] += report.outcome == "passed"
    if not run:
        return
    terminalreporter.section("examples passed, by section")
    width = max(map(len, run))
    for section, number in run.items():
        terminalreporter.write_line(f"{section:{width}}  {passed[section]:4} / {number:4}")
    terminalreporter.write_line(f"{'all':{width}}  {passed.total():4} / {run.total():4}")
