"""A bounded, thread-safe queue: the client that has used the least CPU time lately goes first.

CPU time counts half after each `HALF_LIFE_SECONDS`, so what a client used long ago, or saved, makes no difference.
Among equals, clients take turns. The last worker is for clients that use little: they need not wait.
"""

from collections import deque
from collections.abc import Callable, Container, Hashable
from concurrent.futures import Future
from dataclasses import dataclass, field
from queue import SimpleQueue
from threading import Lock
from time import monotonic

from mdpublish_server.errors import ServiceUnavailable

MAX_IN_FLIGHT_PER_CLIENT = 2
"""Jobs in workers; in a pool of two, one."""

HALF_LIFE_SECONDS = 10.0
"""A job of five seconds counts for a minute, and is a second after 23 s."""

LITTLE_SECONDS = 3.0
"""Decayed CPU time of a light client: a fifth of a CPU all the time, or less than a job of the heaviest kind."""

MAX_WAITING_PER_CLIENT = 32
"""With those in workers, more than any plan allows in a second."""

MAX_WAITING = 128
"""A second's work, or minutes with the heaviest texts."""

RETRY_SECONDS = 2

MIN_JOB_SECONDS = 0.01
"""What a job counts at least: clients whose jobs are all short take turns."""

MAX_WAIT_SECONDS = 10.0
"""Seconds in the queue. Clients that wait longer have left, or retry."""

RESTART_SECONDS = 0.05
"""CPU time to fork a worker and copy its memory. A job that costs its worker is charged for the next one."""

MAX_USERS = 10_000
"""Idle clients whose use is remembered, those that used most."""


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


class Usage:
    """CPU seconds that clients used, which decay."""

    def __init__(self, clock: Callable[[], float]) -> None:
        self._clock = clock
        self._used: dict[Hashable, tuple[float, float]] = {}  # CPU seconds, at a time

    def __len__(self) -> int:
        return len(self._used)

    def of(self, client_id: Hashable) -> float:
        seconds, at = self._used.get(client_id, (0.0, 0.0))
        return seconds and seconds * 0.5 ** ((self._clock() - at) / HALF_LIFE_SECONDS)

    def charge(self, client_id: Hashable, seconds: float) -> None:
        self._used[client_id] = (self.of(client_id) + seconds, self._clock())

    def drop_smallest(self, active: Container[Hashable]) -> None:
        """Drop the lower half of the clients that are not active."""
        others = sorted((each for each in self._used if each not in active), key=self.of)
        for client_id in others[: (len(others) + 1) // 2]:
            del self._used[client_id]


class FairQueue:
    """The queue of a pool of `workers`; `clock` counts seconds."""

    def __init__(self, workers: int, clock: Callable[[], float] = monotonic) -> None:
        self._lock = Lock()
        self._workers = workers
        self._max_in_flight = min(MAX_IN_FLIGHT_PER_CLIENT, max(workers - 1, 1))
        self._waiting: dict[Hashable, deque[Task]] = {}  # in turn order
        self._in_flight: dict[Hashable, int] = {}
        self._usage = Usage(clock)
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
            runs_now = self._free > 0 and self._may_run(task.client_id, self._ordinary_jobs())
            if not runs_now and len(mine) >= MAX_WAITING_PER_CLIENT:
                raise busy(f"Too many of your requests are waiting (limit {MAX_WAITING_PER_CLIENT})")
            if not runs_now and waiting >= MAX_WAITING:
                raise busy(f"Too many requests are waiting (limit {MAX_WAITING})")
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
            self._usage.charge(task.client_id, max(MIN_JOB_SECONDS, task.cpu_seconds + restart))
            if left := self._in_flight[task.client_id] - 1:
                self._in_flight[task.client_id] = left
            else:
                del self._in_flight[task.client_id]
            self._free += not worker_lost
            self._dispatch()
            if len(self._usage) > MAX_USERS:
                active = self._waiting.keys() | self._in_flight
                if len(self._usage) > MAX_USERS + len(active):
                    self._usage.drop_smallest(active)

    def add_worker(self) -> None:
        with self._lock:
            self._free += 1
            self._dispatch()

    def remove(self, task: Task) -> bool:
        """Return whether the job was waiting."""
        with self._lock:
            if not (mine := self._waiting.get(task.client_id)) or task not in mine:
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
            ordinary = self._ordinary_jobs()
            client_ids = (each for each in self._waiting if self._may_run(each, ordinary))
            # The first of equals.
            if (client_id := min(client_ids, key=self._usage.of, default=None)) is None:
                return
            tasks = self._waiting.pop(client_id)
            self._hand_out(tasks.popleft())
            if tasks:
                self._waiting[client_id] = tasks
            self._in_flight[client_id] = self._in_flight.get(client_id, 0) + 1
            self._free -= 1

    def _ordinary_jobs(self) -> int:
        """Return the number of workers that are busy or lost, but with the first jobs of clients that use little."""
        return self._workers - self._free - sum(map(self._uses_little, self._in_flight))

    def _may_run(self, client_id: Hashable, ordinary: int) -> bool:
        """Whether a client may have another worker: it leaves one to clients that use little, or is one of them."""
        running = self._in_flight.get(client_id, 0)
        if running >= self._max_in_flight:
            return False
        return ordinary < max(self._workers - 1, 1) or (not running and self._uses_little(client_id))

    def _uses_little(self, client_id: Hashable) -> bool:
        return self._usage.of(client_id) < LITTLE_SECONDS

    def _hand_out(self, task: Task | None) -> None:
        if self._inboxes:
            # The last one to wait, whose worker has most in the CPU's caches.
            self._inboxes.pop().put(task)
        else:
            self._dispatched.append(task)


def stopping() -> ServiceUnavailable:
    return busy("The service is shutting down")


def busy(what: str) -> ServiceUnavailable:
    """Return the error for a request that may be retried soon."""
    message = f"{what}; retry in {RETRY_SECONDS} s"
    return ServiceUnavailable(message, retry_after=RETRY_SECONDS)
