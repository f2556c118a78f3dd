"""Mathematical alphabets as Unicode characters: MathML Core supports only `mathvariant="normal"`."""

from functools import lru_cache
from typing import Literal
from unicodedata import lookup, name

from mdpublish_core.figures.math.symbols import signs

Font = Literal[
    "",
    "normal",
    "bold",
    "italic",
    "bold italic",
    "double-struck",
    "script",
    "bold script",
    "fraktur",
    "bold fraktur",
    "sans-serif",
    "sans-serif bold",
    "sans-serif italic",
    "sans-serif bold italic",
    "monospace",
]
"""With an empty font, browsers set single letters in italics."""

# Letters encoded before the mathematical alphabets.
_LETTERLIKE_NAMES = {"script": "SCRIPT", "fraktur": "BLACK-LETTER", "double-struck": "DOUBLE-STRUCK"}


@lru_cache(maxsize=2048)
def styled_character(character: str, font: Font) -> str:
    if font in {"", "normal"} or len(character) != 1:
        return character
    if (font, character) == ("italic", "h"):
        return "ℎ"
    base_name = _base_name(character)
    if base_name is None:
        return character
    for full in (f"MATHEMATICAL {font.upper()} {base_name}", f"{_LETTERLIKE_NAMES.get(font, '')} {base_name}"):
        try:
            return lookup(full)
        except KeyError:
            continue
    return character


def _base_name(character: str) -> str | None:
    # Exceptions to the alphabets' naming scheme.
    if character in signs("letter"):
        return signs("letter")[character]
    unicode_name = name(character, "")
    for script in ("LATIN ", "GREEK "):
        if unicode_name.startswith(script):
            return unicode_name.removeprefix(script).replace("LETTER ", "")
    return unicode_name if unicode_name.startswith("DIGIT ") else None
