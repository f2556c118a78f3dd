"""A worker's process, as its caller sees it."""

import os
import signal
import sys
from contextlib import suppress
from subprocess import PIPE, Popen, TimeoutExpired
from time import monotonic
from typing import BinaryIO, Protocol, cast

from mdpublish_core.workers.charges import is_worker

# No secrets.
_ENVIRONMENT = frozenset(
    {"DYLD_LIBRARY_PATH", "HOME", "LANG", "LD_LIBRARY_PATH", "PATH", "SYSTEMROOT", "TEMP", "TMP", "TMPDIR", "TZ"}
)
_ENVIRONMENT_PREFIXES = ("FONTCONFIG_", "LC_", "PYTHON", "XDG_")


class Process(Protocol):
    """A process with two unbuffered pipes."""

    pid: int
    inlet: BinaryIO
    outlet: BinaryIO

    def wait(self, seconds: float | None = None) -> int | None:
        """Return the exit status, or None after `seconds`."""

    def kill(self) -> None:
        """End the process and its own workers, which would finish their jobs otherwise."""

    def detach(self) -> None:
        """Forget the process after a fork: it belongs to the parent."""

    @property
    def is_outdated(self) -> bool:
        """Whether another process should do the next job."""

    @property
    def clock(self) -> float:
        """CPU time of the process and its own workers so far, or of the wall clock where the system tells neither."""

    @property
    def windows_cpu_seconds(self) -> float:
        """CPU time on Windows, which has no CPU timers; 0 elsewhere, where the kernel ends the job."""


def command(*arguments: str) -> tuple[str, ...]:
    # -P: modules in the current directory must not shadow ours.
    return sys.executable, "-P", "-X", "faulthandler", "-m", "mdpublish_core.workers", *arguments


def environment() -> dict[str, str]:
    allowed = {
        name: value
        for name, value in os.environ.items()
        if name.upper() in _ENVIRONMENT or name.upper().startswith(_ENVIRONMENT_PREFIXES)
    }
    # An empty entry would be the current directory.
    return {**allowed, "PYTHONPATH": os.pathsep.join(path for path in sys.path if os.path.isabs(path))}  # noqa: PTH117


class StartedProcess:
    """A process of its own program. Raises `OSError` if it cannot be started."""

    is_outdated = False

    def __init__(self, arguments: tuple[str, ...]) -> None:
        self._popen = Popen(  # noqa: S603  (no user input)
            command(*arguments),
            bufsize=0,
            stdin=PIPE,
            stdout=PIPE,
            env=environment(),
            # A group of its own, which its own workers share: see `kill`.
            process_group=None if is_worker() else 0,
        )
        self.pid = self._popen.pid
        self.inlet, self.outlet = cast("BinaryIO", self._popen.stdin), cast("BinaryIO", self._popen.stdout)

    def wait(self, seconds: float | None = None) -> int | None:
        with suppress(TimeoutExpired):
            return self._popen.poll() if seconds == 0 else self._popen.wait(seconds)
        return None

    def kill(self) -> None:
        # Until its end is noted, nobody else gets the number of the process and its group.
        if self._popen.returncode is None and hasattr(os, "killpg") and not is_worker():
            with suppress(ProcessLookupError, PermissionError):
                os.killpg(self.pid, signal.SIGKILL)
        self._popen.kill()

    def detach(self) -> None:
        # Popen warns of a running process otherwise; only its parent can wait for it.
        self._popen.returncode = 0

    @property
    def clock(self) -> float:
        return tree_cpu_seconds(self.pid)

    @property
    def windows_cpu_seconds(self) -> float:
        if (handle := getattr(self._popen, "_handle", None)) is None:
            return 0.0
        import ctypes
        from ctypes import wintypes

        # https://learn.microsoft.com/windows/win32/api/processthreadsapi/nf-processthreadsapi-getprocesstimes
        times = [wintypes.FILETIME() for _ in range(4)]
        library = getattr(ctypes, "windll")  # noqa: B009  (not on other systems)
        library.kernel32.GetProcessTimes(int(handle), *map(ctypes.byref, times))
        return float(sum((each.dwHighDateTime << 32) + each.dwLowDateTime for each in times[2:])) / 1e7


def tree_cpu_seconds(pid: int) -> float:
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
