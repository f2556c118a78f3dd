"""The worker process: does job after job, each within its time."""

import gc
import os
import signal
from collections.abc import Callable, Mapping
from contextlib import suppress
from importlib import import_module
from math import ceil
from time import process_time
from traceback import StackSummary, walk_tb
from typing import BinaryIO

from mdpublish_core.confinement import confine
from mdpublish_core.confinement.protections import encode
from mdpublish_core.workers.charges import CHARGES
from mdpublish_core.workers.failures import JobStalled
from mdpublish_core.workers.frames import FAILED, FAILED_FATALLY, HEADER, JOB_HEADER, READY, RESULT, STALLED, TOO_LARGE
from mdpublish_core.workers.limits import START_SECONDS, take_signals

MAX_NEW_OBJECTS = 300_000
"""Between two garbage collections in a worker, which took half the CPU time of a long Word file."""

# Seconds past a limit until the kernel's second means ends a job: RLIMIT_CPU, and the alarm.
_GRACE_SECONDS = 1.0

_MESSAGE_CHARACTERS = 2_000
_STACK_FRAMES = 30


def run_worker(module: str, memory_bytes: int, *, is_confined: bool, is_forked: bool = False) -> None:
    inlet, outlet = _take_pipes()
    take_signals()
    _limit_resources(memory_bytes)
    gc.set_threshold(MAX_NEW_OBJECTS)
    _set_timers(START_SECONDS, START_SECONDS)
    jobs: Mapping[str, Callable[[bytes], bytes]] = import_module(module).JOBS
    # After the import: Python may write its bytecode, and all of it is ours.
    protections = confine(may_start_processes=not is_forked) if is_confined else ()
    _send(outlet, READY, 0.0, encode(protections))
    _stop_timers()
    while len(header := inlet.read(HEADER.size)) == HEADER.size:
        *_, length = HEADER.unpack(header)
        frame = inlet.read(length)
        if len(frame) < length:
            return
        seconds, backstop, name_length = JOB_HEADER.unpack_from(frame)
        start = JOB_HEADER.size + name_length
        name, payload = frame[JOB_HEADER.size : start].decode(), frame[start:]
        del frame
        began, CHARGES[:] = process_time(), []
        _set_timers(seconds, backstop)
        kind, body = _run_job(jobs, name, payload)
        del payload
        _send(outlet, kind, process_time() - began + sum(CHARGES), body)
        del body
        if kind in {FAILED_FATALLY, TOO_LARGE}:
            return
        _stop_timers()


def _run_job(jobs: Mapping[str, Callable[[bytes], bytes]], name: str, payload: bytes) -> tuple[bytes, bytes]:
    try:
        return RESULT, jobs[name](payload)
    except MemoryError:
        # Unknown state; the worker is not reused.
        return TOO_LARGE, b""
    except JobStalled:
        return STALLED, b""
    except RecursionError as error:
        return FAILED_FATALLY, _encode_error(error)
    except Exception as error:  # noqa: BLE001  (whatever a job raises is the caller's to know)
        return FAILED, _encode_error(error)


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
    outlet.write(HEADER.pack(kind, cpu_seconds, len(body)))
    outlet.write(body)
    outlet.flush()


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
