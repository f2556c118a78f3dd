"""Runs of blocks and inlines."""

from collections.abc import Iterator, Sequence
from itertools import groupby
from typing import get_args

from mdpublish_core import nodes
from mdpublish_core.html import BLOCK_ELEMENTS

_BLOCKS = frozenset(get_args(nodes.Block)) - {nodes.HtmlElement}


def is_block(token: nodes.Token) -> bool:
    return token.tag in BLOCK_ELEMENTS if isinstance(token, nodes.HtmlElement) else type(token) in _BLOCKS


def group_runs(tokens: Sequence[nodes.Token]) -> Iterator[Sequence[nodes.Token]]:
    """Split into maximal runs of blocks or inlines."""
    return (list(run) for _, run in groupby(tokens, key=is_block))


def only_image(inlines: Sequence[nodes.Token]) -> nodes.Image | None:
    """Return an image that stands alone, optionally linked, or before an anchor."""
    if len(inlines) == 2 and isinstance(inlines[1], nodes.HtmlElement) and not inlines[1].children:
        inlines = inlines[:1] if inlines[1].tag == "a" else inlines
    if len(inlines) == 1 and isinstance(inlines[0], nodes.Link):
        inlines = inlines[0].children
    return inlines[0] if len(inlines) == 1 and isinstance(inlines[0], nodes.Image) else None


def image_caption(inlines: Sequence[nodes.Token]) -> str | None:
    """Return the title of an image that stands alone: its caption."""
    image = only_image(inlines)
    return image.title or None if image else None


def are_paragraphs(tokens: Sequence[nodes.Token]) -> bool:
    """Whether there is nothing but text, in paragraphs or not."""
    return bool(tokens) and all(
        (isinstance(token, nodes.Paragraph) and not image_caption(token.children))
        or (isinstance(token, nodes.HtmlElement) and (token.tag == "p" or token.tag not in BLOCK_ELEMENTS))
        or not is_block(token)
        for token in tokens
    )
