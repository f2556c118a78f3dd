"""CPU time of a worker's own workers counts towards its job."""

import os
import signal
import sys

CHARGES: list[float] = []
"""CPU seconds of other processes during the current job."""


def is_worker() -> bool:
    """Whether this process is a worker, or the fork server of workers."""
    return getattr(sys.modules["__main__"].__spec__, "name", None) == "mdpublish_core.workers.__main__"


def charge_cpu(seconds: float) -> None:
    """Count another worker's CPU time towards this process's job, if it is a worker; may end it with `JobTimedOut`."""
    if not is_worker():
        return
    CHARGES.append(seconds)
    if hasattr(signal, "setitimer") and (left := signal.getitimer(signal.ITIMER_PROF)[0]):
        if left <= seconds:
            os.kill(os.getpid(), signal.SIGPROF)
        signal.setitimer(signal.ITIMER_PROF, left - seconds)
