import os
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from pathlib import Path
from statistics import median
from threading import Thread, Timer
from time import monotonic, sleep

import pytest

from mdpublish_core.workers import (
    ForkServer,
    JobFailed,
    JobStalled,
    JobTimedOut,
    JobTooLarge,
    Worker,
    WorkerDied,
    WorkerFailure,
    exchange,
)
from mdpublish_core.workers.fork_server import CAN_FORK
from tests.running import importing

MODULE = "tests.core.worker_jobs"

MEMORY_BYTES = 200_000_000
"""A small limit makes running out of memory quicker."""

# Seconds for jobs whose deadline is not tested, and to wait for what happens at once.
LONG = 60.0

# Jobs that harm a worker: payload, exception and message.
KILLERS: dict[str, tuple[bytes, type[WorkerFailure], str]] = {
    "abort": (b"", WorkerDied, "SIGABRT"),
    "boast": (b"", WorkerDied, "must be at most 268,435,456 bytes .got 4,294,967,295."),
    "crash": (b"", WorkerDied, "SIGSEGV"),
    "exit": (b"7", WorkerDied, "status 7"),
    "forge": (b"", WorkerDied, "sent an invalid frame|sent data after its response"),
    "leave": (b"", WorkerDied, "status 3"),
    "bomb": (b"", JobTooLarge, "memory"),
    "recurse": (b"", JobFailed, "RecursionError"),
    "raise": (b"the text", JobFailed, "ValueError: the text"),
    "no such job": (b"", JobFailed, "KeyError"),
}


needs_forks = pytest.mark.skipif(not CAN_FORK, reason="workers are forked on Linux alone")


@pytest.fixture(scope="module")
def fork_server() -> Iterator[ForkServer]:
    """One that no number of crashes replaces: another would open descriptors meanwhile."""
    fork_server = ForkServer(MODULE, warm_up=("echo", b""), memory_bytes=MEMORY_BYTES)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("mdpublish_core.workers.fork_server.MAX_CRASHES", 1_000_000)
        yield fork_server
    fork_server.close()


@pytest.fixture(scope="module")
def workers(fork_server: ForkServer) -> Iterator[dict[str, Worker]]:
    """Workers whose callers poll pipes or, as on Windows, cannot, and a forked one: harm to one costs a start."""
    workers = {kind: Worker(MODULE, memory_bytes=MEMORY_BYTES) for kind in ("polling", "blocking")}
    workers["forked"] = Worker.of(fork_server)
    yield workers
    for each in workers.values():
        each.close()


@pytest.fixture
def worker(workers: dict[str, Worker]) -> Worker:
    return workers["polling"]


@pytest.fixture(params=["polling", "blocking", pytest.param("forked", marks=needs_forks)])
def either_worker(
    request: pytest.FixtureRequest, workers: dict[str, Worker], monkeypatch: pytest.MonkeyPatch
) -> Worker:
    monkeypatch.setattr(exchange, "CAN_POLL", request.param != "blocking")
    return workers[request.param]


@pytest.fixture
def new_worker() -> Iterator[Worker]:
    """One that starts with its first job."""
    worker = Worker(MODULE)
    yield worker
    worker.close()


@pytest.fixture
def either_new_worker(either_worker: Worker) -> Iterator[Worker]:
    worker = Worker(MODULE, fork_server=either_worker._fork_server)
    yield worker
    worker.close()


def pid_of(worker: Worker) -> int:
    return int(worker.run("pid", b"", seconds=LONG))


def is_alive(pid: int) -> bool:
    """Whether a process is running. Zombies are not."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except (FileNotFoundError, ProcessLookupError):
        return False


def ends(pid: int, within: float) -> bool:
    deadline = monotonic() + within
    while is_alive(pid) and monotonic() < deadline:
        sleep(0.02)
    return not is_alive(pid)


def test_job_gives_its_result(either_worker: Worker) -> None:
    assert either_worker.run("echo", b"", seconds=LONG) == b""
    assert either_worker.run("echo", b"text\0\xff", seconds=LONG) == b"text\0\xff"


def test_one_process_does_job_after_job(either_worker: Worker) -> None:
    assert len({pid_of(either_worker) for _ in range(50)}) == 1
    assert pid_of(either_worker) != os.getpid()


@pytest.mark.parametrize("size", [1, 65_536, 8_000_000])
def test_long_payloads_and_results_arrive_whole(either_worker: Worker, size: int) -> None:
    payload = os.urandom(size)
    assert either_worker.run("echo", payload, seconds=LONG) == payload
    assert either_worker.run("length", payload, seconds=LONG) == str(size).encode()
    assert either_worker.run("repeat", str(size).encode(), seconds=LONG) == b"x" * size


@pytest.mark.parametrize("job", KILLERS)
def test_failure_is_reported_and_the_next_job_is_done(either_worker: Worker, job: str) -> None:
    payload, kind, words = KILLERS[job]
    with pytest.raises(kind, match=words):
        either_worker.run(job, payload, seconds=LONG)
    assert either_worker.run("echo", b"next", seconds=LONG) == b"next"


def test_job_that_raises_does_not_cost_its_worker(worker: Worker) -> None:
    before = pid_of(worker)
    with pytest.raises(JobFailed) as caught:
        worker.run("raise", "ünder\0way".encode(), seconds=LONG)
    assert (caught.value.error, caught.value.detail) == ("ValueError", "ünder way")
    assert "in _raise" in caught.value.stack
    assert "ünder" not in caught.value.stack
    assert worker.is_running
    assert pid_of(worker) == before


@pytest.mark.parametrize("job", ["bomb", "recurse"])
def test_worker_that_ran_out_of_memory_or_stack_is_replaced(worker: Worker, job: str) -> None:
    before = pid_of(worker)
    with pytest.raises(WorkerFailure):
        worker.run(job, b"", seconds=LONG)
    assert not worker.is_running
    assert not is_alive(before)
    assert pid_of(worker) != before


@pytest.mark.parametrize("seconds", [0.05, 0.6])
def test_job_that_uses_up_its_cpu_time_is_ended(either_worker: Worker, seconds: float) -> None:
    pid = pid_of(either_worker)
    with pytest.raises(JobTimedOut):
        either_worker.run("spin", b"", seconds=seconds, backstop=LONG)
    assert either_worker.cpu_seconds == seconds
    assert not is_alive(pid)
    assert either_worker.run("echo", b"next", seconds=LONG) == b"next"


def test_cpu_time_of_threads_counts(worker: Worker) -> None:
    with pytest.raises(JobTimedOut):
        worker.run("spin in a thread", b"", seconds=0.2, backstop=LONG)


def test_job_that_waits_is_ended_at_its_backstop(either_worker: Worker) -> None:
    pid = pid_of(either_worker)
    with pytest.raises(JobStalled):
        either_worker.run("hang", b"", seconds=LONG, backstop=0.3)
    assert either_worker.cpu_seconds == 0
    assert not is_alive(pid)
    assert either_worker.run("echo", b"next", seconds=LONG) == b"next"


def test_job_that_had_no_cpu_time_stalled(either_worker: Worker) -> None:
    """A stopped process is what the busiest machine could do to it."""
    pid = pid_of(either_worker)
    stop = Timer(0.1, os.kill, (pid, signal.SIGSTOP))
    stop.start()
    with pytest.raises(JobStalled):
        either_worker.run("spin", b"", seconds=LONG, backstop=0.5)
    stop.join()
    assert either_worker.run("echo", b"next", seconds=LONG) == b"next"


def test_job_takes_its_cpu_time_however_long_that_takes(either_worker: Worker) -> None:
    """Stopped for longer than its CPU time, a job still ends well."""
    pid = pid_of(either_worker)
    timers = [Timer(0.05, os.kill, (pid, signal.SIGSTOP)), Timer(1.0, os.kill, (pid, signal.SIGCONT))]
    for timer in timers:
        timer.start()
    assert either_worker.run("burn", b"0.3", seconds=0.6, backstop=LONG) == b""
    for timer in timers:
        timer.join()


def test_cpu_time_of_a_job_is_reported(either_worker: Worker) -> None:
    either_worker.run("burn", b"0.3", seconds=LONG)
    assert either_worker.cpu_seconds >= 0.3
    either_worker.run("sleep", b"0.3", seconds=LONG)
    # Not the time that it slept.
    assert either_worker.cpu_seconds < 0.3


def test_charged_cpu_time_counts(worker: Worker) -> None:
    worker.run("charge", b"2.5", seconds=LONG)
    assert 2.5 <= worker.cpu_seconds < 3
    with pytest.raises(JobTimedOut):
        worker.run("charge", b"2.5", seconds=1, backstop=LONG)
    assert worker.run("echo", b"next", seconds=LONG) == b"next"


def test_backstop_holds_where_the_worker_does_not_read(either_worker: Worker) -> None:
    os.kill(pid_of(either_worker), signal.SIGSTOP)
    with pytest.raises(JobStalled):
        either_worker.run("length", b"x" * 8_000_000, seconds=LONG, backstop=0.5)
    assert either_worker.run("echo", b"next", seconds=LONG) == b"next"


def test_death_of_a_worker_that_does_not_read_is_reported(either_worker: Worker) -> None:
    pid = pid_of(either_worker)
    os.kill(pid, signal.SIGSTOP)
    killer = Timer(0.3, os.kill, (pid, signal.SIGKILL))
    killer.start()
    with pytest.raises(WorkerDied, match="SIGKILL"):
        either_worker.run("length", b"x" * 8_000_000, seconds=LONG)
    killer.join()
    assert either_worker.run("echo", b"next", seconds=LONG) == b"next"


def test_garbage_is_collected_seldom(worker: Worker) -> None:
    """Python's default is each 700 objects, and took half the time of a long Word file."""
    assert int(worker.run("collect", b"300000", seconds=LONG)) <= 2


def test_worker_that_died_without_a_job_costs_nobody_his_result(worker: Worker) -> None:
    for _ in range(2):
        pid = pid_of(worker)
        os.kill(pid, signal.SIGKILL)
        assert ends(pid, LONG)
        assert worker.run("echo", b"answer", seconds=LONG) == b"answer"


def test_bounds_of_processor_time_and_core_files_are_set_for_each_job(worker: Worker) -> None:
    # RLIMIT_CPU counts from process start and must not limit the sum of all jobs.
    for seconds in (60.0, 40.0, 50.0):
        worker.run("burn", b"0.2", seconds=LONG)
        left, core, alarm = map(float, worker.run("bounds", b"", seconds=seconds, backstop=2 * seconds).split())
        assert seconds <= left <= seconds + 2.5
        assert seconds < alarm <= 2 * seconds + 1.0
        assert core == 0


def test_system_ends_a_job_by_alarm_where_its_parent_does_not(worker: Worker) -> None:
    with pytest.raises(JobStalled):
        worker.run("hang past the caller", b"", seconds=LONG)
    assert worker.run("echo", b"next", seconds=LONG) == b"next"


def test_system_ends_a_job_by_processor_time_where_its_parent_does_not(worker: Worker) -> None:
    with pytest.raises(JobTimedOut):
        worker.run("spin past the caller", b"", seconds=LONG)
    assert worker.run("echo", b"next", seconds=LONG) == b"next"


def test_printing_harms_no_result(new_worker: Worker, capfd: pytest.CaptureFixture[str]) -> None:
    pid = pid_of(new_worker)
    for number in range(20):
        payload = str(number).encode()
        assert new_worker.run("print", payload, seconds=LONG) == payload
    assert pid_of(new_worker) == pid
    printed = capfd.readouterr()
    assert printed.out == ""
    assert printed.err.count("printed by Python") == printed.err.count("printed by a program") == 20


def test_jobs_and_their_programs_read_nothing_of_the_pipe(worker: Worker) -> None:
    assert worker.run("read input", b"", seconds=LONG) == b""
    assert worker.run("echo", b"next", seconds=LONG) == b"next"


def test_interrupts_and_requests_to_end_leave_a_worker_to_its_parent(worker: Worker) -> None:
    pid = pid_of(worker)
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        os.kill(pid, number)
    assert pid_of(worker) == pid


def test_environment_holds_no_secrets(new_worker: Worker, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MDPUBLISH_DATABASE_URL", "postgresql://user:secret@host/name")
    monkeypatch.setenv("LC_MESSAGES", "C")
    names = new_worker.run("environment", b"", seconds=LONG).decode().split("\n")
    assert "LC_MESSAGES" in names
    assert not [name for name in names if name.startswith("MDPUBLISH_")]


def test_current_folder_has_no_say_in_what_is_imported(
    new_worker: Worker, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("mdpublish_core.py", "struct.py", "signal.py"):
        (tmp_path / name).write_text("raise SystemExit(99)")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", ["", *sys.path])
    paths = new_worker.run("path", b"", seconds=LONG).decode().split("\n")
    assert not {"", ".", str(tmp_path)} & set(paths)


def test_memory_bound_is_the_one_given(worker: Worker) -> None:
    assert worker.run("repeat", b"50000000", seconds=LONG) == b"x" * 50_000_000
    with pytest.raises(JobTooLarge):
        worker.run("repeat", str(MEMORY_BYTES).encode(), seconds=LONG)


def test_bytes_that_outlive_a_job_are_no_result_to_the_next(either_worker: Worker) -> None:
    outcomes = []
    for number in range(0, 20, 4):
        payload = str(number).encode()
        # From two thirds of the time needed to four thirds: some results arrive about when their time is over.
        try:
            backstop = 0.02 + number / 1_000
            assert either_worker.run("sleep", b"0.03", seconds=LONG, backstop=backstop) == b"0.03"
        except JobStalled:
            outcomes.append(number)
        assert either_worker.run("echo", payload, seconds=LONG) == payload
    assert outcomes


def test_threads_that_share_a_worker_get_their_own_results(either_worker: Worker) -> None:
    payloads = [str(number).encode() * 10_000 for number in range(100)]
    with ThreadPoolExecutor(8) as executor:
        results = list(executor.map(lambda payload: either_worker.run("echo", payload, seconds=LONG), payloads))
    assert results == payloads


@pytest.mark.parametrize("module", ["tests.core.no_such_module", "mdpublish_core.errors"])
def test_module_without_jobs_is_reported_when_it_is_started(module: str, capfd: pytest.CaptureFixture[str]) -> None:
    worker = Worker(module)
    with pytest.raises(WorkerDied, match="status 1"):
        worker.start()
    worker.close()
    assert module in capfd.readouterr().err


@pytest.mark.parametrize("is_forked", [False, pytest.param(True, marks=needs_forks)])
def test_interpreter_that_cannot_be_started_is_reported(monkeypatch: pytest.MonkeyPatch, is_forked: bool) -> None:
    monkeypatch.setattr(sys, "executable", "/no/such/python")
    worker = Worker.of(ForkServer(MODULE, warm_up=("echo", b""))) if is_forked else Worker(MODULE)
    with pytest.raises(WorkerDied, match="cannot start the worker"):
        worker.run("echo", b"", seconds=LONG)
    worker.close()


def test_close_ends_the_process_and_the_worker(either_new_worker: Worker) -> None:
    either_new_worker.start()
    pid = pid_of(either_new_worker)
    for _ in range(2):
        either_new_worker.close()
    assert not is_alive(pid)
    assert not either_new_worker.is_running
    with pytest.raises(WorkerDied, match="closed"):
        either_new_worker.run("echo", b"", seconds=LONG)


def test_close_ends_a_job_under_way(either_new_worker: Worker) -> None:
    either_new_worker.start()
    closing = Timer(0.3, either_new_worker.close)
    closing.start()
    with pytest.raises(WorkerDied, match="closed"):
        either_new_worker.run("hang", b"", seconds=LONG)
    closing.join()


def test_interrupted_job_fails_and_is_charged_no_more_than_its_time(either_worker: Worker) -> None:
    either_worker.start()
    pid = pid_of(either_worker)
    began = monotonic()
    before = either_worker.clock

    def interrupt() -> None:
        while either_worker.clock < before + 0.05:
            sleep(0.01)
        either_worker.interrupt()

    interrupting = Thread(target=interrupt)
    interrupting.start()
    with pytest.raises(WorkerDied):
        either_worker.run("spin", b"", seconds=LONG)
    interrupting.join()
    assert 0 < either_worker.cpu_seconds <= monotonic() - began
    assert not is_alive(pid)
    assert either_worker.run("echo", b"next", seconds=LONG) == b"next"


def test_interrupt_after_the_job_costs_the_process_and_no_result(worker: Worker) -> None:
    pid = pid_of(worker)
    worker.interrupt()
    assert not worker.is_running
    assert pid_of(worker) != pid


def test_interrupt_ends_the_workers_of_a_worker(worker: Worker, tmp_path: Path) -> None:
    worker.start()
    noted = tmp_path / "pid"

    def interrupt() -> None:
        while not (noted.exists() and noted.read_text()):
            sleep(0.01)
        worker.interrupt()

    with ThreadPoolExecutor(1) as executor:
        interrupting = executor.submit(interrupt)
        with pytest.raises(WorkerDied):
            worker.run("spin with a worker", str(noted).encode(), seconds=LONG)
        interrupting.result()
    assert ends(int(noted.read_text()), LONG)


def test_clock_runs_with_the_cpu_time_of_a_job(worker: Worker) -> None:
    worker.start()
    before = worker.clock
    worker.run("burn", b"0.1", seconds=LONG)
    # In steps of a hundredth of a second.
    assert worker.clock - before >= 0.08


def test_close_leaves_no_pipe_open(either_worker: Worker) -> None:
    either_worker.start()
    before = len(list(Path("/proc/self/fd").iterdir()))
    for job in ("abort", "hang"):
        another = Worker(MODULE, fork_server=either_worker._fork_server)
        with suppress(WorkerFailure):
            another.run(job, b"", seconds=0.05, backstop=0.05)
        another.close()
    assert len(list(Path("/proc/self/fd").iterdir())) == before


PARENT = """
import sys, threading, time
from mdpublish_core.workers import Worker

jobs = sys.argv[1:]
idle = Worker("tests.core.worker_jobs")
busy = [Worker("tests.core.worker_jobs") for _ in jobs]
print(*(worker.run("pid", b"", seconds=30).decode() for worker in (idle, *busy)), flush=True)
for worker, job in zip(busy, jobs):
    threading.Thread(target=worker.run, args=(job, b""), kwargs={"seconds": 2.0, "backstop": 5.0}, daemon=True).start()
time.sleep(0.2)
print("ready", flush=True)
time.sleep(60)
"""


@pytest.fixture
def abandoned() -> Callable[..., tuple[int, list[int]]]:
    """Start workers with jobs of seconds, kill their caller, and return the PIDs of an idle and the busy ones."""

    def abandon(*jobs: str) -> tuple[int, list[int]]:
        environment = importing(Path(__file__).parents[2])
        command = [sys.executable, "-c", PARENT, *jobs]
        with subprocess.Popen(command, env=environment, stdout=subprocess.PIPE, text=True) as parent:
            assert parent.stdout
            idle, *busy = map(int, parent.stdout.readline().split())
            assert parent.stdout.readline() == "ready\n"
            assert all(map(is_alive, (idle, *busy)))
            parent.kill()
        return idle, busy

    return abandon


@pytest.mark.skipif(sys.platform != "linux", reason="looks processes up in /proc")
def test_no_worker_outlives_a_killed_parent(abandoned: Callable[..., tuple[int, list[int]]]) -> None:
    idle, (hanging, spinning) = abandoned("hang", "spin")
    assert ends(idle, LONG)
    assert ends(hanging, LONG)
    assert ends(spinning, LONG)


@pytest.mark.nightly
@pytest.mark.skipif(sys.platform != "linux", reason="looks processes up in /proc")
def test_worker_that_calls_its_alarm_off_outlives_a_killed_parent_by_its_processor_time_only(
    abandoned: Callable[..., tuple[int, list[int]]],
) -> None:
    _, (spinning,) = abandoned("spin without alarm")
    assert ends(spinning, LONG)


@pytest.mark.stress
def test_start_is_quick_enough_to_be_lazy() -> None:
    seconds = []
    for _ in range(5):
        began = monotonic()
        worker = Worker(MODULE)
        worker.start()
        worker.close()
        seconds.append(monotonic() - began)
    assert median(seconds) < 2
