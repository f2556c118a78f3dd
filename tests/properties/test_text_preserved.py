"""Law: `html` and `plain_text` show all words of the author in order."""

from functools import partial

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mdpublish_core import Conversion, Limits, convert
from mdpublish_core.options.limits import STEPS_PER_INPUT_BYTE
from mdpublish_core.testing import Sample, check_text_preserved, samples
from mdpublish_core.writers.outputs import DESTINATIONS


@pytest.mark.parametrize("destination", DESTINATIONS)
@given(samples())
def test_every_word_is_shown_in_sequence(destination: str, sample: Sample) -> None:
    check_text_preserved(sample, partial(convert, to=destination))


@pytest.mark.parametrize("destination", DESTINATIONS)
@given(samples(), st.integers(0, 1_000))
def test_every_word_is_shown_past_the_budget(destination: str, sample: Sample, steps: int) -> None:
    def convert_with_few_steps(markdown: str) -> Conversion:
        limits = Limits(max_steps=steps - STEPS_PER_INPUT_BYTE * len(markdown.encode()))
        return convert(markdown, to=destination, limits=limits)

    check_text_preserved(sample, convert_with_few_steps)
