"""The process of a fork server: forks workers, reports their ends, and ends them.

It has one thread, so that a fork copies no lock that is held, and confines itself before the first request. It relays
what its workers ask for to fork servers of its own, the inner ones, which have the engines that draw figures and PDFs.
Requests have a fixed size and no descriptors, and no response waits for its receiver: a worker may be compromised.
"""

import ctypes
import gc
import os
import resource
import select
import signal
import socket
from array import array
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import cache, partial
from importlib import import_module
from traceback import print_exc

from mdpublish_core.confinement import confine
from mdpublish_core.workers.fork_server import DONE, END, FORK, KILL, PARENT, READY, REQUEST, STATUS, enter
from mdpublish_core.workers.limits import END_SECONDS, INNER_WORKERS, take_signals
from mdpublish_core.workers.serving import run_worker

MAX_INNER_WORKERS = 2
"""Inner workers per worker and module; a worker uses one."""

MAX_DESCRIPTORS = 1_024
"""Three for each worker."""

_MAX_WARM_UP_BYTES = 1 << 16

# https://man7.org/linux/man-pages/man2/PR_SET_PDEATHSIG.2const.html
_PR_SET_PDEATHSIG = 1

# Where a forked process finds its socket; 0 to 2 are as in any other.
_SOCKET = 3


def run_fork_server(module: str, memory_bytes: int) -> None:
    control = socket.socket(fileno=os.dup(0))
    nothing = os.open(os.devnull, os.O_RDONLY)
    os.dup2(nothing, 0)
    os.dup2(2, 1)
    take_signals()
    _, allowed = resource.getrlimit(resource.RLIMIT_NOFILE)
    few = MAX_DESCRIPTORS if allowed == resource.RLIM_INFINITY else min(MAX_DESCRIPTORS, allowed)
    resource.setrlimit(resource.RLIMIT_NOFILE, (few, allowed))
    name, _, payload = control.recv(_MAX_WARM_UP_BYTES).partition(b"\0")
    import_module(module).JOBS[name.decode()](payload)
    # Children would copy what a collection touches.
    gc.freeze()
    _require_one_thread("/proc/self/task")
    # One for each: two libraries that bring the same library cannot be in one process.
    inners = [_Inner(*each) for each in INNER_WORKERS]
    confine()
    control.send(READY)
    _Forker(control, module, memory_bytes, inners=inners).run()


def _run_inner(module: str, memory_bytes: int, *, loads: bool) -> None:
    control = socket.socket(fileno=_SOCKET)
    load = cache(partial(_load, module, os.open("/proc/self/task", os.O_RDONLY))) if loads else None
    confine()
    _Forker(control, module, memory_bytes, load=load).run()


def _load(module: str, threads: int) -> None:
    # What cannot be loaded is reported by the worker that needs it.
    with suppress(Exception):
        import_module(module).JOBS["load"](b"")
    gc.freeze()
    _require_one_thread(threads)


def _require_one_thread(folder: str | int) -> None:
    if (number := len(os.listdir(folder))) > 1:  # noqa: PTH208  (also by descriptor)
        raise RuntimeError(f"a fork server must have one thread (got {number})")


class _Inner:
    """A fork server of workers that workers have. Its socket outlives it."""

    def __init__(self, module: str, memory_bytes: int) -> None:
        self._run = partial(_run_inner, module, memory_bytes)
        self.control, self._end = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        # What a poll has seen may be gone: `replace` drops it.
        self.control.settimeout(0)
        self._start(loads=True)

    def _start(self, *, loads: bool) -> None:
        self._pid = _fork(partial(self._run, loads=loads), {_SOCKET: self._end.fileno()})
        self.process = os.pidfd_open(self._pid)

    def replace(self) -> None:
        """Start another, which loads nothing: that may have ended this one."""
        os.waitpid(self._pid, 0)
        os.close(self.process)
        for end in (self.control, self._end):
            with suppress(OSError):
                while end.recv(REQUEST.size, socket.MSG_DONTWAIT):
                    pass
        self._start(loads=False)

    def close(self) -> None:
        self.control.close()
        if not select.select([self.process], [], [], END_SECONDS)[0]:
            os.kill(self._pid, signal.SIGKILL)
        os.waitpid(self._pid, 0)


@dataclass(frozen=True, slots=True)
class _Child:
    number: int
    owner: int
    pid: int
    status: int
    """The descriptor on which its end is reported."""


class _Forker:
    """Does what `control` asks, and relays workers' requests to `inners`. `load` is called once there is a worker."""

    def __init__(
        self,
        control: socket.socket,
        module: str,
        memory_bytes: int,
        *,
        inners: Sequence[_Inner] = (),
        load: Callable[[], object] | None = None,
    ) -> None:
        self._control = control
        self._module, self._memory_bytes = module, memory_bytes
        self._inners = inners
        self._load = load
        self._children: dict[int, _Child] = {}
        self._clients: dict[int, socket.socket] = {}
        """Ends of workers' sockets, by the workers' numbers."""
        self._waiting: set[int] = set()
        """Workers that have asked for something, and have no response yet."""
        self._last_number = PARENT
        self._poll = select.poll()
        self._handlers: dict[int, Callable[[int], bool]] = {}
        self._watch(control.fileno(), self._obey)
        for inner in inners:
            self._watch(inner.control.fileno(), partial(self._relay_response, inner.control))
            self._watch(inner.process, partial(self._replace, inner))

    def run(self) -> None:
        """Return when the caller is gone."""
        while all(self._handlers[descriptor](descriptor) for descriptor, _ in self._poll.poll()):
            pass
        for child in self._children.values():
            os.kill(child.pid, signal.SIGKILL)
        for child in self._children.values():
            os.waitpid(child.pid, 0)
        for inner in self._inners:
            inner.close()

    def _watch(self, descriptor: int, handle: Callable[[int], bool]) -> None:
        self._handlers[descriptor] = handle
        self._poll.register(descriptor, select.POLLIN)

    def _forget(self, descriptor: int) -> None:
        del self._handlers[descriptor]
        self._poll.unregister(descriptor)

    def _obey(self, _: int) -> bool:
        request, passed, *_rest = socket.recv_fds(self._control, REQUEST.size, 2)
        if not request:
            return False
        kind, owner, module, number, _ = REQUEST.unpack(request)
        for child in self._children.values():
            if child.owner == owner and (kind == END or (kind == KILL and child.number == number)):
                os.kill(child.pid, signal.SIGKILL)
        if kind == FORK:
            self._respond(owner, module, passed)
        elif kind == KILL and owner != PARENT:
            self._control.send(REQUEST.pack(DONE, owner, module, 0, 0))
        return True

    def _respond(self, owner: int, module: int, passed: Sequence[int]) -> None:
        """Fork a worker and send its pipes; none if that fails, or if its owner has too many."""
        opened, sent, number, pid = list(passed), [], 0, 0
        try:
            if self._may_fork(owner):
                for _ in range(3):
                    opened += os.pipe()
                inlet, to_inlet, from_outlet, outlet, report, status = opened[-6:]
                places = dict(zip((0, 1, _SOCKET), (inlet, outlet, *passed[:1]), strict=False))
                number, pid = self._fork(owner, places, status)
                opened.remove(status)
                sent = [to_inlet, from_outlet, report]
                if passed:
                    opened.remove(passed[1])
                    self._serve(number, socket.socket(fileno=passed[1]))
        except OSError:
            print_exc()
        # The caller waits for it.
        socket.send_fds(self._control, [REQUEST.pack(DONE, owner, module, number, pid)], sent)
        for descriptor in opened:
            os.close(descriptor)
        if self._load and sent:
            # Once the first worker is on its way, which loads what it needs.
            self._load()

    def _may_fork(self, owner: int) -> bool:
        return owner == PARENT or sum(each.owner == owner for each in self._children.values()) < MAX_INNER_WORKERS

    def _fork(self, owner: int, places: Mapping[int, int], status: int) -> tuple[int, int]:
        def work() -> None:
            if _SOCKET in places:
                enter(_SOCKET)
            run_worker(self._module, self._memory_bytes, is_confined=True, is_forked=True)

        pid = _fork(work, places)
        try:
            descriptor = os.pidfd_open(pid)
        except OSError:
            os.kill(pid, signal.SIGKILL)
            os.waitpid(pid, 0)
            raise
        self._last_number += 1
        self._children[descriptor] = _Child(self._last_number, owner, pid, status)
        self._watch(descriptor, self._report)
        return self._last_number, pid

    def _report(self, descriptor: int) -> bool:
        self._forget(descriptor)
        child = self._children.pop(descriptor)
        _, status = os.waitpid(child.pid, 0)
        with suppress(OSError):
            os.write(child.status, STATUS.pack(os.waitstatus_to_exitcode(status)))
        os.close(child.status)
        os.close(descriptor)
        return True

    def _serve(self, owner: int, client: socket.socket) -> None:
        self._clients[owner] = client
        self._watch(client.fileno(), partial(self._relay_request, owner))

    def _relay_request(self, owner: int, descriptor: int) -> bool:
        request = b""
        with suppress(OSError):
            # The kernel closes descriptors that come with it.
            request = self._clients[owner].recv(REQUEST.size)
        ended = END, 0, 0, 0, 0
        kind, _, module, number, _ = REQUEST.unpack(request) if len(request) == REQUEST.size else ended
        # A worker waits for each response, so that one that does not would leave no room for others' requests.
        if kind in {FORK, KILL} and owner not in self._waiting and 0 <= module < len(self._inners):
            self._waiting.add(owner)
            if not _send(self._inners[module].control, REQUEST.pack(kind, owner, module, number, 0)):
                self._refuse(owner)
            return True
        self._forget(descriptor)
        self._clients.pop(owner).close()
        for inner in self._inners:
            _send(inner.control, REQUEST.pack(END, owner, 0, 0, 0))
        return True

    def _relay_response(self, control: socket.socket, _: int) -> bool:
        with suppress(BlockingIOError):
            response, passed, *_rest = socket.recv_fds(control, REQUEST.size, 3)
            owner = REQUEST.unpack(response)[1]
            self._waiting.discard(owner)
            if owner in self._clients:
                _send(self._clients[owner], response, passed)
            for each in passed:
                os.close(each)
        return True

    def _refuse(self, owner: int) -> None:
        self._waiting.discard(owner)
        if owner in self._clients:
            _send(self._clients[owner], REQUEST.pack(DONE, owner, 0, 0, 0))

    def _replace(self, inner: _Inner, descriptor: int) -> bool:
        self._forget(descriptor)
        inner.replace()
        for owner in tuple(self._waiting):
            self._refuse(owner)
        self._watch(inner.process, partial(self._replace, inner))
        return True


def _send(receiver: socket.socket, message: bytes, descriptors: Sequence[int] = ()) -> bool:
    """Return whether it was sent: nobody may keep a fork server waiting."""
    rights = [(socket.SOL_SOCKET, socket.SCM_RIGHTS, array("i", descriptors))] if descriptors else []
    try:
        # `socket.send_fds` of Python 3.11 ignores flags.
        receiver.sendmsg([message], rights, socket.MSG_DONTWAIT)
    except OSError:
        return False
    return True


def _fork(run: Callable[[], object], places: Mapping[int, int]) -> int:
    """Run in a process with only these descriptors, at their places, and standard error; it ends with this one."""
    parent = os.getpid()
    if pid := os.fork():
        return pid
    status = 1
    try:
        ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, *map(ctypes.c_ulong, (signal.SIGKILL, 0, 0, 0)))
        if os.getppid() == parent:
            for place, descriptor in places.items():
                os.dup2(descriptor, place)
            os.closerange(max(2, *places) + 1, MAX_DESCRIPTORS)
            run()
            status = 0
    except SystemExit as error:
        status = error.code if isinstance(error.code, int) else 1
    except BrokenPipeError:  # the caller is gone
        pass
    except BaseException:  # noqa: BLE001  (this process must not go on as the fork server)
        print_exc()
    finally:
        os._exit(status)
