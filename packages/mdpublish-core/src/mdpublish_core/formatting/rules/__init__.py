"""The rules, one a file. Where changes of two would overlap, those of the first are made first."""

from collections.abc import Callable, Iterable, Mapping

from mdpublish_core.data_files import load_function
from mdpublish_core.formatting.source import MarkedSource, Unit

Rule = Callable[[MarkedSource, str], Iterable[Unit]]
"""Proposes units of the name that it is given."""

_NAMES = (
    *("wrapping", "headings", "heading-spaces", "bullets", "emphasis", "fences", "escapes", "trailing-blanks"),
    *("blank-lines", "final-line-end", "numbers", "tables", "indents"),
)

RULES: Mapping[str, Rule] = {name: load_function(__name__, f"{name.replace('-', '_')}.propose") for name in _NAMES}

DEFAULT_RULES = frozenset(RULES) - {"indents", "numbers", "tables"}
"""All but those by choice."""
