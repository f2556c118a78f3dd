"""No hostile text takes long as a Word file; each is a file, or past the limit of the output.

Bounds are on CPU time. As in `test_hostile_input`, what fails is measured again, in case of load.
"""

from contextlib import suppress
from time import process_time

import pytest

from mdpublish_core import convert
from mdpublish_core.errors import LimitExceeded
from mdpublish_core.options.extensions import Extension
from tests.cpu_time import slowness
from tests.security.cases import hostile_cases

pytestmark = pytest.mark.security

SIZE = 10_000

MAX_SECONDS = 2.0
"""Of CPU time; of 30,000 characters, the slowest takes 1.4."""


UNITS = ("\\*", "a  \n", "- a\n", "1. a\n\n<!-- -->\n\n", "[a](b) ", "<td rowspan=9>", "`a` ", "a[^1] ", "|a")
"""That styles, numberings, links, runs, cells and footnotes come from."""

MAX_GROWTH = 6.0
"""Of time, when the text is four times as long."""

NOISE_SECONDS = 0.05

RETRIES = 3


def seconds(markdown: str, extensions: frozenset[Extension] | None = None) -> float:
    started = process_time()
    with suppress(LimitExceeded):
        convert(markdown, to="docx", extensions=extensions).to_bytes()
    return process_time() - started


def test_hostile_text_takes_no_long_time_in_word_files() -> None:
    convert("# warm", to="docx").to_bytes()
    cases = {case.name: case for case in hostile_cases()}
    slow: dict[str, float] = dict.fromkeys(cases, 0.0)
    for _ in range(1 + RETRIES):
        times = {name: seconds(cases[name].generate(SIZE), cases[name].extensions) for name in slow}
        slow = {name: taken for name, taken in times.items() if taken > MAX_SECONDS}
        if not slow:
            break

    assert {name: taken for name, taken in slow.items() if taken > MAX_SECONDS * slowness()} == {}


def test_time_is_linear() -> None:
    convert("# warm", to="docx").to_bytes()
    superlinear = {unit: _growth_beyond(unit) for unit in UNITS}

    assert {unit: excess for unit, excess in superlinear.items() if excess > 0} == {}


def _growth_beyond(unit: str) -> float:
    """Return by how many seconds a text takes longer than a quarter of it allows."""
    excess = 0.0
    for _ in range(1 + RETRIES):
        # Both again: what slows the machine while one is measured must not decide about the other.
        small, large = (seconds(f"{unit * (size // len(unit))}\n\n[^1]: b") for size in (10_000, 40_000))
        excess = large - MAX_GROWTH * small - NOISE_SECONDS
        if excess <= 0:
            break
    return excess
