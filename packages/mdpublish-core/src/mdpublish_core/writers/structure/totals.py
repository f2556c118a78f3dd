"""Rows of tables with a sum, which templates for bills set apart."""

from mdpublish_core import nodes
from mdpublish_core.data_files import read_table

_TERMS = frozenset(term for (terms,) in read_table(__file__, "totals.tsv") for term in terms.split(", "))

_MAX_CHARACTERS = 40


def has_total(row: nodes.TableRow) -> bool:
    """Return whether the first words of a row name a sum."""
    for cell in row.children:
        words = " ".join(nodes.text_content(cell).split())
        if words:
            return len(words) <= _MAX_CHARACTERS and words.rstrip(":\uff1a").strip().casefold() in _TERMS
    return False
