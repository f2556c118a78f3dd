"""The laws that plug-in authors run, on output that keeps them and output that does not."""

import pytest

from mdpublish_core import Conversion, convert
from mdpublish_core.testing import check_words_preserved

COLUMNS = 12
LABELS = [f"Documentation{column}q" for column in range(COLUMNS)]
CELLS = [f"Responsibility{column}q" for column in range(COLUMNS)]
WIDE = "\n".join("|".join(cells) for cells in (LABELS, ["-"] * COLUMNS, CELLS))


@pytest.fixture(scope="module")
def stacked() -> Conversion:
    conversion = convert(WIDE, to="word")
    assert [notice.code for notice in conversion.notices] == ["table-stacked"]
    assert conversion.html.index(CELLS[0]) < conversion.html.index(LABELS[1])
    return conversion


def test_words_of_stacked_tables_are_in_any_order(stacked: Conversion) -> None:
    check_words_preserved([*LABELS, *CELLS], stacked)


def test_stacked_tables_contain_all_words(stacked: Conversion) -> None:
    with pytest.raises(AssertionError, match="'absent'] are missing in"):
        check_words_preserved([*LABELS, *CELLS, "absent"], stacked)


def test_other_words_are_in_order() -> None:
    conversion = convert("first second", to="word")

    check_words_preserved(["first", "second"], conversion)
    with pytest.raises(AssertionError, match="'first' is missing or out of order"):
        check_words_preserved(["second", "first"], conversion)
