"""Jobs that take what a compromised worker could; each returns what it got, or the name of the error."""

import ctypes
import os
import platform
import signal
import socket
import stat
import subprocess
from collections.abc import Callable, Mapping
from contextlib import suppress
from importlib import import_module
from pathlib import Path
from threading import Thread

from mdpublish_core.confinement import seccomp
from mdpublish_core.workers import Worker


def _attempt(steal: Callable[[str], object]) -> Callable[[bytes], bytes]:
    def run(payload: bytes) -> bytes:
        try:
            return f"got {steal(payload.decode())}".encode()
        except OSError as error:
            return type(error).__name__.encode()

    return run


def _connect(port: str) -> None:
    socket.create_connection(("127.0.0.1", int(port)), timeout=5).close()


def _connect_by_path(path: str) -> None:
    with socket.socket(socket.AF_UNIX) as connection:
        connection.connect(path)


def _send_datagram(port: str) -> None:
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as sender:
        sender.sendto(b"stolen", ("127.0.0.1", int(port)))


def _trace(pid: str) -> None:
    """Attach to a process (PTRACE_SEIZE) from a child, whose end detaches it again."""
    library = ctypes.CDLL(None, use_errno=True)
    child = os.fork()
    if not child:
        failed = library.ptrace(ctypes.c_long(0x4206), *map(ctypes.c_long, (int(pid), 0, 0)))
        os._exit(ctypes.get_errno() if failed else 0)
    _, status = os.waitpid(child, 0)
    if status:
        number = os.waitstatus_to_exitcode(status)
        raise OSError(number, os.strerror(number))


def _run_function(name: str) -> None:
    """Make a system call by its function of the C library, with arguments that no kernel takes."""
    if ctypes.CDLL(None, use_errno=True)[name](*map(ctypes.c_long, (-1, -1, -1, 0, -1))) == -1:
        raise OSError(ctypes.get_errno(), name)


def _run_program(path: str) -> str:
    """A program that a job starts is confined with it."""
    done = subprocess.run(["cat", path], capture_output=True, check=False, text=True)
    if done.returncode:
        raise PermissionError(done.stderr)
    return done.stdout


def _start_process(name: str) -> None:
    """Start a process in the way that is named; one that comes to be ends at once."""
    if name == "posix_spawn":
        os.posix_spawn("/bin/true", ["true"], {})
        return
    numbers = {**seccomp._STARTING, "clone": seccomp._CLONE, "clone3": seccomp._CLONE3}[name]
    _, index = seccomp._MACHINES[platform.machine()]
    # SIGCHLD alone, as `fork` has it, is nothing to the others.
    arguments = (numbers[index] or 0, signal.SIGCHLD if name == "clone" else 0, 0, 0, 0, 0)
    result = ctypes.CDLL(None, use_errno=True).syscall(*map(ctypes.c_long, arguments))
    if not result:
        os._exit(0)
    if result == -1:
        raise OSError(ctypes.get_errno(), name)


def _start_thread(_payload: bytes) -> bytes:
    results: list[bytes] = []
    thread = Thread(target=results.append, args=(b"a thread's",))
    thread.start()
    thread.join()
    return results[0]


def _read_in_nested_worker(payload: bytes) -> bytes:
    worker = Worker(__name__, is_confined=True)
    try:
        return worker.run("read", payload, seconds=30.0)
    finally:
        worker.close()


def _descriptors(_payload: bytes) -> bytes:
    """Number, file and kind of each open descriptor."""
    lines = []
    for number in range(256):
        with suppress(OSError):
            status = os.fstat(number)
            kinds = {stat.S_IFIFO: "pipe", stat.S_IFSOCK: "socket"}
            kind = kinds.get(stat.S_IFMT(status.st_mode), "other")
            lines.append(f"{number} {status.st_dev}:{status.st_ino} {kind}")
    return "\n".join(lines).encode()


JOBS: Mapping[str, Callable[[bytes], bytes]] = {
    "run function": _attempt(_run_function),
    "change mode": _attempt(lambda path: Path(path).chmod(0o644)),
    "connect": _attempt(_connect),
    "connect by path": _attempt(_connect_by_path),
    "delete": _attempt(lambda path: Path(path).unlink()),
    "descriptors": _descriptors,
    "import": lambda payload: import_module(payload.decode()).__name__.encode(),
    "initial environment": lambda _payload: Path("/proc/self/environ").read_bytes(),
    "list": _attempt(lambda path: sorted(Path(path).iterdir())),
    "nested read": _read_in_nested_worker,
    "other environment": _attempt(lambda pid: Path(f"/proc/{pid}/environ").read_bytes()),
    "other memory": _attempt(lambda pid: Path(f"/proc/{pid}/mem").open("rb").close()),
    "other signal": _attempt(lambda pid: os.kill(int(pid), 0)),
    "parent environment": _attempt(lambda _: Path(f"/proc/{os.getppid()}/environ").read_bytes()),
    "parent memory": _attempt(lambda _: Path(f"/proc/{os.getppid()}/mem").open("rb").close()),
    "parent descriptors": _attempt(lambda _: sorted(Path(f"/proc/{os.getppid()}/fd").iterdir())),
    "pids": lambda _payload: f"{os.getpid()} {os.getppid()}".encode(),
    "read": _attempt(lambda path: Path(path).read_bytes()),
    "run program": _attempt(_run_program),
    "send datagram": _attempt(_send_datagram),
    "signal": _attempt(lambda pid: os.kill(int(pid), signal.SIGCONT)),
    "start process": _attempt(_start_process),
    "start thread": _start_thread,
    "trace": _attempt(_trace),
    "truncate": _attempt(lambda path: os.truncate(path, 0)),
    "warm_up": lambda payload: payload,
    "write": _attempt(lambda path: Path(path).write_text("x")),
}
