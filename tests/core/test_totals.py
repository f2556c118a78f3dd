"""Rows of tables with a sum."""

import pytest

from mdpublish_core import parse, render


@pytest.mark.parametrize("first", ["Total", "**Amount due:**", "Gesamtbetrag", "Итого", "合計"])
def test_row_that_names_a_sum_is_a_total(first: str) -> None:
    html = render(parse(f"|a|b|\n|-|-:|\n|Pears|1|\n|{first}|2|\n"), to="generic", template="invoice").html

    assert html.count('class="even total"') == 1
    assert 'class="odd"' in html


@pytest.mark.parametrize("first", ["Pears", "Total number of pears that were sold in the region", "Totality", ""])
def test_last_row_of_other_words_is_none(first: str) -> None:
    html = render(parse(f"|a|b|\n|-|-:|\n|{first}|2|\n"), to="generic", template="invoice").html

    assert ' total"' not in html
