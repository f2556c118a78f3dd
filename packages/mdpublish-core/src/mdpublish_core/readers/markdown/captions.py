"""Captions of tables, and of what else precedes them.

Sources: Pandoc's manual, `table_captions`; PyMdown Extensions, "Caption".
"""

from typing import NamedTuple

from mdpublish_core.strings.lazy_patterns import compile_lazily

_CAPTION = compile_lazily(
    r"(?:(?:Table)?:[ \t]+|(/{3,})[ \t]*(?:(?:figure|table)-)?caption(?:[ \t]*\|[^\n]*)?\n(?:attrs:[^\n]*\n)?)(?=\S)"
)
_BEGINNING = compile_lazily(r"/{3,}[ \t]*(?:(?:figure|table)-)?caption[ \t]*(?:\||$)")


class Caption(NamedTuple):
    """A caption's content, the lines above it, and whether it may belong to another block than a table."""

    content: str
    skipped: int
    is_general: bool


def begins_caption(line: str, start: int) -> bool:
    """Return whether a line ends a table or a paragraph, whose caption it begins."""
    return _BEGINNING.match(line, start) is not None


def read_caption(source: str) -> Caption | None:
    if not (match := _CAPTION.match(source)):
        return None
    content = source[match.end() :]
    if not match[1]:
        return Caption(content, 0, is_general=False)
    content, _, end = content.rpartition("\n")
    return Caption(content, 1, is_general=True) if end.rstrip(" \t") == match[1] and content else None
