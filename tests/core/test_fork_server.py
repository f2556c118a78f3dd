"""Workers that are forked from a fork server: how it is replaced, and what a compromised worker can do to it."""

import socket
import sys
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path
from subprocess import PIPE
from threading import Timer
from time import sleep

import psutil
import pytest

from mdpublish_core.workers import ForkServer, JobFailed, Worker, WorkerDied, forking
from mdpublish_core.workers.fork_server import CAN_FORK, ForkedProcess
from mdpublish_core.workers.processes import StartedProcess
from tests.running import importing, wait_until

pytestmark = pytest.mark.skipif(not CAN_FORK, reason="workers are forked on Linux alone")

MODULE = "tests.core.fork_server_jobs"
LONG = 60.0
FIGURE = b"```mermaid\nflowchart LR\nA --> B\n```\n"


@pytest.fixture
def fork_server() -> Iterator[ForkServer]:
    fork_server = ForkServer(MODULE, warm_up=("warm_up", b"x"))
    yield fork_server
    fork_server.close()


@pytest.fixture
def new_worker(fork_server: ForkServer) -> Iterator[Callable[[], Worker]]:
    workers: list[Worker] = []

    def new() -> Worker:
        workers.append(Worker(MODULE, is_confined=True, fork_server=fork_server))
        return workers[-1]

    yield new
    for worker in workers:
        worker.close()


def process_of(worker: Worker) -> psutil.Process:
    return psutil.Process(int(worker.run("pid", b"", seconds=LONG)))


def fork_server_of(worker: Worker) -> psutil.Process:
    parent = process_of(worker).parent()
    assert parent
    return parent


def inner_of(worker: Worker) -> psutil.Process:
    """The fork server that has forked the worker's own worker."""
    worker.run("convert", FIGURE, seconds=LONG)
    (inner,) = (each for each in fork_server_of(worker).children() if each.children())
    return inner


def is_gone(process: psutil.Process) -> bool:
    with suppress(psutil.NoSuchProcess):
        return process.status() == psutil.STATUS_ZOMBIE
    return True


def test_workers_are_warm_and_warmed_up_once(new_worker: Callable[[], Worker]) -> None:
    results = {new_worker().run("warmed up by", b"", seconds=LONG) for _ in range(3)}
    assert len(results) == 1
    assert results != {b""}


def test_replacement_of_a_killed_worker_starts_no_program(new_worker: Callable[[], Worker]) -> None:
    worker = new_worker()
    first = process_of(worker)
    before = fork_server_of(worker)
    first.kill()
    wait_until(lambda: not worker.is_running)
    assert process_of(worker) != first
    assert fork_server_of(worker) == before
    assert isinstance(worker._process, ForkedProcess)


def test_workers_draw_numbers_of_their_own(new_worker: Callable[[], Worker]) -> None:
    assert len({new_worker().run("random", b"", seconds=LONG) for _ in range(3)}) == 3


def test_killed_fork_server_ends_its_workers_and_another_takes_its_place(new_worker: Callable[[], Worker]) -> None:
    worker, other = new_worker(), new_worker()
    processes = [process_of(worker), process_of(other)]
    fork_server_of(worker).kill()
    wait_until(lambda: all(map(is_gone, processes)))
    assert worker.run("echo", b"a", seconds=LONG) == b"a"
    assert other.run("echo", b"b", seconds=LONG) == b"b"
    assert fork_server_of(worker) == fork_server_of(other)


def test_killed_fork_server_fails_the_job_under_way(new_worker: Callable[[], Worker]) -> None:
    worker = new_worker()
    killing = Timer(0.5, fork_server_of(worker).kill)
    killing.start()
    with pytest.raises(WorkerDied, match="SIGKILL"):
        worker.run("hang", b"", seconds=LONG)
    killing.join()
    assert worker.run("echo", b"a", seconds=LONG) == b"a"


def test_closed_fork_server_leaves_no_process(fork_server: ForkServer) -> None:
    worker = Worker(MODULE, is_confined=True, fork_server=fork_server)
    inner = inner_of(worker)
    processes = [process_of(worker), fork_server_of(worker), inner, *inner.children()]
    fork_server.close()
    wait_until(lambda: all(map(is_gone, processes)))
    worker.close()


def test_closed_worker_ends_its_own_workers(new_worker: Callable[[], Worker]) -> None:
    worker = new_worker()
    (figures,) = inner_of(worker).children()
    worker.close()
    wait_until(lambda: is_gone(figures))


@pytest.mark.parametrize("limit", ["MAX_CRASHES", "MAX_SECONDS"])
def test_worn_fork_server_is_replaced_once_its_workers_have_done_their_jobs(
    new_worker: Callable[[], Worker], monkeypatch: pytest.MonkeyPatch, limit: str
) -> None:
    worker, other = new_worker(), new_worker()
    old = fork_server_of(other)
    monkeypatch.setattr(f"mdpublish_core.workers.fork_server.{limit}", 1)
    if limit == "MAX_SECONDS":
        sleep(1)
    with pytest.raises(WorkerDied):
        worker.run("abort", b"", seconds=LONG)

    def has_moved() -> bool:
        worker.interrupt()
        return fork_server_of(worker) != old

    wait_until(has_moved)
    monkeypatch.undo()
    assert fork_server_of(other) != old
    wait_until(lambda: is_gone(old))


def test_worker_starts_where_its_fork_server_fails_and_is_warmed_up(
    new_worker: Callable[[], Worker], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("mdpublish_core.workers.fork_server.CAN_FORK", False)
    worker = new_worker()
    assert worker.run("warmed up by", b"", seconds=LONG) == worker.run("pid", b"", seconds=LONG)
    assert isinstance(worker._process, StartedProcess)


@pytest.mark.parametrize("payload", [b"raise", b"thread"])
def test_fork_server_that_cannot_warm_up_or_has_threads_forks_nothing(
    payload: bytes, capfd: pytest.CaptureFixture[str]
) -> None:
    fork_server = ForkServer(MODULE, warm_up=("warm_up", payload))
    worker = Worker(MODULE, is_confined=True, fork_server=fork_server)
    if payload == b"raise":
        with pytest.raises(JobFailed, match="no warm-up"):
            worker.start()
    else:
        worker.start()
        assert isinstance(worker._process, StartedProcess)
    worker.close()
    fork_server.close()
    assert ("no warm-up" if payload == b"raise" else "must have one thread (got 2)") in capfd.readouterr().err


def test_worker_of_a_forked_worker_draws_figures(new_worker: Callable[[], Worker]) -> None:
    assert new_worker().run("convert", FIGURE, seconds=LONG) == b"1"


def test_engines_leave_one_thread(new_worker: Callable[[], Worker]) -> None:
    worker = new_worker()
    assert worker.run("print", b"# a", seconds=LONG) == b"%PDF"
    inners = [each for each in fork_server_of(worker).children() if each != process_of(worker)]
    others = [new_worker() for _ in range(2)]
    assert [each.run("convert", FIGURE, seconds=LONG) for each in others] == [b"1", b"1"]
    assert [each.run("print", b"# b", seconds=LONG) for each in others] == [b"%PDF", b"%PDF"]
    assert [each.is_running() and each.num_threads() for each in inners] == [1, 1]


def test_fork_server_waits_for_no_response_that_is_gone(monkeypatch: pytest.MonkeyPatch) -> None:
    """A poll may have seen one of an inner fork server whose end was seen, too, and handled first."""
    monkeypatch.setattr(forking._Inner, "_start", lambda _inner, **_: None)
    inner = forking._Inner(MODULE, 1 << 30)
    ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    with ours, theirs, inner.control, inner._end:
        assert forking._Forker(ours, MODULE, 1 << 30)._relay_response(inner.control, 0)


def test_killed_inner_fork_server_is_replaced(new_worker: Callable[[], Worker]) -> None:
    worker = new_worker()
    inner = inner_of(worker)
    outer = fork_server_of(worker)
    inner.kill()
    wait_until(lambda: is_gone(inner))
    assert worker.run("convert", FIGURE.replace(b"B", b"C"), seconds=LONG) == b"1"
    assert fork_server_of(worker) == outer


def test_worker_may_have_few_workers_of_its_own(new_worker: Callable[[], Worker]) -> None:
    worker = new_worker()
    assert worker.run("ask for workers", b"100", seconds=LONG) == b"2"
    assert new_worker().run("convert", FIGURE, seconds=LONG) == b"1"


@pytest.mark.parametrize("request_", ["garbage", "unknown module", "descriptors", "silence", "kill of others"])
def test_forged_requests_cost_nobody_else_a_worker(new_worker: Callable[[], Worker], request_: str) -> None:
    worker, other = new_worker(), new_worker()
    (figures,) = inner_of(other).children()
    worker.run("forge", request_.encode(), seconds=LONG)
    assert other.run("convert", FIGURE.replace(b"B", b"C"), seconds=LONG) == b"1"
    assert figures.is_running()
    assert fork_server_of(worker) == fork_server_of(other)


def test_fork_server_of_a_killed_service_ends() -> None:
    program = (
        "import os, signal\nfrom mdpublish_core.workers import forking, ForkServer, Worker\nworker = "
        f"Worker({MODULE!r}, is_confined=True, fork_server=ForkServer({MODULE!r}, warm_up=('warm_up', "
        "b'x')))\nprint(worker.run('pid', b'', seconds=60).decode(), flush=True)\nos.kill(os.getpid(), "
        "signal.SIGSTOP)\n"
    )
    command = [sys.executable, "-c", program]
    with psutil.Popen(command, env=importing(Path(__file__).parents[2]), stdout=PIPE, text=True) as service:
        worker = psutil.Process(int(service.stdout.readline()))
        processes = [worker, *worker.parents()[:1]]
        service.kill()
    wait_until(lambda: all(map(is_gone, processes)))


def test_forks_and_ends_leave_no_descriptor_open(fork_server: ForkServer) -> None:
    def fork_and_end() -> int:
        worker = Worker(MODULE, is_confined=True, fork_server=fork_server)
        count = psutil.Process(int(worker.run("fork_server", b"", seconds=LONG))).num_fds()
        with suppress(WorkerDied):
            worker.run("abort", b"", seconds=LONG)
        worker.close()
        return count

    first = fork_and_end()
    here = psutil.Process().num_fds()
    assert [fork_and_end() for _ in range(3)] == [first] * 3
    assert psutil.Process().num_fds() == here
