"""In which direction a text is read: that of its first letter that has one, as `dir="auto"` has it on the web.

Mail clients and Google Docs do not know that value, and no stylesheet can ask for it, so the direction is found here. Only
the beginning of a text is looked at.
"""

import re
from collections.abc import Iterable, Sequence
from itertools import islice
from typing import Literal
from unicodedata import bidirectional

from mdpublish_core import nodes

Direction = Literal["ltr", "rtl"]

# The characters of a piece of text, and the tokens of a block, in which a letter is looked for: what has none in so many
# is numbers or pictures. The bound keeps lists in lists from being looked through again at each level.
_MAX_CHARACTERS, _MAX_TOKENS = 200, 40

_LATIN = re.compile("[A-Za-z]")

_BIDI_CLASSES: dict[str, Direction] = {"L": "ltr", "R": "rtl", "AL": "rtl"}


def detect_direction(tokens: Sequence[nodes.Token]) -> Direction | None:
    """Return the direction of text, or None where it has no letters at its beginning."""
    if tokens and type(tokens[0]) is nodes.RawText and (direction := _strong_direction(tokens[0].content)):
        return direction
    return first_strong_direction(islice((each for token in tokens for each in nodes.walk(token)), _MAX_TOKENS))


def first_strong_direction(tokens: Iterable[nodes.Token]) -> Direction | None:
    """Return the direction of the first text among tokens that has one."""
    contents = (
        token.content for token in tokens if isinstance(token, nodes.RawText | nodes.InlineCode | nodes.AutoLink)
    )
    return next(filter(None, map(_strong_direction, contents)), None)


def _strong_direction(content: str) -> Direction | None:
    beginning = content[:_MAX_CHARACTERS]
    if beginning.isascii():
        return "ltr" if _LATIN.search(beginning) else None
    return next((_BIDI_CLASSES[kind] for kind in map(bidirectional, beginning) if kind in _BIDI_CLASSES), None)
