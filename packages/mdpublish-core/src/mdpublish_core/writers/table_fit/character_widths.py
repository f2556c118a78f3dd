"""Widths of characters in em, as upper bounds.

A reader's program replaces fonts that it lacks. Of the usual replacements, DejaVu Sans and Serif are the widest, so
they stand for all fonts but those that have metric-compatible ones everywhere: Arial, Times and monospaced fonts.
"""

import unicodedata
from collections.abc import Mapping
from functools import lru_cache
from typing import Final

# In hundredths of an em, from U+0020 to U+007E: of DejaVu (the wider of Sans and Serif), Arial and Times New Roman.
_WIDE = (
    "32 40 46 84 64 95 89 28 39 39 50 84 32 36 32 34 64 64 64 64 64 64 64 64 64 64 34 34 84 84 84 54 100 72 74 77 80 "
    "73 70 80 87 40 40 75 67 103 88 82 67 82 75 69 67 84 72 103 71 66 70 39 34 39 84 50 50 61 64 56 64 62 37 64 65 32 "
    "31 61 32 98 65 61 64 64 48 52 40 65 59 86 59 59 53 64 34 64 84"
)
_SANS = (
    "28 28 36 56 56 89 67 19 34 34 39 59 28 34 28 28 56 56 56 56 56 56 56 56 56 56 28 28 59 59 59 56 102 67 67 72 72 "
    "67 61 78 72 28 50 67 56 84 72 78 67 78 72 67 61 72 67 95 67 67 61 28 28 28 47 56 34 56 56 50 56 56 28 56 56 22 22 "
    "50 22 84 56 56 56 56 34 50 28 56 50 72 50 50 50 34 26 34 59"
)
_SERIF = (
    "25 34 41 50 50 84 78 18 34 34 50 57 25 34 25 28 50 50 50 50 50 50 50 50 50 50 28 28 57 57 57 45 92 72 67 67 72 61 "
    "56 72 72 34 39 72 61 89 72 72 56 72 67 56 61 72 72 95 72 72 61 34 28 34 47 50 34 45 50 45 50 45 34 50 50 28 28 50 "
    "28 78 50 50 50 50 34 39 28 50 50 72 50 50 45 48 20 48 54"
)

MONOSPACE_WIDTH: Final = 0.61
"""Slightly more than DejaVu Sans Mono, the widest common one."""

_IDEOGRAPH_WIDTH, _EMOJI_WIDTH = 1.0, 1.3
_COMBINING = frozenset({"Mn", "Me", "Cf"})
# Of letters and of symbols without a Latin base: most of Greek, Cyrillic, Hebrew and Arabic, and of mathematics.
_ALPHABETIC_WIDTH, _SYMBOL_WIDTH = 0.76, 0.88


class CharacterWidths(dict[str, float]):
    """Widths by character; others than ASCII are estimated."""

    def __init__(self, ascii_widths: Mapping[str, float], *, monospaced: bool = False) -> None:
        super().__init__(ascii_widths)
        self._monospaced = monospaced

    def __missing__(self, character: str) -> float:
        return _width_beyond_ascii(self, character, self._monospaced)

    def width(self, string: str) -> float:
        """Return the width of a string in one line, in em."""
        return sum(map(self.__getitem__, string))

    def __hash__(self) -> int:  # type: ignore[override]
        return id(self)

    def __eq__(self, other: object) -> bool:
        return self is other


def _ascii_widths(hundredths: str) -> dict[str, float]:
    return {chr(code): int(width) / 100 for code, width in enumerate(hundredths.split(), 32)}


@lru_cache(maxsize=4096)
def _width_beyond_ascii(widths: CharacterWidths, character: str, monospaced: bool) -> float:
    category = unicodedata.category(character)
    if category in _COMBINING:
        return 0.0
    if unicodedata.east_asian_width(character) in "WF":
        return _EMOJI_WIDTH if category == "So" else _IDEOGRAPH_WIDTH
    if monospaced:
        return MONOSPACE_WIDTH
    base = unicodedata.normalize("NFD", character)[0]
    if base.isascii():
        return widths.get(base, 0.0)
    return _ALPHABETIC_WIDTH if category[0] in "LN" else _SYMBOL_WIDTH


WIDE: Final = CharacterWidths(_ascii_widths(_WIDE))
SANS: Final = CharacterWidths(_ascii_widths(_SANS))
SERIF: Final = CharacterWidths(_ascii_widths(_SERIF))
MONOSPACE: Final = CharacterWidths({chr(code): MONOSPACE_WIDTH for code in range(32, 127)}, monospaced=True)
