"""Law: output stays within the limits, or the error names the exceeded limit."""

from functools import partial

from hypothesis import given

from mdpublish_core import Limits, convert
from mdpublish_core.testing import Sample, check_limits_respected, hostile_text, samples
from mdpublish_core.writers.outputs import DESTINATIONS

# An email's frame or a fragment's stylesheet may exceed them.
LIMITS = Limits(max_input_bytes=400, max_depth=3, max_table_padding=1, max_output_bytes=4_000, max_steps=-2_000)


@given(hostile_text())
def test_hostile_input_keeps_the_limits(markdown: str) -> None:
    for destination in DESTINATIONS:
        check_limits_respected(markdown, partial(convert, to=destination))


@given(samples())
def test_narrow_limits_are_respected(sample: Sample) -> None:
    for destination in DESTINATIONS:
        check_limits_respected(sample.markdown, partial(convert, to=destination, limits=LIMITS), LIMITS)
