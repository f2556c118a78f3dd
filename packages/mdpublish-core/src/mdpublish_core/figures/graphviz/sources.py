"""A source before Graphviz reads it: what no drawing can hold is taken out, and the labels written as HTML are found.

Graphviz tells nobody which labels are HTML once it has read them. The language is told at
https://graphviz.org/doc/info/lang.html.
"""

import re

# XML has no way to write these, and C ends a text at the first. Line ends and tabs are kept.
_UNWRITABLE = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f\ud800-\udfff\ufeff\ufffe\uffff]")

# Strings, comments and lines for the C preprocessor: where a `<` is none that begins HTML.
_SKIPPED = re.compile(
    r"""
    "(?:[^"\\]|\\.)*+"?
    | //[^\n]*
    | /\*.*?(?:\*/|\Z)
    | ^\#[^\n]*
    | <
    """,
    re.VERBOSE | re.DOTALL | re.MULTILINE,
)
_ANGLE = re.compile("[<>]")


def strip_unwritable(source: str) -> str:
    """Return a source without the characters that no drawing can hold."""
    return _UNWRITABLE.sub("", source.replace("\r\n", "\n").replace("\r", "\n"))


def find_html_labels(source: str) -> frozenset[str]:
    """Return what stands between the angles of strings that are written as HTML."""
    labels = set()
    position = 0
    while match := _SKIPPED.search(source, position):
        position = match.end()
        if match[0] == "<":
            end = _end_of_html(source, position)
            labels.add(source[position : end - 1])
            position = end
    return frozenset(labels)


def _end_of_html(source: str, position: int) -> int:
    """Return where a string that began before `position` has ended: angles stand in pairs in it, even in its comments."""
    depth = 1
    for match in _ANGLE.finditer(source, position):
        depth += 1 if match[0] == "<" else -1
        if not depth:
            return match.end()
    return len(source)
