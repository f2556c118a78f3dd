"""Law: `html` and `plain_text` show all words of the author in order."""

from functools import partial

import pytest
from hypothesis import given

from mdpublish_core import convert
from mdpublish_core.destinations import DESTINATIONS
from mdpublish_core.testing import Sample, check_text_preserved, samples


@pytest.mark.parametrize("destination", DESTINATIONS)
@given(samples())
def test_every_word_is_shown_in_sequence(destination: str, sample: Sample) -> None:
    check_text_preserved(sample, partial(convert, destination=destination))
