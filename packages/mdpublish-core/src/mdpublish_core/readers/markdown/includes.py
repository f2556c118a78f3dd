"""Included files: `--8<-- "file"` of PyMdown, in paragraphs and code, and `![[note]]` of Obsidian.

A paragraph of these alone becomes a fence that `FenceParser` replaces by the blocks of the files, which include no others.
"""

from collections.abc import Callable, Iterator
from typing import TypeAlias

from mdpublish_core.notices import Notice
from mdpublish_core.strings.lazy_patterns import compile_lazily

Include: TypeAlias = Callable[[str], str | None]
"""Returns the text of a file by its name, or None if it cannot be included."""

INCLUDED = "--8<--"
"""The info string of such a fence, which has no language."""

_SNIPPET = compile_lazily(r"--8<--[ \t]+(?:\"([^\"\n]+)\"|'([^'\n]+)')[ \t]*")
_EMBED = compile_lazily(r"!\[\[([^\[\]|#\n]+)\]\][ \t]*")


def names_in(source: str) -> Iterator[str]:
    """Yield the names of files that a text may include."""
    for pattern in (_SNIPPET, _EMBED):
        yield from (match[match.lastindex or 0].strip() for match in pattern.finditer(source))


def included_markdown(source: str, include: Include) -> str | None:
    """Return the Markdown of files, if each line of a paragraph includes one that can be read."""
    from mdpublish_core.readers.markdown.front_matter import find_front_matter

    bodies = []
    for line in source.split("\n"):
        match = _SNIPPET.fullmatch(line) or _EMBED.fullmatch(line)
        if not match or (content := include(match[match.lastindex or 0].strip())) is None:
            return None
        lines = content.removeprefix("\ufeff").splitlines()
        block = find_front_matter(lines) if lines else None
        bodies.append("\n".join(lines if block is None or isinstance(block, Notice) else lines[block.end :]))
    return "\n\n".join(bodies)


def with_included_lines(content: str, include: Include) -> str:
    """Return code with files in place of the lines that include them."""
    lines = []
    for line in content.split("\n"):
        match = _SNIPPET.fullmatch(line)
        included = include(match[match.lastindex or 0]) if match else None
        lines.append(line if included is None else included.replace("\r\n", "\n").removesuffix("\n"))
    return "\n".join(lines)
