"""What single characters become: identifiers, operators, numbers, or text.

Browsers draw an operator by a dictionary of its own (https://www.w3.org/TR/mathml-core/#operator-dictionary), in which bars
and brackets grow with what they stand beside, and arrows with what they stand on. TeX's do so only where they are told to.
"""

# ruff: noqa: RUF001  (signs that look like letters are what formulas are made of)

from unicodedata import category
from xml.etree.ElementTree import Element

from mdpublish_core.figures.math.alphabets import Font, lettered
from mdpublish_core.figures.math.building import THICK, Atom, leaf
from mdpublish_core.figures.math.symbols import LIMITED, Kind, Symbol

_FENCES = frozenset("|‖()[]{}⟨⟩⌊⌋⌈⌉⟦⟧⦃⦄⟮⟯⎰⎱/\\⌜⌝⌞⌟")

# Where Unicode keeps its arrows, and the one sign else that browsers stretch in a row.
_ARROWS = (("\u2190", "\u21ff"), ("\u27f0", "\u27ff"), ("\u2900", "\u297f"), ("∣", "∣"))

_LAST_LATIN = "\u024f"
_HEBREW_SIGNS = ("\u2135", "\u2138")
_FIRST_PICTURE = 0x1F000
"""From here on, what Unicode calls a symbol is an emoji or the like."""


def sign(found: Symbol, font: Font | None, *, is_small: bool) -> Atom:
    """Return a sign as the element that it is; `is_small` tells that it stands in a script."""
    text, kind = found
    if kind == "op":
        return Atom(leaf("mo", text), kind, "display" if text in LIMITED else "")
    if text in _FENCES:
        return Atom(_fence(text, kind), kind)
    if kind != "ord":
        return Atom(_operator(text, kind, is_small=is_small), kind)
    return _ordinary(text, font)


def _ordinary(text: str, font: Font | None) -> Atom:
    """Return a sign that is no operator."""
    sort = category(text[0])
    if sort[0] == "L":
        return letter(text, font) if text[0] <= _LAST_LATIN else Atom(_foreign(text, font, sort))
    if sort[0] == "N":
        return Atom(leaf("mn", text))
    if sort in {"So", "Co"} and ord(text[0]) >= _FIRST_PICTURE:
        return Atom(leaf("mtext", text))
    return Atom(_thing(text, font))


def letter(text: str, font: Font | None) -> Atom:
    """Return a Latin letter in an alphabet; without one, it is a variable, and slanted."""
    if font is None:
        return Atom(leaf("mi", text))
    if font == "bold italic":
        # `\boldsymbol` is about variables: they stay one by one.
        return Atom(leaf("mi", lettered(text, font)))
    return Atom(leaf("mi", text), run=font)


def number(text: str, font: Font | None) -> Element:
    """Return a number in an alphabet, as far as that has digits."""
    if font is None or font in {"normal", "italic", "script", "fraktur"}:
        return leaf("mn", text)
    return leaf("mn", "".join([lettered(each, "bold" if font == "bold italic" else font) for each in text]))


def _foreign(text: str, font: Font | None, sort: str) -> Element:
    """Return a letter that is not Latin: Greek is slanted but for its capitals, other scripts are text."""
    if sort == "Lo" and not _HEBREW_SIGNS[0] <= text[0] <= _HEBREW_SIGNS[1]:
        return leaf("mtext", text)
    is_capital = "Α" <= text[0] <= "Ω"
    if font == "bold italic":
        return leaf("mi", lettered(text, "bold" if is_capital else font))
    if is_capital and font in {"bold", "italic"}:
        return leaf("mi", lettered(text, font))
    if is_capital or text in "ℏℓ℘":
        return leaf("mi", text, mathvariant="normal")
    return leaf("mi", text)


def _thing(text: str, font: Font | None) -> Element:
    """Return a sign that is a thing of its own, such as infinity."""
    is_bold = font in {"bold", "bold italic"}
    if text in "∇ıȷ":
        return leaf("mi", lettered(text, "bold")) if is_bold else leaf("mi", text, mathvariant="normal")
    if text == "∂" and is_bold:
        return leaf("mi", lettered(text, "bold italic"))
    if text in "¬′‵":
        return leaf("mo", text, lspace="0", rspace="0")
    return leaf("mi", text)


def _operator(text: str, kind: Kind, *, is_small: bool) -> Element:
    element = leaf("mo", text)
    if any(first <= text[0] <= last for first, last in _ARROWS):
        element.set("stretchy", "false")
    if kind == "punct":
        element.set("separator", "true")
    if is_small and kind in {"rel", "bin"}:
        # TeX closes up what is small; browsers don't.
        element.set("lspace", "0")
        element.set("rspace", "0")
    elif text == ":":
        # In the dictionary it is a mark behind a word.
        element.set("lspace", THICK)
        element.set("rspace", THICK)
    return element


def _fence(text: str, kind: Kind) -> Element:
    r"""Return a bracket or a bar, which only grows behind `\left`."""
    element = leaf("mo", text, stretchy="false")
    if kind == "open":
        element.set("form", "prefix")
    elif kind == "close":
        element.set("form", "postfix")
    elif kind != "rel":
        element.set("lspace", "0")
        element.set("rspace", "0")
    return element
