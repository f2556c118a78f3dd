"""Text direction by the first strong character, because mail clients and Google Docs don't support `dir="auto"`."""

import re
from collections.abc import Iterable, Sequence
from typing import Literal
from unicodedata import bidirectional

from mdpublish_core import nodes

Direction = Literal["ltr", "rtl"]

# Searched characters per string and tokens per block. Bounds the work for nested lists.
_MAX_CHARACTERS, _MAX_TOKENS = 200, 40

_LATIN = re.compile("[A-Za-z]")

_WITH_CONTENT = (nodes.RawText, nodes.InlineCode, nodes.AutoLink)

_BIDI_CLASSES: dict[str, Direction] = {"L": "ltr", "R": "rtl", "AL": "rtl"}


def detect_direction(tokens: Sequence[nodes.Token]) -> Direction | None:
    """Return None if the text doesn't begin with letters."""
    if tokens and type(tokens[0]) is nodes.RawText and (direction := _strong_direction(tokens[0].content)):
        return direction
    # As `first_strong_direction` of `walk`, at a tenth of the cost: each of a hundred nested lists looks for its direction.
    pending = list(reversed(tokens))
    for _ in range(_MAX_TOKENS):
        if not pending:
            break
        token = pending.pop()
        if isinstance(token, _WITH_CONTENT):
            if direction := _strong_direction(token.content):
                return direction
        elif type(token) is nodes.Table or token.children:
            pending += reversed(nodes.children_of(token))
    return None


def first_strong_direction(tokens: Iterable[nodes.Token]) -> Direction | None:
    contents = (token.content for token in tokens if isinstance(token, _WITH_CONTENT))
    return next(filter(None, map(_strong_direction, contents)), None)


def _strong_direction(content: str) -> Direction | None:
    beginning = content[:_MAX_CHARACTERS]
    if beginning.isascii():
        return "ltr" if _LATIN.search(beginning) else None
    return next((_BIDI_CLASSES[kind] for kind in map(bidirectional, beginning) if kind in _BIDI_CLASSES), None)
