"""Lines of text as inlines."""

from collections.abc import Callable, Iterable

from mdpublish_core.nodes import open_nodes as nodes


def inlines_of_lines(
    lines: Iterable[str], read: Callable[[str], Iterable[nodes.Token]], *, soft: bool = False
) -> list[nodes.Token]:
    """Return what is read of the lines that have text, with line breaks between them."""
    inlines: list[nodes.Token] = []
    for line in filter(None, map(str.strip, lines)):
        inlines += [nodes.LineBreak(soft=soft), *read(line)] if inlines else read(line)
    return inlines
