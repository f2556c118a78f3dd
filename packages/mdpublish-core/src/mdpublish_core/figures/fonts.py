"""The font that figures are drawn and measured with: DejaVu Sans, which the package ziafont ships.

It is there on every machine, and has Latin, Greek, Cyrillic, Hebrew, Arabic and many signs. What it lacks (CJK, emoji)
comes from the system's fonts where there are any; its width is then assumed.
"""

from collections.abc import Iterable
from functools import cache
from importlib.resources import as_file, files
from pathlib import Path
from typing import TYPE_CHECKING
from unicodedata import category, east_asian_width

from mdpublish_core.errors import MissingExtra

if TYPE_CHECKING:
    from ziafont.font import Font

FONT_FAMILY = "DejaVu Sans"
"""The name of the font's family."""

# Widths that are assumed where the font lacks a character, in em. Ideographs are as wide as high; emoji are a little wider.
_IDEOGRAPH_WIDTH = 1.0
_EMOJI_WIDTH = 1.25
_OTHER_WIDTH = 0.9


@cache
def font_path() -> Path:
    """Return where the font's file is; raises `MissingExtra`."""
    try:
        source = files("ziafont.fonts") / "DejaVuSans.ttf"
    except ModuleNotFoundError:
        raise MissingExtra("figures", "ziafont") from None
    with as_file(source) as path:
        return path


def text_width(string: str, size: float) -> float:
    """Return how wide a line of text is at most, in px, for a font size in px; raises `MissingExtra`.

    Letters stand by themselves here: those that are joined or kerned take the same room or less.
    """
    known = _advances()
    width = 0.0
    for character in string:
        advance = known.get(character)
        width += _fallback_width(character) if advance is None else advance
    return width * size


def missing_characters(characters: Iterable[str]) -> frozenset[str]:
    """Return the characters of a text that the font cannot draw, but for those that nobody sees; raises `MissingExtra`."""
    known = _advances()
    return frozenset(each for each in characters if each not in known and not _is_zero_width(each))


def _fallback_width(character: str) -> float:
    """Return what a character that the font lacks moves on, in em."""
    if _is_zero_width(character):
        return 0.0
    if east_asian_width(character) in "WF":
        return _EMOJI_WIDTH if category(character) == "So" else _IDEOGRAPH_WIDTH
    return _OTHER_WIDTH


def _is_zero_width(character: str) -> bool:
    """Tell whether a character takes no room: it stands on another one, or controls how others are drawn."""
    return category(character) in {"Mn", "Me", "Cf"}


@cache
def _advances() -> dict[str, float]:
    """Return how far each character of the font moves on, in em."""
    font = _font()
    assert font.cmap is not None
    em = font.info.layout.unitsperem
    return {
        chr(code): 0.0 if _is_zero_width(chr(code)) else font.advance(glyph, None) / em
        for code, glyph in font.cmap.glyphmap.items()
        if glyph
    }


def _font() -> "Font":
    # Late: it takes a tenth of a second, and most conversions draw nothing.
    path = font_path()
    from ziafont.font import Font

    class Metrics(Font):
        """The font without the tables that place letters on one another: to read those takes a second."""

        def _readtables(self) -> None:
            super()._readtables()
            for tag in ("GPOS", "GSUB"):
                self.tables.pop(tag, None)

    return Metrics(path)
