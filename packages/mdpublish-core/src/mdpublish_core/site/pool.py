"""Work on many files in worker processes; one that dies loses only its file."""

import os
import signal
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager, suppress
from queue import Empty, SimpleQueue
from threading import current_thread, main_thread
from typing import Any, TypeAlias, TypeVar

from mdpublish_core.resources import figure_cache

Result = TypeVar("Result")
Task: TypeAlias = tuple[Callable[..., Any], Any]

MIN_PARALLEL_JOBS = 16
"""Fewer are done faster than processes start."""

CRASHED = "the worker process crashed, possibly out of memory"

# Until Ctrl-C has an effect.
_POLL_SECONDS = 0.2


def run_all(
    function: Callable[..., Result | str], shared: Any, jobs: Sequence[tuple[Any, ...]], workers: int | None
) -> Iterator[tuple[int, Result | str]]:
    """Call `function` with what jobs share, and the arguments of each; yield the job's position and its result or problem."""
    if workers == 1 or (workers is None and len(jobs) < MIN_PARALLEL_JOBS):
        yield from ((number, function(shared, *job)) for number, job in enumerate(jobs))
        return
    count = workers or (len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1)
    remaining = list(range(len(jobs)))
    while remaining:
        undone = list[int]()
        yield from _run_in_pool((function, shared), jobs, remaining, count, undone)
        # The job that crashed the pool is among the first unfinished ones.
        suspects, remaining = undone[: 2 * count + 1], undone[2 * count + 1 :]
        for number in suspects:
            yield from _run_in_pool((function, shared), jobs, [number], 1, crashed := list[int]())
            yield from ((each, CRASHED) for each in crashed)


def _run_in_pool(
    task: Task, jobs: Sequence[tuple[Any, ...]], numbers: Sequence[int], workers: int, undone: list[int]
) -> Iterator[tuple[int, Any]]:
    done = set[int]()
    results: SimpleQueue[Future[tuple[int, Any]]] = SimpleQueue()
    with _deferred_interrupts() as check_interrupts:
        executor = ProcessPoolExecutor(workers, initializer=_init_worker, initargs=(task, figure_cache.in_use()))
        try:
            for number in numbers:
                executor.submit(_run_in_worker, number, jobs[number]).add_done_callback(results.put)
            for _ in numbers:
                number, result = _next(results, check_interrupts).result()
                done.add(number)
                yield number, result
        except BrokenProcessPool:
            undone += [number for number in numbers if number not in done]
        finally:
            executor.shutdown(cancel_futures=True)


def _next(results: "SimpleQueue[Future[Result]]", check_interrupts: Callable[[], None]) -> "Future[Result]":
    while True:
        check_interrupts()
        with suppress(Empty):
            return results.get(timeout=_POLL_SECONDS)


@contextmanager
def _deferred_interrupts() -> Iterator[Callable[[], None]]:
    """Yield a function that raises `KeyboardInterrupt` after Ctrl-C.

    Raised at once, it could leave a lock of the pool locked for ever. A second Ctrl-C is not deferred.
    """
    interrupts = 0

    def note(_number: int, _frame: object) -> None:
        nonlocal interrupts
        interrupts += 1
        if interrupts > 1:
            raise KeyboardInterrupt

    def check() -> None:
        if interrupts:
            raise KeyboardInterrupt

    if current_thread() is not main_thread() or signal.getsignal(signal.SIGINT) is not signal.default_int_handler:
        yield check
        return
    signal.signal(signal.SIGINT, note)
    try:
        yield check
    finally:
        signal.signal(signal.SIGINT, signal.default_int_handler)


# Sent once per process because of its size.
_worker_task: list[Task] = []


def _init_worker(task: Task, figures: figure_cache.FigureCache | None) -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the parent handles it
    _worker_task[:] = [task]
    figure_cache.use(figures)


def _run_in_worker(number: int, job: tuple[Any, ...]) -> tuple[int, Any]:
    function, shared = _worker_task[0]
    return number, function(shared, *job)
