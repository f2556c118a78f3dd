"""Comments of HTML: what is said about a text in its source, and shown by no output."""

from typing import TypeGuard

from mdpublish_core import nodes
from mdpublish_core.nodes.tokens import Node, Token
from mdpublish_core.strings.lazy_patterns import compile_lazily

_HYPHENS = compile_lazily("-(?=-)")


def comment_of(remark: str) -> nodes.HtmlSpan:
    """Return a comment, for the end of a block's inlines: on a line of its own it would end a table or a list.

    It is one line that nothing in the remark ends: hyphens are kept apart.
    """
    return nodes.HtmlSpan(f"<!-- {_HYPHENS.sub('- ', ' '.join(remark.split()))} -->")


def is_comment(token: Token) -> TypeGuard[nodes.HtmlSpan | nodes.HtmlBlock]:
    """Return whether a node is a comment and nothing else."""
    if not isinstance(token, nodes.HtmlSpan | nodes.HtmlBlock) or not token.content.startswith("<!--"):
        return False
    return token.content.find("-->", 2) == len(token.content) - 3


def without_comments(root: Node) -> Node:
    """Return what outputs show that take no HTML."""
    if not any(map(is_comment, nodes.walk(root))):
        return root
    return nodes.transform(root, lambda token: None if is_comment(token) else token)
