"""Things in a row: what their neighbours make of them, and the elements that they become."""

# ruff: noqa: RUF001  (signs that look like letters are what formulas are made of)

from collections.abc import Sequence
from dataclasses import dataclass
from unicodedata import normalize
from xml.etree.ElementTree import Element

from mdpublish_core.figures.math.alphabets import Font, lettered
from mdpublish_core.figures.math.symbols import Kind

THIN, MEDIUM, THICK = "0.1667em", "0.2222em", "0.2778em"
"""TeX's three spaces."""

APPLY = "\u2061"
"""Stands, unseen, between a function and what it is applied to."""

_SLASH = "\u0338"

# Behind these, a sign such as minus has one thing to work on and not two.
_BEFORE_SIGNS = frozenset({"bin", "op", "name", "rel", "open", "punct", "none"})
_BEHIND_SIGNS = frozenset({"rel", "close", "punct", "none"})

# What stands a thin space off a function's name, before it and behind it.
_BEFORE_NAMES = frozenset({"ord", "name", "close", "inner"})
_BEHIND_NAMES = frozenset({"ord", "name", "inner"})

# What stands a thin space off dots, before them and behind them; other things bring their own spaces.
_BEFORE_DOTS = frozenset({"ord", "name", "close"})
_BEHIND_DOTS = frozenset({"ord", "name", "open", "punct"})

_OUTER_SPACES: dict[Kind, str] = {"rel": THICK, "bin": MEDIUM}


@dataclass(slots=True)
class Atom:
    """A thing in a row."""

    element: Element
    kind: Kind = "ord"

    limits: str = ""
    """Where its scripts stand: behind it, `display` below and above where there is room, `always` there."""

    run: Font | None = None
    """The alphabet in which it is a letter that may be joined with its neighbours to a word; its element then has it plain."""

    is_bare: bool = False
    """Whether its kind gives it spaces that its element does not bring along."""

    negates: bool = False
    """Whether it only strikes out what comes next."""


def leaf(tag: str, text: str, **attributes: str) -> Element:
    """Return an element that holds text."""
    element = Element(tag, attributes)
    element.text = text
    return element


def holding(tag: str, *children: Element, **attributes: str) -> Element:
    """Return an element that holds others."""
    element = Element(tag, attributes)
    element.extend(children)
    return element


def gap(width: str) -> Element:
    """Return a space."""
    return Element("mspace", {"width": width})


def grouped(elements: Sequence[Element]) -> Element:
    """Return the only element, or all in a row."""
    return elements[0] if len(elements) == 1 else holding("mrow", *elements)


def lined(atoms: Sequence[Atom]) -> list[Element]:
    """Return the elements of things in a row, with what their neighbours make of them."""
    if len(atoms) == 1:
        return [_word(atoms)] if atoms[0].run is not None else [atoms[0].element]
    elements: list[Element] = []
    before: Kind = "none"
    place = 0
    while place < len(atoms):
        atom = atoms[place]
        end = place + 1
        if atom.negates and end < len(atoms):
            atoms[end].element = negated(atoms[end].element)
            place = end
            continue
        end = _end_of_word(atoms, place)
        element = atom.element if atom.run is None else _word(atoms[place:end])
        kind = atom.kind
        if kind not in {"space", "none"}:
            behind = _next_kind(atoms, end)
            kind = _placed(atom, element, before, behind)
            if element.tag == "mo":
                _close_up(elements, element, kind, (before, behind))
            _space_out(elements, before, kind)
            before = kind
        if atom.is_bare and kind in _OUTER_SPACES:
            elements += (gap(_OUTER_SPACES[kind]), element, gap(_OUTER_SPACES[kind]))
        elif not _joined(elements, element):
            elements.append(element)
        if kind == "name" and end < len(atoms):
            elements.append(leaf("mo", APPLY))
        place = end
    return elements


def _end_of_word(atoms: Sequence[Atom], place: int) -> int:
    """Return the place behind the letters of one alphabet, or behind anything else."""
    end = place + 1
    run = atoms[place].run
    while run is not None and end < len(atoms) and atoms[end].run == run:
        end += 1
    return end


def _close_up(elements: Sequence[Element], sign: Element, kind: Kind, beside: tuple[Kind, Kind]) -> None:
    """Set the spaces of a sign where a browser's own are others than TeX's."""
    before, behind = beside
    if kind == "inner":
        sign.set("lspace", THIN if before in _BEFORE_DOTS else "0")
        sign.set("rspace", THIN if behind in _BEHIND_DOTS else "0")
    elif kind == before == "rel" and elements[-1].tag == "mo":
        # Two relations are one sign, such as :=.
        elements[-1].set("rspace", "0")
        sign.set("lspace", "0")


def _next_kind(atoms: Sequence[Atom], place: int) -> Kind:
    while place < len(atoms) and atoms[place].kind in {"space", "none"}:
        place += 1
    return atoms[place].kind if place < len(atoms) else "none"


def _placed(atom: Atom, element: Element, before: Kind, behind: Kind) -> Kind:
    """Return what a thing is between two others; a sign that has no two things to stand between is told so."""
    if atom.kind != "bin":
        return atom.kind
    if before in _BEFORE_SIGNS:
        if element.tag == "mo":
            _be_sign(element, "prefix")
        return "ord"
    if behind in _BEHIND_SIGNS:
        if element.tag == "mo":
            _be_sign(element, "postfix")
        return "ord"
    return "bin"


def _be_sign(element: Element, form: str) -> None:
    if element.text in {"+", "−", "±", "∓"}:
        element.set("form", form)
    else:
        element.set("lspace", "0")
        element.set("rspace", "0")


def _space_out(elements: list[Element], before: Kind, kind: Kind) -> None:
    if (kind == "name" and before in _BEFORE_NAMES) or (before == "name" and kind in _BEHIND_NAMES):
        elements.append(gap(THIN))


def _joined(elements: list[Element], element: Element) -> bool:
    """Join text to the text before it, of the same look."""
    if element.tag != "mtext" or not elements or elements[-1].tag != "mtext" or len(element):
        return False
    last = elements[-1]
    if last.attrib != element.attrib or len(last):
        return False
    last.text = (last.text or "") + (element.text or "")
    return True


def _word(atoms: Sequence[Atom]) -> Element:
    """Return letters of one alphabet as one word."""
    font = atoms[0].run
    assert font is not None
    text = "".join([lettered(atom.element.text or "", font) for atom in atoms])
    if font == "normal" and len(text) == 1:
        return leaf("mi", text, mathvariant="normal")
    return leaf("mi", text)


def negated(element: Element) -> Element:
    """Return a thing struck out: its first character with the stroke that Unicode has for it."""
    for each in element.iter():
        if each.text:
            each.text = normalize("NFC", each.text[0] + _SLASH) + each.text[1:]
            return element
    return leaf("mo", "/")
