"""A pytest plugin: records in the folder `MUTANTS_LINES` which lines each test function runs, and its CPU time.

What a worker process does is done once more in the process of the test, for its lines. That of PDFs is left out: it loads the
system's Pango beside the one in Graphviz's package, and two copies of GLib in a process wait for each other.
"""

import json
import os
from collections.abc import Iterator
from contextlib import suppress
from functools import wraps
from importlib import import_module
from pathlib import Path
from time import process_time
from typing import Any

import pytest
from coverage import Coverage

from mdpublish_core.workers import Worker

FOLDER = Path(os.environ["MUTANTS_LINES"])
_PDF_ENGINE = "mdpublish_core.writers.pdf.engine"

SOURCES = [str(path) for path in Path(__file__).parents[2].glob("packages/*/src")]


def pytest_configure(config: pytest.Config) -> None:
    # xdist's own process runs no tests.
    if "PYTEST_XDIST_WORKER" in os.environ:
        config.pluginmanager.register(Recorder())


class Recorder:
    """Records one process; the context of its coverage is the test function that runs."""

    def __init__(self) -> None:
        self._seconds: dict[str, float] = {}
        self._failed: set[str] = set()
        self._began = 0.0
        self._coverage = Coverage(data_file=str(FOLDER / "lines"), data_suffix=True, source=SOURCES, config_file=False)
        # Tests of tests run no line of the packages.
        self._coverage.set_option("run:disable_warnings", ["no-data-collected"])
        self._coverage.start()

    @pytest.hookimpl(wrapper=True)
    def pytest_runtestloop(self) -> Iterator[None]:
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(Worker, "run", _run_here_too(Worker.run))
            return (yield)

    def pytest_runtest_logstart(self, nodeid: str) -> None:
        self._coverage.switch_context(_function(nodeid))
        self._began = process_time()

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        if report.failed:
            self._failed.add(_function(report.nodeid))

    def pytest_runtest_logfinish(self, nodeid: str) -> None:
        function = _function(nodeid)
        self._seconds[function] = self._seconds.get(function, 0.0) + process_time() - self._began

    def pytest_unconfigure(self) -> None:
        self._coverage.stop()
        self._coverage.save()
        passed = {each: seconds for each, seconds in self._seconds.items() if each not in self._failed}
        (FOLDER / f"seconds-{os.getpid()}.json").write_text(json.dumps(passed))


def _function(nodeid: str) -> str:
    return nodeid.partition("[")[0]


def _run_here_too(run: Any) -> Any:
    @wraps(run)
    def run_twice(worker: Any, job: str, payload: bytes, **limits: Any) -> bytes:
        result: bytes = run(worker, job, payload, **limits)
        module = worker._command[worker._command.index("mdpublish_core.workers") + 1]
        # Tests of workers have jobs of their own, which may do anything to their process.
        if module.startswith("mdpublish") and module != _PDF_ENGINE:
            with suppress(Exception):
                import_module(module).JOBS[job](payload)
        return result

    return run_twice
