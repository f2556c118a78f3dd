"""A pytest plugin: xdist's workers record which lines each test file runs, and how long it takes, in the folder `MUTANTS_LINES`."""

import json
import os
from pathlib import Path

import pytest
from coverage import Coverage

FOLDER = Path(os.environ["MUTANTS_LINES"])
SOURCES = [str(Path(__file__).parents[2] / "packages")]


def pytest_configure(config: pytest.Config) -> None:
    # xdist's own process runs no tests.
    if "PYTEST_XDIST_WORKER" in os.environ:
        config.pluginmanager.register(Recorder())


class Recorder:
    """Records one process; the context of its coverage is the test file that runs."""

    def __init__(self) -> None:
        self._seconds: dict[str, float] = {}
        self._coverage = Coverage(data_file=str(FOLDER / "lines"), data_suffix=True, source=SOURCES, config_file=False)
        self._coverage.start()

    def pytest_runtest_logstart(self, nodeid: str) -> None:
        self._coverage.switch_context(nodeid.partition("::")[0])

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        file = report.nodeid.partition("::")[0]
        self._seconds[file] = self._seconds.get(file, 0.0) + report.duration

    def pytest_unconfigure(self) -> None:
        self._coverage.stop()
        self._coverage.save()
        (FOLDER / f"seconds-{os.getpid()}.json").write_text(json.dumps(self._seconds))
