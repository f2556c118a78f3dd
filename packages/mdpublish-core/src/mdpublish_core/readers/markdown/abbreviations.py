"""Abbreviations: `*[HTML]: Hypertext Markup Language`, which explains each `HTML` of the document.

Definitions are references, under keys that no label can have. Source: Python-Markdown, "Abbreviations".
"""

import re
from collections.abc import Sequence

from mdpublish_core.nodes import open_nodes as nodes
from mdpublish_core.readers.markdown.links import Definition, References
from mdpublish_core.strings.lazy_patterns import compile_lazily

MARK = "*["

_DEFINITION = compile_lazily(r"\*\[([^\[\]\n]{1,100})\]:[ \t]*([^\n]*\S)[ \t]*(?:\n|\Z)")
MAX_NAMES = 500
"""Names that are sought: each takes time in each word."""


def read_abbreviation(source: str, position: int, references: References) -> int | None:
    if not (match := _DEFINITION.match(source, position)) or not match[1].strip():
        return None
    label = f"{MARK}{match[1].strip()}"
    references.setdefault(label, Definition("", match[2], label))
    return match.end()


def mark_abbreviations(pending: Sequence[tuple[nodes.Token, str]], references: References) -> int:
    """Explain the abbreviations in the inlines of blocks, and return how many there are, of which the first count.

    There are none in code, addresses and alternative texts.
    """
    titles = {each.label[2:]: each.title for each in references.values() if each.label.startswith(MARK)}
    names = sorted([*titles][:MAX_NAMES], key=len, reverse=True)
    pattern = re.compile(rf"(?<!\w)({'|'.join(map(re.escape, names))})(?!\w)")
    parents = [token for token, _ in pending] if names else []
    while parents:
        parent = parents.pop()
        children: list[nodes.Token] = []
        for child in parent.children:
            if isinstance(child, nodes.RawText):
                for index, part in enumerate(pattern.split(child.content)):
                    shown = [nodes.RawText(part)] if part else []
                    children += [nodes.HtmlElement("abbr", {"title": titles[part]}, shown)] if index % 2 else shown
                continue
            children.append(child)
            parents += [child] if child.children and not isinstance(child, nodes.Image) else []
        parent.children = children
    return len(titles)
