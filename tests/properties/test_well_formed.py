"""Law: HTML parses without errors; plain text has no trailing spaces and ends in one newline."""

from functools import partial

from hypothesis import example, given

from mdpublish_core import convert
from mdpublish_core.testing import Sample, check_well_formed, hostile_text, samples
from mdpublish_core.writers.outputs import DESTINATIONS


@given(hostile_text())
@example("```\na \n```\n")
def test_hostile_input_gives_well_formed_output(markdown: str) -> None:
    for destination in DESTINATIONS:
        check_well_formed(markdown, partial(convert, to=destination))


@given(samples())
def test_documents_give_well_formed_output(sample: Sample) -> None:
    for destination in DESTINATIONS:
        check_well_formed(sample.markdown, partial(convert, to=destination))
