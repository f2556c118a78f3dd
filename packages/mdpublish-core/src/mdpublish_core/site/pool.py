"""Work on many pages in worker processes; one that dies loses only its page."""

import os
import signal
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from concurrent.futures.process import BrokenProcessPool
from typing import Any, TypeVar

Job = TypeVar("Job")
Result = TypeVar("Result")

MIN_PARALLEL_JOBS = 16
"""Fewer are done faster than processes start."""

CRASHED = "the worker process crashed, possibly out of memory"


def default_workers() -> int:
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def run_all(
    function: Callable[..., Result | str], jobs: Sequence[tuple[Any, ...]], workers: int | None
) -> Iterator[tuple[int, Result | str]]:
    """Call `function` with the arguments of each job; yield the job's position and its result or problem."""
    if len(jobs) < MIN_PARALLEL_JOBS or workers == 1:
        yield from ((number, function(*job)) for number, job in enumerate(jobs))
        return
    done: set[int] = set()
    try:
        for number, result in _run_in_pool(function, jobs, range(len(jobs)), workers or default_workers()):
            done.add(number)
            yield number, result
    except BrokenProcessPool:
        for number in set(range(len(jobs))) - done:
            try:
                yield from _run_in_pool(function, jobs, [number], 1)
            except BrokenProcessPool:
                yield number, CRASHED


def _run_in_pool(
    function: Callable[..., Result | str], jobs: Sequence[tuple[Any, ...]], numbers: Sequence[int], workers: int
) -> Iterator[tuple[int, Result | str]]:
    executor = ProcessPoolExecutor(workers, initializer=_ignore_interrupts)
    try:
        futures = {executor.submit(function, *jobs[number]): number for number in numbers}
        for future in as_completed(futures):
            yield futures[future], future.result()
    finally:
        executor.shutdown(cancel_futures=True)


def _ignore_interrupts() -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the parent handles it
