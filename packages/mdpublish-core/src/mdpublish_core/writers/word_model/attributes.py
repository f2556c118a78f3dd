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


def bookmark_name(name: str) -> str:
    """Return a bookmark name, hashed if Word would change it."""
    if _BOOKMARK.fullmatch(name):
        return name
    return PREFIX + sha256(name.encode(errors="replace")).hexdigest()[:_DIGEST_CHARACTERS]
