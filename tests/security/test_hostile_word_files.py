"""No hostile text takes long as a Word file; each is a file, or past the limit of the output."""

from contextlib import suppress
from time import process_time

import pytest

from mdpublish_core import LimitExceeded, to_docx
from mdpublish_core.options.extensions import Extension
from tests.security.cases import hostile_cases

pytestmark = pytest.mark.security

SIZE = 10_000

MAX_SECONDS = 2.0
"""Of CPU time; of 30,000 characters, the slowest takes 1.4."""


def seconds(markdown: str, extensions: frozenset[Extension]) -> float:
    started = process_time()
    with suppress(LimitExceeded):
        to_docx(markdown, extensions=extensions)
    return process_time() - started


def test_hostile_text_takes_no_long_time_in_word_files() -> None:
    to_docx("# warm")
    times = {case.name: seconds(case.generate(SIZE), case.extensions) for case in hostile_cases()}

    assert {name: taken for name, taken in times.items() if taken > MAX_SECONDS} == {}
