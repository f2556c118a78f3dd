"""Third-party test data as fixtures, and what happens to tests whose data cannot be fetched."""

import os
from collections.abc import Generator
from typing import Any

import pytest

from tests.corpora import commonmark, generated, gfm
from tests.corpora import readmes as readmes_of_packages
from tests.corpora.cache import Unreachable
from tests.corpora.examples import Example
from tests.corpora.readmes import many_readmes as many_readmes_of_packages
from tests.corpora.readmes import readmes_of_trades as readmes_of_trades_of_packages


def pytest_addoption(parser: pytest.Parser) -> None:
    group = parser.getgroup("corpora")
    default = generated.DEFAULT_NUMBER
    group.addoption("--generated", type=int, default=default, metavar="N", help=f"documents of each kind ({default})")
    group.addoption("--seed", default="1", metavar="WORD", help="what they are generated from (1)")
    group.addoption(
        "--all-vectors", action="store_true", help="every text that means harm, in every place it can be put"
    )


_NOT_FETCHED = "not fetched"
"""Outcome of a test whose data cannot be downloaded, and the property of its report that says why."""


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport() -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """Leave out a test whose data cannot be downloaded; in CI, it fails."""
    report = yield
    crash = getattr(report.longrepr, "reprcrash", None)
    name, _, reason = crash.message.partition(": ") if crash else ("", "", "")
    if name == f"{Unreachable.__module__}.{Unreachable.__name__}" and "CI" not in os.environ:
        report.outcome = "skipped"
        report.user_properties.append((_NOT_FETCHED, reason.partition("\n")[0]))
    return report


def pytest_report_teststatus(report: pytest.TestReport) -> tuple[str, str, str] | None:
    return (_NOT_FETCHED, "-", "NOT FETCHED") if _NOT_FETCHED in dict(getattr(report, "user_properties", ())) else None


def pytest_terminal_summary(terminalreporter: Any) -> None:
    reports = terminalreporter.stats.get(_NOT_FETCHED, ())
    if reports:
        reason = dict(reports[0].user_properties)[_NOT_FETCHED]
        terminalreporter.write_line(f"not run, cannot download their data: {len(reports)} tests ({reason})")


@pytest.fixture(scope="session")
def commonmark_examples() -> tuple[Example, ...]:
    return commonmark.commonmark_examples()


@pytest.fixture(scope="session")
def commonmark_spec() -> str:
    return commonmark.commonmark_spec()


@pytest.fixture(scope="session")
def gfm_spec_examples() -> tuple[Example, ...]:
    return gfm.gfm_spec_examples()


@pytest.fixture(scope="session")
def gfm_extension_examples() -> tuple[Example, ...]:
    return gfm.gfm_extension_examples()


@pytest.fixture(scope="session")
def gfm_regression_examples() -> tuple[Example, ...]:
    return gfm.gfm_regression_examples()


@pytest.fixture(scope="session")
def readmes() -> dict[str, str]:
    return readmes_of_packages()


@pytest.fixture(scope="session")
def many_readmes() -> dict[str, str]:
    return many_readmes_of_packages()


@pytest.fixture(scope="session")
def readmes_of_trades() -> dict[str, str]:
    return readmes_of_trades_of_packages()


@pytest.fixture(scope="session")
def block_documents(request: pytest.FixtureRequest) -> list[str]:
    return generated.block_documents(request.config.getoption("generated"), request.config.getoption("seed"))


@pytest.fixture(scope="session")
def inline_documents(request: pytest.FixtureRequest) -> list[str]:
    return generated.inline_documents(request.config.getoption("generated"), request.config.getoption("seed"))
