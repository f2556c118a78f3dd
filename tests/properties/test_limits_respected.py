"""Law: output is no longer than the limits allow, or an error names the limit that was passed."""

from functools import partial

import pytest
from hypothesis import given

from mdpublish_core import Limits, convert
from mdpublish_core.destinations import DESTINATIONS
from mdpublish_core.testing import Sample, check_limits_respected, hostile_text, samples

# So low that the frame of a mail or the stylesheet of a fragment alone may pass them.
LIMITS = Limits(max_input_bytes=400, max_depth=3, max_table_padding=1, max_output_bytes=4_000)


@pytest.mark.parametrize("destination", DESTINATIONS)
@given(hostile_text())
def test_hostile_input_keeps_the_limits(destination: str, markdown: str) -> None:
    check_limits_respected(markdown, partial(convert, destination=destination))


@pytest.mark.parametrize("destination", DESTINATIONS)
@given(samples())
def test_narrow_limits_are_respected(destination: str, sample: Sample) -> None:
    check_limits_respected(sample.markdown, partial(convert, destination=destination, limits=LIMITS), LIMITS)
