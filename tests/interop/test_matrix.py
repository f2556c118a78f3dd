import pytest

from tests.cases.matrix import PAGE, read_back, written

pytestmark = pytest.mark.interop


def test_column_of_word_is_what_its_reader_understands() -> None:
    # To update: `python -m tests.cases.matrix`.
    assert written(PAGE.read_text("utf-8"), "word") == read_back(["word"])["word"]
