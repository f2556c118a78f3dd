"""Build MathML rows, with TeX's spacing between atoms."""

from collections.abc import Sequence
from dataclasses import dataclass
from unicodedata import normalize
from xml.etree.ElementTree import Element

from mdpublish_core.figures.math.symbols import AtomKind, Font, styled_character

THIN, MEDIUM, THICK = "0.1667em", "0.2222em", "0.2778em"
"""TeX's three spaces."""

FUNCTION_APPLICATION = "\u2061"
"""Invisible operator."""

_SLASH = "\u0338"

# Kinds after which a minus sign is unary.
_BEFORE_SIGNS = frozenset({"bin", "op", "name", "rel", "open", "punct", "none"})
_AFTER_SIGNS = frozenset({"rel", "close", "punct", "none"})

# Kinds separated from function names by a thin space.
_BEFORE_NAMES = frozenset({"ord", "name", "close", "inner"})
_AFTER_NAMES = frozenset({"ord", "name", "inner"})

# Kinds separated from dots by a thin space.
_BEFORE_DOTS = frozenset({"ord", "name", "close"})
_AFTER_DOTS = frozenset({"ord", "name", "open", "punct"})

_OUTER_SPACES: dict[AtomKind, str] = {"rel": THICK, "bin": MEDIUM}


@dataclass(slots=True)
class Atom:
    """An element and its TeX atom type."""

    element: Element
    kind: AtomKind = "ord"

    limits: str = ""
    """Script placement: beside, as limits in `display` style, or `always` as limits."""

    run_font: Font | None = None
    """The font of a letter that may be joined with its neighbors; the element has the plain letter."""

    is_bare: bool = False
    """Whether the element itself lacks the spaces of its kind."""

    negates: bool = False  # `\not`: strikes out the next atom


def build_leaf(tag: str, content: str, **attributes: str) -> Element:
    element = Element(tag, attributes)
    element.text = content
    return element


def build_element(tag: str, *children: Element, **attributes: str) -> Element:
    element = Element(tag, attributes)
    element.extend(children)
    return element


def build_fence(sign: str, form: str, **attributes: str) -> Element:
    """Return a delimiter that is as high as its row."""
    return build_leaf("mo", sign, fence="true", form=form, stretchy="true", **attributes)


def build_fenced(element: Element, left: str, right: str) -> Element:
    """Put an element between delimiters, of which either may be empty."""
    if not left and not right:
        return element
    before, after = [build_fence(left, "prefix")] if left else [], [build_fence(right, "postfix")] if right else []
    return build_element("mrow", *before, element, *after)


def build_space(width: str) -> Element:
    return Element("mspace", {"width": width})


def build_padded(element: Element, width: str) -> Element:
    return build_element("mrow", build_space(width), element, build_space(width))


def wrap_row(elements: Sequence[Element]) -> Element:
    return elements[0] if len(elements) == 1 else build_element("mrow", *elements)


def build_row(atoms: Sequence[Atom]) -> list[Element]:
    """Return the elements of a row; spaces and unary forms depend on the neighbors."""
    if len(atoms) == 1:
        return [_word(atoms)] if atoms[0].run_font is not None else [atoms[0].element]
    elements: list[Element] = []
    before: AtomKind = "none"
    index = 0
    while index < len(atoms):
        atom = atoms[index]
        end = index + 1
        if atom.negates and end < len(atoms):
            atoms[end].element = negate(atoms[end].element)
            index = end
            continue
        end = _end_of_word(atoms, index)
        element = atom.element if atom.run_font is None else _word(atoms[index:end])
        kind = atom.kind
        if kind not in {"space", "none"}:
            after = _next_kind(atoms, end)
            kind = _kind_between(atom, element, before, after)
            if element.tag == "mo":
                _close_up(elements, element, kind, (before, after))
            _space_out(elements, before, kind)
            before = kind
        if atom.is_bare and kind in _OUTER_SPACES:
            elements += (build_space(_OUTER_SPACES[kind]), element, build_space(_OUTER_SPACES[kind]))
        elif not _joined(elements, element):
            elements.append(element)
        if kind == "name" and end < len(atoms):
            elements.append(build_leaf("mo", FUNCTION_APPLICATION))
        index = end
    return elements


def _end_of_word(atoms: Sequence[Atom], start: int) -> int:
    end = start + 1
    run = atoms[start].run_font
    while run is not None and end < len(atoms) and atoms[end].run_font == run:
        end += 1
    return end


def _close_up(elements: Sequence[Element], sign: Element, kind: AtomKind, neighbors: tuple[AtomKind, AtomKind]) -> None:
    """Override spaces where browsers differ from TeX."""
    before, after = neighbors
    if kind == "inner":
        sign.set("lspace", THIN if before in _BEFORE_DOTS else "0")
        sign.set("rspace", THIN if after in _AFTER_DOTS else "0")
    elif kind == before == "rel" and elements[-1].tag == "mo":
        # Adjacent relations such as := have no space between them.
        elements[-1].set("rspace", "0")
        sign.set("lspace", "0")


def _next_kind(atoms: Sequence[Atom], index: int) -> AtomKind:
    while index < len(atoms) and atoms[index].kind in {"space", "none"}:
        index += 1
    return atoms[index].kind if index < len(atoms) else "none"


def _kind_between(atom: Atom, element: Element, before: AtomKind, after: AtomKind) -> AtomKind:
    """Return the kind in context: a binary operator without two operands is unary."""
    if atom.kind != "bin":
        return atom.kind
    if before in _BEFORE_SIGNS:
        if element.tag == "mo":
            _set_unary_form(element, "prefix")
        return "ord"
    if after in _AFTER_SIGNS:
        if element.tag == "mo":
            _set_unary_form(element, "postfix")
        return "ord"
    return "bin"


def _set_unary_form(element: Element, form: str) -> None:
    if element.text in {"+", "−", "±", "∓"}:
        element.set("form", form)
    else:
        element.set("lspace", "0")
        element.set("rspace", "0")


def _space_out(elements: list[Element], before: AtomKind, kind: AtomKind) -> None:
    if (kind == "name" and before in _BEFORE_NAMES) or (before == "name" and kind in _AFTER_NAMES):
        elements.append(build_space(THIN))


def _joined(elements: list[Element], element: Element) -> bool:
    if element.tag != "mtext" or not elements or elements[-1].tag != "mtext" or len(element):
        return False
    last = elements[-1]
    if last.attrib != element.attrib or len(last):
        return False
    last.text = (last.text or "") + (element.text or "")
    return True


def _word(atoms: Sequence[Atom]) -> Element:
    font = atoms[0].run_font
    assert font is not None
    characters = "".join([styled_character(atom.element.text or "", font) for atom in atoms])
    if font == "normal" and len(characters) == 1:
        return build_leaf("mi", characters, mathvariant="normal")
    return build_leaf("mi", characters)


def negate(element: Element) -> Element:
    for each in element.iter():
        if each.text:
            each.text = normalize("NFC", each.text[0] + _SLASH) + each.text[1:]
            return element
    return build_leaf("mo", "/")
