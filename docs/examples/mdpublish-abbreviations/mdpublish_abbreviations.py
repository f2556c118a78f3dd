"""Abbreviations as in Markdown Extra: a paragraph `*[HTML]: Hypertext Markup Language` explains each `HTML` in the text."""

import re
from collections.abc import Mapping

from mdpublish_core import nodes

_DEFINITION = re.compile(r"\*\[([^\]]+)\]:\s*(.+)")


def abbreviations(document: nodes.Document) -> nodes.Document:
    """Explain abbreviations."""
    meanings: dict[str, str] = {}
    document = nodes.replace(document, children=[block for block in document.children if not _read(block, meanings)])
    if not meanings:
        return document
    words = re.compile("|".join(rf"\b{re.escape(word)}\b" for word in sorted(meanings, key=len, reverse=True)))
    return nodes.transform(document, lambda node: _explained(node, words, meanings))


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


def _explained(node: nodes.Token, words: re.Pattern[str], meanings: Mapping[str, str]) -> nodes.Replacement:
    """Return a text as several nodes: an element for each word with a meaning, and what is between."""
    if not isinstance(node, nodes.RawText):
        return node
    explained: list[nodes.Token] = []
    end = 0
    for match in words.finditer(node.content):
        if match.start() > end:
            explained.append(nodes.RawText(node.content[end : match.start()]))
        explained.append(nodes.HtmlElement("abbr", {"title": meanings[match[0]]}, [nodes.RawText(match[0])]))
        end = match.end()
    return [*explained, nodes.RawText(node.content[end:])] if end < len(node.content) else explained
