"""The matrix of constructs and destinations is complete and up to date.

The `word` column needs LibreOffice and is copied from the page. `tests/interop/test_matrix.py` generates it.
"""

import re
from typing import get_args

import pytest

from mdpublish_core import nodes, parse, select_extensions
from mdpublish_core.writers.outputs import DESTINATIONS
from tests.cases.case_files import all_cases
from tests.cases.matrix import PAGE, page_of, read_back, readers_part, written


@pytest.fixture(scope="module")
def page() -> str:
    return PAGE.read_text("utf-8")


def rows_of(page: str) -> list[list[str]]:
    """Cells of the page's two tables, side by side, headers first."""
    parts = [part.splitlines() for part in readers_part(page).split("\n\n") if part.startswith("| ")]
    tables = [[re.split(r" ?\| ?", line)[1:-1] for line in part if line.startswith("| ")] for part in parts]
    return [[*left, *right[1:]] for left, right in zip(*tables, strict=True)]


@pytest.mark.needs("merman")
def test_page_is_what_its_generator_makes(page: str) -> None:
    columns = read_back(destination for destination in DESTINATIONS if destination != "word")
    columns["word"] = written(page, "word")

    # On failure: `python -m tests.cases.matrix`.
    assert page == page_of({destination: columns[destination] for destination in DESTINATIONS})


def test_every_destination_has_a_column(page: str) -> None:
    header, *_ = rows_of(page)

    assert header == ["construct", *(f"`{destination}`" for destination in DESTINATIONS)]


def test_every_case_has_a_row_without_an_empty_cell(page: str) -> None:
    _, *rows = rows_of(page)

    assert len(rows) == len(all_cases())
    assert not [row for row in rows if len(row) != 1 + len(DESTINATIONS)]
    assert not [row for row in rows if not all(re.search(r"\[.+\]\(#.+\)", cell) for cell in row)]


def test_every_case_shows_what_each_destination_becomes(page: str) -> None:
    readings = {destination: written(page, destination) for destination in DESTINATIONS}

    assert {len(column) for column in readings.values()} == {len(all_cases())}
    assert not [reading for column in readings.values() for reading in column if not reading.markdown.strip()]


def test_every_token_occurs_in_the_cases() -> None:
    documents = [
        parse(case.markdown, raw_html=case.raw_html, extensions=select_extensions(case.extensions))
        for case in all_cases()
    ]
    classes = {type(token) for document in documents for token in nodes.walk(document)}

    assert {*get_args(nodes.Block), *get_args(nodes.Inline)} - classes == set()
