"""Attributes of Word's HTML and properties of `.docx` that follow the same rules."""

import re
from hashlib import sha256

from mdpublish_core.writers.structure.anchors import PREFIX

PARAGRAPH_TAGS = frozenset({"td", "th", "dd", "dt", "li", "summary", "figcaption", "caption", "p"})
DIRECTIONS = frozenset({"ltr", "rtl"})
ALIGNMENTS = frozenset({"left", "center", "right", "justify"})

# Word truncates names to 40 characters.
_BOOKMARK = re.compile(r"[A-Za-z][A-Za-z0-9_-]{0,39}")
_DIGEST_CHARACTERS = 32

_LENGTH = re.compile(r"([0-9]{1,5}(?:\.[0-9]{1,5})?)(?:px)?(%)?")


def bookmark_name(name: str) -> str:
    """Return a bookmark name, hashed if Word would change it."""
    if _BOOKMARK.fullmatch(name):
        return name
    return PREFIX + sha256(name.encode(errors="replace")).hexdigest()[:_DIGEST_CHARACTERS]


def parse_length(length: str | None, whole: float = 0.0) -> float | None:
    """Return an image's length in px, or None if it has none; percentages refer to `whole`."""
    if not (match := _LENGTH.fullmatch(length or "")):
        return None
    value = float(match[1])
    return (value * whole / 100 if match[2] else value) or None
