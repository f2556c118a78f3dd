"""Sends a frame to a worker, and receives its response."""

import os
import select
from math import ceil
from threading import Event, Thread
from time import monotonic
from typing import BinaryIO

from mdpublish_core.workers.failures import JobStalled, JobTimedOut, WorkerDied, WorkerFailure
from mdpublish_core.workers.frames import HEADER, checked_header
from mdpublish_core.workers.processes import Process

CAN_POLL = hasattr(select, "poll")
"""Windows cannot poll pipes; a timer kills the process there."""

# What a pipe holds on Linux; then enough for nearly all responses.
_FIRST_READ_BYTES, _SECOND_READ_BYTES = 1 << 16, 1 << 20

# Seconds between looks at a process that cannot be polled.
_WATCH_SECONDS = 0.05


def exchange(process: Process, message: bytes, seconds: float, backstop: float) -> tuple[bytes, float, bytes]:
    """Return the response's kind, CPU seconds and body. Raises `WorkerFailure`, and `EOFError` if the process ends."""
    if CAN_POLL:
        return _exchange_polling(process, message, backstop)
    return _exchange_blocking(process, message, seconds, backstop)


def _exchange_polling(process: Process, message: bytes, backstop: float) -> tuple[bytes, float, bytes]:
    deadline = monotonic() + backstop
    inlet, outlet = (pipe.fileno() for pipe in (process.inlet, process.outlet))
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
        if self._size is None and self._filled >= HEADER.size:
            *_, length = checked_header(self._buffer)
            self._size = HEADER.size + length
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
        kind, cpu_seconds, _ = checked_header(self._buffer)
        return kind, cpu_seconds, bytes(memoryview(self._buffer)[HEADER.size : self._filled])


def _exchange_blocking(process: Process, message: bytes, seconds: float, backstop: float) -> tuple[bytes, float, bytes]:
    """`_exchange_polling` without polling: killing the process closes the pipes."""
    inlet, outlet = process.inlet, process.outlet
    failures: list[WorkerFailure] = []
    done = Event()

    def watch() -> None:
        deadline = monotonic() + backstop
        limit = process.windows_cpu_seconds + seconds
        while not failures and not done.wait(min(_WATCH_SECONDS, max(0.0, deadline - monotonic()))):
            if process.windows_cpu_seconds > limit:
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
        kind, cpu_seconds, length = checked_header(_read_exactly(outlet, HEADER.size))
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


def _read_exactly(pipe: BinaryIO, length: int) -> bytes:
    received = bytearray()
    while len(received) < length:
        if not (piece := pipe.read(length - len(received))):
            raise EOFError
        received += piece
    return bytes(received)
