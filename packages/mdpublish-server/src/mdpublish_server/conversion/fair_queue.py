"""A fair queue: which job a worker gets next, so that nobody's jobs keep those of others waiting, and how many may wait.

Callers take turns, a job each; a job goes to a worker as soon as one is free and its caller has fewer than two under way.
Threads take jobs and return them; whoever brings them may be any thread.
"""

from collections import deque
from collections.abc import Hashable
from concurrent.futures import Future
from dataclasses import dataclass, field
from queue import SimpleQueue
from threading import Lock

from mdpublish_server.errors import ServiceUnavailable

MAX_IN_FLIGHT_PER_CLIENT = 2
"""Jobs of one caller in workers at a time: one that waits for its answer, and one more."""

MAX_WAITING_PER_CLIENT = 32
"""Jobs of one caller that may wait: with those under way, more than any plan allows in a second."""

MAX_WAITING = 128
"""Jobs that may wait, of all callers: of ordinary texts a second's work, of the heaviest allowed some minutes'."""

RETRY_SECONDS = 2
"""After this a caller who was sent away should ask again."""


@dataclass(slots=True, eq=False, kw_only=True)
class Task:
    """A job on its way: what it is, whose it is, and where its answer goes."""

    job: str
    payload: bytes
    seconds: float
    client_id: Hashable
    future: Future[bytes] = field(default_factory=Future)


class FairQueue:
    """The jobs that wait for one pool's workers; there are as many workers as were added and not removed."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._waiting: dict[Hashable, deque[Task]] = {}  # the callers in the order of their turns
        self._in_flight: dict[Hashable, int] = {}
        self._free = 0
        self._closed = False
        # What is dealt to workers that are free: each of them gets at once what it asks for here.
        self._dispatched: SimpleQueue[Task | None] = SimpleQueue()

    def put(self, task: Task) -> None:
        """Let a job wait for its turn; raises `ServiceUnavailable` where too many wait already."""
        with self._lock:
            if self._closed:
                raise stopping()
            mine = self._waiting.get(task.client_id, ())
            waiting = sum(map(len, self._waiting.values()))
            runs_now = self._free > 0 and self._in_flight.get(task.client_id, 0) < MAX_IN_FLIGHT_PER_CLIENT
            if not runs_now and len(mine) >= MAX_WAITING_PER_CLIENT:
                raise _busy(
                    f"{len(mine)} of your calls wait for a worker already; at most {MAX_WAITING_PER_CLIENT} may"
                )
            if not runs_now and waiting >= MAX_WAITING:
                raise _busy(f"{waiting} calls wait for a worker already; at most {MAX_WAITING} may")
            self._waiting.setdefault(task.client_id, deque()).append(task)
            self._dispatch()

    def take(self) -> Task | None:
        """Wait for a job and return it; None where there will be none any more."""
        return self._dispatched.get()

    @property
    def waiting(self) -> int:
        """How many jobs wait just now."""
        with self._lock:
            return sum(map(len, self._waiting.values()))

    def finish(self, task: Task, *, worker_lost: bool = False) -> None:
        """Say that a job which was taken is done, and whether its worker can take no other before it is added again."""
        with self._lock:
            left = self._in_flight[task.client_id] - 1
            if left:
                self._in_flight[task.client_id] = left
            else:
                del self._in_flight[task.client_id]
            self._free += not worker_lost
            self._dispatch()

    def add_worker(self) -> None:
        """Say that one more worker takes jobs."""
        with self._lock:
            self._free += 1
            self._dispatch()

    def remove(self, task: Task) -> None:
        """Take a job out that nobody wants any more; one that is in a worker stays there."""
        with self._lock:
            mine = self._waiting.get(task.client_id)
            if mine and task in mine:
                mine.remove(task)
                if not mine:
                    del self._waiting[task.client_id]

    def close(self, consumers: int) -> tuple[Task, ...]:
        """End it: jobs are refused, each of so many takers gets None, and those that still wait are returned."""
        with self._lock:
            self._closed = True
            left = tuple(task for tasks in self._waiting.values() for task in tasks)
            self._waiting.clear()
            for _ in range(consumers):
                self._dispatched.put(None)
        return left

    def _dispatch(self) -> None:
        """Give free workers jobs. Whose turn it was comes last from then on."""
        while self._free:
            client_ids = (each for each in self._waiting if self._in_flight.get(each, 0) < MAX_IN_FLIGHT_PER_CLIENT)
            client_id = next(client_ids, None)
            if client_id is None:
                return
            tasks = self._waiting.pop(client_id)
            self._dispatched.put(tasks.popleft())
            if tasks:
                self._waiting[client_id] = tasks
            self._in_flight[client_id] = self._in_flight.get(client_id, 0) + 1
            self._free -= 1


def stopping() -> ServiceUnavailable:
    """Return the error for a job that comes, or is not done, when the service stops."""
    return _busy("the service is stopping")


def _busy(what: str) -> ServiceUnavailable:
    message = f"{what}; try again in {RETRY_SECONDS} s"
    return ServiceUnavailable(message, headers={"Retry-After": str(RETRY_SECONDS)})
