"""Computed styles of elements as properties of runs and paragraphs."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from math import ceil
from typing import Any, NamedTuple

from mdpublish_core import nodes
from mdpublish_core.css.cascade import SIDES, Border
from mdpublish_core.css.matcher import StyleFactory
from mdpublish_core.html import BLOCK_ELEMENTS
from mdpublish_core.templates.theme import Fonts
from mdpublish_core.writers.docx.properties import Borders, DocxBorder, ParagraphProperties, RunProperties
from mdpublish_core.writers.structure.bidi import Direction
from mdpublish_core.writers.word_model.attributes import ALIGNMENTS, DIRECTIONS
from mdpublish_core.writers.word_model.computed_styles import BOX_TAGS, CALLOUT, HEADING_TAGS, WordStyle, style_factory

NORMAL = "Normal"
"""The named style of text."""

_MIN_WIDTH = 24.0
"""In px: nested lists and tables can use up the column."""

TWIPS_PER_PIXEL = 15
"""A twip is a twentieth of a point."""

_COLOR = re.compile("#([0-9a-f]{6})")

_BORDER_KINDS = {"solid": "single"}
"""Others have the name that they have in CSS."""

# Eighths of a point: what Word draws at least and at most.
_MIN_BORDER, _MAX_BORDER = 2, 96

_GENERIC_FAMILIES = {"serif": "Times New Roman", "sans-serif": "Arial", "monospace": "Courier New"}

_POSITIONS = {"sub": "subscript", "sup": "superscript"}

_MIN_SIZE = 2
MAX_SIZE = 3_276
"""In half points; Word's own bound."""

# For a paragraph that is only a line, in twips.
_RULE_HEIGHT = -20


@dataclass(frozen=True)
class ElementStyle:
    """The style of one element in one place; `word` has its lengths."""

    word: WordStyle
    run: RunProperties

    def __hash__(self) -> int:
        return hash(self.word) ^ hash(self.run)

    @property
    def fill(self) -> str:
        """Return the color that is painted behind a block, empty if it is that of what the block stands on."""
        return (hex_color(self.word.background) or "") if self.word.needs_background else ""


@dataclass(frozen=True, slots=True, eq=False)
class ParagraphBox:
    """A quote, callout or block of code that is drawn by its paragraphs; no box equals another."""

    style: ElementStyle


class Surroundings(NamedTuple):
    """Where a block stands: lengths in px.

    `text_style` is the named style of text, `direction` all paragraphs', `base_direction` that without letters.
    """

    indent: float = 0.0
    align: str | None = None
    direction: str | None = None
    lang: str = ""
    box: ParagraphBox | None = None
    keeps_next: bool = False
    text_style: str = NORMAL
    column_width: float = 0.0
    base_direction: Direction = "ltr"
    list_level: int = 0
    story_level: int = 0

    @property
    def available_width(self) -> float:
        return max(self.column_width, _MIN_WIDTH)

    def with_box(self, style: ElementStyle) -> "Surroundings":
        """Add a new box; one within a box has no borders of its own."""
        return self if self.box else self._replace(box=ParagraphBox(style))

    def with_attributes(self, token: nodes.HtmlElement) -> "Surroundings":
        """Add what the author declared."""
        attributes = token.attributes
        align = "center" if token.tag == "center" else attributes.get("align")
        direction, lang = attributes.get("dir"), attributes.get("lang")
        return self._replace(
            align=align if align in ALIGNMENTS else self.align,
            direction=direction if direction in DIRECTIONS else self.direction,
            lang=lang or self.lang,
        )

    def indented(self, indent: float, text_style: str) -> "Surroundings":
        width = self.column_width - indent
        return self._replace(indent=self.indent + indent, column_width=width, text_style=text_style)

    def in_story(self, width: float, text_style: str) -> "Surroundings":
        """Return those of the content of a cell or footnote."""
        story = NOWHERE._replace(lang=self.lang, base_direction=self.base_direction, story_level=self.story_level + 1)
        return story._replace(column_width=width, text_style=text_style)


NOWHERE = Surroundings()


def twips(length: float) -> int:
    """Convert px."""
    return round(length * TWIPS_PER_PIXEL)


def hex_color(color: str) -> str | None:
    """Return six digits, or None for what is no such color."""
    match = _COLOR.fullmatch(color)
    return match[1].upper() if match else None


@lru_cache(maxsize=512)
def element_style_factory(fonts: Fonts) -> StyleFactory[ElementStyle]:
    return _Factory(fonts)


class _Factory:
    def __init__(self, fonts: Fonts) -> None:
        self._word = style_factory(fonts)
        self._mono = fonts.word.mono

    def __call__(self, element: str, declared: Mapping[str, str], parent: ElementStyle | None) -> ElementStyle:
        word = self._word(element, declared, parent.word if parent else None)
        return ElementStyle(word, self._run(word, declared, parent))

    def _run(self, word: WordStyle, declared: Mapping[str, str], parent: ElementStyle | None) -> RunProperties:
        computed, outer = word.computed, parent.run if parent else None
        decoration = computed.get("text-decoration")
        size = min(max(ceil(computed.font_size * 1.5 - 0.5), _MIN_SIZE), MAX_SIZE)
        position = _POSITIONS.get(word.tag, "")
        border, fill = None, ""
        if parent and outer and word.tag not in BLOCK_ELEMENTS and word.tag != CALLOUT:
            fill = hex_color(declared.get("background-color", "")) or outer.fill
            border = inline_border(word) or outer.border
            is_same_size = computed.font_size == parent.word.computed.font_size
            # Word makes scripts smaller by itself.
            size = outer.size if position or (outer.position and is_same_size) else size
            position = position or outer.position
        return RunProperties(
            font=self._font(computed.get("font-family")),
            size=size,
            color=hex_color(computed.get("color")) or (outer.color if outer else "000000"),
            bold=computed.is_bold,
            italic=computed.get("font-style") in {"italic", "oblique"},
            caps=_caps(computed.get("text-transform"), computed.get("font-variant")),
            strike="line-through" in decoration,
            underline="underline" in decoration,
            spacing=twips(computed.px("letter-spacing")),
            border=border,
            fill=fill,
            position=position,
        )

    def _font(self, families: str) -> str:
        family = families.partition(",")[0].strip().strip("\"'")
        if family == "monospace":
            return self._mono
        return _GENERIC_FAMILIES.get(family, family) or "Arial"


def _caps(transform: str, variant: str) -> str:
    if transform == "uppercase":
        return "caps"
    return "smallCaps" if variant == "small-caps" else ""


def inline_border(word: WordStyle) -> DocxBorder | None:
    borders = set(map(word.computed.border, SIDES))
    return _border(borders.pop()) if len(borders) == 1 else None


@lru_cache(maxsize=1024)
def block_border(word: WordStyle, side: str) -> DocxBorder | None:
    """Return the border of a side, if it is visible."""
    return _border(word.computed.border(side))


def _border(border: Border | None) -> DocxBorder | None:
    if border is None:
        return None
    kind = _BORDER_KINDS.get(border.style, border.style)
    # Three lines of the width are one of `double` in CSS, and its lines are in Word.
    share = 2 if kind == "double" else 6
    return DocxBorder(kind, min(max(round(border.width * share), _MIN_BORDER), _MAX_BORDER), border.color[1:].upper())


def paragraph_properties(style: ElementStyle, around: Surroundings = NOWHERE) -> ParagraphProperties:
    """Return how an element's paragraph is set; items of lists get their indentation from the list."""
    # Without widths, which differ in each column of a table.
    return _placed_properties(style, around[: Surroundings._fields.index("text_style")])


@lru_cache(maxsize=512)
def _placed_properties(style: ElementStyle, place: tuple[Any, ...]) -> ParagraphProperties:
    around = Surroundings(*place)
    word = style.word
    is_box = word.tag in BOX_TAGS
    left, right = around.indent, 0.0
    edge_left, edge_right = left, right
    if around.box:
        box = around.box.style.word
        edge_left, edge_right = left + _margin(box, "left"), right + _margin(box, "right")
        left, right = left + box.left, right + box.right
    if not is_box and word.tag not in {"dd", "li"}:
        if not around.box:
            edge_left, edge_right = left + _margin(word, "left"), right + _margin(word, "right")
        left, right = left + word.left, right + word.right
    is_rule = word.tag == "hr"
    is_rtl = around.direction == "rtl"
    return ParagraphProperties(
        before=0 if is_box else twips(word.top),
        after=0 if is_box else twips(word.bottom),
        line=_RULE_HEIGHT if is_rule else twips(word.line_height),
        left=twips(left),
        right=twips(right),
        first=max(0, twips(word.computed.px("text-indent"))),
        align=_alignment(around.align, word.computed.values.get("text-align"), is_rtl=is_rtl),
        borders=_borders(
            around.box.style if around.box else style, left - edge_left, right - edge_right, is_rtl=is_rtl
        ),
        fill=style.fill or (around.box.style.fill if around.box else ""),
        keeps_next=around.keeps_next or word.tag in HEADING_TAGS,
        keeps_lines=word.tag in HEADING_TAGS,
        bidi=is_rtl,
    )


def _margin(word: WordStyle, side: str) -> float:
    """Return a box's margin and border: its padding is between border and text."""
    inset = word.left if side == "left" else word.right
    return inset - word.length(f"padding-{side}")


def _alignment(authored: str | None, declared: str | None, *, is_rtl: bool) -> str:
    """Return Word's alignment, in which `left` is where lines begin."""
    align = authored or declared or "left"
    if align in {"center", "justify"}:
        return "both" if align == "justify" else "center"
    if is_rtl and authored:
        return "left" if align == "right" else "right"
    return "right" if align in {"right", "end"} and not is_rtl else "left"


def _borders(style: ElementStyle, space_left: float, space_right: float, *, is_rtl: bool) -> Borders:
    """Return borders; what is painted is so up to its borders, so that it gets some in its color."""
    word = style.word
    if word.tag in {"&", "td", "th", "table", "section"}:
        return Borders()
    spaces = {
        "top": word.length("padding-top"),
        "bottom": word.length("padding-bottom"),
        "left": space_left,
        "right": space_right,
    }
    invisible = DocxBorder("single", _MIN_BORDER, style.fill) if style.fill else None
    borders = []
    for _, source in sides(is_rtl=is_rtl):
        border = block_border(word, source) or (invisible if spaces[source] else None)
        borders.append((border, round(spaces[source] * 0.75)) if border else None)
    return Borders(*borders)


def sides(*, is_rtl: bool) -> Sequence[tuple[str, str]]:
    """Return the sides in the schema's order, with those of the computed style, mirrored in right-to-left text."""
    left, right = ("right", "left") if is_rtl else ("left", "right")
    return ("top", "top"), ("left", left), ("bottom", "bottom"), ("right", right)
