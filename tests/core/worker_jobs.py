"""Misbehaving jobs, each run in its own process."""

import ctypes
import gc
import os
import resource
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Mapping
from pathlib import Path
from threading import Thread

from mdpublish_core.workers import JobStalled, Worker, charge_cpu


def _hang(_payload: bytes) -> bytes:
    time.sleep(3_600)
    return b""


def _sleep(payload: bytes) -> bytes:
    time.sleep(float(payload))
    return payload


def _collect(payload: bytes) -> bytes:
    """Return how often garbage is collected while as many objects are made as the payload says."""
    before = [each["collections"] for each in gc.get_stats()]
    objects = [[number] for number in range(int(payload))]
    after = [each["collections"] for each in gc.get_stats()]
    del objects
    return str(sum(after) - sum(before)).encode()


def _spin(_payload: bytes) -> bytes:
    while True:
        pass


def _spin_with_a_worker(payload: bytes) -> bytes:
    """Spin beside a worker of this worker, whose number is written to the file named by the payload."""
    worker = Worker("tests.core.worker_jobs")
    Thread(target=worker.run, args=("spin", b""), kwargs={"seconds": 3_600.0}, daemon=True).start()
    while not worker.is_running:
        pass
    assert worker._process
    Path(payload.decode()).write_text(str(worker._process.pid))
    return _spin(b"")


def _spin_without_alarm(_payload: bytes) -> bytes:
    signal.setitimer(signal.ITIMER_REAL, 0)
    signal.setitimer(signal.ITIMER_PROF, 0)
    return _spin(b"")


def _hang_past_the_parent(_payload: bytes) -> bytes:
    """Hang with an alarm before the caller's deadline, as if the caller were gone."""
    signal.setitimer(signal.ITIMER_REAL, 0.2)
    return _hang(b"")


def _spin_past_the_parent(_payload: bytes) -> bytes:
    """Spin with less CPU time left than the caller waits, as if the caller were gone."""
    _, hard = resource.getrlimit(resource.RLIMIT_CPU)
    resource.setrlimit(resource.RLIMIT_CPU, (1, hard))
    return _spin(b"")


def _bounds(_payload: bytes) -> bytes:
    """CPU time left, maximum core file size, and time to the alarm."""
    left = resource.getrlimit(resource.RLIMIT_CPU)[0] - time.process_time()
    core = resource.getrlimit(resource.RLIMIT_CORE)[0]
    return f"{left} {core} {signal.getitimer(signal.ITIMER_REAL)[0]}".encode()


def _burn(payload: bytes) -> bytes:
    end = time.process_time() + float(payload)
    while time.process_time() < end:
        pass
    return b""


def _spin_in_a_thread(_payload: bytes) -> bytes:
    thread = Thread(target=_spin, args=(b"",), daemon=True)
    thread.start()
    thread.join()
    return b""


def _charge(payload: bytes) -> bytes:
    charge_cpu(float(payload))
    return b""


def _stall(_payload: bytes) -> bytes:
    raise JobStalled("a worker of this worker stalled")


def _exit(payload: bytes) -> bytes:
    os._exit(int(payload or b"0"))


def _crash(_payload: bytes) -> bytes:
    return ctypes.string_at(0)


def _abort(_payload: bytes) -> bytes:
    os.abort()


def _leave(_payload: bytes) -> bytes:
    sys.exit(3)


def _bomb(_payload: bytes) -> bytes:
    hoard = [b"x" * (1 << 20)]
    while True:
        hoard.append(hoard[-1] + hoard[-1])


def _recurse(payload: bytes) -> bytes:
    return _recurse(payload) + b"x"


def _raise(payload: bytes) -> bytes:
    raise ValueError(payload.decode())


def _print(payload: bytes) -> bytes:
    print("printed by Python", flush=True)  # noqa: T201
    os.write(1, b"printed by native code\n" * 1_000)
    subprocess.run(["echo", "printed by a program"], check=True)
    return payload


def _read_input(_payload: bytes) -> bytes:
    return os.read(0, 100) + subprocess.run(["cat"], capture_output=True, check=True).stdout


def _forge(_payload: bytes) -> bytes:
    """Write to every pipe, as compromised native code could."""
    for number in range(3, 64):
        try:
            os.write(number, b"Z" + bytes(8) + b"\0\0\0\1x")
        except OSError:
            continue
    return b"answer"


def _boast(_payload: bytes) -> bytes:
    """Announce a response of 4 GiB."""
    for number in range(3, 64):
        try:
            os.write(number, b"A" + bytes(8) + b"\xff\xff\xff\xff")
        except OSError:
            continue
    return _hang(b"")


JOBS: Mapping[str, Callable[[bytes], bytes]] = {
    "abort": _abort,
    "boast": _boast,
    "bomb": _bomb,
    "bounds": _bounds,
    "burn": _burn,
    "charge": _charge,
    "collect": _collect,
    "crash": _crash,
    "echo": lambda payload: payload,
    "environment": lambda _payload: "\n".join(os.environ).encode(),
    "exit": _exit,
    "forge": _forge,
    "hang": _hang,
    "hang past the caller": _hang_past_the_parent,
    "leave": _leave,
    "length": lambda payload: str(len(payload)).encode(),
    "path": lambda _payload: "\n".join(sys.path).encode(),
    "pid": lambda _payload: str(os.getpid()).encode(),
    "print": _print,
    "raise": _raise,
    "read input": _read_input,
    "recurse": _recurse,
    "repeat": lambda payload: b"x" * int(payload),
    "spin": _spin,
    "stall": _stall,
    "spin in a thread": _spin_in_a_thread,
    "spin with a worker": _spin_with_a_worker,
    "sleep": _sleep,
    "spin past the caller": _spin_past_the_parent,
    "spin without alarm": _spin_without_alarm,
    "warm_up": lambda payload: payload,
}
