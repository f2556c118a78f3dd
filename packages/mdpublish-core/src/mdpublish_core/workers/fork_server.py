"""Asks a fork server, a process that has done the slow part of a start, to fork workers.

    service ──control──▶ fork server ──fork──▶ worker
                              │                  │
                              └──▶ inner fork servers ◀── control, relayed by the fork server

A fork server never sees a payload. Outside Linux, and where the fork server fails, `fork` gives None.
"""

import logging
import os
import select
import socket
import sys
from collections.abc import Sequence
from contextlib import suppress
from math import ceil
from signal import SIGKILL
from struct import Struct
from subprocess import DEVNULL, Popen, TimeoutExpired
from threading import Lock, Thread
from time import monotonic
from typing import BinaryIO

from mdpublish_core.workers.limits import END_SECONDS, INNER_WORKERS, MEMORY_BYTES, START_SECONDS
from mdpublish_core.workers.processes import command, environment, tree_cpu_seconds

REQUEST = Struct("=ciiii")
"""A request or reply: its kind, whose worker it is, a module's and a worker's number; for a new worker its process."""

FORK, KILL, END, DONE, READY = b"F", b"K", b"E", b"D", b"R"
PARENT = 0
"""The owner of workers that the caller asked for; those of its workers have greater numbers."""

STATUS = Struct("=i")

MAX_CRASHES = 50
MAX_SECONDS = 6 * 3_600.0
"""After so many crashes of its workers, or so long, another fork server takes over: all workers of one have the same
layout of addresses, which an attacker could find out by trying.
"""

_RETRY_SECONDS = 60.0

CAN_FORK = sys.platform == "linux" and hasattr(os, "pidfd_open")
"""On macOS a process that has loaded the system's frameworks must not fork, and Windows cannot."""

_log = logging.getLogger(__name__)


class ForkedProcess:
    """A worker that a fork server forked, and whose end it reports."""

    def __init__(self, control: "Control", response: bytes, descriptors: Sequence[int]) -> None:
        inlet, outlet, self._status = descriptors
        _, _, self._module, self._number, self.pid = REQUEST.unpack(response)
        self.inlet: BinaryIO = os.fdopen(inlet, "wb", buffering=0)
        self.outlet: BinaryIO = os.fdopen(outlet, "rb", buffering=0)
        self.windows_cpu_seconds = 0.0
        self._control = control
        self._lock = Lock()
        self._returncode: int | None = None

    @property
    def is_outdated(self) -> bool:
        return self._control.is_retired

    @property
    def clock(self) -> float:
        return tree_cpu_seconds(self.pid)

    def wait(self, seconds: float | None = None) -> int | None:
        with self._lock:
            if self._returncode is None:
                poll = select.poll()
                poll.register(self._status, select.POLLIN)
                if not poll.poll(None if seconds is None else ceil(seconds * 1000)):
                    return None
                # Without a report the fork server has ended, and all its workers with it.
                report = os.read(self._status, STATUS.size)
                self._returncode = STATUS.unpack(report)[0] if report else -SIGKILL
                os.close(self._status)
                self._control.release(has_crashed=self._returncode < 0)
            return self._returncode

    def kill(self) -> None:
        """Have the fork server kill it: its parent alone knows whether there still is such a process."""
        self._control.kill(self._module, self._number)

    def detach(self) -> None:
        os.close(self._status)


class Control:
    """The caller's end of a socket at whose other end workers are forked."""

    def __init__(self, end: socket.socket, *, is_inner: bool = False) -> None:
        self._socket = end
        self._is_inner = is_inner
        self._lock = Lock()
        self._counting = Lock()
        self._workers = 0
        self._crashes = 0
        self._began = monotonic()
        self.is_retired = False
        self.is_broken = False

    @property
    def is_worn(self) -> bool:
        return self._crashes >= MAX_CRASHES or monotonic() - self._began >= MAX_SECONDS

    def fork(self, module: int, *passed: socket.socket) -> ForkedProcess | None:
        """Return a worker for a module, by its place in a list that both ends have; None if refused or unanswered."""
        response, descriptors = self._ask(FORK, module, 0, passed)
        if not descriptors:
            return None
        with self._counting:
            self._workers += 1
        return ForkedProcess(self, response, descriptors)

    def kill(self, module: int, number: int) -> None:
        if self._is_inner:
            self._ask(KILL, module, number)
            return
        with suppress(OSError):
            self._socket.send(REQUEST.pack(KILL, PARENT, module, number, 0), socket.MSG_DONTWAIT)

    def _ask(
        self, kind: bytes, module: int, number: int, passed: Sequence[socket.socket] = ()
    ) -> tuple[bytes, Sequence[int]]:
        """Return the response and its descriptors. Of a worker, one request at a time is relayed."""
        with self._lock, suppress(OSError):
            self._socket.settimeout(START_SECONDS)
            request = REQUEST.pack(kind, PARENT, module, number, 0)
            socket.send_fds(self._socket, [request], [each.fileno() for each in passed])
            response, descriptors, *_ = socket.recv_fds(self._socket, REQUEST.size, 3)
            if response:
                return response, descriptors
        # A late response must not be taken for the next one.
        self.is_broken = True
        return b"", ()

    def release(self, *, has_crashed: bool) -> None:
        """Count the end of a worker."""
        with self._counting:
            self._workers -= 1
            self._crashes += has_crashed
        self._close_if_unused()

    def retire(self) -> None:
        """Let its workers end; the last one closes it."""
        self.is_retired = True
        self._close_if_unused()

    def close(self) -> None:
        """End all its workers."""
        with suppress(OSError):
            self._socket.shutdown(socket.SHUT_RDWR)
        self._socket.close()

    def _close_if_unused(self) -> None:
        if self.is_retired and not self._workers:
            self.close()


class _Started(Control):
    """The control of a fork server that this process has started."""

    def __init__(self, end: socket.socket, process: "Popen[bytes]") -> None:
        super().__init__(end)
        self._process = process

    def close(self) -> None:
        super().close()
        try:
            self._process.wait(END_SECONDS)
        except TimeoutExpired:
            os.killpg(self._process.pid, SIGKILL)
            self._process.wait()


class ForkServer:
    """Forks workers for `module` from a process that has imported it and done a first job, without a stranger's text.

    Another takes its place when it has ended, and after `MAX_CRASHES` and `MAX_SECONDS`. Thread-safe.
    """

    def __init__(self, module: str, *, warm_up: tuple[str, bytes], memory_bytes: int = MEMORY_BYTES) -> None:
        self.module, self.memory_bytes, self.warm_up = module, memory_bytes, warm_up
        self._lock = Lock()
        self._control: Control | None = None
        self._renewal: Thread | None = None
        self._retry_at = 0.0
        self._is_closed = False

    def fork(self) -> ForkedProcess | None:
        """Return a worker that is warm; None where it has to be started."""
        for _ in range(2):
            if (control := self._current()) is None:
                break
            ends = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
            try:
                if forked := control.fork(0, *ends):
                    return forked
            finally:
                for end in ends:
                    end.close()
        return None

    def close(self) -> None:
        with self._lock:
            self._is_closed = True
            if self._control:
                self._control.close()

    def _current(self) -> Control | None:
        with self._lock:
            if self._is_closed:
                return None
            if self._control and self._control.is_broken:
                self._control.close()
                self._control = None
            if monotonic() < self._retry_at:
                return self._control
            if self._control is None:
                self._control = self._start()
            elif self._control.is_worn and not (self._renewal and self._renewal.is_alive()):
                # Meanwhile, the old one forks.
                self._renewal = Thread(target=self._renew, name="mdpublish-fork-server", daemon=True)
                self._renewal.start()
            return self._control

    def _renew(self) -> None:
        renewed = self._start()
        with self._lock:
            if renewed and self._is_closed:
                renewed.close()
            elif renewed:
                old, self._control = self._control, renewed
                if old:
                    old.retire()

    def _start(self) -> Control | None:
        if not CAN_FORK:
            return None
        ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        control, (name, payload) = Control(ours), self.warm_up
        with suppress(OSError):
            with theirs:
                process = Popen(  # noqa: S603  (no user input)
                    command(self.module, str(self.memory_bytes), "fork_server"),
                    stdin=theirs.fileno(),
                    stdout=DEVNULL,
                    env=environment(),
                    process_group=0,
                )
            control = _Started(ours, process)
            ours.settimeout(START_SECONDS)
            ours.send(name.encode() + b"\0" + payload)
            if ours.recv(1) == READY:
                return control
        control.close()
        self._retry_at = monotonic() + _RETRY_SECONDS
        _log.warning("A fork server of workers failed; they start one by one for %g s", _RETRY_SECONDS)
        return None


_INNER: list[Control] = []


def enter(descriptor: int) -> None:
    """Have the workers of this one forked, which is forked itself."""
    _INNER.append(Control(socket.socket(fileno=descriptor), is_inner=True))


def fork_inner(module: str) -> ForkedProcess | None:
    """Return a worker of this one; None where it has to be started."""
    numbers = [number for number, (name, _) in enumerate(INNER_WORKERS) if name == module]
    return _INNER[0].fork(numbers[0]) if _INNER and numbers else None
