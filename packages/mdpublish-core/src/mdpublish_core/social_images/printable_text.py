"""What of a text can be shown: without what XML forbids, what turns reading directions round, and what nobody can draw."""

from dataclasses import dataclass
from unicodedata import bidirectional, category, normalize

from mdpublish_core.figures.fonts import missing_characters
from mdpublish_core.figures.line_breaking import split_graphemes
from mdpublish_core.figures.rasterizer import missing_glyphs

# Halves of flags, of which resvg draws none.
_FLAG_HALVES = frozenset(map(chr, range(0x1F1E6, 0x1F200)))

# Marks on one letter: scripts that stack them have up to three; more would run over what stands around.
_MAX_COMBINING_MARKS = 4

# What joins letters or emoji, or keeps them apart, and the signs in the flags of regions.
_JOINERS = frozenset({"\u200c", "\u200d", *map(chr, range(0xE0020, 0xE0080))})

_NONCHARACTERS = frozenset({"\ufffe", "\uffff"})

# Scripts whose letters are joined: they are never set apart.
_JOINED = "AL"


@dataclass(frozen=True, slots=True)
class PrintableText:
    """A text as it can be shown, and how it is read."""

    content: str
    is_rtl: bool
    """Whether it is read from right to left, by its first letter that has a direction."""

    is_joined: bool
    """Whether letters in it are joined."""


def printable_text(content: str) -> PrintableText:
    """Return what of a text can be shown, its words a space apart; nothing where no letter or number of it can be.

    Raises `MissingExtra`.
    """
    allowed = "".join(" " if each.isspace() else each for each in normalize("NFC", content) if _is_allowed(each))
    missing, foreign = missing_glyphs(allowed), missing_characters(allowed)
    pieces = [_printable_cluster(cluster, missing, foreign) for cluster in split_graphemes(allowed)]
    clean = " ".join("".join(pieces).split())
    if missing and not any(category(each)[0] in "LN" for each in clean):
        clean = ""
    kinds = [bidirectional(each) for each in clean]
    first = next((kind for kind in kinds if kind in {"L", "R", "AL"}), "L")
    return PrintableText(clean, is_rtl=first != "L", is_joined=_JOINED in kinds)


def _printable_cluster(cluster: str, missing: frozenset[str], foreign: frozenset[str]) -> str:
    """Return what of a character, as readers take it, is drawn."""
    first = cluster[0]
    if first in missing or first in _FLAG_HALVES:
        return ""
    if first in foreign and category(first) == "So":
        # Of emoji that are joined the first: resvg takes a font for emoji only where each character is one glyph.
        return first
    base = "".join(each for each in cluster if category(each)[0] != "M")
    marks = "".join(each for each in cluster if category(each)[0] == "M" and each not in missing)
    return base + marks[:_MAX_COMBINING_MARKS] if len(base) == 1 else cluster


def _is_allowed(character: str) -> bool:
    kind = category(character)
    if character.isspace():
        return True
    if kind == "Cf":
        return character in _JOINERS
    return kind not in {"Cc", "Cs", "Co"} and character not in _NONCHARACTERS
