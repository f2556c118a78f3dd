"""Lines of text as inlines."""

from collections.abc import Iterable

from mdpublish_core import nodes
from mdpublish_core.readers.markdown.autolinks import link_bare


def inlines_of_lines(lines: Iterable[str], *, soft: bool = False) -> list[nodes.Token]:
    """Return the lines that have text, with line breaks between them; unless these are soft, with bare URLs as links."""
    inlines: list[nodes.Token] = []
    for line in filter(None, map(str.strip, lines)):
        inlines += [nodes.LineBreak(soft=soft)] if inlines else []
        inlines += [nodes.RawText(line)] if soft else link_bare(line)
    return inlines
