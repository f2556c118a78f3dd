"""Lines of text as inlines."""

from collections.abc import Iterable

from mdpublish_core import nodes


def inlines_of_lines(lines: Iterable[str], *, soft: bool = False) -> list[nodes.Token]:
    """Return the lines that have text, with line breaks between them."""
    inlines: list[nodes.Token] = []
    for line in filter(None, map(str.strip, lines)):
        inlines += [nodes.LineBreak(soft=soft), nodes.RawText(line)] if inlines else [nodes.RawText(line)]
    return inlines
