"""Law: any text converts for every destination, without an exception, and the result can be encoded."""

from functools import partial

from hypothesis import example, given

from mdpublish_core import convert
from mdpublish_core.testing import check_total, hostile_text
from mdpublish_core.writers.outputs import DESTINATIONS


@given(hostile_text())
@example("")
@example("\ud800")
@example("\r")
def test_any_input_converts(markdown: str) -> None:
    for destination in DESTINATIONS:
        check_total(markdown, partial(convert, to=destination))
