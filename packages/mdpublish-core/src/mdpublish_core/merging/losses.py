"""What the program in which a document was edited does not know at all: that it is gone is no edit."""

from __future__ import annotations

from collections.abc import Set as AbstractSet

from mdpublish_core import nodes
from mdpublish_core.notices import Notice

_OPAQUE = (nodes.MathSpan, nodes.MathBlock, nodes.FootnoteReference, nodes.FootnoteDefinition)
_FEATURES = (*_OPAQUE, nodes.Quote, nodes.Callout, nodes.CodeFence, nodes.InlineCode, nodes.TaskItem, nodes.HtmlElement)


def without_losses(
    sent: nodes.Document, edited: nodes.Document
) -> tuple[nodes.Document, nodes.Document, list[Notice]]:
    """Return copies of both without the kinds of nodes that only the first has."""
    lost = _features(sent) - _features(edited)
    notices = [
        Notice("merge-kept", f"the edited document has no {name} at all, so those of the source stay as they are")
        for name in sorted(lost)
    ]
    return nodes.replace(sent, lambda token: _forgotten(token, lost)), nodes.replace(edited, lambda token: token), notices


def _features(document: nodes.Document) -> set[str]:
    return {_feature(token) for token in nodes.walk(document)} - {""}


def _feature(token: nodes.Token) -> str:
    if isinstance(token, nodes.HtmlElement):
        return f"<{token.tag}>"
    return type(token).__name__ if isinstance(token, _FEATURES) else ""


def _forgotten(token: nodes.Token, lost: AbstractSet[str]) -> nodes.Replacement:
    if _feature(token) not in lost:
        return token
    if isinstance(token, _OPAQUE):
        return None
    if isinstance(token, nodes.TaskItem):
        return nodes.ListItem(token.children, leader=token.leader)
    if isinstance(token, nodes.InlineCode):
        return nodes.RawText(token.content)
    if isinstance(token, nodes.CodeFence):
        return nodes.Paragraph([nodes.RawText(token.content)])
    return nodes.children_of(token)
