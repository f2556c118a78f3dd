"""Rows of tables with a sum, which templates for bills set apart."""

from collections.abc import Iterable

from mdpublish_core import nodes
from mdpublish_core.data_files import read_table
from mdpublish_core.table_model import Row

_TERMS = frozenset(term for (terms,) in read_table(__file__, "totals.tsv") for term in terms.split(", "))

_MAX_CHARACTERS = 40


def row_element(row: Row, position: int) -> str:
    """Return the element that stylesheets know, of a row at a position in its part, from 0."""
    is_total = not row.is_header and has_total(cell.token for cell in row.cells)
    return row.element(position) + ".total" * is_total


def has_total(cells: Iterable[nodes.Token]) -> bool:
    """Return whether the first words of a row name a sum."""
    for cell in cells:
        words = " ".join(nodes.text_content(cell).split())
        if words:
            return len(words) <= _MAX_CHARACTERS and words.rstrip(":\uff1a").strip().casefold() in _TERMS
    return False
