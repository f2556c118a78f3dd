"""CPU time of work, and how slow the machine is just now, for sessions by hand; CI counts steps (`count_steps`).

The bounds were set on the machine of docs/explanation/performance.md. A slower one, or one whose other programs take
caches and memory bandwidth, is allowed proportionally more. It measures the standard library's work alone.
"""

import argparse
import gc
import io
import tokenize
from collections.abc import Callable
from pathlib import Path
from statistics import median
from time import thread_time

REFERENCE_SECONDS = 0.018
"""Tokenizing 100 KB of Python on that machine, on a day when mistune took 35 ms for 100 KB of READMEs."""

MAX_SLOWNESS = 2.0
"""On a machine that is slower than this, the bounds fail and should."""

ROUNDS = 5


def median_seconds(work: Callable[[], object], rounds: int = 3) -> float:
    """Return the median CPU time of this thread, without garbage collection."""
    times = []
    for _ in range(rounds):
        gc.collect()
        gc.disable()
        start = thread_time()
        work()
        times.append(thread_time() - start)
        gc.enable()
    return median(times)


def slowness() -> float:
    """Return by how many times this machine is slower than the reference, at least 1 and at most `MAX_SLOWNESS`."""
    source = Path(argparse.__file__).read_text("utf-8")
    seconds = min(_seconds(source) for _ in range(ROUNDS)) * 100_000 / len(source)
    return min(max(seconds / REFERENCE_SECONDS, 1.0), MAX_SLOWNESS)


def _seconds(source: str) -> float:
    start = thread_time()
    for _ in tokenize.generate_tokens(io.StringIO(source).readline):
        pass
    return thread_time() - start
