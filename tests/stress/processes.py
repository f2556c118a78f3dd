import time

import psutil

PATIENCE = 300
"""In seconds, far above the expected."""


def family(pid: int) -> list[psutil.Process]:
    process = psutil.Process(pid)
    return [process, *process.children(recursive=True)]


def survivors(processes: list[psutil.Process], *, seconds: float = PATIENCE) -> list[psutil.Process]:
    end = time.monotonic() + seconds
    left = processes
    while (left := [process for process in left if _lives(process)]) and time.monotonic() < end:
        time.sleep(0.02)
    return left


def _lives(process: psutil.Process) -> bool:
    """Zombies do not."""
    try:
        return process.is_running() and process.status() != psutil.STATUS_ZOMBIE
    except psutil.NoSuchProcess:
        return False
