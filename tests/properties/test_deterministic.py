"""Law: the same input gives the same conversion, whatever was converted before."""

from functools import partial

from hypothesis import given

from mdpublish_core import convert
from mdpublish_core.testing import check_deterministic, hostile_text
from mdpublish_core.writers.outputs import DESTINATIONS


@given(hostile_text())
def test_same_input_gives_same_conversion(markdown: str) -> None:
    for destination in DESTINATIONS:
        check_deterministic(markdown, partial(convert, to=destination))
