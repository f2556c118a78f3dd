"""The queue of a pool, without workers, at a time that the tests set."""

import threading
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mdpublish_server.conversion.fair_queue import (
    HALF_LIFE_SECONDS,
    LITTLE_SECONDS,
    MAX_IN_FLIGHT_PER_CLIENT,
    MAX_WAITING,
    MAX_WAITING_PER_CLIENT,
    MIN_JOB_SECONDS,
    RESTART_SECONDS,
    FairQueue,
    Task,
)
from mdpublish_server.errors import ServiceUnavailable

MUCH = 5.0


class Clock:
    """Seconds that pass when a test says so."""

    seconds = 1_000.0

    def __call__(self) -> float:
        return self.seconds


def task_of(client_id: str) -> Task:
    return Task(job="echo", payload=b"", seconds=1.0, backstop=None, client_id=client_id)


def make_queue(workers: int = 1, clock: Clock | None = None) -> FairQueue:
    queue = FairQueue(workers, clock or Clock())
    for _ in range(workers):
        queue.add_worker()
    return queue


def put(queue: FairQueue, client_ids: str) -> None:
    for client_id in client_ids:
        queue.put(task_of(client_id))


def taken(queue: FairQueue) -> list[Task]:
    """Take the jobs that are in workers now."""
    tasks = []
    while queue._dispatched:
        task = queue.take()
        assert task
        tasks.append(task)
    return tasks


def clients(tasks: list[Task]) -> str:
    return "".join(str(task.client_id) for task in tasks)


def finish(queue: FairQueue, task: Task, cpu_seconds: float) -> None:
    task.cpu_seconds = cpu_seconds
    queue.finish(task)


def dispatched(queue: FairQueue, costs: dict[str, float], number: int) -> str:
    """Run jobs at their clients' costs, one worker, and return the clients in order."""
    client_ids = ""
    for _ in range(number):
        task = queue.take()
        assert task
        client_ids += str(task.client_id)
        finish(queue, task, costs[str(task.client_id)])
    return client_ids


def use(queue: FairQueue, client_id: str, cpu_seconds: float) -> None:
    put(queue, client_id)
    (task,) = taken(queue)
    finish(queue, task, cpu_seconds)


def test_clients_alternate() -> None:
    queue = FairQueue(1, Clock())
    put(queue, "aaaaabbc")
    queue.add_worker()
    assert dispatched(queue, dict.fromkeys("abc", 0.0), 8) == "abcabaaa"


def test_client_whose_jobs_cost_less_goes_first() -> None:
    queue = FairQueue(1, Clock())
    put(queue, "aaaabbbbbbbb")
    queue.add_worker()

    # Equal CPU time: one job of a for each four of b.
    assert dispatched(queue, {"a": 1.0, "b": 0.25}, 12) == "abbbbabbbbaa"


def test_jobs_of_next_to_nothing_count_alike() -> None:
    queue = FairQueue(1, Clock())
    put(queue, "aaabbb")
    queue.add_worker()

    assert dispatched(queue, {"a": MIN_JOB_SECONDS / 2, "b": 0.0}, 6) == "ababab"


def test_newcomer_goes_before_all_that_wait() -> None:
    """However many other clients wait, each with as many jobs as it may: their order of arrival does not count."""
    queue = make_queue()
    costs = {**dict.fromkeys("abc", MUCH), "x": 0.1}
    put(queue, "abcabcabc")
    assert dispatched(queue, costs, 3) == "abc"
    put(queue, "xx")
    # One job is in the worker already.
    assert dispatched(queue, costs, 4) == "axxb"


def test_use_decays() -> None:
    clock = Clock()
    queue = make_queue(clock=clock)
    use(queue, "a", MUCH)
    clock.seconds += HALF_LIFE_SECONDS
    assert queue._usage.of("a") == pytest.approx(MUCH / 2)
    use(queue, "b", MUCH / 2 + 0.1)
    use(queue, "x", MUCH)
    put(queue, "xba")
    assert dispatched(queue, dict.fromkeys("abx", 0.0), 3) == "xab"


def test_idle_client_saves_up_no_time() -> None:
    clock = Clock()
    queue = make_queue(clock=clock)
    clock.seconds += 100 * HALF_LIFE_SECONDS
    put(queue, "xaaabbb")
    # `a` was idle all the time, `b` too: the turns of `a` are no more than those of `b`.
    assert dispatched(queue, {"a": 1.0, "b": 1.0, "x": 0.0}, 7) == "xababab"


def test_job_that_costs_its_worker_is_charged_for_the_next_one() -> None:
    queue = make_queue()
    put(queue, "ab")
    for worker_lost in (True, False):
        task = queue.take()
        assert task
        task.cpu_seconds = 0.25
        queue.finish(task, worker_lost=worker_lost)
        if worker_lost:
            queue.add_worker()
    assert [queue._usage.of(each) for each in "ab"] == [0.25 + RESTART_SECONDS, 0.25]


def test_memory_of_idle_clients_is_bounded_and_keeps_those_that_used_most(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("mdpublish_server.conversion.fair_queue.MAX_USERS", 10)
    queue = make_queue()
    use(queue, "x", MUCH)
    for number in range(100):
        queue.put(task_of(f"client {number}"))
        (task,) = taken(queue)
        finish(queue, task, 1.0)
        assert len(queue._usage) <= 11
    assert queue._usage.of("x") == MUCH


@pytest.mark.parametrize(("workers", "allowed"), [(1, 1), (2, 1), (3, 2), (4, 2), (8, 2)])
def test_client_never_has_all_workers(workers: int, allowed: int) -> None:
    queue = make_queue(workers)
    put(queue, "aaaaaaaa")
    running = taken(queue)
    assert len(running) == allowed
    finish(queue, running[0], MUCH)
    assert len(taken(queue)) == 1


@pytest.mark.parametrize("workers", [2, 3, 4, 8])
def test_clients_that_use_much_leave_a_worker_to_others(workers: int) -> None:
    """However many they are: what each may have alone is not what all may have together."""
    queue = make_queue(workers)
    for client_id in "abcdefgh":
        use(queue, client_id, MUCH)
    put(queue, "aabbccddeeffgghh")
    running = taken(queue)
    assert len(running) == workers - 1

    put(queue, "x")
    (job,) = taken(queue)
    assert job.client_id == "x"
    finish(queue, job, 0.1)
    assert not taken(queue)
    finish(queue, running[0], MUCH)
    assert len(taken(queue)) == 1


def test_clients_that_use_little_have_all_workers() -> None:
    queue = make_queue(3)
    for client_id in "abc":
        use(queue, client_id, LITTLE_SECONDS - 0.1)
    put(queue, "aabbcc")
    assert clients(taken(queue)) == "aab"


def test_client_that_used_much_has_the_last_worker_again_later() -> None:
    clock = Clock()
    queue = make_queue(2, clock)
    use(queue, "a", MUCH)
    use(queue, "b", MUCH)
    put(queue, "ab")
    (first,) = taken(queue)
    assert first.client_id == "a"
    clock.seconds += HALF_LIFE_SECONDS
    put(queue, "b")
    assert clients(taken(queue)) == "b"


def test_lost_worker_gets_no_job_before_it_is_back() -> None:
    queue = make_queue()
    put(queue, "ab")
    (first,) = taken(queue)
    queue.finish(first, worker_lost=True)
    assert not queue._dispatched
    queue.add_worker()
    assert clients(taken(queue)) == "b"


def test_client_whose_jobs_kill_workers_does_not_get_the_last_one() -> None:
    queue = make_queue(2)
    use(queue, "k", MUCH)
    put(queue, "kk")
    (killer,) = taken(queue)
    queue.finish(killer, worker_lost=True)
    assert not taken(queue)
    put(queue, "x")
    assert clients(taken(queue)) == "x"
    queue.add_worker()
    assert clients(taken(queue)) == "k"


def test_client_cannot_fill_the_queue() -> None:
    queue = FairQueue(1, Clock())
    put(queue, "a" * MAX_WAITING_PER_CLIENT)
    with pytest.raises(ServiceUnavailable, match=r"Too many of your requests are waiting") as caught:
        put(queue, "a")
    assert caught.value.headers == {"Retry-After": "2"}
    put(queue, "b")


def test_job_goes_to_the_thread_that_waited_last_and_wakes_no_other() -> None:
    queue = FairQueue(1, Clock())
    got: list[tuple[str, Task | None]] = []

    def take(name: str) -> None:
        got.append((name, queue.take()))

    threads = [threading.Thread(target=take, args=(name,)) for name in ("first", "last")]
    for number, thread in enumerate(threads):
        thread.start()
        while len(queue._inboxes) <= number:
            time.sleep(0.001)
    queue.add_worker()
    queue.put(job := task_of("a"))
    threads[1].join()
    assert got == [("last", job)]
    queue.close(1)
    threads[0].join()
    assert got[1:] == [("first", None)]


WORKERS = 3

ACTIONS = st.lists(
    st.tuples(st.sampled_from(["put", "put", "put", "finish", "lose", "add", "remove", "wait"]), st.integers(0, 4))
)


@given(ACTIONS)
def test_every_job_is_dealt_once_in_its_clients_sequence_or_refused(actions: list[tuple[str, int]]) -> None:
    """For any sequence of actions: no job is lost or dealt twice, no limit exceeded, and only the last worker idles."""
    clock = Clock()
    queue = FairQueue(WORKERS, clock)
    waiting: dict[str, list[Task]] = {each: [] for each in "abcde"}
    running: list[Task] = []
    free, lost = 0, WORKERS
    for action, number in actions:
        client_id = "abcde"[number]
        if action == "put":
            task = task_of(client_id)
            try:
                queue.put(task)
                waiting[client_id].append(task)
            except ServiceUnavailable:
                assert (
                    len(waiting[client_id]) >= MAX_WAITING_PER_CLIENT or sum(map(len, waiting.values())) >= MAX_WAITING
                )
        elif action == "wait":
            clock.seconds += number
        elif action == "add" and lost:
            queue.add_worker()
            free, lost = free + 1, lost - 1
        elif action == "remove" and waiting[client_id]:
            queue.remove(waiting[client_id].pop(number % len(waiting[client_id])))
        elif action in {"finish", "lose"} and running:
            task = running.pop(number % len(running))
            task.cpu_seconds = float(number)
            queue.finish(task, worker_lost=action == "lose")
            free, lost = free + (action == "finish"), lost + (action == "lose")
        for dealt in taken(queue):
            assert waiting[str(dealt.client_id)].pop(0) is dealt
            running.append(dealt)
            free -= 1
        in_flight = clients(running)
        assert free >= 0
        assert all(in_flight.count(each) <= MAX_IN_FLIGHT_PER_CLIENT for each in in_flight)
        able = [each for each in waiting if waiting[each] and in_flight.count(each) < MAX_IN_FLIGHT_PER_CLIENT]
        assert free < 2 or lost or not able
