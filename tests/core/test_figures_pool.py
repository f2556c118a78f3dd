import os
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from time import monotonic, sleep

import psutil
import pytest

from mdpublish_core.figures.pool import WorkerPool
from mdpublish_core.workers import JobStalled, Worker, WorkerDied, is_worker

JOBS = "tests.core.figure_jobs"


@pytest.fixture
def pool() -> Iterator[WorkerPool]:
    worker_pool = WorkerPool(2, module=JOBS)
    yield worker_pool
    worker_pool.close()


def test_one_process_renders_requests_one_after_another(pool: WorkerPool) -> None:
    results = {pool.run("dot", b"a", seconds=5) for _ in range(3)}
    assert len(results) == 1
    assert results != {b"a by %d" % os.getpid()}


def test_threads_share_no_more_processes_than_there_may_be(pool: WorkerPool) -> None:
    with ThreadPoolExecutor(8) as executor:
        results = set(executor.map(lambda _: pool.run("dot", b"a", seconds=5), range(40)))
    assert 1 <= len(results) <= 2


@pytest.mark.parametrize(("processors", "processes"), [(1, 1), (4, 4), (5, 4)])
def test_processes_are_as_many_as_processors_but_at_most_four(
    monkeypatch: pytest.MonkeyPatch, processors: int, processes: int
) -> None:
    monkeypatch.setattr(os, "cpu_count", lambda: processors)

    pool = WorkerPool(module=JOBS)

    assert pool.max_processes == processes


def test_crash_of_a_worker_does_not_affect_later_requests(pool: WorkerPool) -> None:
    before = pool.run("dot", b"a", seconds=5)
    with pytest.raises(WorkerDied):
        pool.run("dot", b"crash", seconds=5)
    after = pool.run("dot", b"a", seconds=5)
    assert after.startswith(b"a by ")
    assert after != before


def test_what_hangs_is_ended_at_its_backstop(pool: WorkerPool) -> None:
    with pytest.raises(JobStalled):
        pool.run("dot", b"hang", seconds=0.05)
    assert pool.run("dot", b"a", seconds=5).startswith(b"a by ")


@pytest.mark.skipif(not hasattr(os, "fork"), reason="there is no fork on Windows")
def test_forked_process_starts_new_workers(pool: WorkerPool) -> None:
    here = pool.run("dot", b"a", seconds=5)
    read, write = os.pipe()
    child = os.fork()
    if child == 0:
        try:
            os.write(write, pool.run("dot", b"a", seconds=5))
            pool.close()
        finally:
            os._exit(0)
    os.waitpid(child, 0)
    there = os.read(read, 100)
    os.close(read)
    os.close(write)
    assert there.startswith(b"a by ")
    assert there != here
    assert pool.run("dot", b"a", seconds=5) == here


@pytest.mark.needs("pygraphviz")
def test_a_worker_renders_by_one_process_which_ends_with_it() -> None:
    assert not is_worker()
    worker = Worker(JOBS)
    try:
        output = "\n".join(f"```dot\ndigraph {{ a -> b{number} }}\n```\n" for number in range(10))
        results, inside, *workers = worker.run("convert", output.encode(), seconds=30).decode().split()
    finally:
        worker.close()

    assert (results, inside) == ("10", "True")
    assert len(workers) == 1
    until = monotonic() + 60
    while psutil.pid_exists(int(workers[0])) and monotonic() < until:
        sleep(0.05)
    assert not psutil.pid_exists(int(workers[0]))


if sys.version_info >= (3, 12):
    # Python warns about `fork` in multi-threaded processes; pytest may have threads.
    pytestmark = pytest.mark.filterwarnings("ignore:This process:DeprecationWarning")
