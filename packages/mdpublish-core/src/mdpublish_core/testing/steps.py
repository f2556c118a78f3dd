"""Counts the work of Python code without a clock: the same number on every machine, however busy it is."""

import gc
import sys
from collections.abc import Callable
from types import FrameType
from typing import Any


class TooManySteps(Exception):  # noqa: N818  (named after the fault)
    """The limit of steps is exceeded."""


def count_steps(work: Callable[[], object], limit: int | None = None) -> int:
    """Return how many lines, calls and returns of Python code `work` takes in this thread.

    What a function in C does, such as a regular expression, is part of the line that calls it: only a clock can measure
    that. Raises TooManySteps past `limit`, so that endless work ends.
    """
    steps = 0

    def trace(_frame: FrameType, _event: str, _argument: Any) -> Callable[..., Any]:
        nonlocal steps
        steps += 1
        if steps == limit:
            raise TooManySteps(f"more than {limit:,} steps")
        return trace

    # Garbage collection calls others' functions, at times that depend on what ran before.
    was_collecting = gc.isenabled()
    gc.disable()
    tracing = sys.gettrace()
    sys.settrace(trace)
    try:
        work()
    finally:
        sys.settrace(tracing)
        if was_collecting:
            gc.enable()
    return steps
