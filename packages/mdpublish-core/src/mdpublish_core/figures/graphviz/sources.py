"""Preprocessing of the source.

After parsing, Graphviz does not tell which labels are HTML. Syntax: https://graphviz.org/doc/info/lang.html
"""

import re

# Not allowed in XML; NUL also ends a C string.
_UNWRITABLE = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f\ud800-\udfff\ufeff\ufffe\uffff]")

# Strings, comments and preprocessor lines, in which `<` does not begin HTML.
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
    return _UNWRITABLE.sub("", source.replace("\r\n", "\n").replace("\r", "\n"))


def find_html_labels(source: str) -> frozenset[str]:
    labels = set()
    position = 0
    while match := _SKIPPED.search(source, position):
        position = match.end()
        if match[0] == "<":
            end = end_of_html(source, position)
            labels.add(source[position : end - 1])
            position = end
    return frozenset(labels)


def end_of_html(source: str, position: int) -> int:
    """Return the end of an HTML string, in which angle brackets nest."""
    depth = 1
    for match in _ANGLE.finditer(source, position):
        depth += 1 if match[0] == "<" else -1
        if not depth:
            return match.end()
    return len(source)
