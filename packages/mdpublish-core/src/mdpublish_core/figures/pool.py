"""Renders requests from a cache or in worker processes.

Engines are native code that can hang, crash or exhaust memory, so they never run in the caller's process. Workers
stay; a crashed one is replaced on the next request.
"""

import atexit
import os
from collections import OrderedDict
from collections.abc import Callable, Hashable, Iterable
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from functools import cache
from threading import Condition, Lock
from time import monotonic
from typing import Generic, TypeVar

from mdpublish_core.figures.protocol import decode_result, encode_request
from mdpublish_core.figures.request import FailedFigure, FigureRequest, RenderedFigure
from mdpublish_core.workers import (
    BACKSTOP_FACTOR,
    START_SECONDS,
    JobFailed,
    JobStalled,
    JobTimedOut,
    JobTooLarge,
    Worker,
    WorkerFailure,
    charge_cpu,
    is_worker,
)

JOBS_MODULE = "mdpublish_core.figures.worker"

MAX_PROCESSES = 4
"""Upper bound, besides the number of processors. A process that is itself a worker starts only one."""

MEMORY_BYTES = 1 << 29
"""Address space: 512 MiB, half of it mapped at start. Graphviz's largest sample graphs and images of 16 million
pixels fit into the rest.
"""

FIGURES_PER_PROCESS = 40
"""A process uses 0.3 s of CPU time to start and load engines, as much as a dozen figures; so few are rendered sooner by one."""

TOTAL_BACKSTOP_SECONDS = 50.0
"""Wall-clock time for the figures of a document, if their CPU time is not longer."""

CACHE_BYTES = 64_000_000
"""Some thousand diagrams with images."""

Key = TypeVar("Key", bound=Hashable)
Value = TypeVar("Value")


class ByteCache(Generic[Key, Value]):
    """A thread-safe LRU cache of `max_bytes`, as counted by `size_of`."""

    def __init__(self, max_bytes: int, size_of: Callable[[Value], int]) -> None:
        self._max_bytes = max_bytes
        self._size_of = size_of
        self._values: OrderedDict[Key, Value] = OrderedDict()
        self._bytes = 0
        self._lock = Lock()

    @property
    def bytes(self) -> int:
        return self._bytes

    def get(self, key: Key) -> Value | None:
        with self._lock:
            value = self._values.get(key)
            if value is not None:
                self._values.move_to_end(key)
            return value

    def put(self, key: Key, value: Value) -> None:
        """Evict the least recently used values; ignore values larger than the cache."""
        size = self._size_of(value)
        if size > self._max_bytes:
            return
        with self._lock:
            old = self._values.pop(key, None)
            if old is not None:
                self._bytes -= self._size_of(old)
            self._values[key] = value
            self._bytes += size
            while self._bytes > self._max_bytes:
                _, oldest = self._values.popitem(last=False)
                self._bytes -= self._size_of(oldest)


class CpuBudget:
    """CPU time for the figures of a document. Thread-safe."""

    def __init__(self, seconds: float) -> None:
        self.seconds = seconds
        self._left = seconds
        self._deadline = monotonic() + max(seconds, TOTAL_BACKSTOP_SECONDS)
        self._lock = Lock()

    @property
    def left(self) -> float:
        return self._left

    @property
    def is_stalled(self) -> bool:
        return monotonic() >= self._deadline

    def spend(self, seconds: float) -> None:
        """Count time of a worker, here and towards the limit of a process that is itself a worker."""
        with self._lock:
            self._left -= seconds
        charge_cpu(seconds)


class WorkerPool:
    """Processes that render one figure at a time; `module` names their jobs."""

    def __init__(self, processes: int | None = None, *, module: str = JOBS_MODULE) -> None:
        self._module = module
        self.max_processes = processes or (1 if is_worker() else min(MAX_PROCESSES, os.cpu_count() or 1))
        self._changed = Condition()
        self._idle: list[_EngineWorker] = []
        self._number = 0
        atexit.register(self.close)
        if hasattr(os, "register_at_fork"):  # not on Windows
            os.register_at_fork(after_in_child=self._after_fork)

    def run(
        self,
        kind: str,
        request: bytes,
        *,
        seconds: float,
        backstop: float | None = None,
        spend: Callable[[float], None] = charge_cpu,
    ) -> bytes:
        """Run an encoded request; raises `WorkerFailure`.

        `seconds` of CPU time exclude process start and engine loading; `backstop` as for `Worker.run`. `spend` is called
        with the time used.
        """
        worker = self._acquire()
        try:
            return worker.render(kind, request, seconds, backstop, spend)
        finally:
            self._release(worker)

    def close(self) -> None:
        with self._changed:
            idle, self._idle = self._idle, []
            self._number -= len(idle)
        for each in idle:
            each.worker.close()

    def _after_fork(self) -> None:
        """Leave the processes to the parent: shared pipes would mix up results."""
        for each in self._idle:
            each.worker.detach()
        # Another thread may have held the lock at the fork.
        self._changed = Condition()
        self._idle = []
        self._number = 0

    def _acquire(self) -> "_EngineWorker":
        with self._changed:
            while not self._idle and self._number >= self.max_processes:
                self._changed.wait()
            if self._idle:
                return self._idle.pop()
            self._number += 1
        return _EngineWorker(self._module)

    def _release(self, worker: "_EngineWorker") -> None:
        with self._changed:
            self._idle.append(worker)
            self._changed.notify()


class _EngineWorker:
    def __init__(self, module: str) -> None:
        self.worker = Worker(module, memory_bytes=MEMORY_BYTES, is_confined=True)
        self._loaded: set[str] = set()
        self._start = 0

    def render(
        self, kind: str, request: bytes, seconds: float, backstop: float | None, spend: Callable[[float], None]
    ) -> bytes:
        # Loading is not the author's work.
        self.worker.start()
        if self._start != self.worker.starts:
            self._loaded, self._start = set(), self.worker.starts
        if kind not in self._loaded:
            self.worker.run("load", kind.encode(), seconds=START_SECONDS, backstop=START_SECONDS)
            self._loaded.add(kind)
        try:
            return self.worker.run("render", request, seconds=seconds, backstop=backstop)
        finally:
            spend(self.worker.cpu_seconds)


@cache
def _results() -> ByteCache[FigureRequest, RenderedFigure | FailedFigure]:
    return ByteCache(CACHE_BYTES, lambda result: result.size)


@cache
def _workers() -> WorkerPool:
    return WorkerPool()


def render(request: FigureRequest, *, seconds: float, budget: CpuBudget | None = None) -> RenderedFigure | FailedFigure:
    """Render or return a cached result; worker failures are not cached."""
    budget = budget or CpuBudget(seconds)
    cached = _results().get(request)
    if cached is not None:
        return cached
    if budget.left <= 0:
        return _late(budget)
    allowed = min(seconds, budget.left)
    try:
        # Not ten times what is left, which may be less than a busy machine takes to start the job.
        result = decode_result(_run(request, allowed, BACKSTOP_FACTOR * seconds, budget))
    except WorkerFailure as failure:
        if isinstance(failure, JobStalled) and is_worker():
            # The whole job stalled: its caller decides, without a retry here.
            raise
        if isinstance(failure, JobTimedOut) and allowed < seconds:
            return _late(budget)
        return FailedFigure(problem=_problem(failure, seconds), is_stalled=isinstance(failure, JobStalled))
    _results().put(request, result)
    return result


def _late(budget: CpuBudget) -> FailedFigure:
    problem = f"earlier figures used up the {budget.seconds:g} s of CPU time allowed"
    return FailedFigure(problem=problem, is_late=True)


def _run(request: FigureRequest, seconds: float, backstop: float, budget: CpuBudget) -> bytes:
    """Retry once if the machine was too busy."""
    content = encode_request(request)
    for _ in range(1 if is_worker() else 2):
        if not budget.is_stalled:
            with suppress(JobStalled):
                return _workers().run(request.kind, content, seconds=seconds, backstop=backstop, spend=budget.spend)
    raise JobStalled("the figure stalled")


def render_all(
    requests: Iterable[FigureRequest], *, seconds: float, budget: CpuBudget
) -> dict[FigureRequest, RenderedFigure | FailedFigure]:
    """Render requests, in parallel if that pays off; each has `seconds` of CPU time, all together the budget."""

    def render_one(request: FigureRequest) -> RenderedFigure | FailedFigure:
        return render(request, seconds=seconds, budget=budget)

    unique = list(dict.fromkeys(requests))
    new = sum(_results().get(request) is None for request in unique)
    threads = min(_workers().max_processes, -(-new // FIGURES_PER_PROCESS))
    if threads <= 1:
        return {request: render_one(request) for request in unique}
    with ThreadPoolExecutor(threads) as executor:
        return dict(zip(unique, executor.map(render_one, unique), strict=True))


def _problem(failure: WorkerFailure, seconds: float) -> str:
    if isinstance(failure, JobTimedOut):
        return f"rendering took more than the {seconds:.3g} s of CPU time allowed; make it simpler"
    if isinstance(failure, JobStalled):
        return "the machine was too busy; convert again"
    if isinstance(failure, JobTooLarge):
        return "rendering took more memory than allowed; make it smaller"
    if isinstance(failure, JobFailed):
        return f"the engine failed ({failure.error})"
    return "the engine crashed"
