"""Conversion time is linear and bounded: 100 KB take half a second, or one with styled elements.

It is CPU time of the process that converts, without garbage collection, on the reference machine (`tests.cpu_time`);
what fails is measured again, in case of load.
"""

import gc
import tracemalloc
from contextlib import suppress

import pytest

from mdpublish_core import ALL_EXTENSIONS, DEFAULT_EXTENSIONS, convert
from mdpublish_core.errors import LimitExceeded
from mdpublish_core.highlighting import highlighter
from mdpublish_core.options.extensions import Extension
from mdpublish_core.writers.outputs import DESTINATIONS
from tests.cpu_time import slowness
from tests.security.cases import CHEMISTRY, HostileCase, hostile_cases
from tests.security.cost_search import cpu_seconds

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

RETRIES = 3

MAX_MEMORY = 300
"""Peak bytes per input byte."""

CHEMISTRY_MEMORY = 600
"""Per byte of chemistry: a character becomes several tokens and elements; a formula has 10,000."""

README_MEMORY = 40
"""Per byte of a README."""


def seconds(case: HostileCase, size: int, destination: str, rounds: int) -> float:
    return cpu_seconds(case.generate(size), destination, rounds, extensions=case.extensions)


def peak(markdown: str, destination: str, extensions: frozenset[Extension] = DEFAULT_EXTENSIONS) -> int:
    """Exclude caches filled by a first conversion."""
    with suppress(LimitExceeded):
        convert(markdown, to=destination, extensions=extensions)
    highlighter._cache.clear()
    gc.collect()
    tracemalloc.start()
    with suppress(LimitExceeded):
        convert(markdown, to=destination, extensions=extensions)
    highest = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    return highest


@pytest.fixture(scope="module", autouse=True)
def _warm() -> None:
    for destination in DESTINATIONS:
        convert("# a :tada:\n\n|b|\n|-|\n|漢|\n", to=destination, extensions=ALL_EXTENSIONS)


def test_there_are_enough_cases() -> None:
    assert len({case.name for case in CASES}) == len(CASES) >= 120


@pytest.mark.parametrize("destination", DESTINATIONS)
@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_text_takes_no_long_time(case: HostileCase, destination: str) -> None:
    small, large = seconds(case, SMALL, destination, 3), seconds(case, LARGE, destination, 1)
    max_seconds = STYLED_SECONDS if destination in STYLED else MAX_SECONDS
    for _ in range(RETRIES):
        if large <= min(max_seconds, MAX_GROWTH * small + NOISE_SECONDS):
            break
        # Both again: what slows the machine while one is measured must not decide about the other.
        small, large = seconds(case, SMALL, destination, 3), seconds(case, LARGE, destination, 3)

    assert large <= max_seconds or large <= max_seconds * slowness()
    assert large <= MAX_GROWTH * small + NOISE_SECONDS


@pytest.mark.parametrize(
    "case",
    [pytest.param(case, id=case.name, marks=[pytest.mark.short] * (n % 4 == 1)) for n, case in enumerate(CASES)],
)
def test_text_takes_no_large_memory(case: HostileCase) -> None:
    markdown = case.generate(SMALL)

    bytes_per_byte = CHEMISTRY_MEMORY if case.name in CHEMISTRY else MAX_MEMORY
    assert peak(markdown, "generic", case.extensions) <= bytes_per_byte * max(
        len(markdown.encode(errors="replace")), SMALL
    )


@pytest.mark.short
def test_readmes_take_little_memory(readmes: dict[str, str]) -> None:
    for name, markdown in readmes.items():
        assert peak(markdown, "generic") <= README_MEMORY * len(markdown.encode()), name
