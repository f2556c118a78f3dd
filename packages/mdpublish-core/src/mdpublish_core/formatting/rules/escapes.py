r"""Escapes go that no program needs: `snake\_case`, `end\.` after a word, and the like.

Only characters that all programs let a backslash escape, where none gives them a meaning. Whatever is read as Markdown
in a formula, a template or a link's brackets stays as it is written.
"""

from collections.abc import Iterable

from mdpublish_core.formatting.source import MarkedSource, Unit
from mdpublish_core.strings.lazy_patterns import compile_lazily

_NEEDLESS = compile_lazily(r"(?<=[^\W_])\\(?:_(?=[^\W_])|-(?=[^\W\d_])|[.!](?=\s|$))")


def propose(source: MarkedSource, name: str) -> Iterable[Unit]:
    for line, column in source.marks.escapes:
        content = source.lines[line]
        if _NEEDLESS.match(content, column) and not _is_number(content, column):
            yield Unit(name, [source.change((line, column), 1, "")])


def _is_number(content: str, column: int) -> bool:
    r"""Return whether a digit precedes, as in `1\. Text`, which would begin a list."""
    return content[column - 1].isdigit() and content[column + 1] != "_"
