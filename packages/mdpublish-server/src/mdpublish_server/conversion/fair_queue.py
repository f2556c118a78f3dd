"""A bounded, thread-safe queue: the client that has used the least CPU time goes first.

Each client has a clock, which runs by the CPU time of its jobs. A client that has been idle starts at the clock of the job
dispatched last, so that being idle saves up no time. Among equals, clients take turns.
"""

from collections import deque
from collections.abc import Hashable
from concurrent.futures import Future
from dataclasses import dataclass, field
from queue import SimpleQueue
from threading import Lock

from mdpublish_server.errors import ServiceUnavailable

MAX_IN_FLIGHT_PER_CLIENT = 2

MAX_WAITING_PER_CLIENT = 32
"""With those in workers, more than any plan allows in a second."""

MAX_WAITING = 128
"""A second's work, or minutes with the heaviest texts."""

RETRY_SECONDS = 2

MIN_JOB_SECONDS = 0.01
"""What a job counts at least: clients whose jobs are all short take turns."""

MAX_WAIT_SECONDS = 10.0
"""In the queue. Clients that wait longer have left, or retry."""

RESTART_SECONDS = 1.0
"""CPU time to start and warm up a worker. A job that costs its worker is charged for the next one."""

MAX_CLOCKS = 10_000
"""Of idle clients whose jobs used more than the others'."""


@dataclass(slots=True, eq=False, kw_only=True)
class Task:
    """A queued job."""

    job: str
    payload: bytes
    seconds: float
    backstop: float | None
    client_id: Hashable
    future: Future[bytes] = field(default_factory=Future)
    cpu_seconds: float = 0.0  # once it is done


class FairQueue:
    """A pool's queue."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._waiting: dict[Hashable, deque[Task]] = {}  # in turn order
        self._in_flight: dict[Hashable, int] = {}
        self._clocks: dict[Hashable, float] = {}
        self._clock = 0.0  # of the job dispatched last
        self._free = 0
        self._closed = False
        self._dispatched: deque[Task | None] = deque()
        # Of the threads in `take`: a shared one would wake a second thread for each job, only to find none.
        self._inboxes: list[SimpleQueue[Task | None]] = []

    def put(self, task: Task) -> None:
        """Raise `ServiceUnavailable` if too many jobs are waiting."""
        with self._lock:
            if self._closed:
                raise stopping()
            mine = self._waiting.get(task.client_id, ())
            waiting = sum(map(len, self._waiting.values()))
            runs_now = self._free > 0 and self._in_flight.get(task.client_id, 0) < MAX_IN_FLIGHT_PER_CLIENT
            if not runs_now and len(mine) >= MAX_WAITING_PER_CLIENT:
                raise busy(f"Too many of your requests are waiting (limit {MAX_WAITING_PER_CLIENT})")
            if not runs_now and waiting >= MAX_WAITING:
                raise busy(f"Too many requests are waiting (limit {MAX_WAITING})")
            if not mine and task.client_id not in self._in_flight:
                self._clocks[task.client_id] = max(self._clock, self._clocks.get(task.client_id, 0.0))
            self._waiting.setdefault(task.client_id, deque()).append(task)
            self._dispatch()

    def take(self) -> Task | None:
        """Block until there is a job; None after `close`."""
        with self._lock:
            if self._dispatched:
                return self._dispatched.popleft()
            inbox: SimpleQueue[Task | None] = SimpleQueue()
            self._inboxes.append(inbox)
        return inbox.get()

    @property
    def waiting(self) -> int:
        with self._lock:
            return sum(map(len, self._waiting.values()))

    def finish(self, task: Task, *, worker_lost: bool = False) -> None:
        """Charge `task.cpu_seconds`, and the start of a lost worker's successor, to its client."""
        with self._lock:
            restart = RESTART_SECONDS if worker_lost else 0.0
            self._clocks[task.client_id] += max(MIN_JOB_SECONDS, task.cpu_seconds + restart)
            left = self._in_flight[task.client_id] - 1
            if left:
                self._in_flight[task.client_id] = left
            else:
                del self._in_flight[task.client_id]
            self._free += not worker_lost
            self._dispatch()
            if len(self._clocks) > MAX_CLOCKS + len(self._waiting) + len(self._in_flight):
                self._drop_clocks()

    def add_worker(self) -> None:
        with self._lock:
            self._free += 1
            self._dispatch()

    def remove(self, task: Task) -> bool:
        """Return whether the job was waiting."""
        with self._lock:
            mine = self._waiting.get(task.client_id)
            if not mine or task not in mine:
                return False
            mine.remove(task)
            if not mine:
                del self._waiting[task.client_id]
            return True

    def close(self, consumers: int) -> tuple[Task, ...]:
        """Return the waiting jobs."""
        with self._lock:
            self._closed = True
            left = tuple(task for tasks in self._waiting.values() for task in tasks)
            self._waiting.clear()
            for _ in range(consumers):
                self._hand_out(None)
        return left

    def _dispatch(self) -> None:
        while self._free:
            client_ids = (each for each in self._waiting if self._in_flight.get(each, 0) < MAX_IN_FLIGHT_PER_CLIENT)
            # The first of equals.
            client_id = min(client_ids, key=self._clocks.__getitem__, default=None)
            if client_id is None:
                return
            tasks = self._waiting.pop(client_id)
            self._hand_out(tasks.popleft())
            if tasks:
                self._waiting[client_id] = tasks
            self._in_flight[client_id] = self._in_flight.get(client_id, 0) + 1
            self._clock = max(self._clock, self._clocks[client_id])
            self._free -= 1

    def _hand_out(self, task: Task | None) -> None:
        if self._inboxes:
            # The last one to wait, whose worker has most in the CPU's caches.
            self._inboxes.pop().put(task)
        else:
            self._dispatched.append(task)

    def _drop_clocks(self) -> None:
        """Drop idle clients' clocks that make no difference, or the lower half of them."""
        idle = [each for each in self._clocks if each not in self._waiting and each not in self._in_flight]
        idle.sort(key=self._clocks.__getitem__)
        for number, client_id in enumerate(idle):
            if number < len(idle) // 2 or self._clocks[client_id] <= self._clock:
                del self._clocks[client_id]


def stopping() -> ServiceUnavailable:
    return busy("The service is shutting down")


def busy(what: str) -> ServiceUnavailable:
    """Return the error for a request that may be retried soon."""
    message = f"{what}; retry in {RETRY_SECONDS} s"
    return ServiceUnavailable(message, headers={"Retry-After": str(RETRY_SECONDS)})
