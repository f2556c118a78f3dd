"""Law: `html` and `plain_text` show all words of the author in order."""

from functools import partial

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mdpublish_core import Limits, convert
from mdpublish_core.options.limits import STEPS_PER_INPUT_BYTE
from mdpublish_core.testing import Sample, check_text_preserved, samples
from mdpublish_core.writers.outputs import DESTINATIONS

pytestmark = pytest.mark.corpora


@given(samples())
def test_every_word_is_shown_in_sequence(sample: Sample) -> None:
    for destination in DESTINATIONS:
        check_text_preserved(sample, partial(convert, to=destination))


@given(samples(), st.integers(0, 1_000))
def test_every_word_is_shown_past_the_budget(sample: Sample, steps: int) -> None:
    limits = Limits(max_steps=steps - STEPS_PER_INPUT_BYTE * len(sample.markdown.encode()))
    for destination in DESTINATIONS:
        check_text_preserved(sample, partial(convert, to=destination, limits=limits))
