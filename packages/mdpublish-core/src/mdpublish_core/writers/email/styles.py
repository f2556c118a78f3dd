"""Inline styles of elements in emails.

Inherited and default values are omitted. Outlook for Windows supports padding, borders and backgrounds only on table
cells, so elements with them are wrapped in a cell. Its cells inherit no font: those of the text around have it from
`head`'s rules for Outlook, so a cell declares what differs from the text, or from what is around it for other clients.
"""

from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from types import MappingProxyType
from typing import NamedTuple

from mdpublish_core.css.cascade import SIDES, Border, ComputedValues, style_attribute
from mdpublish_core.writers.email.client_support import (
    CLIENT_DEFAULTS,
    HEADINGS,
    INLINE_ELEMENTS,
    LIST_INDENT,
    LIST_MARKERS,
    MAX_BORDER_WIDTH,
    MIN_LETTER_SPACING,
    SPACED_ELEMENTS,
    TABLE_PARTS,
    email_font_families,
    mirror_declarations,
    supported_declarations,
)

StyleAttributes = tuple[tuple[str, str], ...]

Sides = tuple[int, int, int, int]
"""In px: top, right, bottom, left."""

NO_MARGINS: Sides = (0, 0, 0, 0)

# In px; less isn't visible.
_MIN_LETTER_SPACING = 0.1

# Roughly the clients' `normal`.
_NORMAL_LINE_HEIGHT = 1.2

_FONT = ("font-family", "font-size", "line-height")

# What `font` declares beside the family.
_FONT_PARTS = frozenset({"font-size", "font-style", "font-variant", "font-weight", "line-height"})

_DEFAULTS = {
    "font-style": "normal",
    "font-variant": "normal",
    "font-weight": "400",
    "letter-spacing": "normal",
    "text-transform": "none",
    "text-indent": "0",
}

_NORMAL_WEIGHT = 400

# Padding is the lists' indentation, set in the head.
_LIST_TAGS = frozenset({"ul", "ol"})


class EmailStyle(NamedTuple):
    """The style of one element in one place. Lengths are whole px.

    `attributes`: its own `style`, made of `margins` and `text_style`. A box has a cell with `box_style` (padding,
    borders, background) and `font_style`, and in it `inner_attributes`. `line_height`: Word's, if it is not that of the
    element around; `cell_line_height`: if it is not that of the text, `root`. `word_font`: what a cell declares for
    Word beside that of the text. `inset`: total horizontal space around the content. `background`: the effective color.
    `face`: the font families; `faceless_attributes`: those of `code` that has them from the head.
    """

    computed: ComputedValues
    root: ComputedValues
    attributes: StyleAttributes
    margins: Sides
    text_style: str
    box_style: str
    font_style: str
    line_height: str
    cell_line_height: str
    word_font: str
    inner_attributes: StyleAttributes
    align: str
    list_depth: int
    inset: int
    background: str
    face: str
    faceless_attributes: StyleAttributes

    @property
    def is_box(self) -> bool:
        return bool(self.box_style)

    def with_margin_above(self, space: int) -> StyleAttributes:
        return style_attributes(_margin_shorthand((space, *self.margins[1:])), self.text_style)

    def without_margin_below(self) -> "EmailStyle":
        top, right, _, left = self.margins
        margins = (top, right, 0, left)
        return self._replace(margins=margins, attributes=style_attributes(_margin_shorthand(margins), self.text_style))


def compute_style(element: str, declared: Mapping[str, str], parent: EmailStyle | None) -> EmailStyle:
    type_ = element.partition(".")[0]
    supported = supported_declarations(declared)
    computed = ComputedValues.compute(supported, parent.computed if parent else None)
    root = parent.root if parent else computed
    values = _text_values(computed)
    parent_values = _text_values(parent.computed) if parent else values
    list_depth = (parent.list_depth if parent else 0) + (type_ in _LIST_TAGS)
    margins = NO_MARGINS if type_ in INLINE_ELEMENTS or type_ in TABLE_PARTS else _margins(computed)
    text_style = ";".join(
        [
            *_text_declarations(type_, values, parent_values, supported),
            *_marker_declarations(type_, values, parent_values, list_depth),
        ]
    )
    box_style = "" if type_ in INLINE_ELEMENTS else ";".join(_box_declarations(type_, computed))
    is_inline, line_height = type_ in INLINE_ELEMENTS, _leading(values)
    return EmailStyle(
        computed=computed,
        root=root,
        attributes=style_attributes(*_element_declarations(type_, computed, margins, box_style), text_style),
        margins=margins,
        text_style=text_style,
        box_style=box_style,
        font_style=cell_font(
            computed, parent.computed if parent else None, root, aligned=_has_alignment(type_, values)
        ),
        line_height="" if is_inline or line_height == _leading(parent_values) else line_height,
        cell_line_height="" if line_height == _leading(_text_values(root)) else line_height,
        word_font=word_font(computed, root),
        inner_attributes=style_attributes(
            _margin_shorthand(NO_MARGINS) if type_ in SPACED_ELEMENTS else "",
            *_inner_declarations(type_, values, computed),
        ),
        align=values["text-align"],
        list_depth=list_depth,
        inset=(parent.inset if parent else 0) + _inset(type_, computed, margins),
        background=supported.get("background-color", "transparent").replace(
            "transparent", parent.background if parent else ""
        ),
        face=values["font-family"],
        faceless_attributes=_faceless(type_, values, parent_values, supported) if type_ == "code" else (),
    )


def _faceless(
    type_: str, values: Mapping[str, str], parent_values: Mapping[str, str], supported: Mapping[str, str]
) -> StyleAttributes:
    # The clients' own monospaced font is smaller than the text around.
    size = "font-size:1em" if values["font-size"] == parent_values["font-size"] else ""
    face = {"font-family": values["font-family"]}
    return style_attributes(size, *_text_declarations(type_, values, parent_values, supported, face))


def compute_mirrored_style(element: str, declared: Mapping[str, str], parent: EmailStyle | None) -> EmailStyle:
    return compute_style(element, mirror_declarations(declared), parent)


@lru_cache(maxsize=256)
def resized(style: EmailStyle, size: int) -> EmailStyle:
    """Return the style of a cell with type of `size` px."""
    items = tuple(sorted({**style.computed.values, "font-size": f"{size}px"}.items()))
    computed = ComputedValues(items, float(size))
    line_height = _leading(_text_values(computed))
    return style._replace(
        computed=computed, cell_line_height="" if line_height == _leading(_text_values(style.root)) else line_height
    )


@lru_cache(maxsize=256)
def mirrored_box_style(computed_style: EmailStyle) -> str:
    """For a table whose direction differs from the email's."""
    mirrored_items = tuple(sorted(mirror_declarations(computed_style.computed.values).items()))
    return ";".join(_box_declarations("td", ComputedValues(mirrored_items, computed_style.computed.font_size)))


def style_attributes(*parts: str) -> StyleAttributes:
    declarations = ";".join(filter(None, parts))
    return (("style", declarations),) if declarations else ()


@lru_cache(maxsize=1024)
def _text_values(computed: ComputedValues) -> Mapping[str, str]:
    spacing = max(MIN_LETTER_SPACING, computed.px("letter-spacing"))
    return {
        "color": _short_color(computed.values.get("color", "#000000")),
        "font-family": email_font_families(computed.values.get("font-family", "")),
        "font-size": f"{round(computed.font_size)}px",
        "font-style": computed.get("font-style"),
        "font-variant": computed.get("font-variant"),
        "font-weight": computed.get("font-weight"),
        "letter-spacing": f"{spacing:.1f}px" if abs(spacing) >= _MIN_LETTER_SPACING else "normal",
        "line-height": computed.values.get("line-height", "normal"),
        "list-style-type": computed.values.get("list-style-type", ""),
        "text-align": computed.values.get("text-align", ""),
        "text-indent": _pixels(round(computed.px("text-indent"))),
        "text-transform": computed.get("text-transform"),
    }


def _text_declarations(
    type_: str,
    values: Mapping[str, str],
    parent_values: Mapping[str, str],
    supported: Mapping[str, str],
    declared: Mapping[str, str] = MappingProxyType({}),
) -> Iterator[str]:
    """Yield what differs from the element around, from the clients' defaults, and from what the head has `declared`."""
    is_inline = type_ in INLINE_ELEMENTS
    excluded = {"list-style-type"}
    if is_inline:
        excluded |= {"line-height", "text-align", "text-indent"}
        values = {**values, "line-height": parent_values["line-height"]}
    elif not _has_alignment(type_, values):
        excluded.add("text-align")
    defaults = {**parent_values, **CLIENT_DEFAULTS.get(type_, {}), **declared}
    if type_ == "strong" and int(parent_values["font-weight"]) < _NORMAL_WEIGHT:
        # Clients make it bolder than the text around: than light text, to no more than normal.
        defaults["font-weight"] = str(_NORMAL_WEIGHT)
    changed = [name for name, value in values.items() if value != defaults[name] and name not in excluded]
    yield from _text_style(changed, values)
    for name, default in (
        ("text-decoration", "none"),
        ("vertical-align", "baseline"),
        ("background-color", "transparent"),
    ):
        value = supported.get(name)
        if value and value != defaults.get(name, default) and (is_inline or name == "text-decoration"):
            yield f"background:{_short_color(value)}" if name == "background-color" else f"{name}:{value}"
    if type_ in {"sub", "sup"}:
        yield "line-height:0"  # keeps the line height even


def _has_alignment(type_: str, values: Mapping[str, str]) -> bool:
    """Return False for tables and centered headings, which are aligned by attribute."""
    return type_ not in TABLE_PARTS and not (type_ in HEADINGS and values["text-align"] == "center")


def _marker_declarations(
    type_: str, values: Mapping[str, str], parent_values: Mapping[str, str], list_depth: int
) -> Iterator[str]:
    marker = values["list-style-type"]
    defaults = {
        "ol": "decimal",
        "ul": LIST_MARKERS[min(list_depth, len(LIST_MARKERS)) - 1],
        "li": parent_values["list-style-type"],
    }
    if marker and marker != defaults.get(type_, marker):
        yield f"list-style-type:{marker}"


def _text_style(names: Sequence[str], values: Mapping[str, str]) -> Iterator[str]:
    """Yield declarations of these properties; `font` also resets others, but is shorter."""
    if "font-family" in names and not _FONT_PARTS.isdisjoint(names):
        style, variant, weight = (values[name] for name in ("font-style", "font-variant", "font-weight"))
        parts = [part for part, default in ((style, "normal"), (variant, "normal"), (weight, "400")) if part != default]
        leading = "" if values["line-height"] == "normal" else f"/{values['line-height']}"
        yield f"font:{' '.join([*parts, values['font-size']])}{leading} {values['font-family']}"
        names = [name for name in names if name != "font-family" and name not in _FONT_PARTS]
    yield from (f"{name}:{values[name]}" for name in names)


@lru_cache(maxsize=256)
def cell_font(computed: ComputedValues, outer: ComputedValues | None, root: ComputedValues, *, aligned: bool) -> str:
    """Return a cell's declarations inside an element with the values `outer`: what differs from it and the text.

    Nothing is around the cell of the whole text.
    """
    values, root_values = _text_values(computed), _text_values(root)
    outer_values = _text_values(outer) if outer else {}
    names = [
        name
        for name in ("color", *_FONT, *_DEFAULTS)
        if not values[name] == root_values[name] == outer_values.get(name, _DEFAULTS.get(name))
    ]
    declarations = [*_text_style(names, values)]
    if aligned and values["text-align"]:
        declarations.append(f"text-align:{values['text-align']}")
    return ";".join(declarations)


@lru_cache(maxsize=256)
def word_font(computed: ComputedValues, declared: ComputedValues | None = None) -> str:
    """Return the font of a cell for Word: the whole, or what differs from the one that a rule declares."""
    values = _text_values(computed)
    others = _text_values(declared) if declared else _DEFAULTS
    declarations = [
        f"{name}:{values[name]}" for name in ("color", *_FONT, *_DEFAULTS) if values[name] != others.get(name)
    ]
    if declared is None or _leading(values) != _leading(others):
        declarations.append(_leading(values))
    return ";".join(declarations)


def _leading(values: Mapping[str, str]) -> str:
    """Return the line height in px: Word ignores unitless ones."""
    leading = _NORMAL_LINE_HEIGHT if values["line-height"] == "normal" else float(values["line-height"])
    return f"mso-line-height-alt:{round(int(values['font-size'].removesuffix('px')) * leading)}px"


def _short_color(color: str) -> str:
    """Return `#fff` for `#ffffff`."""
    return f"#{color[1::2]}" if color[1::2] == color[2::2] else color


def _element_declarations(type_: str, computed: ComputedValues, margins: Sides, box_style: str) -> Iterator[str]:
    if type_ in {"td", "th", "caption"}:
        yield box_style
    elif type_ == "table":
        yield f"border-collapse:{computed.values.get('border-collapse', 'separate')}"
        yield from (part for part in box_style.split(";") if not part.startswith("padding"))
    elif type_ in TABLE_PARTS:
        yield from (part for part in box_style.split(";") if part.startswith("background:"))
    elif type_ in SPACED_ELEMENTS or any(margins):
        yield _margin_shorthand(margins)


def _inner_declarations(type_: str, values: Mapping[str, str], computed: ComputedValues) -> Iterator[str]:
    if type_ in HEADINGS:
        yield f"font-size:{values['font-size']}"
        if values["font-weight"] != CLIENT_DEFAULTS[type_]["font-weight"]:
            yield f"font-weight:{values['font-weight']}"
        if (decoration := computed.get("text-decoration")) != "none":
            yield f"text-decoration:{decoration}"


def _box_declarations(type_: str, computed: ComputedValues) -> Iterator[str]:
    background_color = computed.get("background-color")
    if background_color != "transparent":
        yield f"background:{_short_color(background_color)}"
    borders = [(f"border-{side}", border) for side in SIDES if (border := computed.border(side))]
    if borders:
        yield style_attribute(
            (name, f"{_border_width(border)}px {border.style} {_short_color(border.color)}") for name, border in borders
        )
    paddings = [(f"padding-{side}", _padding(computed, side)) for side in SIDES]
    if any(padding != "0" for _, padding in paddings) and type_ not in _LIST_TAGS:
        yield style_attribute(paddings)
    radius = round(computed.px("border-radius"))
    if radius and (background_color != "transparent" or borders):
        yield f"border-radius:{radius}px"


def _border_width(border: Border | None) -> int:
    return min(MAX_BORDER_WIDTH, max(1, round(border.width))) if border else 0


def _padding(computed: ComputedValues, side: str) -> str:
    value = computed.get(f"padding-{side}")
    return value if value.endswith("%") else _pixels(round(computed.px(f"padding-{side}")))


def _margins(computed: ComputedValues) -> Sides:
    top, right, bottom, left = (max(0, round(computed.px(f"margin-{side}"))) for side in SIDES)
    return top, right, bottom, left


@lru_cache(maxsize=256)
def _margin_shorthand(margins: Sides) -> str:
    return style_attribute([(f"margin-{side}", _pixels(margin)) for side, margin in zip(SIDES, margins, strict=True)])


def _inset(type_: str, computed: ComputedValues, margins: Sides) -> int:
    if type_ in INLINE_ELEMENTS:
        return 0
    inset = margins[1] + margins[3]
    for side in ("left", "right"):
        padding = 0 if type_ in _LIST_TAGS else round(computed.px(f"padding-{side}"))
        inset += padding + _border_width(computed.border(side))
    return inset + (LIST_INDENT if type_ in _LIST_TAGS else 0)


def _pixels(length: int) -> str:
    return f"{length}px" if length else "0"
