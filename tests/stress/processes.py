"""Processes by their ids: whose children they are, and whether they are gone."""

import time

import psutil

PATIENCE = 60
"""Seconds after which a test that waits has failed; far beyond what is waited for."""


def family(pid: int) -> list[psutil.Process]:
    """Return a process and all that it started, and they."""
    process = psutil.Process(pid)
    return [process, *process.children(recursive=True)]


def survivors(processes: list[psutil.Process], *, seconds: float = PATIENCE) -> list[psutil.Process]:
    """Wait until all of them have ended, so many seconds at most, and return those that have not."""
    end = time.monotonic() + seconds
    left = processes
    while (left := [process for process in left if _lives(process)]) and time.monotonic() < end:
        time.sleep(0.02)
    return left


def _lives(process: psutil.Process) -> bool:
    """Tell whether a process runs; one that nobody has waited for (a zombie) does not."""
    try:
        return process.is_running() and process.status() != psutil.STATUS_ZOMBIE
    except psutil.NoSuchProcess:
        return False
