"""Labels and numbers of the engine's model."""

import re
from html import unescape
from typing import Any

from mdpublish_core.figures.mermaid.literals import with_plain_characters
from mdpublish_core.resources.known_elements import KNOWN_TAGS

Json = dict[str, Any]
"""An object of the engine's JSON."""

# Entity codes such as `#quot;` and `#35;`, as Mermaid encodes them before parsing.
_ENCODED = re.compile("\ufb02\u00b0(\u00b0?)(\\w{1,31})\u00b6\u00df")
_BREAK = re.compile(r"<br\s*/?>|\\n", re.IGNORECASE)
_TAG = re.compile(r"</?([a-zA-Z][\w-]*)[^<>\n]*>")
_MAX_MARKDOWN = 2_000
"""Characters: finding pairs of asterisks takes quadratic time."""

_EMPHASIS = re.compile(r"(\*\*|__|\*|_)(?=\S)(.+?)(?<=\S)\1")


def plain_label(label: object, *, is_markdown: bool = False) -> str:
    """Return a label's words on one line, without markup."""
    if not isinstance(label, str):
        return ""
    plain = _ENCODED.sub(lambda code: unescape(f"&{'#' if code[1] else ''}{code[2]};"), label)
    plain = _TAG.sub(lambda tag: "" if tag[1].lower() in KNOWN_TAGS else tag[0], _BREAK.sub(" ", plain))
    if is_markdown and len(plain) <= _MAX_MARKDOWN:
        plain = _EMPHASIS.sub(r"\2", _EMPHASIS.sub(r"\2", plain.strip("`")))
    return " ".join(with_plain_characters(unescape(plain)).split())


def number_text(value: object) -> str:
    """Write whole numbers without a fraction."""
    if isinstance(value, float) and value.is_integer() and abs(value) < 1e15:
        return str(int(value))
    return str(value) if isinstance(value, int | float) else ""
