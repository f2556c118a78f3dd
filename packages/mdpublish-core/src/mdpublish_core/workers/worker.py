"""The caller's end of a worker."""

import os
import signal
from contextlib import suppress
from threading import Lock
from time import monotonic

from mdpublish_core.confinement.protections import Protection, decode
from mdpublish_core.workers import exchange, frames
from mdpublish_core.workers.failures import JobFailed, JobStalled, JobTimedOut, JobTooLarge, WorkerDied, WorkerFailure
from mdpublish_core.workers.fork_server import ForkServer, fork_inner
from mdpublish_core.workers.limits import BACKSTOP_FACTOR, END_SECONDS, MEMORY_BYTES, START_SECONDS, signals
from mdpublish_core.workers.processes import Process, StartedProcess


class Worker:
    """A worker process, started on demand and restarted after a crash. Thread-safe: jobs run one at a time.

    `module` is imported with the caller's `sys.path` and defines `JOBS: Mapping[str, Callable[[bytes], bytes]]`. Jobs
    of a confined worker read no file but those of Python and its packages, write none, and open no connection. With a
    `fork_server`, the process is forked from it; where that fails, it is started, and does the fork server's first job.
    """

    def __init__(
        self,
        module: str,
        *,
        memory_bytes: int = MEMORY_BYTES,
        is_confined: bool = False,
        fork_server: ForkServer | None = None,
    ) -> None:
        self._module = module
        self._arguments = (module, str(memory_bytes), *(["confined"] if is_confined else []))
        self._fork_server = fork_server
        self.protections: tuple[Protection, ...] = ()
        """What confines the running process; empty before its start, and if it is not confined."""
        self.starts = 0
        """Number of processes started; each begins with empty caches."""
        self.cpu_seconds = 0.0
        """CPU time of the last job, processes it charged included."""
        self._lock = Lock()
        self._process: Process | None = None
        self._closed = False
        self._interrupted = False

    @classmethod
    def of(cls, fork_server: ForkServer) -> "Worker":
        """Return a confined worker that is forked, or started where that fails."""
        return cls(fork_server.module, memory_bytes=fork_server.memory_bytes, is_confined=True, fork_server=fork_server)

    @property
    def is_running(self) -> bool:
        process = self._process
        return process is not None and not self._interrupted and process.wait(0) is None

    @property
    def clock(self) -> float:
        """CPU time of the process and its own workers so far, or of the wall clock where the system tells neither."""
        process = self._process
        return process.clock if process is not None else 0.0

    def start(self) -> None:
        with self._lock:
            self._running_process()

    def run(self, job: str, payload: bytes, *, seconds: float, backstop: float | None = None) -> bytes:
        """Run a job, for `seconds` of CPU time and `backstop` of wall-clock time, ten times as long by default.

        Both exclude process start; `backstop` includes transfer.
        """
        backstop = BACKSTOP_FACTOR * seconds if backstop is None else backstop
        with self._lock:
            self.cpu_seconds = 0.0
            process = self._running_process()
            self.cpu_seconds = seconds  # if the process dies
            began = monotonic()
            try:
                kind, self.cpu_seconds, body = self._exchange_job(process, job, payload, seconds, backstop)
            except WorkerDied:
                if self._interrupted:
                    # Unknown, but no more: a job and the workers it waits for run one at a time.
                    self.cpu_seconds = min(seconds, monotonic() - began)
                raise
            except JobStalled:
                # Unknown, but less than the limit: a busy machine must not use up what is left for other jobs.
                self.cpu_seconds = 0.0
                raise
            if kind == frames.RESULT:
                return body
            if kind == frames.FAILED:
                raise _job_failed(body)
            if kind == frames.STALLED:
                raise JobStalled("the job waited for a worker of its own that stalled")
            self._discard()
            if kind == frames.FAILED_FATALLY:
                raise _job_failed(body)
            if kind == frames.TOO_LARGE:
                raise JobTooLarge("the job exceeded the worker's memory limit")
            raise WorkerDied("the worker sent an invalid frame")

    def interrupt(self) -> None:
        """Kill the process during a job, which fails with `WorkerDied`; the next job starts another process."""
        if (process := self._process) is not None:
            self._interrupted = True
            process.kill()

    def close(self) -> None:
        """Kill the process, even during a job."""
        self._closed = True
        if (process := self._process) is not None:
            process.kill()
        with self._lock:
            self._discard()

    def detach(self) -> None:
        """Forget the process after a fork: it belongs to the parent."""
        self._lock = Lock()
        process, self._process = self._process, None
        if process is None:
            return
        for pipe in (process.inlet, process.outlet):
            pipe.close()
        process.detach()

    def _running_process(self) -> Process:
        if self._process is not None:
            if self.is_running and not self._process.is_outdated:
                return self._process
            self._discard()  # crashed while idle, interrupted as its job ended, or outdated
        try:
            forked = self._forked()
            process = forked or StartedProcess(self._arguments)
        except OSError as error:
            raise WorkerDied(f"cannot start the worker: {error}") from error
        self._process, self._interrupted = process, False
        self.starts += 1
        if self._closed:
            self._discard()
            raise WorkerDied("the worker is closed")
        if exchange.CAN_POLL:
            for pipe in (process.inlet, process.outlet):
                os.set_blocking(pipe.fileno(), False)
        kind, _, body = self._exchange(process, None, (), START_SECONDS, START_SECONDS)
        if kind != frames.READY:
            self._discard()
            raise WorkerDied("the worker sent an invalid frame")
        # No job has run yet, so that its word can be taken.
        self.protections = decode(body)
        if self._fork_server and not forked:
            kind, _, body = self._exchange_job(process, *self._fork_server.warm_up, START_SECONDS, START_SECONDS)
            if kind != frames.RESULT:
                self._discard()
                raise _job_failed(body)
        return process

    def _forked(self) -> Process | None:
        if self._fork_server:
            return self._fork_server.fork()
        return fork_inner(self._module)

    def _exchange_job(
        self, process: Process, job: str, payload: bytes, seconds: float, backstop: float
    ) -> tuple[bytes, float, bytes]:
        name = job.encode()
        header = frames.JOB_HEADER.pack(seconds, backstop, len(name))
        return self._exchange(process, frames.JOB, (header, name, payload), seconds, backstop)

    def _exchange(
        self, process: Process, kind: bytes | None, parts: tuple[bytes, ...], seconds: float, backstop: float
    ) -> tuple[bytes, float, bytes]:
        """Send a frame, if any, and return the response's kind, CPU seconds and body.

        Any failure kills the process: a late response must not be taken for the next job's.
        """
        message = b"" if kind is None else b"".join((frames.HEADER.pack(kind, 0.0, sum(map(len, parts))), *parts))
        try:
            return exchange.exchange(process, message, seconds, backstop)
        except EOFError:
            raise self._exit_failure(process) from None
        except BaseException:
            self._discard()
            raise

    def _exit_failure(self, process: Process) -> WorkerFailure:
        status = process.wait(END_SECONDS)
        self._discard()
        if self._closed:
            return WorkerDied("the worker is closed")
        if status is None:
            return WorkerDied("the worker closed its pipe")
        if status >= 0:
            return WorkerDied(f"the worker exited with status {status}")
        if -status in signals("SIGPROF", "SIGXCPU"):
            return JobTimedOut("the job exceeded its CPU time")
        if -status in signals("SIGALRM"):
            return JobStalled("the job stalled")
        name = signal.Signals(-status).name if -status in set(signal.Signals) else str(-status)
        return WorkerDied(f"the worker was killed by signal {name}")

    def _discard(self) -> None:
        process, self._process = self._process, None
        if process is None:
            return
        process.kill()
        for pipe in (process.inlet, process.outlet):
            with suppress(OSError):
                pipe.close()
        process.wait()


def _job_failed(body: bytes) -> JobFailed:
    error, detail, stack = (*body.decode("utf-8", "replace").split("\0", 2), "", "", "")[:3]
    return JobFailed(error, detail, stack)
