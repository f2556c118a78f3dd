"""Workers: processes that do jobs apart from their caller, so that one that hangs, crashes or eats memory harms itself alone.

    Worker.run(job, payload, seconds) ──▶ pipe ──▶ JOBS[job](payload), in `python -m mdpublish_core.workers MODULE`
                answer, or an error   ◀── pipe ◀──

Owns the process, its bounds and the frames on the pipes: a byte that says of what kind they are, a length, and bytes.
Nothing is unpickled, so a worker that a hostile text took over can only lie about its jobs. What the bytes mean is for the
module to say whose table `JOBS: Mapping[str, Callable[[bytes], bytes]]` names the jobs.

    WorkerFailure
    ├── JobFailed(error, detail, stack)    the job raised
    ├── JobTooLarge                        it needed more memory than it may have
    ├── JobTimedOut                        it took longer than it may
    └── WorkerDied                         its process ended, or could not be started

Three things end a job that takes too long: the caller at its deadline; past one second more of the processor's time, or of
the clock's, the system, which also ends what a killed caller leaves behind. A worker without a job ends with its input.
"""

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
from threading import Event, Lock, Timer
from time import monotonic
from traceback import StackSummary, walk_tb
from typing import BinaryIO, cast

MEMORY_BYTES = 1 << 30
"""Address space of a worker, in bytes: 1 GiB, beside which the longest text allowed needs a fraction."""

START_SECONDS = 60.0
"""What a worker has to start and import its module: two orders of magnitude more than it takes on an idle machine."""

MAX_RESULT_BYTES = 1 << 28
"""The longest answer, in bytes: more than any conversion within `Limits` makes. A worker that says more is not believed."""

# Past a deadline, in seconds: how long the system waits before it ends a job that its caller did not end.
_GRACE_SECONDS = 1.0

# How long a process that closed its pipe may take to end, in seconds, before it is killed.
_END_SECONDS = 1.0

_MESSAGE_CHARACTERS = 2_000
_STACK_FRAMES = 30

# A frame's kind and the length of its body; the body of a job: its seconds, the length of its name, the name, the payload.
_HEADER = Struct(">cI")
_JOB_HEADER = Struct(">dB")

_READY, _JOB, _RESULT, _FAILED, _FAILED_FATALLY, _TOO_LARGE = b"R", b"J", b"A", b"F", b"S", b"M"

# Windows can wait for no pipe, and has neither limits of resources nor alarms: there, a timer kills.
_CAN_POLL = hasattr(select, "poll")

# What a worker gets of the environment: enough to find programs, libraries, fonts and its language, and no secrets.
_ENVIRONMENT = frozenset(
    {"DYLD_LIBRARY_PATH", "HOME", "LANG", "LD_LIBRARY_PATH", "PATH", "SYSTEMROOT", "TEMP", "TMP", "TMPDIR", "TZ"}
)
_ENVIRONMENT_PREFIXES = ("FONTCONFIG_", "LC_", "PYTHON", "XDG_")


def is_worker() -> bool:
    """Tell whether this process is a worker, and so one of many: this module is then its program."""
    return getattr(sys.modules["__main__"].__spec__, "name", None) == "mdpublish_core.workers"


class WorkerFailure(Exception):  # noqa: N818  (the leaves name the fault)
    """A job was not done; the worker takes the next one nevertheless."""


class JobFailed(WorkerFailure):
    """A job raised; `error` is its exception's type, `detail` what it says, `stack` where it was raised, for a log.

    `detail` may quote what the job worked on; the others never do.
    """

    def __init__(self, error: str, detail: str, stack: str) -> None:
        super().__init__(error, detail, stack)
        self.error = error
        self.detail = detail
        self.stack = stack

    def __str__(self) -> str:
        return f"the job raised {self.error}: {self.detail}"


class JobTooLarge(WorkerFailure):
    """A job needed more memory than its worker may have."""


class JobTimedOut(WorkerFailure):
    """A job took longer than it was given."""


class WorkerDied(WorkerFailure):
    """A worker's process ended in the middle of a job, broke the rules of its pipe, could not be started, or is closed."""


class Worker:
    """One process that does one job after another; one that dies is replaced when the next job comes.

    `module` is imported by the worker with the caller's `sys.path`. `memory_bytes` bounds its address space. Threads may
    share a worker: each waits for its turn.
    """

    def __init__(self, module: str, *, memory_bytes: int = MEMORY_BYTES) -> None:
        # Without -P, the folder that somebody calls from could put modules of its own in the place of ours.
        options = ("-P", "-X", "faulthandler", "-m", "mdpublish_core.workers")
        self._command = (sys.executable, *options, module, str(memory_bytes))
        self._lock = Lock()
        self._process: Popen[bytes] | None = None
        self._closed = False
        self._starts = 0

    @property
    def starts(self) -> int:
        """How many processes it has had, the present one included: what one had loaded, the next has not."""
        return self._starts

    @property
    def is_running(self) -> bool:
        """Whether there is a process that waits for a job or does one."""
        process = self._process
        return process is not None and process.poll() is None

    def start(self) -> None:
        """Start the process, if there is none, and wait until it is ready; raises `WorkerDied` and `JobTimedOut`."""
        with self._lock:
            self._running_process()

    def run(self, job: str, payload: bytes, *, seconds: float) -> bytes:
        """Return what a job of the module's table makes of `payload`.

        `seconds` is the time from here to the whole answer; starting the process, where there is none, comes on top.
        Raises `WorkerFailure`.
        """
        name = job.encode()
        with self._lock:
            process = self._running_process()
            kind, body = self._exchange(process, _JOB, (_JOB_HEADER.pack(seconds, len(name)), name, payload), seconds)
            if kind == _RESULT:
                return body
            if kind == _FAILED:
                raise _job_failed(body)
            self._discard()
            if kind == _FAILED_FATALLY:
                raise _job_failed(body)
            if kind == _TOO_LARGE:
                raise JobTooLarge("the job needed more memory than its worker may have")
            raise WorkerDied("the worker sent what no worker sends")

    def close(self) -> None:
        """End the process, in the middle of a job if need be; whatever is asked of the worker later raises `WorkerDied`."""
        self._closed = True
        process = self._process
        if process is not None:
            process.kill()
        with self._lock:
            self._discard()

    def detach(self) -> None:
        """Let go of the process without ending it: it is that of the process which the caller was forked from."""
        self._lock = Lock()
        process, self._process = self._process, None
        if process is None:
            return
        for pipe in _pipes(process):
            pipe.close()
        # Nobody but its own parent can ask how it ended; Popen would complain of one whose end it does not know.
        process.returncode = 0

    def _running_process(self) -> Popen[bytes]:
        if self._process is not None:
            if self._process.poll() is None:
                return self._process
            self._discard()  # it died without a job, which is nobody's fault who asks now
        try:
            # The command is made of this interpreter and a module that the caller names, never of input.
            process = Popen(self._command, bufsize=0, stdin=PIPE, stdout=PIPE, env=_environment())  # noqa: S603
        except OSError as error:
            raise WorkerDied(f"the worker could not be started: {error}") from error
        self._process = process
        self._starts += 1
        if self._closed:
            self._discard()
            raise WorkerDied("the worker is closed")
        if _CAN_POLL:
            for pipe in _pipes(process):
                os.set_blocking(pipe.fileno(), False)
        kind, _ = self._exchange(process, None, (), START_SECONDS)
        if kind != _READY:
            self._discard()
            raise WorkerDied("the worker sent what no worker sends")
        return process

    def _exchange(
        self, process: Popen[bytes], kind: bytes | None, parts: tuple[bytes, ...], seconds: float
    ) -> tuple[bytes, bytes]:
        """Send a frame, if any, and return the kind and the body of the one that comes back.

        Whatever goes wrong ends the process: what it still has to say must never be taken for another job's answer.
        """
        message = b"" if kind is None else b"".join((_HEADER.pack(kind, sum(map(len, parts))), *parts))
        exchange = _exchange_polling if _CAN_POLL else _exchange_blocking
        try:
            return exchange(process, message, seconds)
        except EOFError:
            raise self._exit_failure(process) from None
        except BaseException:
            self._discard()
            raise

    def _exit_failure(self, process: Popen[bytes]) -> WorkerFailure:
        """Return the error that tells why a process closed its pipe, and reap it."""
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
            return WorkerDied(f"the worker ended with status {status}")
        if -status in _signals("SIGALRM", "SIGXCPU"):
            return JobTimedOut("the job took longer than it may")
        name = signal.Signals(-status).name if -status in set(signal.Signals) else str(-status)
        return WorkerDied(f"the worker was ended by signal {name}")

    def _discard(self) -> None:
        process, self._process = self._process, None
        if process is None:
            return
        process.kill()
        for pipe in _pipes(process):
            # What was not sent is lost with the process.
            with suppress(OSError):
                pipe.close()
        process.wait()


def _pipes(process: Popen[bytes]) -> tuple[BinaryIO, BinaryIO]:
    return cast("BinaryIO", process.stdin), cast("BinaryIO", process.stdout)


def _environment() -> dict[str, str]:
    allowed = {
        name: value
        for name, value in os.environ.items()
        if name.upper() in _ENVIRONMENT or name.upper().startswith(_ENVIRONMENT_PREFIXES)
    }
    # The worker finds what its caller finds, whatever put it there; an empty entry would be the current folder.
    return {**allowed, "PYTHONPATH": os.pathsep.join(path for path in sys.path if os.path.isabs(path))}  # noqa: PTH117


def _job_failed(body: bytes) -> JobFailed:
    error, detail, stack = (*body.decode("utf-8", "replace").split("\0", 2), "", "", "")[:3]
    return JobFailed(error, detail, stack)


def _exchange_polling(process: Popen[bytes], message: bytes, seconds: float) -> tuple[bytes, bytes]:
    """Send a message and read a frame, whichever can go on; raises `JobTimedOut`, and `EOFError` where the pipe ends."""
    deadline = monotonic() + seconds
    inlet, outlet = (pipe.fileno() for pipe in _pipes(process))
    poll = select.poll()
    poll.register(outlet, select.POLLIN)
    unsent = memoryview(message)
    if unsent:
        poll.register(inlet, select.POLLOUT)
    received = bytearray()
    while True:
        seconds_left = deadline - monotonic()
        ready = poll.poll(ceil(seconds_left * 1000)) if seconds_left > 0 else []
        if not ready:
            raise JobTimedOut("the job took longer than it may")
        for pipe, _ in ready:
            if pipe == inlet:
                unsent = _send_some(inlet, unsent)
                if not unsent:
                    poll.unregister(inlet)
            elif _receive_some(outlet, received):
                kind, length = _checked_header(received)
                if len(received) > _HEADER.size + length:
                    raise WorkerDied("the worker said more than it was asked for")
                return kind, bytes(memoryview(received)[_HEADER.size :])


def _send_some(inlet: int, unsent: memoryview) -> memoryview:
    """Send what there is room for, and return the rest: nothing where nobody reads, which the other pipe's end tells."""
    try:
        return unsent[os.write(inlet, unsent) :]
    except BlockingIOError:
        return unsent
    except BrokenPipeError:
        return unsent[:0]


def _receive_some(outlet: int, received: bytearray) -> bool:
    """Read what there is, and tell whether it is a whole frame."""
    piece = os.read(outlet, 1 << 20)
    if not piece:
        raise EOFError
    received += piece
    if len(received) < _HEADER.size:
        return False
    _, length = _checked_header(received)
    return len(received) >= _HEADER.size + length


def _exchange_blocking(process: Popen[bytes], message: bytes, seconds: float) -> tuple[bytes, bytes]:
    """Do what `_exchange_polling` does, where no pipe can be waited for: a killed process ends its pipes."""
    inlet, outlet = _pipes(process)
    timed_out = Event()

    def end() -> None:
        timed_out.set()
        process.kill()

    timer = Timer(seconds, end)
    timer.start()
    kind, body, ended = b"", b"", False
    try:
        unsent = memoryview(message)
        while unsent:
            unsent = unsent[inlet.write(unsent) :]
        kind, length = _checked_header(_read_exactly(outlet, _HEADER.size))
        body = _read_exactly(outlet, length)
    except (OSError, EOFError):
        ended = True
    finally:
        timer.cancel()
        timer.join()
    # Even where the answer came: the process is killed, and the next job must not find it.
    if timed_out.is_set():
        raise JobTimedOut("the job took longer than it may")
    if ended:
        raise EOFError
    return kind, body


def _read_exactly(pipe: BinaryIO, length: int) -> bytes:
    received = bytearray()
    while len(received) < length:
        piece = pipe.read(length - len(received))
        if not piece:
            raise EOFError
        received += piece
    return bytes(received)


def _checked_header(received: bytes | bytearray) -> tuple[bytes, int]:
    kind, length = _HEADER.unpack_from(received)
    if length > MAX_RESULT_BYTES:
        raise WorkerDied(f"the worker announced an answer of {length:,} bytes; at most {MAX_RESULT_BYTES:,} are read")
    return kind, length


def _signals(*names: str) -> set[int]:
    """Return the numbers of those signals that this system has."""
    return {getattr(signal, name) for name in names if hasattr(signal, name)}


# From here on: what runs in the worker's process.


def _worker_main(module: str, memory_bytes: int) -> None:
    """Do one job after another, until the input ends."""
    inlet, outlet = _take_pipes()
    _take_signals()
    _limit_resources(memory_bytes)
    _set_alarm(START_SECONDS)
    jobs: Mapping[str, Callable[[bytes], bytes]] = import_module(module).JOBS
    _send(outlet, _READY, b"")
    _set_alarm(None)
    while len(header := inlet.read(_HEADER.size)) == _HEADER.size:
        _, length = _HEADER.unpack(header)
        frame = inlet.read(length)
        if len(frame) < length:
            return
        seconds, name_length = _JOB_HEADER.unpack_from(frame)
        start = _JOB_HEADER.size + name_length
        name, payload = frame[_JOB_HEADER.size : start].decode(), frame[start:]
        del frame
        _set_alarm(seconds)
        kind, body = _run_job(jobs, name, payload)
        del payload
        _send(outlet, kind, body)
        del body
        if kind in {_FAILED_FATALLY, _TOO_LARGE}:
            return
        _set_alarm(None)


def _run_job(jobs: Mapping[str, Callable[[bytes], bytes]], name: str, payload: bytes) -> tuple[bytes, bytes]:
    """Return the kind and the body of the frame that tells what became of a job."""
    try:
        return _RESULT, jobs[name](payload)
    except MemoryError:
        # What is left of the memory, and of the stack below, is anybody's guess: such a worker is not used again.
        return _TOO_LARGE, b""
    except RecursionError as error:
        return _FAILED_FATALLY, _encode_error(error)
    except Exception as error:  # noqa: BLE001  (whatever a job raises is the caller's to know)
        return _FAILED, _encode_error(error)


def _encode_error(error: Exception) -> bytes:
    """Return an exception's type, what it says, and the lines of code it came from."""
    stack = StackSummary.extract(walk_tb(error.__traceback__), limit=-_STACK_FRAMES)
    parts = (type(error).__name__, str(error)[:_MESSAGE_CHARACTERS].replace("\0", " "), "".join(stack.format()))
    return "\0".join(parts).encode("utf-8", "replace")


def _take_pipes() -> tuple[BinaryIO, BinaryIO]:
    """Return the pipes, moved to where no job's own reading and printing, nor a program that it starts, finds them."""
    inlet, outlet = os.dup(0), os.dup(1)
    nothing = os.open(os.devnull, os.O_RDONLY)
    os.dup2(nothing, 0)
    os.close(nothing)
    os.dup2(2, 1)
    return os.fdopen(inlet, "rb"), os.fdopen(outlet, "wb")


def _send(outlet: BinaryIO, kind: bytes, body: bytes) -> None:
    outlet.write(_HEADER.pack(kind, len(body)))
    outlet.write(body)
    outlet.flush()


def _take_signals() -> None:
    """Leave it to the caller when to stop, where a terminal or a service manager tells all processes at once."""
    for number in _signals("SIGINT", "SIGTERM", "SIGHUP"):
        signal.signal(number, signal.SIG_IGN)
    ending = _signals("SIGALRM", "SIGXCPU")
    for number in ending:
        signal.signal(number, signal.SIG_DFL)
    if hasattr(signal, "pthread_sigmask"):  # not on Windows; a caller's thread hands its mask down
        signal.pthread_sigmask(signal.SIG_UNBLOCK, ending)


def _limit_resources(memory_bytes: int) -> None:
    try:
        import resource
    except ImportError:  # Windows has no such limits: there, only the deadline holds
        return
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    _, hard = resource.getrlimit(resource.RLIMIT_AS)
    allowed = memory_bytes if hard == resource.RLIM_INFINITY else min(memory_bytes, hard)
    with suppress(ValueError, OSError):  # macOS refuses bounds that are below what a process has mapped at its start
        resource.setrlimit(resource.RLIMIT_AS, (allowed, allowed))


def _set_alarm(seconds: float | None) -> None:
    """Have the system end this process some time after so many seconds from now; None calls that off."""
    if not hasattr(signal, "setitimer"):  # Windows: neither alarms nor a limit of processor time
        return
    signal.setitimer(signal.ITIMER_REAL, 0 if seconds is None else seconds + _GRACE_SECONDS)
    if seconds is None:
        return
    import resource

    # This limit counts from the process's start.
    usage = resource.getrusage(resource.RUSAGE_SELF)
    limit = ceil(usage.ru_utime + usage.ru_stime + seconds + _GRACE_SECONDS)
    _, hard = resource.getrlimit(resource.RLIMIT_CPU)
    resource.setrlimit(resource.RLIMIT_CPU, (limit if hard == resource.RLIM_INFINITY else min(limit, hard), hard))


if __name__ == "__main__":
    with suppress(BrokenPipeError, KeyboardInterrupt):  # the caller is gone
        _worker_main(sys.argv[1], int(sys.argv[2]))
