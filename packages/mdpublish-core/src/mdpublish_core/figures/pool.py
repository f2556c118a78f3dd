"""Renders requests from a cache or in worker processes.

Engines are native code that can hang, crash or exhaust memory, so they never run in the caller's process. Workers
stay; a crashed one is replaced on the next request.
"""

import atexit
import os
from collections import deque
from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import replace
from functools import cache, partial
from threading import Condition

from mdpublish_core import workers
from mdpublish_core.figures import costs
from mdpublish_core.figures.allowance import FigureBudget
from mdpublish_core.figures.protocol import decode_result, encode_request
from mdpublish_core.figures.request import FailedFigure, FigureRequest, RenderedFigure
from mdpublish_core.lru_cache import LruCache
from mdpublish_core.resources import figure_cache

MAX_PROCESSES = 4
"""Upper bound, besides the number of processors. A process that is itself a worker starts only one."""

JOBS_MODULE, MEMORY_BYTES = workers.INNER_WORKERS[0]
"""Half of the address space is mapped at start. Graphviz's largest samples and images of 16 million pixels fit.
"""

FIGURES_PER_PROCESS = 40
"""Starting a process and loading engines takes 0.3 s of CPU time, as a dozen figures do; one renders so few sooner."""

AHEAD = MAX_PROCESSES
"""Figures that are begun before the steps of the first of them are counted: enough for each process to have one."""

CACHE_BYTES = 64_000_000
"""Some thousand diagrams with images."""


class WorkerPool:
    """Processes that render one figure at a time; `module` names their jobs."""

    def __init__(
        self, processes: int | None = None, *, module: str = JOBS_MODULE, memory_bytes: int = MEMORY_BYTES
    ) -> None:
        self._module = module
        self._memory_bytes = memory_bytes
        self.max_processes = processes or (1 if workers.is_worker() else min(MAX_PROCESSES, os.cpu_count() or 1))
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
        spend: Callable[[float], None] = workers.charge_cpu,
    ) -> bytes:
        """Run an encoded request; raises `WorkerFailure`.

        `seconds` of CPU time exclude start and loading; `backstop` as for `Worker.run`. `spend` gets the time used.
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
        return _EngineWorker(self._module, self._memory_bytes)

    def _release(self, worker: "_EngineWorker") -> None:
        with self._changed:
            self._idle.append(worker)
            self._changed.notify()


class _EngineWorker:
    def __init__(self, module: str, memory_bytes: int) -> None:
        self.worker = workers.Worker(module, memory_bytes=memory_bytes, is_confined=True)
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
            self.worker.run("load", kind.encode(), seconds=workers.START_SECONDS, backstop=workers.START_SECONDS)
            self._loaded.add(kind)
        try:
            return self.worker.run("render", request, seconds=seconds, backstop=backstop)
        finally:
            spend(self.worker.cpu_seconds)


@cache
def _results() -> LruCache[FigureRequest, RenderedFigure | FailedFigure]:
    return LruCache(CACHE_BYTES, lambda result: result.size)


@cache
def _workers() -> WorkerPool:
    return WorkerPool()


def render(
    request: FigureRequest, *, seconds: float, budget: FigureBudget | None = None
) -> RenderedFigure | FailedFigure:
    """Render or return a cached result; worker failures are not cached."""
    budget = budget or FigureBudget(seconds, costs.MAX_LAYOUT_STEPS)
    if budget.is_exhausted:
        return budget.late_by_steps()
    cached = _results().get(request)
    if cached is not None:
        return cached
    disk_cache, content = figure_cache.in_use(), encode_request(request)
    stored = disk_cache and disk_cache.get(content)
    if not stored and budget.left <= 0:
        return budget.late_by_time()
    allowed = min(seconds, budget.left)
    try:
        # Not ten times what is left, which may be less than a busy machine takes to start the job.
        output = stored or _run(request.kind, content, allowed, workers.BACKSTOP_FACTOR * seconds, budget)
        result = decode_result(output)
    except workers.WorkerFailure as failure:
        if isinstance(failure, workers.JobStalled) and workers.is_worker():
            # The whole job stalled: its caller decides, without a retry here.
            raise
        if isinstance(failure, workers.JobTimedOut) and allowed < seconds:
            return budget.late_by_time()
        return FailedFigure(
            problem=_problem(failure, seconds),
            is_stalled=isinstance(failure, workers.JobStalled),
            steps=_lost_steps(failure, seconds),
        )
    if disk_cache and not stored and isinstance(result, RenderedFigure):
        disk_cache.put(content, output)
    # A figure that fails is small, and its source may be as long as a document.
    _results().put(request, result, key_size=2 * len(request.source))
    return result


def _run(kind: str, content: bytes, seconds: float, backstop: float, budget: FigureBudget) -> bytes:
    """Retry once if the machine was too busy."""
    for _ in range(1 if workers.is_worker() else 2):
        if not budget.is_stalled:
            with suppress(workers.JobStalled):
                return _workers().run(kind, content, seconds=seconds, backstop=backstop, spend=budget.spend)
    raise workers.JobStalled("the figure stalled")


def render_all(
    requests: Iterable[FigureRequest], *, seconds: float, budget: FigureBudget
) -> dict[FigureRequest, RenderedFigure | FailedFigure]:
    """Render requests, in parallel if that pays off; each has `seconds` of CPU time, all together the budget.

    Steps are counted in the order of the requests, and decide about a figure that is `AHEAD` of those counted: results
    depend neither on the number of processes nor on which of them is first.
    """

    def render_one(request: FigureRequest) -> RenderedFigure | FailedFigure:
        return render(request, seconds=seconds, budget=budget)

    unique = list(dict.fromkeys(requests))
    new = sum(_results().get(request) is None for request in unique)
    threads = min(_workers().max_processes, -(-new // FIGURES_PER_PROCESS))
    if threads <= 1:
        return _begin_ahead(unique, lambda request: partial(render_one, request), budget)
    with ThreadPoolExecutor(threads) as executor:
        return _begin_ahead(unique, lambda request: executor.submit(render_one, request).result, budget)


def _begin_ahead(
    requests: Iterable[FigureRequest],
    begin: Callable[[FigureRequest], Callable[[], RenderedFigure | FailedFigure]],
    budget: FigureBudget,
) -> dict[FigureRequest, RenderedFigure | FailedFigure]:
    """Call `begin` for up to `AHEAD` requests, and what it returned for the first, whose steps are counted then."""
    results: dict[FigureRequest, RenderedFigure | FailedFigure] = {}
    begun: deque[tuple[FigureRequest, Callable[[], RenderedFigure | FailedFigure]]] = deque()
    for request in requests:
        if len(begun) == AHEAD:
            first, finish = begun.popleft()
            results[first] = budget.count(finish())
        has_palette = request.has_palette and budget.has_palettes
        begun.append((request, begin(replace(request, has_palette=has_palette))))
    return results | {request: budget.count(finish()) for request, finish in begun}


def _lost_steps(failure: workers.WorkerFailure, seconds: float) -> int:
    if isinstance(failure, workers.JobStalled):
        return 0
    return round(seconds * 1_000_000) if isinstance(failure, workers.JobTimedOut) else costs.RESTART_STEPS


def _problem(failure: workers.WorkerFailure, seconds: float) -> str:
    if isinstance(failure, workers.JobTimedOut):
        return f"rendering took more than the {seconds:.3g} s of CPU time allowed; make it simpler"
    if isinstance(failure, workers.JobStalled):
        return "the machine was too busy; convert again"
    if isinstance(failure, workers.JobTooLarge):
        return "rendering took more memory than allowed; make it smaller"
    if isinstance(failure, workers.JobFailed):
        return f"the engine failed ({failure.error})"
    return "the engine crashed"
