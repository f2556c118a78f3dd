"""Checks that a theme's rules style slots, and leave ornaments and text their own room."""

import re
from collections.abc import Iterator
from typing import NamedTuple

from mdpublish_core.css.lengths import PIXELS
from mdpublish_core.css.rules import split_selectors
from mdpublish_core.templates.theme import Template

MAX_LEFT_EDGES = 2

# In px: what nobody sees as an edge of its own.
_EDGE_TOLERANCE = 4

_COMMENT = re.compile(r"/\*.*?\*/", re.DOTALL)
_PIECE = re.compile(r"\s*(?:(?P<media>@[^{}]*)\{|(?P<selectors>[^{}]*)\{(?P<declarations>[^{}]*)\}|\})")

_HEAD = r"(?:(?<![\w.-])(?:h1|main|header)(?![\w-])|\.(?:kicker|meta)(?![\w-]))[^\s>+~]*"
_NEIGHBOR = re.compile(rf"{_HEAD}\s*[+~]|{_HEAD}:(?:first|last|only|nth)|main\s*>\s*p?:(?:first|nth)")

_EMPTY_CONTENT = re.compile(r"content:\s*\"\"")
_OUT_OF_FLOW = re.compile(r"position:\s*(?:absolute|fixed)")
_GROUND = re.compile(r"(?:body&|&|(?:body&\s*>\s*)?main)(?P<generated>::(?:before|after))?")
_SHAPED_BACKGROUND = re.compile(r"background[a-z-]*:[^;]*(?:radial|conic)-gradient")
_ONCE = re.compile(r"no-repeat|repeat-x")

_BLOCK = re.compile(r"(?:main\s*>\s*)?(?P<element>h[1-6]|p|pre|figure|\.table|\.callout)(?:\.title)?")
_LEFT = re.compile(r"margin(?P<side>-left|-inline-start)?:\s*(?P<value>[^;]+)")
_LENGTH = re.compile(r"(?P<number>-?[\d.]+)(?P<unit>px|em|mm)?")


class SlotFinding(NamedTuple):
    """A rule that breaks the check `check`; `line` is in the theme file, if that is known."""

    check: str
    key: str
    line: int | None
    problem: str
    remedy: str


class _Rule(NamedTuple):
    key: str
    offset: int
    media: str
    selector: str
    declarations: str


def slot_findings(template: Template, source: str | None = None) -> Iterator[SlotFinding]:
    """Yield findings in the order of the file; `source` is its content."""
    rules = [*_rules("css", template.css), *_rules("web_css", template.web_css)]
    for rule in rules:
        line = _line(template, rule, source)
        if neighbor := _NEIGHBOR.search(rule.selector):
            element = neighbor[0].strip(" +~")
            problem = f"{rule.selector!r} depends on the siblings of {element!r}, and published pages have other elements there"
            remedy = "style a slot instead: h1.title, .deck, .meta or .lead"
            yield SlotFinding("neighbors", rule.key, line, problem, remedy)
        if fault := _ornament_fault(rule):
            remedy = "draw it as .ornament, or as .ornament.full across the window, with a height"
            yield SlotFinding("ornament", rule.key, line, f"{rule.selector!r} {fault}", remedy)
    yield from _edge_findings(template, rules, source)


def _ornament_fault(rule: _Rule) -> str | None:
    ground = _GROUND.fullmatch(rule.selector)
    if ground and ground["generated"]:
        return "is the element of the slot .ornament"
    if "::" in rule.selector and _EMPTY_CONTENT.search(rule.declarations) and _OUT_OF_FLOW.search(rule.declarations):
        return "draws an ornament without room of its own"
    if ground and _SHAPED_BACKGROUND.search(rule.declarations) and _ONCE.search(rule.declarations):
        return "draws an ornament on the ground, where text may come to stand on it"
    return None


def _edge_findings(template: Template, rules: list[_Rule], source: str | None) -> Iterator[SlotFinding]:
    edges: dict[str, dict[str, float]] = {}
    for rule in rules:
        block = _BLOCK.fullmatch(rule.selector)
        if rule.key == "css" or not block:
            continue
        left = _left_margin(template, block["element"], rule.declarations)
        if left is None:
            continue
        inside = edges.setdefault(rule.media, {})
        inside[block["element"]] = left
        distinct = _distinct([0, *inside.values()])
        if len(distinct) > MAX_LEFT_EDGES:
            at = ", ".join(f"{edge:.0f} px" for edge in distinct)
            problem = f"{rule.selector!r} begins a left edge of its own; there are {len(distinct)}: {at}"
            remedy = f"use one of the others; at most {MAX_LEFT_EDGES}"
            yield SlotFinding("edges", rule.key, _line(template, rule, source), problem, remedy)
            return


def _left_margin(template: Template, element: str, declarations: str) -> float | None:
    """Return the left margin in px, or None if it is not set, or not by a length."""
    left = None
    for margin in _LEFT.finditer(declarations):
        values = margin["value"].split()
        if margin["side"] or "(" in margin["value"]:
            length = _LENGTH.fullmatch(margin["value"].strip())
        else:
            length = _LENGTH.fullmatch({1: values[0], 4: values[-1]}.get(len(values), values[min(1, len(values) - 1)]))
        if length:
            left = float(length["number"]) * _unit(template, element, length["unit"])
    return left


def _unit(template: Template, element: str, unit: str | None) -> float:
    type_ = template.type
    size = type_.scale[int(element[1]) - 1] if element[0] == "h" else 1
    return size * type_.size if unit == "em" else PIXELS.get(unit or "px", 1.0)


def _distinct(lengths: list[float]) -> list[float]:
    distinct: list[float] = []
    for length in sorted(lengths):
        if not distinct or length - distinct[-1] > _EDGE_TOLERANCE:
            distinct.append(length)
    return distinct


def _rules(key: str, css: str) -> Iterator[_Rule]:
    """Yield a rule for each selector."""
    media = ""
    for piece in _PIECE.finditer(_COMMENT.sub(lambda comment: " " * len(comment[0]), css)):
        if piece["media"] is not None:
            media = piece["media"].strip()
        elif piece["selectors"] is None:
            media = ""
        else:
            for selector in split_selectors(piece["selectors"]):
                offset = piece.start("selectors")
                yield _Rule(key, offset, media, selector.strip(), piece["declarations"])


def _line(template: Template, rule: _Rule, source: str | None) -> int | None:
    css: str = getattr(template, rule.key)
    # TOML normalizes line ends.
    start = (source or "").replace("\r\n", "\n").find(css) if css.strip() else -1
    return None if start < 0 else (source or "").replace("\r\n", "\n").count("\n", 0, start + rule.offset) + 1
