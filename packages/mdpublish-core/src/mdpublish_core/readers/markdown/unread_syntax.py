"""Syntaxes of other programs and of optional extensions: where they stand, who reads them, and what to write instead.

Sources: Material for MkDocs, "Reference"; Obsidian's help, "Obsidian Flavored Markdown"; Hugo, "Shortcodes"; Pandoc's
manual, "Pandoc's Markdown"; Docusaurus, "Markdown Features"; Quarto, "Markdown Basics"; kramdown, "Syntax".
"""

import re
from collections.abc import Callable, Mapping
from typing import NamedTuple

from mdpublish_core.data_files import read_fields, read_table
from mdpublish_core.readers.markdown.attributes import ATTRIBUTES
from mdpublish_core.readers.markdown.callouts import NAMES
from mdpublish_core.readers.markdown.slips import DISPLAY_MATH, SLACK_LINK, is_display_math, is_slack_link
from mdpublish_core.strings.lazy_patterns import compile_lazily


class Syntax(NamedTuple):
    """A syntax: what messages call it, whose it is, and its remedy, which is an extension of its name if empty.

    A document that has none of `marks` anywhere and none of `heads` at the beginning of a line has none of it.
    `beside_table` is whether its paragraph is next to a table, if that matters; `within` an extension that is on where
    it is meant.
    """

    name: str
    dialect: str
    remedy: str
    pattern: str
    marks: tuple[str, ...]
    heads: tuple[str, ...]
    is_meant: Callable[[re.Match[str]], bool] | None
    beside_table: bool | None = None
    shown_as: str = "text"
    within: str = ""


HEADING_ID = compile_lazily(r"(?<=\s)\{:? ?#([A-Za-z][\w.:-]*+)[^{}\n]*\}\Z")
"""An id behind a heading's text, as Pandoc and Python-Markdown write it."""

_PARTS = {
    "<NAMES>": f"(?i:{'|'.join(sorted(NAMES))})",
    "<ATTRIBUTES>": ATTRIBUTES,
    "<DISPLAY_MATH>": DISPLAY_MATH.pattern,
    "<SLACK_LINK>": SLACK_LINK.pattern,
}
_IS_MEANT = {"display-math": is_display_math, "slack-link": is_slack_link}


def _words(cell: str) -> tuple[str, ...]:
    return tuple(word.replace(r"\s", " ").replace(r"\t", "\t") for word in cell.split())


def _syntax(key: str, name: str, dialect: str, remedy: str, *cells: str) -> Syntax:
    marks, heads, fields, pattern = cells
    for mark, part in _PARTS.items():
        pattern = pattern.replace(mark, part)
    return Syntax(
        name, dialect, remedy, pattern, _words(marks), _words(heads), _IS_MEANT.get(key), **read_fields(fields)
    )


SYNTAXES: Mapping[str, Syntax] = {row[0]: _syntax(*row) for row in read_table(__file__, "unread_syntax.tsv")}
"""Those that an extension reads have its name. Those without a pattern are found while scanning."""

PATTERNS = {name: compile_lazily(syntax.pattern, re.MULTILINE) for name, syntax in SYNTAXES.items() if syntax.pattern}
