"""Worker processes for jobs that may hang, crash or run out of memory.

    Worker.run(job, payload, seconds) ──▶ pipe ──▶ JOBS[job](payload), in `python -m mdpublish_core.workers MODULE`

    WorkerFailure
    ├── JobFailed(error, detail, stack)
    ├── JobTooLarge
    ├── JobTimedOut
    ├── JobStalled
    └── WorkerDied

Nothing is unpickled: a compromised worker can only return wrong results. If it is confined, it cannot do anything else either:
see `mdpublish_core.confinement`.

Time limits count CPU time of the job, so that a result does not depend on the machine's load. A timer in the kernel ends a job
that exceeds it. A job that reaches the wall-clock backstop without having had its CPU time is stalled: the machine is too busy, or
the job waits for something. The caller ends it or, one second later, the kernel, also if the caller was killed.

The module is long because it holds both ends of the pipe: frames, timers and failures must match.
"""

import gc
import os
import select
import signal
import sys
from collections.abc import Callable, Mapping
from contextlib import suppress
from importlib import import_module
from math import ceil
from struct import Struct
from subprocess import PIPE, Popen, TimeoutExpired
from threading import Event, Lock, Thread
from time import monotonic, process_time
from traceback import StackSummary, walk_tb
from typing import BinaryIO, cast

from mdpublish_core.confinement import confine
from mdpublish_core.confinement.protections import Protection, decode, encode

MEMORY_BYTES = 1 << 30
"""Address space; the longest allowed document needs a fraction."""

START_SECONDS = 60.0
"""100 times what an idle machine needs."""

MAX_RESULT_BYTES = 1 << 28
"""More than any conversion within `Limits`."""

BACKSTOP_FACTOR = 10
"""Wall-clock time that a job may take by default, as a multiple of its CPU time."""

MAX_NEW_OBJECTS = 300_000
"""Between two garbage collections in a worker, which took half the CPU time of a long Word file."""

# What a pipe holds on Linux; then enough for nearly all responses.
_FIRST_READ_BYTES, _SECOND_READ_BYTES = 1 << 16, 1 << 20

# Seconds past a limit until the kernel's second means ends a job: RLIMIT_CPU, and the alarm.
_GRACE_SECONDS = 1.0

# Seconds between looks at a process that cannot be polled.
_WATCH_SECONDS = 0.05

# Seconds to exit after closing the pipe.
_END_SECONDS = 1.0

_MESSAGE_CHARACTERS = 2_000
_STACK_FRAMES = 30

# Frame: kind, CPU seconds of the job, body length. Body of a job: CPU and wall-clock limit, name length, name, payload.
_HEADER = Struct(">cdI")
_JOB_HEADER = Struct(">ddB")

_READY, _JOB, _RESULT, _FAILED, _FAILED_FATALLY, _TOO_LARGE, _STALLED = b"R", b"J", b"A", b"F", b"S", b"M", b"B"

# Windows cannot poll pipes; a timer kills the process there.
_CAN_POLL = hasattr(select, "poll")

# No secrets.
_ENVIRONMENT = frozenset(
    {"DYLD_LIBRARY_PATH", "HOME", "LANG", "LD_LIBRARY_PATH", "PATH", "SYSTEMROOT", "TEMP", "TMP", "TMPDIR", "TZ"}
)
_ENVIRONMENT_PREFIXES = ("FONTCONFIG_", "LC_", "PYTHON", "XDG_")


def is_worker() -> bool:
    return getattr(sys.modules["__main__"].__spec__, "name", None) == "mdpublish_core.workers"


class WorkerFailure(Exception):  # noqa: N818  (the leaves name the fault)
    """A job failed. The worker remains usable."""


class JobFailed(WorkerFailure):
    """A job raised an exception: its type, message and traceback. Only `detail` may quote the job's input."""

    def __init__(self, error: str, detail: str, stack: str) -> None:
        super().__init__(error, detail, stack)
        self.error = error
        self.detail = detail
        self.stack = stack

    def __str__(self) -> str:
        return f"the job raised {self.error}: {self.detail}"


class JobTooLarge(WorkerFailure):
    """A job exceeded the worker's memory limit."""


class JobTimedOut(WorkerFailure):
    """A job exceeded its CPU time."""


class JobStalled(WorkerFailure):
    """A job reached the wall-clock backstop without having had its CPU time."""


class WorkerDied(WorkerFailure):
    """The worker crashed, sent an invalid frame, could not be started, or is closed."""


class Worker:
    """A worker process, started on demand and restarted after a crash. Thread-safe: jobs run one at a time.

    `module` is imported with the caller's `sys.path` and defines `JOBS: Mapping[str, Callable[[bytes], bytes]]`. Jobs of a confined
    worker read no file but those of Python and its packages, write none, and open no connection.
    """

    def __init__(self, module: str, *, memory_bytes: int = MEMORY_BYTES, is_confined: bool = False) -> None:
        # -P: modules in the current directory must not shadow ours.
        options = ("-P", "-X", "faulthandler", "-m", "mdpublish_core.workers")
        self._command = (sys.executable, *options, module, str(memory_bytes), *(["confined"] if is_confined else []))
        self.protections: tuple[Protection, ...] = ()
        """What confines the running process; empty before its start, and if it is not confined."""
        self.starts = 0
        """Number of processes started; each begins with empty caches."""
        self.cpu_seconds = 0.0
        """CPU time of the last job, processes it charged included."""
        self._lock = Lock()
        self._process: Popen[bytes] | None = None
        self._closed = False
        self._interrupted = False

    @property
    def is_running(self) -> bool:
        process = self._process
        return process is not None and not self._interrupted and process.poll() is None

    @property
    def clock(self) -> float:
        """CPU time of the process and its own workers so far, or of the wall clock where the system tells neither."""
        process = self._process
        return _tree_cpu_seconds(process.pid) if process is not None else 0.0

    def start(self) -> None:
        with self._lock:
            self._running_process()

    def run(self, job: str, payload: bytes, *, seconds: float, backstop: float | None = None) -> bytes:
        """Run a job, for `seconds` of CPU time and `backstop` of wall-clock time, ten times as long by default.

        Both exclude process start; `backstop` includes transfer.
        """
        name = job.encode()
        backstop = BACKSTOP_FACTOR * seconds if backstop is None else backstop
        with self._lock:
            self.cpu_seconds = 0.0
            process = self._running_process()
            self.cpu_seconds = seconds  # if the process dies
            header = _JOB_HEADER.pack(seconds, backstop, len(name))
            began = monotonic()
            try:
                kind, self.cpu_seconds, body = self._exchange(process, _JOB, (header, name, payload), seconds, backstop)
            except WorkerDied:
                if self._interrupted:
                    # Unknown, but no more: a job and the workers it waits for run one at a time.
                    self.cpu_seconds = min(seconds, monotonic() - began)
                raise
            except JobStalled:
                # Unknown, but less than the limit: a busy machine must not use up what is left for other jobs.
                self.cpu_seconds = 0.0
                raise
            if kind == _RESULT:
                return body
            if kind == _FAILED:
                raise _job_failed(body)
            if kind == _STALLED:
                raise JobStalled("the job waited for a worker of its own that stalled")
            self._discard()
            if kind == _FAILED_FATALLY:
                raise _job_failed(body)
            if kind == _TOO_LARGE:
                raise JobTooLarge("the job exceeded the worker's memory limit")
            raise WorkerDied("the worker sent an invalid frame")

    def interrupt(self) -> None:
        """Kill the process during a job, which fails with `WorkerDied`; the next job starts another process."""
        if (process := self._process) is not None:
            self._interrupted = True
            _kill(process)

    def close(self) -> None:
        """Kill the process, even during a job."""
        self._closed = True
        if (process := self._process) is not None:
            _kill(process)
        with self._lock:
            self._discard()

    def detach(self) -> None:
        """Forget the process after a fork: it belongs to the parent."""
        self._lock = Lock()
        process, self._process = self._process, None
        if process is None:
            return
        for pipe in _pipes(process):
            pipe.close()
        # Popen warns of a running process otherwise; only its parent can wait for it.
        process.returncode = 0

    def _running_process(self) -> Popen[bytes]:
        if self._process is not None:
            if self.is_running:
                return self._process
            self._discard()  # crashed while idle, or interrupted as its job ended
        try:
            process = Popen(  # noqa: S603  (no user input)
                self._command,
                bufsize=0,
                stdin=PIPE,
                stdout=PIPE,
                env=_environment(),
                # A group of its own, which its own workers share: see `_kill`.
                process_group=None if is_worker() else 0,
            )
        except OSError as error:
            raise WorkerDied(f"cannot start the worker: {error}") from error
        self._process, self._interrupted = process, False
        self.starts += 1
        if self._closed:
            self._discard()
            raise WorkerDied("the worker is closed")
        if _CAN_POLL:
            for pipe in _pipes(process):
                os.set_blocking(pipe.fileno(), False)
        kind, _, body = self._exchange(process, None, (), START_SECONDS, START_SECONDS)
        if kind != _READY:
            self._discard()
            raise WorkerDied("the worker sent an invalid frame")
        # No job has run yet, so that its word can be taken.
        self.protections = decode(body)
        return process

    def _exchange(
        self, process: Popen[bytes], kind: bytes | None, parts: tuple[bytes, ...], seconds: float, backstop: float
    ) -> tuple[bytes, float, bytes]:
        """Send a frame, if any, and return the response's kind, CPU seconds and body.

        Any failure kills the process: a late response must not be taken for the next job's.
        """
        message = b"" if kind is None else b"".join((_HEADER.pack(kind, 0.0, sum(map(len, parts))), *parts))
        try:
            if _CAN_POLL:
                return _exchange_polling(process, message, backstop)
            return _exchange_blocking(process, message, seconds, backstop)
        except EOFError:
            raise self._exit_failure(process) from None
        except BaseException:
            self._discard()
            raise

    def _exit_failure(self, process: Popen[bytes]) -> WorkerFailure:
        try:
            status = process.wait(_END_SECONDS)
        except TimeoutExpired:
            status = None
        self._discard()
        if self._closed:
            return WorkerDied("the worker is closed")
        if status is None:
            return WorkerDied("the worker closed its pipe")
        if status >= 0:
            return WorkerDied(f"the worker exited with status {status}")
        if -status in _signals("SIGPROF", "SIGXCPU"):
            return JobTimedOut("the job exceeded its CPU time")
        if -status in _signals("SIGALRM"):
            return JobStalled("the job stalled")
        name = signal.Signals(-status).name if -status in set(signal.Signals) else str(-status)
        return WorkerDied(f"the worker was killed by signal {name}")

    def _discard(self) -> None:
        process, self._process = self._process, None
        if process is None:
            return
        _kill(process)
        for pipe in _pipes(process):
            with suppress(OSError):
                pipe.close()
        process.wait()


def _kill(process: Popen[bytes]) -> None:
    """Kill a process and its own workers, which would finish their jobs otherwise."""
    # Until its end is noted, nobody else gets the number of the process and its group.
    if process.returncode is None and hasattr(os, "killpg") and not is_worker():
        with suppress(ProcessLookupError, PermissionError):
            os.killpg(process.pid, signal.SIGKILL)
    process.kill()


def _tree_cpu_seconds(pid: int) -> float:
    try:
        with open(f"/proc/{pid}/task/{pid}/children", encoding="ascii") as file:  # noqa: PTH123  (lighter than pathlib)
            children = file.read().split()
    except OSError:
        return monotonic()
    return sum(map(_cpu_seconds, (str(pid), *children)))


def _cpu_seconds(pid: str) -> float:
    try:
        with open(f"/proc/{pid}/stat", "rb") as file:  # noqa: PTH123
            # utime and stime, after the name in parentheses: https://man7.org/linux/man-pages/man5/proc_pid_stat.5.html
            fields = file.read().rpartition(b")")[2].split()
    except OSError:
        return 0.0
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def _pipes(process: Popen[bytes]) -> tuple[BinaryIO, BinaryIO]:
    return cast("BinaryIO", process.stdin), cast("BinaryIO", process.stdout)


def _environment() -> dict[str, str]:
    allowed = {
        name: value
        for name, value in os.environ.items()
        if name.upper() in _ENVIRONMENT or name.upper().startswith(_ENVIRONMENT_PREFIXES)
    }
    # An empty entry would be the current directory.
    return {**allowed, "PYTHONPATH": os.pathsep.join(path for path in sys.path if os.path.isabs(path))}  # noqa: PTH117


def _job_failed(body: bytes) -> JobFailed:
    error, detail, stack = (*body.decode("utf-8", "replace").split("\0", 2), "", "", "")[:3]
    return JobFailed(error, detail, stack)


def _exchange_polling(process: Popen[bytes], message: bytes, backstop: float) -> tuple[bytes, float, bytes]:
    deadline = monotonic() + backstop
    inlet, outlet = (pipe.fileno() for pipe in _pipes(process))
    poll = select.poll()
    poll.register(outlet, select.POLLIN)
    unsent = memoryview(message)
    if unsent:
        poll.register(inlet, select.POLLOUT)
    received = _Received()
    while True:
        seconds_left = deadline - monotonic()
        ready = poll.poll(ceil(seconds_left * 1000)) if seconds_left > 0 else []
        if not ready:
            raise JobStalled("the job stalled")
        for pipe, _ in ready:
            if pipe == inlet:
                unsent = _send_some(inlet, unsent)
                if not unsent:
                    poll.unregister(inlet)
            elif received.read(outlet):
                return received.response()


def _send_some(inlet: int, unsent: memoryview) -> memoryview:
    """Return the unsent rest. It is empty if the worker stopped reading, and the other pipe reports EOF."""
    try:
        return unsent[os.write(inlet, unsent) :]
    except BlockingIOError:
        return unsent
    except BrokenPipeError:
        return unsent[:0]


class _Received:
    """A response as it arrives, in one buffer: joining pieces would take longer than reading them."""

    def __init__(self) -> None:
        self._buffer = bytearray(_FIRST_READ_BYTES)
        self._filled = 0
        self._size: int | None = None

    def read(self, outlet: int) -> bool:
        """Read once; return whether the response is complete."""
        if not (count := os.readv(outlet, [memoryview(self._buffer)[self._filled :]])):
            raise EOFError
        self._filled += count
        if self._size is None and self._filled >= _HEADER.size:
            *_, length = _checked_header(self._buffer)
            self._size = _HEADER.size + length
        if self._size is not None and self._filled > self._size:
            raise WorkerDied("the worker sent data after its response")
        if self._size is not None and self._filled == len(self._buffer) <= self._size:
            self._grow(self._size)
        return self._filled == self._size

    def _grow(self, size: int) -> None:
        """Make room for one byte more than a response has, but not for what a worker only announces."""
        grown = bytearray(min(size + 1, max(_SECOND_READ_BYTES, 2 * self._filled)))
        grown[: self._filled] = self._buffer
        self._buffer = grown

    def response(self) -> tuple[bytes, float, bytes]:
        kind, cpu_seconds, _ = _checked_header(self._buffer)
        return kind, cpu_seconds, bytes(memoryview(self._buffer)[_HEADER.size : self._filled])


def _exchange_blocking(
    process: Popen[bytes], message: bytes, seconds: float, backstop: float
) -> tuple[bytes, float, bytes]:
    """`_exchange_polling` without polling: killing the process closes the pipes."""
    inlet, outlet = _pipes(process)
    failures: list[WorkerFailure] = []
    done = Event()

    def watch() -> None:
        deadline = monotonic() + backstop
        limit = _windows_cpu_seconds(process) + seconds
        while not failures and not done.wait(min(_WATCH_SECONDS, max(0.0, deadline - monotonic()))):
            if _windows_cpu_seconds(process) > limit:
                failures.append(JobTimedOut("the job exceeded its CPU time"))
            elif monotonic() >= deadline:
                failures.append(JobStalled("the job stalled"))
        if failures:
            process.kill()

    watcher = Thread(target=watch)
    watcher.start()
    kind, cpu_seconds, body, ended = b"", 0.0, b"", False
    try:
        unsent = memoryview(message)
        while unsent:
            unsent = unsent[inlet.write(unsent) :]
        kind, cpu_seconds, length = _checked_header(_read_exactly(outlet, _HEADER.size))
        body = _read_exactly(outlet, length)
    except (OSError, EOFError):
        ended = True
    finally:
        done.set()
        watcher.join()
    # The process is being killed, so raise even if a response arrived.
    if failures:
        raise failures[0]
    if ended:
        raise EOFError
    return kind, cpu_seconds, body


def _windows_cpu_seconds(process: Popen[bytes]) -> float:
    """Return the CPU time of a process on Windows, which has no CPU timers; 0 elsewhere, where the kernel ends the job."""
    if (handle := getattr(process, "_handle", None)) is None:
        return 0.0
    import ctypes
    from ctypes import wintypes

    # https://learn.microsoft.com/windows/win32/api/processthreadsapi/nf-processthreadsapi-getprocesstimes
    times = [wintypes.FILETIME() for _ in range(4)]
    library = getattr(ctypes, "windll")  # noqa: B009  (not on other systems)
    library.kernel32.GetProcessTimes(int(handle), *map(ctypes.byref, times))
    return float(sum((each.dwHighDateTime << 32) + each.dwLowDateTime for each in times[2:])) / 1e7


def _read_exactly(pipe: BinaryIO, length: int) -> bytes:
    received = bytearray()
    while len(received) < length:
        if not (piece := pipe.read(length - len(received))):
            raise EOFError
        received += piece
    return bytes(received)


def _checked_header(received: bytes | bytearray) -> tuple[bytes, float, int]:
    kind, cpu_seconds, length = _HEADER.unpack_from(received)
    if length > MAX_RESULT_BYTES:
        raise WorkerDied(f"the response must be at most {MAX_RESULT_BYTES:,} bytes (got {length:,})")
    # A compromised worker could send NaN.
    return kind, cpu_seconds if cpu_seconds >= 0 else 0.0, length


def _signals(*names: str) -> set[int]:
    return {getattr(signal, name) for name in names if hasattr(signal, name)}


# Below: the worker process.


def run_worker(module: str, memory_bytes: int, *, is_confined: bool) -> None:
    inlet, outlet = _take_pipes()
    _take_signals()
    _limit_resources(memory_bytes)
    gc.set_threshold(MAX_NEW_OBJECTS)
    _set_timers(START_SECONDS, START_SECONDS)
    jobs: Mapping[str, Callable[[bytes], bytes]] = import_module(module).JOBS
    # After the import: Python may write its bytecode, and all of it is ours.
    protections = confine() if is_confined else ()
    _send(outlet, _READY, 0.0, encode(protections))
    _stop_timers()
    while len(header := inlet.read(_HEADER.size)) == _HEADER.size:
        *_, length = _HEADER.unpack(header)
        frame = inlet.read(length)
        if len(frame) < length:
            return
        seconds, backstop, name_length = _JOB_HEADER.unpack_from(frame)
        start = _JOB_HEADER.size + name_length
        name, payload = frame[_JOB_HEADER.size : start].decode(), frame[start:]
        del frame
        began, _charges[:] = process_time(), []
        _set_timers(seconds, backstop)
        kind, body = _run_job(jobs, name, payload)
        del payload
        _send(outlet, kind, process_time() - began + sum(_charges), body)
        del body
        if kind in {_FAILED_FATALLY, _TOO_LARGE}:
            return
        _stop_timers()


def _run_job(jobs: Mapping[str, Callable[[bytes], bytes]], name: str, payload: bytes) -> tuple[bytes, bytes]:
    try:
        return _RESULT, jobs[name](payload)
    except MemoryError:
        # Unknown state; the worker is not reused.
        return _TOO_LARGE, b""
    except JobStalled:
        return _STALLED, b""
    except RecursionError as error:
        return _FAILED_FATALLY, _encode_error(error)
    except Exception as error:  # noqa: BLE001  (whatever a job raises is the caller's to know)
        return _FAILED, _encode_error(error)


def _encode_error(error: Exception) -> bytes:
    stack = StackSummary.extract(walk_tb(error.__traceback__), limit=-_STACK_FRAMES)
    parts = (type(error).__name__, str(error)[:_MESSAGE_CHARACTERS].replace("\0", " "), "".join(stack.format()))
    return "\0".join(parts).encode("utf-8", "replace")


def _take_pipes() -> tuple[BinaryIO, BinaryIO]:
    """Hide the pipes from jobs and their child processes."""
    inlet, outlet = os.dup(0), os.dup(1)
    nothing = os.open(os.devnull, os.O_RDONLY)
    os.dup2(nothing, 0)
    os.close(nothing)
    os.dup2(2, 1)
    return os.fdopen(inlet, "rb"), os.fdopen(outlet, "wb")


def _send(outlet: BinaryIO, kind: bytes, cpu_seconds: float, body: bytes) -> None:
    outlet.write(_HEADER.pack(kind, cpu_seconds, len(body)))
    outlet.write(body)
    outlet.flush()


def _take_signals() -> None:
    """Leave termination to the caller."""
    for number in _signals("SIGINT", "SIGTERM", "SIGHUP"):
        signal.signal(number, signal.SIG_IGN)
    ending = _signals("SIGALRM", "SIGPROF", "SIGXCPU")
    for number in ending:
        signal.signal(number, signal.SIG_DFL)
    if hasattr(signal, "pthread_sigmask"):  # not on Windows; the mask is inherited from the calling thread
        signal.pthread_sigmask(signal.SIG_UNBLOCK, ending)


def _limit_resources(memory_bytes: int) -> None:
    try:
        import resource
    except ImportError:  # not on Windows, where only the deadline applies
        return
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    _, hard = resource.getrlimit(resource.RLIMIT_AS)
    allowed = memory_bytes if hard == resource.RLIM_INFINITY else min(memory_bytes, hard)
    with suppress(ValueError, OSError):  # macOS rejects limits below what is already mapped
        resource.setrlimit(resource.RLIMIT_AS, (allowed, allowed))


def _set_timers(seconds: float, backstop: float) -> None:
    if not hasattr(signal, "setitimer"):  # not on Windows
        return
    signal.setitimer(signal.ITIMER_PROF, seconds)
    signal.setitimer(signal.ITIMER_REAL, backstop + _GRACE_SECONDS)
    import resource

    # RLIMIT_CPU counts from the start of the process.
    usage = resource.getrusage(resource.RUSAGE_SELF)
    limit = ceil(usage.ru_utime + usage.ru_stime + seconds + _GRACE_SECONDS)
    _, hard = resource.getrlimit(resource.RLIMIT_CPU)
    resource.setrlimit(resource.RLIMIT_CPU, (limit if hard == resource.RLIM_INFINITY else min(limit, hard), hard))


def _stop_timers() -> None:
    if hasattr(signal, "setitimer"):
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.setitimer(signal.ITIMER_REAL, 0)


# CPU seconds of other processes during the current job.
_charges: list[float] = []


def charge_cpu(seconds: float) -> None:
    """Count CPU time of another worker towards the job of this process, if it is a worker; may end it with `JobTimedOut`."""
    if not is_worker():
        return
    _charges.append(seconds)
    if hasattr(signal, "setitimer") and (left := signal.getitimer(signal.ITIMER_PROF)[0]):
        if left <= seconds:
            os.kill(os.getpid(), signal.SIGPROF)
        signal.setitimer(signal.ITIMER_PROF, left - seconds)


if __name__ == "__main__":
    with suppress(BrokenPipeError, KeyboardInterrupt):  # the caller is gone
        # The imported module, whose state `charge_cpu` shares.
        import_module("mdpublish_core.workers").run_worker(
            sys.argv[1], int(sys.argv[2]), is_confined="confined" in sys.argv[3:]
        )
