"""Counts the memory of work without a clock: Python's allocator says how much was taken at most."""

import tracemalloc
from collections.abc import Callable
from typing import TypeVar

from mdpublish_core.testing.laws import MAX_GROWTH

T = TypeVar("T")


def peak_bytes(work: Callable[[], object]) -> int:
    """Return the most bytes that `work` takes beside what was there before, without the memory of C libraries."""
    tracemalloc.start()
    try:
        work()
        return tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()


def check_memory_linear(
    make_input: Callable[[int], T], work: Callable[[T], object], *, characters: int = 1_000
) -> None:
    """Check that the memory for ten times the input does not grow quadratically, as `check_linear` does for steps."""
    work(make_input(characters // 2))  # imports and caches
    few, many = make_input(characters), make_input(10 * characters)
    small, large = peak_bytes(lambda: work(few)), peak_bytes(lambda: work(many))
    assert large <= MAX_GROWTH * small, f"{large / small:.1f} times the memory for ten times the input"
