"""Abbreviations as in Markdown Extra: a paragraph `*[HTML]: Hypertext Markup Language` explains each `HTML` in the text."""

import re
from collections.abc import Mapping, Sequence

from mdpublish_core import nodes

_DEFINITION = re.compile(r"\*\[([^\]]+)\]:\s*(.+)")


def abbreviations(document: nodes.Document) -> nodes.Document:
    """Explain abbreviations; the document is a copy, so it may be changed."""
    meanings: dict[str, str] = {}
    document.children = [block for block in document.children if not _read(block, meanings)]
    if meanings:
        words = re.compile("|".join(rf"\b{re.escape(word)}\b" for word in sorted(meanings, key=len, reverse=True)))
        # A list: what is walked must not change meanwhile.
        for parent in list(nodes.walk(document)):
            if any(isinstance(child, nodes.RawText) for child in parent.children):
                parent.children = _explained(parent.children, words, meanings)
    return document


def _read(block: nodes.Token, meanings: dict[str, str]) -> bool:
    """Whether a block is a paragraph of definitions, which are added to `meanings`."""
    if not isinstance(block, nodes.Paragraph):
        return False
    lines = [""]
    for child in block.children:
        if isinstance(child, nodes.LineBreak):
            lines.append("")
        else:
            lines[-1] += nodes.text_content(child)
    definitions = [_DEFINITION.fullmatch(line) for line in lines]
    meanings.update({match[1]: match[2] for match in definitions if match} if all(definitions) else {})
    return all(definitions)


def _explained(
    children: Sequence[nodes.Token], words: re.Pattern[str], meanings: Mapping[str, str]
) -> list[nodes.Token]:
    explained: list[nodes.Token] = []
    for child in children:
        if not isinstance(child, nodes.RawText):
            explained.append(child)
            continue
        end = 0
        for match in words.finditer(child.content):
            if match.start() > end:
                explained.append(nodes.RawText(child.content[end : match.start()]))
            explained.append(nodes.HtmlElement("abbr", {"title": meanings[match[0]]}, [nodes.RawText(match[0])]))
            end = match.end()
        if end < len(child.content):
            explained.append(nodes.RawText(child.content[end:]))
    return explained
