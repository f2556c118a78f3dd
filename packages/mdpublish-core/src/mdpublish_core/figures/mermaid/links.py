"""Links that a diagram asks for: their heads and dashes, by the engine's model and, since that may lack some, by the source."""

import re

from mdpublish_core.data_files import read_table
from mdpublish_core.figures.mermaid.sources import MermaidSource, base_kind

_PATTERNS = {kind: [re.compile(each) for each in patterns] for kind, *patterns in read_table(__file__, "links.tsv")}

# What looks like links, but is words or members; and dashes that the author chose.
_WORDS = re.compile(r'"[^"\n]*"|\[[^\]\n]*\]|\([^)\n]*\)|%%.*|(?<![|o}])\{[^}\n]*\}')
_STYLED = re.compile(r"stroke-dasharray|\blinkStyle\b|\bthemeCSS\b")


def count_links(source: MermaidSource, database: str) -> tuple[int, int]:
    """Return how many heads and dashed lines the drawing has at least."""
    patterns = _PATTERNS.get(base_kind(source.kind))
    if patterns is None:
        return 0, 0
    written = _WORDS.sub(" ", "\n".join(source.content.split("\n")[source.header + 1 :]))
    read_heads, heads, read_dashes, dashes = (
        len(pattern.findall(content)) for pattern, content in zip(patterns, 2 * (database, written), strict=True)
    )
    return max(read_heads, heads), 0 if _STYLED.search(source.content) else max(read_dashes, dashes)
