"""Single characters as MathML tokens.

MathML stretches bars, brackets and arrows (https://www.w3.org/TR/mathml-core/#operator-dictionary); TeX on request.
"""

from unicodedata import category
from xml.etree.ElementTree import Element

from mdpublish_core.figures.math.mathml_builder import THICK, Atom, build_leaf
from mdpublish_core.figures.math.symbols import LIMIT_OPERATORS, AtomKind, Font, Symbol, styled_character

_FENCES = frozenset("|‖()[]{}⟨⟩⌊⌋⌈⌉⟦⟧⦃⦄⟮⟯⎰⎱/\\⌜⌝⌞⌟")

# Unicode's arrow blocks, and the only other character that browsers stretch in a row.
_ARROWS = (("\u2190", "\u21ff"), ("\u27f0", "\u27ff"), ("\u2900", "\u297f"), ("∣", "∣"))

_LAST_LATIN = "\u024f"
_HEBREW_SIGNS = ("\u2135", "\u2138")
_FIRST_EMOJI = 0x1F000
"""Symbols (So) from here on are emoji."""


def symbol_atom(symbol: Symbol, font: Font | None, *, is_small: bool) -> Atom:
    character, kind = symbol
    if kind == "op":
        return Atom(build_leaf("mo", character), kind, "display" if character in LIMIT_OPERATORS else "")
    if character in _FENCES:
        return Atom(_fence(character, kind), kind)
    if kind != "ord":
        return Atom(_operator(character, kind, is_small=is_small), kind)
    return _ordinary(character, font)


def _ordinary(character: str, font: Font | None) -> Atom:
    sort = category(character[0])
    if sort[0] == "L":
        return latin_atom(character, font) if character[0] <= _LAST_LATIN else Atom(_non_latin(character, font, sort))
    if sort[0] == "N":
        return Atom(build_leaf("mn", character))
    if sort in {"So", "Co"} and ord(character[0]) >= _FIRST_EMOJI:
        return Atom(build_leaf("mtext", character))
    return Atom(_standalone_symbol(character, font))


def latin_atom(character: str, font: Font | None) -> Atom:
    if font is None:
        return Atom(build_leaf("mi", character))
    if font == "bold italic":
        # Variables are not joined into a word.
        return Atom(build_leaf("mi", styled_character(character, font)))
    return Atom(build_leaf("mi", character), run_font=font)


def number_element(digits: str, font: Font | None) -> Element:
    if font is None or font in {"normal", "italic", "script", "fraktur"}:
        return build_leaf("mn", digits)
    return build_leaf(
        "mn", "".join([styled_character(each, "bold" if font == "bold italic" else font) for each in digits])
    )


def _non_latin(character: str, font: Font | None, sort: str) -> Element:
    """Greek is in italics except capitals; other scripts are text."""
    if sort == "Lo" and not _HEBREW_SIGNS[0] <= character[0] <= _HEBREW_SIGNS[1]:
        return build_leaf("mtext", character)
    is_capital = "Α" <= character[0] <= "Ω"
    if font == "bold italic":
        return build_leaf("mi", styled_character(character, "bold" if is_capital else font))
    if is_capital and font in {"bold", "italic"}:
        return build_leaf("mi", styled_character(character, font))
    if is_capital or character in "ℏℓ℘":
        return build_leaf("mi", character, mathvariant="normal")
    return build_leaf("mi", character)


def _standalone_symbol(character: str, font: Font | None) -> Element:
    is_bold = font in {"bold", "bold italic"}
    if character in "∇ıȷ":
        return (
            build_leaf("mi", styled_character(character, "bold"))
            if is_bold
            else build_leaf("mi", character, mathvariant="normal")
        )
    if character == "∂" and is_bold:
        return build_leaf("mi", styled_character(character, "bold italic"))
    if character in "¬′‵":
        return build_leaf("mo", character, lspace="0", rspace="0")
    return build_leaf("mi", character)


def _operator(character: str, kind: AtomKind, *, is_small: bool) -> Element:
    element = build_leaf("mo", character)
    if any(first <= character[0] <= last for first, last in _ARROWS):
        element.set("stretchy", "false")
    if kind == "punct":
        element.set("separator", "true")
    if is_small and kind in {"rel", "bin"}:
        # TeX has no spaces around operators in scripts; browsers do.
        element.set("lspace", "0")
        element.set("rspace", "0")
    elif character == ":":
        # The operator dictionary treats the colon as punctuation.
        element.set("lspace", THICK)
        element.set("rspace", THICK)
    return element


def _fence(character: str, kind: AtomKind) -> Element:
    element = build_leaf("mo", character, stretchy="false")
    if kind == "open":
        element.set("form", "prefix")
    elif kind == "close":
        element.set("form", "postfix")
    elif kind != "rel":
        element.set("lspace", "0")
        element.set("rspace", "0")
    return element
