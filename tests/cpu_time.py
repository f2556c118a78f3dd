"""How slow the machine is just now, for bounds on CPU time.

The bounds were set on the machine of docs/explanation/performance.md. A slower one, or one whose other programs take
caches and memory bandwidth, is allowed proportionally more. What is measured is the standard library's work, never ours.
"""

import argparse
import io
import tokenize
from pathlib import Path
from time import thread_time

REFERENCE_SECONDS = 0.018
"""Tokenizing 100 KB of Python on that machine, on a day when mistune took 35 ms for 100 KB of READMEs."""

MAX_SLOWNESS = 2.0
"""On a machine that is slower than this, the bounds fail and should."""

ROUNDS = 5


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
