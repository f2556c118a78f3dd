"""The rules, one a file. Where changes of two would overlap, those of the first are made first."""

from collections.abc import Callable, Iterable, Mapping

from mdpublish_core.formatting.rules import (
    blank_lines,
    bullets,
    emphasis,
    escapes,
    fences,
    final_line_end,
    heading_spaces,
    headings,
    indents,
    numbers,
    tables,
    trailing_blanks,
    wrapping,
)
from mdpublish_core.formatting.source import MarkedSource, Unit

Rule = Callable[[MarkedSource, str], Iterable[Unit]]
"""Proposes units of the name that it is given."""

RULES: Mapping[str, Rule] = {
    "wrapping": wrapping.propose,
    "headings": headings.propose,
    "heading-spaces": heading_spaces.propose,
    "bullets": bullets.propose,
    "emphasis": emphasis.propose,
    "fences": fences.propose,
    "escapes": escapes.propose,
    "trailing-blanks": trailing_blanks.propose,
    "blank-lines": blank_lines.propose,
    "final-line-end": final_line_end.propose,
    "numbers": numbers.propose,
    "tables": tables.propose,
    "indents": indents.propose,
}

DEFAULT_RULES = frozenset(RULES) - {"indents", "numbers", "tables"}
"""All but those by choice."""
