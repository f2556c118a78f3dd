"""DejaVu Sans, shipped with ziafont, in which figures are measured and rasterized.

It lacks CJK and emoji, which come from system fonts with estimated widths.
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

# Estimated widths of missing characters, in em.
_IDEOGRAPH_WIDTH = 1.0
_EMOJI_WIDTH = 1.25
_OTHER_WIDTH = 0.9


@cache
def font_path() -> Path:
    """Return the path of the font's file; raises `MissingExtra`."""
    try:
        source = files("ziafont.fonts") / "DejaVuSans.ttf"
    except ModuleNotFoundError:
        raise MissingExtra("figures", "ziafont") from None
    with as_file(source) as path:
        return path


def text_width(string: str, size: float) -> float:
    """Return an upper bound in px, without ligatures and kerning; raises `MissingExtra`."""
    known = _advances()
    width = 0.0
    for character in string:
        advance = known.get(character)
        width += _fallback_width(character) if advance is None else advance
    return width * size


def missing_characters(characters: Iterable[str]) -> frozenset[str]:
    """Return the visible characters that the font lacks; raises `MissingExtra`."""
    known = _advances()
    return frozenset(each for each in characters if each not in known and not _is_zero_width(each))


def _fallback_width(character: str) -> float:
    if _is_zero_width(character):
        return 0.0
    if east_asian_width(character) in "WF":
        return _EMOJI_WIDTH if category(character) == "So" else _IDEOGRAPH_WIDTH
    return _OTHER_WIDTH


def _is_zero_width(character: str) -> bool:
    return category(character) in {"Mn", "Me", "Cf"}


@cache
def _advances() -> dict[str, float]:
    """Advance widths in em."""
    font = _font()
    assert font.cmap is not None
    em = font.info.layout.unitsperem
    return {
        chr(code): 0.0 if _is_zero_width(chr(code)) else font.advance(glyph, None) / em
        for code, glyph in font.cmap.glyphmap.items()
        if glyph
    }


def _font() -> "Font":
    # Loading takes 0.1 s, and most conversions have no figures.
    path = font_path()
    from ziafont.font import Font

    class Metrics(Font):
        """Skip the GPOS and GSUB tables: parsing them takes a second."""

        def _readtables(self) -> None:
            super()._readtables()
            for tag in ("GPOS", "GSUB"):
                self.tables.pop(tag, None)

    return Metrics(path)
