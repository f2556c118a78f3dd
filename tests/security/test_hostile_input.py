"""Conversion time is linear and bounded: 100 KB take half a second, or one with styled elements.

The best of three, without garbage collection, excludes load on the machine.
"""

import gc
import tracemalloc
from contextlib import suppress
from time import perf_counter

import pytest

from mdpublish_core import LimitExceeded, convert
from mdpublish_core.destinations import DESTINATIONS
from mdpublish_core.highlighting import highlighter
from tests.security.cases import HostileCase, hostile_cases

pytestmark = pytest.mark.security

CASES = tuple(hostile_cases())
SMALL, LARGE = 10_000, 100_000

MAX_SECONDS = 0.5

STYLED_SECONDS = 1.0
"""100 KB of one-letter cells, items or headings become megabytes."""

STYLED = frozenset({"google-docs", "word", "onenote", "email"})

MAX_GROWTH = 12
"""For ten times the input."""

NOISE_SECONDS = 0.02
"""Large trees exceed the processor's caches."""

MAX_MEMORY = 300
"""Peak bytes per input byte."""

README_MEMORY = 40
"""Per byte of a README."""


def seconds(markdown: str, destination: str) -> float:
    times = []
    gc.collect()
    gc.disable()
    try:
        for _ in range(3):
            start = perf_counter()
            with suppress(LimitExceeded):
                convert(markdown, destination=destination)
            times.append(perf_counter() - start)
    finally:
        gc.enable()
    return min(times)


def peak(markdown: str, destination: str) -> int:
    """Exclude caches filled by a first conversion."""
    with suppress(LimitExceeded):
        convert(markdown, destination=destination)
    highlighter._cache = highlighter._Cache()
    gc.collect()
    tracemalloc.start()
    with suppress(LimitExceeded):
        convert(markdown, destination=destination)
    highest = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    return highest


@pytest.fixture(scope="module", autouse=True)
def _warm() -> None:
    for destination in DESTINATIONS:
        convert("# a\n\n|b|\n|-|\n|漢|\n", destination=destination)


def test_there_are_enough_cases() -> None:
    assert len({case.name for case in CASES}) == len(CASES) >= 120


@pytest.mark.parametrize("destination", DESTINATIONS)
@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_text_takes_no_long_time(case: HostileCase, destination: str) -> None:
    small, large = seconds(case.generate(SMALL), destination), seconds(case.generate(LARGE), destination)
    for _ in range(3):
        # Repeat in case of load on the machine.
        if large > MAX_GROWTH * small + NOISE_SECONDS:
            large = min(large, seconds(case.generate(LARGE), destination))

    assert large <= (STYLED_SECONDS if destination in STYLED else MAX_SECONDS)
    assert large <= MAX_GROWTH * small + NOISE_SECONDS


@pytest.mark.parametrize(
    "case",
    [pytest.param(case, id=case.name, marks=[pytest.mark.short] * (n % 2)) for n, case in enumerate(CASES)],
)
def test_text_takes_no_large_memory(case: HostileCase) -> None:
    markdown = case.generate(SMALL)

    assert peak(markdown, "generic") <= MAX_MEMORY * max(len(markdown.encode(errors="replace")), SMALL)


@pytest.mark.short
def test_readmes_take_little_memory(readmes: dict[str, str]) -> None:
    for name, markdown in readmes.items():
        assert peak(markdown, "generic") <= README_MEMORY * len(markdown.encode()), name
