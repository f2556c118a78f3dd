"""A fuzzing session: cases by number from a seed, until the time or the number of conversions is used up.

A case depends on the seed and its number alone. Failures are distinguished by exception and line, and shrunk once.
"""

import re
import resource
import traceback
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, field
from multiprocessing import get_context
from pathlib import Path
from random import Random
from time import monotonic, process_time
from typing import Any, Protocol

from mdpublish_core.workers import MEMORY_BYTES
from tests.conformance.shrinking import shrink
from tests.fuzz.spoiling import spoiled

_MAX_FAILURES = 10
"""Different ones, after which the session ends."""

_PACKAGES = ("mdpublish_core", "mdpublish_server")


class Unexpected(Exception):  # noqa: N818  (a finding)
    """A response that is neither a result nor a documented error."""


@dataclass(frozen=True, slots=True)
class Case:
    """A document and the options of one conversion."""

    markdown: str
    options: dict[str, Any]


class Target(Protocol):
    """What converts."""

    name: str

    def options(self, random: Random, markdown: str) -> Iterator[dict[str, Any]]:
        """Yield the options of the document's conversions."""

    def convert(self, case: Case) -> None:
        """Raise anything but a documented error."""

    def snippet(self, case: Case) -> str:
        """Return a program that shows the failure."""


@dataclass(frozen=True, slots=True)
class Budget:
    """The end of a session: a time or a number, either of which may be missing."""

    seconds: float | None = None
    conversions: int | None = None


@dataclass(slots=True)
class Report:
    """What a session did."""

    seed: str
    documents: int = 0
    conversions: int = 0
    slowest: tuple[float, int] = (0.0, 0)
    """CPU seconds, and the number of the document."""
    failures: dict[str, str] = field(default_factory=dict)
    memory: int = 0
    """Bytes at most, of a session in a process of its own."""

    def __str__(self) -> str:
        seconds, number = self.slowest
        return (
            f"{self.conversions:,} conversions of {self.documents:,} documents, seed {self.seed}, "
            f"the slowest took {seconds:.2f} s of CPU time (document {number}), "
            + (f"memory at most {self.memory / 1e6:.0f} MB, " if self.memory else "")
            + f"{len(self.failures)} failures"
        )


def fuzz(target: Target, sources: Sequence[str], *, seed: str, budget: Budget) -> Report:
    report = Report(seed)
    end = None if budget.seconds is None else monotonic() + budget.seconds
    while len(report.failures) < _MAX_FAILURES:
        if end is not None and monotonic() >= end:
            break
        if budget.conversions is not None and report.conversions >= budget.conversions:
            break
        random = Random(f"{seed} {target.name} {report.documents}")
        markdown = spoiled(random, sources)
        for options in target.options(random, markdown):
            _run(target, Case(markdown, options), report)
        report.documents += 1
    return report


def fuzz_in_bounded_memory(target: Target, sources: Sequence[str], *, seed: str, budget: Budget) -> Report:
    """Run a session in a process with the memory of the service's workers; its end is an error."""
    spawned = get_context("spawn")
    with ProcessPoolExecutor(1, mp_context=spawned, initializer=_limit_memory) as processes:
        return processes.submit(_fuzz_measured, target, sources, seed=seed, budget=budget).result()


def _limit_memory() -> None:
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY_BYTES, MEMORY_BYTES))


def _fuzz_measured(target: Target, sources: Sequence[str], *, seed: str, budget: Budget) -> Report:
    report = fuzz(target, sources, seed=seed, budget=budget)
    # Not `ru_maxrss`, which begins with what the parent had.
    (kilobytes,) = re.findall(r"^VmHWM:\s+(\d+) kB$", Path("/proc/self/status").read_text(), re.MULTILINE)
    report.memory = 1024 * int(kilobytes)
    return report


def _run(target: Target, case: Case, report: Report) -> None:
    began = process_time()
    kind = failure_of(target.convert, case)
    report.slowest = max(report.slowest, (process_time() - began, report.documents))
    report.conversions += 1
    if kind is not None and kind not in report.failures:
        shrunk = shrink(case.markdown, lambda shorter: failure_of(target.convert, Case(shorter, case.options)) == kind)
        report.failures[kind] = target.snippet(Case(shrunk, case.options))


def failure_of(convert: Callable[[Case], None], case: Case) -> str | None:
    """Return the exception and the last line of ours that raised it."""
    try:
        convert(case)
    except Exception as error:  # noqa: BLE001  (a finding)
        if isinstance(error, Unexpected):
            return str(error)
        frames = traceback.extract_tb(error.__traceback__)
        ours = [frame for frame in frames if any(package in Path(frame.filename).parts for package in _PACKAGES)]
        last = (ours or frames)[-1]
        return f"{type(error).__name__} at {Path(last.filename).name}:{last.lineno}"
    return None
