"""A pool of workers, each fed by a thread that restarts it after a failure."""

import asyncio
import logging
from collections.abc import Callable
from concurrent.futures import Future, wait
from threading import Event, Lock, Thread
from time import monotonic

from starlette.requests import ClientDisconnect

from mdpublish_core.hosting.workers import ForkServer, JobFailed, Protection, Worker
from mdpublish_server.conversion.disconnects import on_disconnect
from mdpublish_server.conversion.fair_queue import MAX_WAIT_SECONDS, FairQueue, Task, busy, stopping

_ATTEMPTS = 3
_PAUSE_SECONDS = 0.5

_END_SECONDS = 5.0

ABANDONED_CPU_SECONDS = 0.02
"""CPU time for which a job goes on after its client has left: what it costs to replace its worker."""

ABANDONED_SECONDS = 5.0
"""The same in wall-clock time, for a job that waits."""

_WATCH_SECONDS = 0.1

_log = logging.getLogger(__name__)


class Pool:
    """Runs jobs in workers that are forked from `fork_server`. Bound to one event loop."""

    def __init__(self, fork_server: ForkServer, *, workers: int) -> None:
        self._queue = FairQueue(workers)
        self._workers = [Worker.of(fork_server) for _ in range(workers)]
        self._threads: list[Thread] = []
        self._warm: list[Future[None]] = []
        self._lock = Lock()
        self._running: dict[Task, Worker] = {}
        self._closed = Event()

    async def start(self, *, enough: int | None = None) -> None:
        """Wait until `enough` workers are warm, by default all; raise `WorkerFailure` if one of them cannot start."""
        self._start_threads()
        await asyncio.gather(*(asyncio.wrap_future(warm) for warm in self._warm[:enough]))

    async def run(
        self,
        job: str,
        payload: bytes,
        *,
        seconds: float,
        backstop: float | None = None,
        client_id: str,
        spend: Callable[[float], None] = lambda _seconds: None,
    ) -> bytes:
        """Run a job for a client.

        `seconds` are CPU time, `backstop` wall-clock time without the wait; `spend` is called with the CPU time used,
        also of a job that failed. Raises `ServiceUnavailable`, `WorkerFailure`, and `ClientDisconnect`.
        """
        self._start_threads()
        task = Task(job=job, payload=payload, seconds=seconds, backstop=backstop, client_id=client_id)
        self._queue.put(task)
        result = asyncio.wrap_future(task.future)
        deadline = asyncio.get_running_loop().call_later(MAX_WAIT_SECONDS, self._give_up, task)
        is_abandoned = False

        def abandon() -> None:
            nonlocal is_abandoned
            is_abandoned = result.cancel()

        try:
            with on_disconnect(abandon):
                return await result
        except asyncio.CancelledError:
            # Synchronously, before a worker takes it.
            task.future.cancel()
            self._queue.remove(task)
            if not is_abandoned:
                raise
            await self._end(task)
            raise ClientDisconnect from None
        finally:
            deadline.cancel()
            spend(task.cpu_seconds)

    @property
    def protections(self) -> tuple[Protection, ...]:
        """What confines its workers, once they are started."""
        return self._workers[0].protections

    @property
    def waiting(self) -> int:
        return self._queue.waiting

    def close(self) -> None:
        """Fail unfinished jobs with `ServiceUnavailable`."""
        if self._closed.is_set():
            return
        self._closed.set()
        for task in self._queue.close(len(self._workers)):
            _fail(task, stopping())
        for worker in self._workers:
            worker.close()
        for thread in self._threads:
            thread.join(_END_SECONDS)

    def _start_threads(self) -> None:
        if self._threads or self._closed.is_set():
            return
        self._warm = [Future() for _ in self._workers]
        # Daemons: a forgotten `close` must not block exit.
        self._threads = [
            Thread(target=self._serve, args=each, name="mdpublish-worker", daemon=True)
            for each in zip(self._workers, self._warm, strict=True)
        ]
        for thread in self._threads:
            thread.start()

    def _serve(self, worker: Worker, warm: Future[None]) -> None:
        if warm is not self._warm[0]:
            # One after the other has jobs done sooner than all at once.
            wait(self._warm[:1])
        failure = self._warm_up(worker)
        self._queue.add_worker()
        if failure is None:
            warm.set_result(None)
        else:
            warm.set_exception(failure)
        while (task := self._queue.take()) is not None:
            self._do(worker, task)

    def _give_up(self, task: Task) -> None:
        if self._queue.remove(task):
            _fail(task, busy(f"No worker was free within {MAX_WAIT_SECONDS:g} s"))

    async def _end(self, task: Task) -> None:
        """Wait for a job that nobody needs; interrupt it if it goes on."""
        began, clock = monotonic(), None
        while True:
            with self._lock:
                if (worker := self._running.get(task)) is None:
                    return
                clock = worker.clock if clock is None else clock
                if worker.clock - clock >= ABANDONED_CPU_SECONDS or monotonic() - began >= ABANDONED_SECONDS:
                    worker.interrupt()
            await asyncio.sleep(_WATCH_SECONDS)

    def _do(self, worker: Worker, task: Task) -> None:
        with self._lock:
            self._running[task] = worker
        runs = task.future.set_running_or_notify_cancel()
        output, failure = self._attempt(worker, task) if runs else (b"", None)
        with self._lock:
            # From here, `_end` does not interrupt the worker.
            del self._running[task]
        worker_lost = runs and not worker.is_running
        # First: the client may send its next job at once.
        self._queue.finish(task, worker_lost=worker_lost)
        if failure is not None:
            task.future.set_exception(failure)
        elif runs:
            task.future.set_result(output)
        if worker_lost and not self._closed.is_set():
            self._warm_up(worker)
            self._queue.add_worker()

    def _attempt(self, worker: Worker, task: Task) -> tuple[bytes, Exception | None]:
        output, failure = b"", None
        try:
            output = worker.run(task.job, task.payload, seconds=task.seconds, backstop=task.backstop)
        except Exception as error:  # noqa: BLE001  (raised in `run`)
            failure = stopping() if self._closed.is_set() else error
        task.cpu_seconds = worker.cpu_seconds
        return output, failure

    def _warm_up(self, worker: Worker) -> Exception | None:
        """Start a worker. If that fails, its next job starts it."""
        failure: Exception | None = None
        for _ in range(_ATTEMPTS):
            try:
                worker.start()
            except Exception as error:  # noqa: BLE001  (the thread must survive)
                failure = error
            else:
                return None
            if not self._closed.is_set():
                stack = f"\n{failure.stack}" if isinstance(failure, JobFailed) else ""
                _log.error("Worker failed to start: %s%s", failure, stack)
            if self._closed.wait(_PAUSE_SECONDS):
                break
        return failure


def _fail(task: Task, error: Exception) -> None:
    if task.future.set_running_or_notify_cancel():
        task.future.set_exception(error)
