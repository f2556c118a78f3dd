"""A pool: workers, each with a thread that hands it jobs, and starts it anew and warms it up when it failed.

The event loop only puts jobs into the queue and is woken with their answers.
"""

import asyncio
import logging
from concurrent.futures import Future
from threading import Event, Thread

from mdpublish_core.workers import JobFailed, Worker
from mdpublish_server.conversion.fair_queue import FairQueue, Task, stopping

WARM_UP_SECONDS = 60.0
"""What warming up may take: a hundred times what it takes on an idle machine."""

# How often, and after how many seconds, a worker that cannot be started is tried again before its jobs are let fail.
_ATTEMPTS = 3
_PAUSE_SECONDS = 0.5

# How long a thread may take to end once its worker is killed, in seconds.
_END_SECONDS = 5.0

_log = logging.getLogger(__name__)


class Pool:
    """`workers` processes that do the jobs of `module`, one of which, `warm_up`, is done before any other.

    Starts when it is told to, or with its first job. Belongs to one event loop.
    """

    def __init__(self, module: str, *, workers: int, memory_bytes: int) -> None:
        self._queue = FairQueue()
        self._workers = [Worker(module, memory_bytes=memory_bytes) for _ in range(workers)]
        self._threads: list[Thread] = []
        self._warm: list[Future[None]] = []
        self._closed = Event()

    async def start(self) -> None:
        """Start the workers and wait until all are warm; raises `WorkerFailure` where one cannot be started."""
        self._start_threads()
        await asyncio.gather(*(asyncio.wrap_future(warm) for warm in self._warm))

    async def run(self, job: str, payload: bytes, *, seconds: float, client_id: str | None) -> bytes:
        """Return what a job makes of `payload`, when it is its turn; None is a caller that asks once.

        `seconds` counts from the turn. A job whose caller is cancelled leaves the queue; once a worker has it, it is
        done for nobody. Raises `ServiceUnavailable` where too many wait, and `WorkerFailure`.
        """
        self._start_threads()
        task = Task(job=job, payload=payload, seconds=seconds, client_id=object() if client_id is None else client_id)
        self._queue.put(task)
        try:
            return await asyncio.wrap_future(task.future)
        except asyncio.CancelledError:
            # At once, not when the event loop comes to it: until then a worker might still take it.
            task.future.cancel()
            self._queue.remove(task)
            raise

    @property
    def waiting(self) -> int:
        """How many jobs wait just now."""
        return self._queue.waiting

    def close(self) -> None:
        """Kill the workers; jobs that are not done raise `ServiceUnavailable`."""
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
        # Daemons, so that a caller who forgets to close can still end; the workers then end with their input.
        self._threads = [
            Thread(target=self._serve, args=each, name="mdpublish-worker", daemon=True)
            for each in zip(self._workers, self._warm, strict=True)
        ]
        for thread in self._threads:
            thread.start()

    def _serve(self, worker: Worker, warm: Future[None]) -> None:
        """Hand one worker its jobs, until the pool is closed."""
        failure = self._warm_up(worker)
        self._queue.add_worker()
        if failure is None:
            warm.set_result(None)
        else:
            warm.set_exception(failure)
        while (task := self._queue.take()) is not None:
            self._do(worker, task)

    def _do(self, worker: Worker, task: Task) -> None:
        if not task.future.set_running_or_notify_cancel():
            self._queue.finish(task)
            return
        output, failure = b"", None
        try:
            output = worker.run(task.job, task.payload, seconds=task.seconds)
        except Exception as error:  # noqa: BLE001  (it is raised where the answer is awaited)
            failure = stopping() if self._closed.is_set() else error
        worker_lost = not worker.is_running
        # Before the answer: who has it may ask for the next job.
        self._queue.finish(task, worker_lost=worker_lost)
        if failure is None:
            task.future.set_result(output)
        else:
            task.future.set_exception(failure)
        if worker_lost and not self._closed.is_set():
            self._warm_up(worker)
            self._queue.add_worker()

    def _warm_up(self, worker: Worker) -> Exception | None:
        """Start a worker and do the first job. One that could not be started is started again by its next job."""
        failure: Exception | None = None
        for _ in range(_ATTEMPTS):
            try:
                worker.run("warm_up", b"", seconds=WARM_UP_SECONDS)
            except Exception as error:  # noqa: BLE001  (whatever it is, this thread goes on)
                failure = error
            else:
                return None
            if not self._closed.is_set():
                stack = f"\n{failure.stack}" if isinstance(failure, JobFailed) else ""
                _log.error("a worker could not be started: %s%s", failure, stack)
            if self._closed.wait(_PAUSE_SECONDS):
                break
        return failure


def _fail(task: Task, error: Exception) -> None:
    if task.future.set_running_or_notify_cancel():
        task.future.set_exception(error)
