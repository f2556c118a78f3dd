"""Bounds of worker processes, and of those that start them."""

import signal

MEMORY_BYTES = 1 << 30
"""Address space; the longest allowed document needs a fraction."""

START_SECONDS = 60.0
"""100 times what an idle machine needs."""

END_SECONDS = 5.0
"""Seconds to exit after closing the pipe: 500 times what an idle machine needs."""

BACKSTOP_FACTOR = 10
"""Wall-clock time that a job may take by default, as a multiple of its CPU time."""

INNER_WORKERS = (("mdpublish_core.figures.worker", 1 << 29), ("mdpublish_core.writers.pdf.engine", MEMORY_BYTES))
"""Workers that a forked worker may have, since it cannot start a process: modules of jobs, and address space."""


def signals(*names: str) -> set[int]:
    return {getattr(signal, name) for name in names if hasattr(signal, name)}


def take_signals() -> None:
    """Leave termination to the caller."""
    for number in signals("SIGINT", "SIGTERM", "SIGHUP"):
        signal.signal(number, signal.SIG_IGN)
    ending = signals("SIGALRM", "SIGPROF", "SIGXCPU")
    for number in ending:
        signal.signal(number, signal.SIG_DFL)
    if hasattr(signal, "pthread_sigmask"):  # not on Windows; the mask is inherited from the calling thread
        signal.pthread_sigmask(signal.SIG_UNBLOCK, ending)
