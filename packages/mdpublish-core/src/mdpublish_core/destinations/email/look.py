"""What an element of a document gets in a mail: its `style` attribute, in declarations that every mail client heeds.

`project` makes a `Look` of what the template's rules come to. A declaration is left out where the element has the value
anyway: from its parent, or from the style that every client gives the element that is written for it. Padding, borders
and grounds are for cells alone, since Outlook for Windows knows them nowhere else: an element that has them, or that is
a box by its nature, stands in a cell of its own, which says its whole font, because Outlook's tables inherit none.
Lengths are whole pixels.
"""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from functools import lru_cache

from mdpublish_core.destinations.email.vocabulary import (
    GIVEN,
    HEADINGS,
    INLINE_ELEMENTS,
    LIST_INDENT,
    MARKS,
    SIDES,
    SPACED,
    TABLE_PARTS,
    TIGHTEST_SPACING,
    WIDEST_BORDER,
    mail_families,
    mirrored,
    understood,
)
from mdpublish_core.templates.cascade import Computed, style

Styled = tuple[tuple[str, str], ...]
"""A `style` attribute, or none, as the writer takes attributes."""

Sides = tuple[int, int, int, int]
"""Lengths in px: top, right, bottom, left."""

NO_MARGINS: Sides = (0, 0, 0, 0)

# Letters that are set apart by less, in px, look as if they were not.
_LEAST_SPACING = 0.1

# The height of lines that nothing is said of, in font sizes: about what clients take.
_NORMAL_LEADING = 1.2

_WIDTH = re.compile(r"[\d.]+(?=px)")

# What text is mostly set like.
_USUAL = {
    "font-style": "normal",
    "font-variant": "normal",
    "font-weight": "400",
    "letter-spacing": "normal",
    "text-transform": "none",
    "text-indent": "0",
}

# Of lists, the padding is the indentation, which every client has of its own; the template's is in the style in head.
_LISTS = frozenset({"ul", "ol"})


@dataclass(frozen=True, slots=True)
class Look:
    """What one element is given in one place of a document; looks with the same fields are the same look.

    `attributes` is the element's own `style`, whose two parts are `margins` and `text`, which says where its text is set
    unlike it would be. Where it is a box, `cell` is the `style` of the cell that it stands in, whose two parts are `ground`
    (padding, borders, the colour below) and `font` (all that its text is set in), and `within` is its own there. `align` is
    how its text is aligned, empty where nothing says; `lists` counts the lists that it stands in; `inset` is what lies
    between the edges of the mail and its content, both sides together, in px. `under` is the colour below its text.
    """

    computed: Computed
    attributes: Styled
    margins: Sides
    text: str
    cell: Styled
    ground: str
    font: str
    within: Styled
    align: str
    lists: int
    inset: int
    under: str

    @property
    def is_box(self) -> bool:
        """Whether the element needs a cell of its own."""
        return bool(self.ground)

    def pushed(self, space: int) -> Styled:
        """Return the element's own `style` where it must stand so many px below what is above it."""
        return styled(_margin((space, *self.margins[1:])), self.text)

    def without_space_below(self) -> "Look":
        """Return the look of the element where nothing is set apart from it below."""
        top, right, _, left = self.margins
        margins = (top, right, 0, left)
        return replace(self, margins=margins, attributes=styled(_margin(margins), self.text))


def project(element: str, declared: Mapping[str, str], parent: Look | None) -> Look:
    """Return the look of an element, given what is declared for it and the look of its parent."""
    type_ = element.partition(".")[0]
    allowed = understood(declared)
    computed = Computed.of(allowed, parent.computed if parent else None)
    values = _values(computed)
    above = _values(parent.computed) if parent else values
    lists = (parent.lists if parent else 0) + (type_ in _LISTS)
    margins = NO_MARGINS if type_ in INLINE_ELEMENTS or type_ in TABLE_PARTS else _margins(computed)
    text = ";".join([*_text(type_, values, above, allowed), *_mark(type_, values, above, lists)])
    ground = "" if type_ in INLINE_ELEMENTS else ";".join(_ground(type_, computed))
    font = ";".join(_font(values, above, aligned=_says_alignment(type_, values)))
    return Look(
        computed=computed,
        attributes=styled(*_own(type_, computed, margins, ground), text),
        margins=margins,
        text=text,
        cell=styled(ground, font),
        ground=ground,
        font=font,
        within=styled(_margin(NO_MARGINS) if type_ in SPACED else "", *_within(type_, values, computed)),
        align=values["text-align"],
        lists=lists,
        inset=(parent.inset if parent else 0) + _inset(type_, computed, margins),
        under=allowed.get("background-color", "transparent").replace("transparent", parent.under if parent else ""),
    )


def project_mirrored(element: str, declared: Mapping[str, str], parent: Look | None) -> Look:
    """Return the look of an element of a document that is read from right to left."""
    return project(element, mirrored(declared), parent)


@lru_cache(maxsize=256)
def mirrored_ground(look: Look) -> str:
    """Return the ground of a cell where a table is read in the other direction than the mail."""
    turned = tuple(sorted(mirrored(look.computed.values).items()))
    return ";".join(_ground("td", replace(look.computed, items=turned)))


def styled(*parts: str) -> Styled:
    """Return declarations as a `style` attribute; none where there are none."""
    text = ";".join(filter(None, parts))
    return (("style", text),) if text else ()


def _values(computed: Computed) -> dict[str, str]:
    """Return how text is set, property by property, in the words that are written."""
    spacing = max(TIGHTEST_SPACING, computed.px("letter-spacing"))
    return {
        "color": computed.values.get("color", "#000000"),
        "font-family": mail_families(computed.values.get("font-family", "")),
        "font-size": f"{round(computed.font_size)}px",
        "font-style": computed.get("font-style"),
        "font-variant": computed.get("font-variant"),
        "font-weight": computed.get("font-weight"),
        "letter-spacing": f"{spacing:.1f}px" if abs(spacing) >= _LEAST_SPACING else "normal",
        "line-height": computed.values.get("line-height", "normal"),
        "list-style-type": computed.values.get("list-style-type", ""),
        "text-align": computed.values.get("text-align", ""),
        "text-indent": _pixels(round(computed.px("text-indent"))),
        "text-transform": computed.get("text-transform"),
    }


def _text(type_: str, values: Mapping[str, str], above: Mapping[str, str], allowed: Mapping[str, str]) -> Iterator[str]:
    """Yield the declarations without which an element's text would be set otherwise."""
    is_inline = type_ in INLINE_ELEMENTS
    left_out = {"list-style-type"}
    if is_inline:
        left_out |= {"line-height", "text-align", "text-indent"}
    elif not _says_alignment(type_, values):
        left_out.add("text-align")
    given = {**above, **GIVEN.get(type_, {})}
    changed = [name for name, value in values.items() if value != given[name] and name not in left_out]
    yield from (f"{name}:{values[name]}" for name in changed)
    if not is_inline and not {"font-size", "line-height"}.isdisjoint(changed):
        yield _line_height(values)
    for name, usual in (
        ("text-decoration", "none"),
        ("vertical-align", "baseline"),
        ("background-color", "transparent"),
    ):
        value = allowed.get(name)
        if value and value != given.get(name, usual) and (is_inline or name == "text-decoration"):
            yield f"{name}:{value}"
    if type_ in {"sub", "sup"}:
        yield "line-height:0"  # so that lines with them are no farther apart than others


def _says_alignment(type_: str, values: Mapping[str, str]) -> bool:
    """Tell whether an element's style says how its text is aligned; tables, and headings that are centred, have attributes."""
    return type_ not in TABLE_PARTS and not (type_ in HEADINGS and values["text-align"] == "center")


def _mark(type_: str, values: Mapping[str, str], above: Mapping[str, str], lists: int) -> Iterator[str]:
    """Yield how a list or an item is marked, where clients would mark it otherwise."""
    mark = values["list-style-type"]
    given = {"ol": "decimal", "ul": MARKS[min(lists, len(MARKS)) - 1], "li": above["list-style-type"]}
    if mark and mark != given.get(type_, mark):
        yield f"list-style-type:{mark}"


def _font(values: Mapping[str, str], above: Mapping[str, str], *, aligned: bool) -> Iterator[str]:
    """Yield all that a cell's text is set in; what is usual and also above is not said."""
    yield from (f"{name}:{values[name]}" for name in ("color", "font-family", "font-size", "line-height"))
    yield _line_height(values)
    for name, usual in _USUAL.items():
        if values[name] != usual or above[name] != usual:
            yield f"{name}:{values[name]}"
    if aligned and values["text-align"]:
        yield f"text-align:{values['text-align']}"


def _line_height(values: Mapping[str, str]) -> str:
    """Return how high Word makes a line at least: it does not heed the bare numbers that the others take."""
    leading = _NORMAL_LEADING if values["line-height"] == "normal" else float(values["line-height"])
    return f"mso-line-height-alt:{round(int(values['font-size'].removesuffix('px')) * leading)}px"


def _own(type_: str, computed: Computed, margins: Sides, ground: str) -> Iterator[str]:
    """Yield what an element says of itself, beside its text."""
    if type_ in {"td", "th", "caption"}:
        yield ground
    elif type_ == "table":
        yield f"border-collapse:{computed.values.get('border-collapse', 'separate')}"
        yield from (part for part in ground.split(";") if not part.startswith("padding"))
    elif type_ in TABLE_PARTS:
        yield from (part for part in ground.split(";") if part.startswith("background-color"))
    elif type_ in SPACED or any(margins):
        yield _margin(margins)


def _within(type_: str, values: Mapping[str, str], computed: Computed) -> Iterator[str]:
    """Yield what an element must say in its own cell, which has said its font."""
    if type_ in HEADINGS:
        yield f"font-size:{values['font-size']}"
        if values["font-weight"] != GIVEN[type_]["font-weight"]:
            yield f"font-weight:{values['font-weight']}"
        if (decoration := computed.get("text-decoration")) != "none":
            yield f"text-decoration:{decoration}"


def _ground(type_: str, computed: Computed) -> Iterator[str]:
    """Yield the colour below an element, its borders and its padding."""
    ground = computed.get("background-color")
    if ground != "transparent":
        yield f"background-color:{ground}"
    borders = [(f"border-{side}", _border(computed.get(f"border-{side}"))) for side in SIDES]
    if any(border for _, border in borders):
        yield style([pair for pair in borders if pair[1]])
    paddings = [(f"padding-{side}", _padding(computed, side)) for side in SIDES]
    if any(padding != "0" for _, padding in paddings) and type_ not in _LISTS:
        yield style(paddings)
    radius = round(computed.px("border-radius"))
    if radius and (ground != "transparent" or any(border for _, border in borders)):
        yield f"border-radius:{radius}px"


def _border(value: str) -> str:
    """Return a border as Outlook can draw it; an empty text for none."""
    if value in {"0", "none"}:
        return ""
    width = _WIDTH.match(value)
    return f"{min(WIDEST_BORDER, max(1, round(float(width[0]))))}{value[width.end() :]}" if width else ""


def _padding(computed: Computed, side: str) -> str:
    value = computed.get(f"padding-{side}")
    return value if value.endswith("%") else _pixels(round(computed.px(f"padding-{side}")))


def _margins(computed: Computed) -> Sides:
    top, right, bottom, left = (max(0, round(computed.px(f"margin-{side}"))) for side in SIDES)
    return top, right, bottom, left


def _margin(margins: Sides) -> str:
    return style([(f"margin-{side}", _pixels(margin)) for side, margin in zip(SIDES, margins, strict=True)])


def _inset(type_: str, computed: Computed, margins: Sides) -> int:
    """Return how much narrower an element's content is than what is around it, in px."""
    if type_ in INLINE_ELEMENTS:
        return 0
    inset = margins[1] + margins[3]
    for side in ("left", "right"):
        width = _WIDTH.match(_border(computed.get(f"border-{side}")))
        inset += (0 if type_ in _LISTS else round(computed.px(f"padding-{side}"))) + (int(width[0]) if width else 0)
    return inset + (LIST_INDENT if type_ in _LISTS else 0)


def _pixels(length: int) -> str:
    return f"{length}px" if length else "0"
