"""Removal of characters that XML forbids, direction overrides and missing glyphs."""

from dataclasses import dataclass
from unicodedata import bidirectional, category, normalize

from mdpublish_core.figures.fonts import missing_characters
from mdpublish_core.figures.line_breaking import split_graphemes
from mdpublish_core.figures.rasterizer import missing_glyphs

# resvg draws no flags.
_FLAG_HALVES = frozenset(map(chr, range(0x1F1E6, 0x1F200)))

# Scripts use up to three; more would overlap other text.
_MAX_COMBINING_MARKS = 4

# Joiners, non-joiners, and tags of regional flags.
_JOINERS = frozenset({"\u200c", "\u200d", *map(chr, range(0xE0020, 0xE0080))})

_NONCHARACTERS = frozenset({"\ufffe", "\uffff"})

# Joined letters must not be spaced.
_JOINED = "AL"


@dataclass(frozen=True, slots=True)
class PrintableText:
    """Text that can be rendered."""

    content: str
    is_rtl: bool
    """By the first strongly directional letter."""

    is_joined: bool


def printable_text(content: str) -> PrintableText:
    """Return printable text with single spaces; empty without a letter or digit. Raises `MissingExtra`."""
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
    first = cluster[0]
    if first in missing or first in _FLAG_HALVES:
        return ""
    if first in foreign and category(first) == "So":
        # resvg uses an emoji font only if each character is one glyph.
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
