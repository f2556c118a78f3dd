"""Separators of blocks: an empty line, nothing, or a line that keeps them apart."""

from typing import TypeGuard

from mdpublish_core import nodes
from mdpublish_core.readers.markdown.html_syntax import block_kind
from mdpublish_core.readers.markdown.raw_html import unescape_disallowed_tags

_CLOSED = (nodes.Heading, nodes.SetextHeading, nodes.CodeFence, nodes.Figure, nodes.MathBlock, nodes.ThematicBreak)
"""Blocks that end by themselves."""


def ends_in_html(block: nodes.Token) -> bool:
    """Whether a container ends with HTML that ends with it, and to which an empty line would belong."""
    if not isinstance(block, nodes.List | nodes.FootnoteDefinition):
        return False
    while isinstance(block, nodes.List | nodes.ListItem | nodes.FootnoteDefinition) and block.children:
        block = block.children[-1]
    return is_open(block)


def is_open(block: nodes.Token) -> bool:
    """Whether a block is HTML that has no end, such as a comment."""
    if not isinstance(block, nodes.HtmlBlock):
        return False
    html = unescape_disallowed_tags(block.content)
    kind = block_kind(html.lstrip(" "), 0)
    return kind is not None and kind.end is not None and not kind.end.search(html)


def merges(previous: nodes.Token, block: nodes.Token) -> bool:
    """Whether two blocks would be one despite an empty line between them."""
    if isinstance(block, nodes.List) and isinstance(previous, nodes.List):
        if (previous.start is None) != (block.start is None):
            return False
        is_same = previous.children[-1].leader[-1:] == block.children[0].leader[-1:]
        return is_same and previous.numbering == block.numbering
    if isinstance(block, nodes.HtmlBlock):
        return block.content.startswith(" ") and isinstance(previous, nodes.List)
    if isinstance(block, nodes.BlockCode):
        is_indented = isinstance(previous, nodes.Callout) and previous.fold != ""
        return is_indented or isinstance(previous, nodes.List | nodes.BlockCode | nodes.FootnoteDefinition)
    return False


def interrupts(previous: nodes.Token, block: nodes.Token) -> bool:
    """Whether a block can follow another without an empty line."""
    if isinstance(previous, _CLOSED) or isinstance(block, nodes.HtmlElement | nodes.HtmlBlock):
        return True
    if isinstance(block, nodes.List):
        return block.start in {None, 1} and bool(block.children[0].children)
    if isinstance(block, nodes.Quote | nodes.Callout):
        return not isinstance(previous, nodes.Quote | nodes.Callout)
    if isinstance(block, nodes.Table):
        return isinstance(previous, nodes.Paragraph)
    if isinstance(block, nodes.Paragraph) or is_underlined(block):
        return isinstance(previous, nodes.BlockCode)
    return not isinstance(block, nodes.BlockCode)


def is_underlined(block: nodes.Token) -> TypeGuard[nodes.SetextHeading]:
    """Whether a block is written as a heading with a line below; one without text has marks before it."""
    return isinstance(block, nodes.SetextHeading) and bool(block.children)
