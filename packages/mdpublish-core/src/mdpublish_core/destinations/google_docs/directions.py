"""Which way a text runs: as its first letter does that has a direction."""

import re
from collections.abc import Iterable, Mapping
from typing import Literal
from unicodedata import bidirectional

from mdpublish_core.document import AutoLink, InlineCode, RawText, Token, walk

Direction = Literal["ltr", "rtl"]

# The characters that have a direction of their own, by Unicode's names of their kinds.
_STRONG: Mapping[str, Direction] = {"L": "ltr", "R": "rtl", "AL": "rtl"}

_LETTER = re.compile("[A-Za-z]")


def direction_of(tokens: Iterable[Token]) -> Direction:
    """Return the direction of a paragraph: https://www.unicode.org/reports/tr9/#The_Paragraph_Level ."""
    for token in tokens:
        for part in walk(token):
            if isinstance(part, RawText | InlineCode | AutoLink):
                direction = _direction(part.content)
                if direction:
                    return direction
    return "ltr"


def _direction(text: str) -> Direction | None:
    if text.isascii():
        return "ltr" if _LETTER.search(text) else None
    for character in text:
        kind = bidirectional(character)
        if kind in _STRONG:
            return _STRONG[kind]
    return None
