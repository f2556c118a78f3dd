"""The table of what is kept of HTML; `nox -s features` runs the other converters."""

import pytest

from benchmarks.comparison_page import table_of_page
from benchmarks.imports import ours, table

pytestmark = pytest.mark.interop


def columns(lines: str, number: int) -> list[list[str]]:
    return [line.split(" | ")[:number] for line in lines.replace(" |\n", "\n").splitlines()]


def test_page_has_what_mdpublish_keeps() -> None:
    assert columns(table_of_page("imports"), 3) == columns(table(ours()), 3)
