"""Group a MathML row by fences, large operators and function names, for Office Math."""

from collections.abc import Iterable, Sequence
from enum import IntEnum
from itertools import pairwise
from typing import NamedTuple, TypeAlias
from xml.etree.ElementTree import Element

from mdpublish_core.figures.math import elements, operators
from mdpublish_core.figures.math.elements import ROWS, SCRIPTED


class Role(IntEnum):
    """A part's role among its neighbors."""

    PLAIN = 0
    NAME = 1  # of a function
    JOIN = 2  # an infix operator
    OPEN = 3
    CLOSE = 4
    BAR = 5  # as high as the fences around it
    BIG = 6  # a sum or integral
    GAP = 7
    STYLED = 8  # a row that sets a style, with a row of its own


class Part(NamedTuple):
    """An element and its role."""

    element: Element
    role: Role = Role.PLAIN
    content: str = ""


class FencedGroup(NamedTuple):
    """The parts between two fences, which may be missing."""

    opening: Part | None
    closing: Part | None
    parts: "list[Part | FencedGroup]"
    ends: Element | None
    """The element with the closing fence's scripts."""


Parts: TypeAlias = Sequence[Part | FencedGroup]

_FENCES = operators.OPENING_FENCES | operators.CLOSING_FENCES | operators.BARS
_PRODUCTS = frozenset("⋅·×*∘⊗∧∨")
_AFTER_TERMS = frozenset("!/")
_STYLES = ("displaystyle", "mathcolor")


def group_parts(children: Iterable[Element], max_depth: int) -> list[Part | FencedGroup]:
    """Flatten rows up to `max_depth`, and group what is between fences."""
    return _grouped(_flat(children, max_depth))


def group_characters(group: FencedGroup) -> Iterable[str]:
    if group.opening is not None:
        yield group.opening.content
    for part in group.parts:
        if isinstance(part, FencedGroup):
            yield from group_characters(part)
        else:
            yield from part.element.itertext()
    if group.closing is not None:
        yield from group.closing.element.itertext()


def split_at_bars(inside: Parts) -> tuple[list[Parts], str]:
    """Split at bars of equal height; also return the bar."""
    bars = {
        index: part.content for index, part in enumerate(inside) if isinstance(part, Part) and part.role == Role.BAR
    }
    if len(set(bars.values())) != 1:
        return [inside], ""
    edges = [-1, *bars, len(inside)]
    return [inside[first + 1 : last] for first, last in pairwise(edges)], next(iter(bars.values()))


def end_of_operand(row: Parts, start: int) -> int:
    """Return the end of an operand: the next infix operator that is no product."""
    for end in range(start, len(row)):
        part = row[end]
        if isinstance(part, Part) and part.role == Role.JOIN:
            is_sign = end == start and part.content in operators.PLUS_MINUS_SIGNS
            if not is_sign and part.content not in _PRODUCTS:
                return end
    return len(row)


def end_of_argument(row: Parts, start: int) -> int:
    """Return the index after a function's argument; `start` if there is none."""
    for end in range(start, len(row)):
        part = row[end]
        if isinstance(part, FencedGroup):
            return end + 1
        is_unseen = part.role == Role.GAP or (part.element.tag == "mo" and not part.content)
        if is_unseen:
            continue
        is_term = part.role == Role.PLAIN and part.content not in _AFTER_TERMS
        return end + 1 if is_term else start
    return start


def _flat(children: Iterable[Element], max_depth: int) -> Iterable[Part | FencedGroup]:
    for element in children:
        tag = element.tag
        has_fence = len(element) > 1 and (_is_fence(element[0], "prefix") or _is_fence(element[-1], "postfix"))
        if tag == "mrow" and max_depth > 0 and has_fence:
            yield _delimited(element, max_depth - 1)
        elif tag in ROWS and max_depth > 0:
            if any(name in element.attrib for name in _STYLES):
                yield Part(element, Role.STYLED)
            else:
                yield from _flat(element, max_depth - 1)
        else:
            yield _part(element)


def _part(element: Element) -> Part:
    """Classify an element, by its base if it has scripts."""
    if element.tag == "mspace":
        return Part(element, Role.GAP)
    base = element
    while base.tag in SCRIPTED:
        base = elements.unwrap(base[0])
    if base.tag not in {"mo", "mi"}:
        return Part(element)
    content = elements.token_string(base)
    role = Role.PLAIN
    if elements.is_chemical(base, "bond") or (len(content) > 1 and base.get("mathvariant") == "normal"):
        return Part(element, Role.PLAIN, content)
    if len(content) > 1 and content.replace("\u2009", "").replace(" ", "").isalpha():
        role = Role.NAME
    elif base.tag == "mo":
        role = Role.BIG if content in operators.LARGE_OPERATORS else _operator(base, content)
        if element is not base and role not in {Role.BIG, Role.CLOSE}:
            # Only closing fences and large operators keep their role with scripts.
            role = Role.PLAIN
    return Part(element, role, content)


def _operator(element: Element, content: str) -> Role:
    form = element.get("form", "")
    is_fence = element.get("fence") == "true"
    if content in operators.BARS:
        grows = is_fence or element.get("stretchy") == "true"
        return {"prefix": Role.OPEN, "postfix": Role.CLOSE}.get(form, Role.BAR if grows else Role.PLAIN)
    if content in operators.OPENING_FENCES or (is_fence and form == "prefix"):
        return Role.CLOSE if form == "postfix" else Role.OPEN
    if content in operators.CLOSING_FENCES or (is_fence and form == "postfix"):
        return Role.OPEN if form == "prefix" else Role.CLOSE
    return Role.JOIN if operators.is_infix(content) or content in operators.SEPARATORS else Role.PLAIN


def _grouped(row: Iterable[Part | FencedGroup]) -> list[Part | FencedGroup]:
    """Group what is between matching fences; unmatched fences stay plain."""
    levels: list[list[Part | FencedGroup]] = [[]]
    openings: list[Part] = []
    for part in row:
        if isinstance(part, FencedGroup):
            levels[-1].append(part)
        elif part.role == Role.OPEN:
            openings.append(part)
            levels.append([])
        elif part.role == Role.CLOSE and openings:
            ends = part.element if part.element.tag in SCRIPTED else None
            inside = levels.pop()
            levels[-1].append(FencedGroup(openings.pop(), part, inside, ends))
        else:
            levels[-1].append(part)
    while openings:
        inside = levels.pop()
        levels[-1] += (openings.pop()._replace(role=Role.PLAIN), *inside)
    return levels[0]


def _is_fence(element: Element, form: str) -> bool:
    if element.tag != "mo" or element.get("form") != form or "minsize" in element.attrib:
        return False
    grows = element.get("stretchy", "true") == "true"
    return grows and (element.get("fence") == "true" or elements.token_string(element) in _FENCES)


def _delimited(element: Element, max_depth: int) -> FencedGroup:
    inside = list(element)
    opening = closing = None
    if _is_fence(inside[0], "prefix"):
        opening = Part(inside[0], Role.OPEN, elements.token_string(inside[0]))
        inside = inside[1:]
    if inside and _is_fence(inside[-1], "postfix"):
        closing = Part(inside[-1], Role.CLOSE, elements.token_string(inside[-1]))
        inside = inside[:-1]
    return FencedGroup(opening, closing, group_parts(inside, max_depth), None)
