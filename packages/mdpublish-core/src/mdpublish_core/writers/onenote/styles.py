"""Styles of elements in OneNote.

It has no letter spacing, small capitals, padding or margins, and borders only on tables. Blocks declare what differs
from the page, runs what differs from their parent.
"""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache

from mdpublish_core.css.cascade import SIDES, ComputedValues
from mdpublish_core.css.colors import MIN_TEXT_CONTRAST, contrast
from mdpublish_core.css.matcher import StyleFactory
from mdpublish_core.html import BLOCK_ELEMENTS
from mdpublish_core.templates.theme import Fonts

PAGE_COLOR = "#ffffff"
"""Can't be changed."""

Font = tuple[str, str, str, str, str, str]
"""Values of `_PROPERTIES`."""

_PROPERTIES = ("font-family", "font-size", "color", "font-weight", "font-style", "text-decoration")
_FAMILY, _SIZE, _COLOR, _WEIGHT, _STYLE, _DECORATION = range(6)

HEADINGS = ("h1", "h2", "h3", "h4", "h5", "h6")

# OneNote lacks the element.
_BOLD_TITLES = frozenset({"th", "p.title", "summary"})

# With the property value that they imply.
_NATIVE = {
    "strong": ("strong", _WEIGHT, "bold"),
    "b": ("strong", _WEIGHT, "bold"),
    "em": ("em", _STYLE, "italic"),
    "i": ("em", _STYLE, "italic"),
    "cite": ("cite", _STYLE, "italic"),
}
_SCRIPTS = {"sub": "sub", "sup": "sup"}
_DECORATIONS = {"underline": "u", "line-through": "del"}

_ALIGNMENTS = {"center": "center", "right": "right", "end": "right"}

_NUMBER_MARKERS = frozenset({"none", "decimal", "lower-alpha", "upper-alpha", "lower-roman", "upper-roman"})
_BULLET_MARKERS = frozenset({"none", "disc", "circle", "square"})

_POINTS_PER_PIXEL = 0.75

_HEX = re.compile(r"#[0-9a-f]{6}")
_NOT_IN_FONT_NAMES = re.compile(r"[^\w .\-]+")
_NOT_FONTS = frozenset({"", "0", "inherit", "initial", "unset", "revert"})


@dataclass(frozen=True, slots=True)
class OneNoteStyle:
    """The style of one element in one place.

    `page_font` has no color if the page is painted; each block then declares its own. `changed_properties`: in which
    some outer block differs from the page. `run_tags`: outermost first. `fill`: a background unlike that around it.
    """

    computed: ComputedValues
    font: Font
    page_font: Font
    changed_properties: frozenset[int]
    block_style: str
    run_style: str
    run_tags: tuple[str, ...]
    align: str
    fill: str
    background: str
    left_border: str
    top_border: str
    is_framed: bool
    has_borders: bool
    is_indented: bool

    @property
    def is_painted(self) -> bool:
        """Whether text is unreadable on white."""
        return not self.page_font[_COLOR]

    @property
    def page_style(self) -> str:
        return _font_declarations(
            self.page_font, frozenset({_FAMILY, _SIZE} if self.is_painted else {_FAMILY, _SIZE, _COLOR})
        )

    @property
    def text_color(self) -> str:
        return self.font[_COLOR]

    @property
    def bullet_marker(self) -> str:
        value = self.computed.get("list-style-type")
        return value if value in _BULLET_MARKERS else "disc"

    @property
    def number_marker(self) -> str:
        value = self.computed.get("list-style-type")
        return value if value in _NUMBER_MARKERS else "decimal"


@lru_cache(maxsize=256)
def style_factory(fonts: Fonts) -> StyleFactory[OneNoteStyle]:
    """Use Word's fonts; OneNote only reads the first."""
    generic = {
        fonts.word.mono: fonts.web.mono[-1],
        fonts.word.heading: fonts.web.heading[-1],
        fonts.word.body: fonts.web.body[-1],
    }

    def compute_style(element: str, declared: Mapping[str, str], parent: OneNoteStyle | None) -> OneNoteStyle:
        tag = element.partition(".")[0]
        if element in _BOLD_TITLES or tag in _BOLD_TITLES:
            declared = {**declared, "font-weight": "700"}
        computed = ComputedValues.compute(declared, parent.computed if parent else None)
        return _compute_style(tag, computed, parent, generic)

    return compute_style


def _compute_style(
    tag: str, computed: ComputedValues, parent: OneNoteStyle | None, generic: Mapping[str, str]
) -> OneNoteStyle:
    font = _font(computed, parent, generic)
    element_background = _color(computed.get("background-color"))
    background = parent.background if parent else element_background or PAGE_COLOR
    page_font = parent.page_font if parent else _page_font(font, background)
    changed_properties = parent.changed_properties if parent else frozenset()
    declared_properties = changed_properties | {number for number in range(6) if font[number] != page_font[number]}
    tags = tuple(_run_tags(tag, computed, font, parent)) if parent else ()
    fill = element_background if element_background != background and parent else ""
    borders = {side: border.color if (border := computed.border(side)) else "" for side in SIDES}
    return OneNoteStyle(
        computed=computed,
        font=font,
        page_font=page_font,
        changed_properties=declared_properties if tag in BLOCK_ELEMENTS else changed_properties,
        block_style=_font_declarations(
            font, declared_properties | _HEADING_PROPERTIES if tag in HEADINGS else declared_properties
        ),
        run_style=_run_style(tag, font, fill, tags, parent) if parent else "",
        run_tags=tags,
        align=_ALIGNMENTS.get(computed.get("text-align"), ""),
        fill=fill,
        background=fill or background,
        left_border=borders["left"],
        top_border=borders["top"],
        is_framed=all(borders.values()),
        has_borders=any(borders.values()),
        is_indented=computed.px("padding-left") > 0,
    )


def _color(value: str) -> str:
    """Return a color, empty for `transparent` and where none is set."""
    return value if _HEX.fullmatch(value) else ""


def _font(computed: ComputedValues, parent: OneNoteStyle | None, generic: Mapping[str, str]) -> Font:
    """Return font properties; sizes are rounded to half points."""
    parent_font = parent.font if parent else ("Calibri", "", "#000000", "", "", "")
    family = _NOT_IN_FONT_NAMES.sub("", computed.get("font-family").partition(",")[0]).strip()
    generic_family = generic.get(family, family)
    decorations = computed.get("text-decoration").split()
    return (
        parent_font[_FAMILY]
        if family in _NOT_FONTS
        else family
        if generic_family == family
        else f"{family},{generic_family}",
        f"{max(1, round(computed.font_size * _POINTS_PER_PIXEL * 2)) / 2:g}pt",
        _color(computed.get("color")) or parent_font[_COLOR],
        "bold" if computed.is_bold else "normal",
        "italic" if computed.get("font-style") in {"italic", "oblique"} else "normal",
        next((each for each in _DECORATIONS if each in decorations), "none"),
    )


def _page_font(font: Font, background: str) -> Font:
    """Omit the color if text is unreadable on white."""
    family, size, color, _, _, _ = font
    if _HEX.fullmatch(color):
        is_painted = contrast(color, PAGE_COLOR) < MIN_TEXT_CONTRAST
    else:
        is_painted = bool(_HEX.fullmatch(background)) and contrast("#000000", background) < MIN_TEXT_CONTRAST
    return family, size, "" if is_painted else color, "normal", "normal", "none"


_ALL_PROPERTIES = frozenset(range(6))

# Differ in OneNote's heading styles.
_HEADING_PROPERTIES = _ALL_PROPERTIES - {_DECORATION}


def _font_declarations(font: Font, properties: frozenset[int]) -> str:
    return ";".join(f"{_PROPERTIES[number]}:{font[number]}" for number in sorted(properties))


def _run_tags(tag: str, computed: ComputedValues, font: Font, parent: OneNoteStyle) -> Iterator[str]:
    native, number, value = _NATIVE.get(tag, ("", 0, ""))
    if native and font[number] == value:
        yield native
    if tag in _SCRIPTS:
        yield _SCRIPTS[tag]
    if tag != "a":
        above = parent.computed.get("text-decoration").split()
        for word in computed.get("text-decoration").split():
            if word in _DECORATIONS and word not in above:
                yield _DECORATIONS[word]


def _run_style(tag: str, font: Font, fill: str, tags: tuple[str, ...], parent: OneNoteStyle) -> str:
    declared = {number for number in range(_DECORATION) if font[number] != parent.font[number]}
    if native := _NATIVE.get(tag):
        declared -= {native[1]} if native[0] in tags else set()
    if tag in _SCRIPTS:
        # OneNote shrinks superscripts by itself.
        declared -= {_SIZE}
    if tag == "a":
        # OneNote styles links.
        declared |= {_COLOR}
        # The default underline is invisible on a dark page.
        declared |= {_DECORATION} if font[_DECORATION] == "none" or parent.is_painted else set()
    style = _font_declarations(font, frozenset(declared))
    return f"{style}{';' if style else ''}background-color:{fill}" if fill else style
