"""The fonts of images.

Figures are measured in DejaVu Sans, shipped with ziafont and wider than most fonts of pages, so that labels fit their
boxes in each. Images are drawn in faces of this package, by kind: Roboto, STIX Two Text or JetBrains Mono; other
characters in DejaVu Sans. CJK and emoji come from system fonts, with estimated widths. `nox -s fonts` writes `faces`.
"""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cache, lru_cache
from importlib.resources import as_file, files
from pathlib import Path
from typing import TYPE_CHECKING, Any
from unicodedata import category, east_asian_width

from mdpublish_core.data_files import read_data
from mdpublish_core.errors import importing_extra

if TYPE_CHECKING:
    from ziafont.font import Font

FONT_FAMILY = "DejaVu Sans"
"""Has the characters that faces lack."""

_FACES = Path(__file__).parent / "faces"

# Of the names in the files, so that no installed font has the same one.
_PREFIX = "mdpublish "

SANS_SERIF, SERIF, MONOSPACE = "sans-serif", "serif", "monospace"

_GENERIC = {
    **dict.fromkeys((SERIF, "ui-serif", "cursive", "fantasy"), SERIF),
    **dict.fromkeys((SANS_SERIF, "ui-sans-serif", "system-ui", "ui-rounded"), SANS_SERIF),
    **dict.fromkeys((MONOSPACE, "ui-monospace"), MONOSPACE),
}

# Of lists without a generic family, as authors write them.
_MONOSPACED = re.compile(r"mono|courier|consol|menlo|typewriter|\bcode\b")
_SERIF = re.compile(
    r"(?<!sans[ -])serif|times|georgia|garamond|palatino|baskerville|bodoni|cambria|charter|century school"
)

# Estimated widths of missing characters, in em.
_IDEOGRAPH_WIDTH = 1.0
_EMOJI_WIDTH = 1.25
_OTHER_WIDTH = 0.9

# In em: slightly more than DejaVu Sans Mono, the widest common one.
_MONO_WIDTH = 0.61

# Average ratio of bold to regular widths.
_BOLD_FACTOR = 1.12


@cache
def font_path() -> Path:
    """Return the path of the font's file; raises `MissingExtra`."""
    with importing_extra("figures", "ziafont"):
        source = files("ziafont.fonts") / "DejaVuSans.ttf"
    with as_file(source) as path:
        return path


@dataclass(frozen=True, slots=True)
class FaceStyle:
    """A file of a face."""

    face: str
    path: Path
    weight: int
    is_italic: bool

    @property
    def family(self) -> str:
        """The name in the file."""
        return f"{_PREFIX}{self.face}"


@cache
def face_styles() -> Mapping[str, tuple[FaceStyle, ...]]:
    """Return the files by face. Faces of figures have three styles; those of titles fewer, and only Latin letters."""
    return {
        name: tuple(FaceStyle(name, _FACES / entry["file"], entry["weight"], entry["is_italic"]) for entry in styles)
        for name, styles in _faces()["faces"].items()
    }


def face_of_kind(kind: str) -> str:
    """Return the face of figures in a generic family."""
    name: str = _faces()["kinds"][kind]
    return name


def family_of(families: str) -> str:
    """Return the family, of those in `face_styles` or `FONT_FAMILY`, in which an image shows a CSS list of families.

    A template's web font is not the face of titles with its name, which has fewer styles and characters.
    """
    names = [name.strip(" \t\n\"'") for name in families.split(",")]
    if names[0] in {FONT_FAMILY, *(f"{_PREFIX}{face}" for face in face_styles())}:
        return names[0]
    generic = next((kind for kind in map(_GENERIC.get, reversed(names)) if kind), None)
    return f"{_PREFIX}{face_of_kind(generic or _kind(names[0].lower()))}"


def files_of(families: Iterable[str]) -> list[Path]:
    """Return the files of families in the order in which resvg looks for characters; raises `MissingExtra`."""
    faces = sorted({family.removeprefix(_PREFIX) for family in families} - {FONT_FAMILY})
    # Resvg draws all of a text in the first font that has what its own lacks, so symbols are a font without letters.
    symbols = [_FACES / "symbols.ttf"] if faces else []
    return [*symbols, *(style.path for face in faces for style in face_styles()[face]), font_path()]


def covers(style: FaceStyle, string: str) -> bool:
    """Return whether a face has all letters, digits and marks of a string; raises `MissingExtra`."""
    known = _advances(style.path)
    return all(each in known or category(each)[0] not in "LNM" for each in string)


def face_width(string: str, size: float, style: FaceStyle) -> float:
    """Return the width in px in a face, without kerning; raises `MissingExtra`."""
    known = _advances(style.path)
    return sum(known[each] * size if each in known else text_width(each, size) for each in string)


def text_width(string: str, size: float) -> float:
    """Return an upper bound in px, without ligatures and kerning; raises `MissingExtra`."""
    known = _advances()
    width = 0.0
    for character in string:
        advance = known.get(character)
        width += _fallback_width(character) if advance is None else advance
    return width * size


@lru_cache(maxsize=16_384)
def line_width(line: str, size: float, *, is_bold: bool = False, is_monospaced: bool = False) -> float:
    """Return an upper bound in px in a style of the font; raises `MissingExtra`."""
    width = text_width(line, size)
    if is_monospaced:
        width = max(width, size * _MONO_WIDTH * sum(2 if east_asian_width(each) in "WF" else 1 for each in line))
    return width * _BOLD_FACTOR if is_bold else width


def is_bold(weight: str | None) -> bool:
    if not weight:
        return False
    return int(weight) >= 600 if weight.isdecimal() and len(weight) < 5 else weight.startswith("bold")


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


def _kind(name: str) -> str:
    if _MONOSPACED.search(name):
        return MONOSPACE
    return SERIF if _SERIF.search(name) else SANS_SERIF


def _faces() -> dict[str, Any]:
    facts: dict[str, Any] = read_data(__file__, "faces/faces.json")
    return facts


@cache
def _advances(path: Path | None = None) -> dict[str, float]:
    """Return advance widths in em, by default those of `font_path`."""
    font = _font(path or font_path())
    assert font.cmap is not None
    em = font.info.layout.unitsperem
    return {
        chr(code): 0.0 if _is_zero_width(chr(code)) else font.advance(glyph, None) / em
        for code, glyph in font.cmap.glyphmap.items()
        if glyph
    }


def _font(path: Path) -> "Font":
    # Loading takes 0.1 s, and most conversions have no figures.
    with importing_extra("figures", "ziafont"):
        from ziafont.font import Font

    class Metrics(Font):
        """Skip the GPOS and GSUB tables: parsing them takes a second."""

        def _readtables(self) -> None:
            super()._readtables()
            for tag in ("GPOS", "GSUB"):
                self.tables.pop(tag, None)

    return Metrics(path)
