"""Which tokens stand on lines of their own, in elements that hold blocks, inlines, or some of each."""

from collections.abc import Iterator, Sequence
from itertools import groupby
from typing import get_args

from mdpublish_core import nodes
from mdpublish_core.html import BLOCK_ELEMENTS

_BLOCKS = frozenset(get_args(nodes.Block)) - {nodes.HtmlElement}


def is_block(token: nodes.Token) -> bool:
    """Tell whether a child of an element stands on lines of its own."""
    return token.tag in BLOCK_ELEMENTS if isinstance(token, nodes.HtmlElement) else type(token) in _BLOCKS


def group_runs(tokens: Sequence[nodes.Token]) -> Iterator[Sequence[nodes.Token]]:
    """Yield the blocks in `tokens`, and the inlines, each in runs as long as they are."""
    return (list(run) for _, run in groupby(tokens, key=is_block))


def only_image(inlines: Sequence[nodes.Token]) -> nodes.Image | None:
    """Return the picture that the inlines of a paragraph come to, if they do, in a link or not."""
    if len(inlines) == 1 and isinstance(inlines[0], nodes.Link):
        inlines = inlines[0].children
    return inlines[0] if len(inlines) == 1 and isinstance(inlines[0], nodes.Image) else None
