"""Computed styles of elements in Word's terms."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property, lru_cache
from math import ceil

from mdpublish_core.css.cascade import SIDES, ComputedValues, parse_declarations, pt, px_to_pt
from mdpublish_core.css.colors import is_dark
from mdpublish_core.css.matcher import StyleFactory
from mdpublish_core.data_files import read_names
from mdpublish_core.html import StartTag, styled_tag
from mdpublish_core.templates.theme import Fonts

TEXT_WIDTH = 600
"""A4 and US Letter with 1 in margins, rounded down, in px."""

CALLOUT = "callout"
"""Distinguishes callouts from other `div`s, which aren't cells."""

WEIGHTS = {"400": "normal", "700": "bold"}
"""Word only knows these two."""

HEADING_TAGS = ("h1", "h2", "h3", "h4", "h5", "h6")

_ELEMENTS = read_names(__file__, "elements.tsv")

_STYLE_NAMES = _ELEMENTS["style"]

_CELL_TAGS = frozenset({"th", "td", "pre", CALLOUT})
"""Written as cells."""

_CONTAINER_TAGS = frozenset({"&", "blockquote", "div", "dl", "ul", "ol", "section", "details", "figure"})
_TABLE_PARTS = frozenset({"table", "thead", "tbody", "tr"})

BOX_TAGS = _CELL_TAGS | _CONTAINER_TAGS | _TABLE_PARTS
"""Their margins, borders and padding don't apply to paragraphs."""

_PARAGRAPH_TAGS = frozenset({*HEADING_TAGS, "p", "li", "dt", "dd", "summary", "figcaption", "caption", "hr"})

# Others only have it behind their text.
_BLOCK_BACKGROUND_TAGS = BOX_TAGS | _PARAGRAPH_TAGS

_RUN_PROPERTIES = (
    *("font-family", "font-size", "font-weight", "font-style", "font-variant", "color"),
    *("text-decoration", "letter-spacing", "text-transform"),
)

_IMPLIED_PROPERTIES: Mapping[str, Mapping[str, str]] = {
    tag: parse_declarations(declarations) for tag, declarations in _ELEMENTS["implied"].items()
}

# Word and browsers style links.
_ALWAYS_DECLARED: Mapping[str, frozenset[str]] = {"a": frozenset({"color", "text-decoration"})}

# Word shrinks superscripts by itself.
_NEVER_DECLARED: Mapping[str, frozenset[str]] = dict.fromkeys(("sub", "sup"), frozenset({"font-size"}))

_COLOR = re.compile(r"#[0-9a-f]{6}")
_NUMBER = re.compile(r"\d+\.?\d*|\.\d+")
_WIDTH = re.compile(r"(\d+\.?\d*|\.\d+)px")

# Word's maximum, in px.
_MAX_BORDER_WIDTH = 8.0

# Word's bullets; others become discs.
_BULLETS = frozenset({"circle", "square", "none"})


@dataclass(frozen=True)
class WordStyle:
    """The style of one element in one place.

    `base_background`: already on the page or in the cell; None if uncertain. `run_style`: relative to its parent.
    """

    tag: str
    style_name: str
    computed: ComputedValues
    font_family: str
    background: str
    base_background: str | None
    needs_background: bool
    run_style: str

    @cached_property
    def _hash(self) -> int:
        return hash((self.tag, self.style_name, self.computed, self.background, self.base_background, self.run_style))

    def __hash__(self) -> int:
        """Cache the hash: styles are looked up for every paragraph."""
        return self._hash

    def length(self, name: str) -> float:
        """Return a length in px; percentages refer to the text width."""
        return self.computed.px(name, TEXT_WIDTH)

    @cached_property
    def padding_left(self) -> float:
        """In px."""
        return self.length("padding-left")

    @cached_property
    def padding_right(self) -> float:
        """In px."""
        return self.length("padding-right")

    @cached_property
    def top(self) -> float:
        """In px."""
        return max(0.0, self.length("margin-top"))

    @cached_property
    def bottom(self) -> float:
        """In px."""
        return max(0.0, self.length("margin-bottom"))

    @cached_property
    def left(self) -> float:
        """Margin, padding and border, in px."""
        return self._edge("left")

    @cached_property
    def right(self) -> float:
        """Margin, padding and border, in px."""
        return self._edge("right")

    def _edge(self, side: str) -> float:
        margin = max(0.0, self.length(f"margin-{side}"))
        return margin if self.tag == "hr" else margin + self.length(f"padding-{side}") + self.border_width(side)

    @cached_property
    def borders(self) -> Mapping[str, str | None]:
        """By side, in points; None if invisible."""
        return {
            side: f"{pt(min(border.width, _MAX_BORDER_WIDTH))} {border.style} {border.color}" if border else None
            for side, border in zip(SIDES, map(self.computed.border, SIDES), strict=True)
        }

    def border_width(self, side: str) -> float:
        """Return a width in px."""
        border = self.computed.border(side)
        return min(border.width, _MAX_BORDER_WIDTH) if border else 0.0

    @cached_property
    def invisible_border(self) -> str:
        return f"0.5pt solid {self.background}" if _COLOR.fullmatch(self.background) else "none"

    @cached_property
    def line_height(self) -> float:
        """Line height in px."""
        value = self.computed.get("line-height")
        return float(value) * self.computed.font_size if _NUMBER.fullmatch(value) else self.computed.px("line-height")

    @cached_property
    def run_attributes(self) -> tuple[tuple[str, str], ...]:
        return (("style", self.run_style),) if self.run_style else ()

    @cached_property
    def code_tag(self) -> StartTag:
        """The start of code in a line, without spell checking."""
        declared = filter(None, ("mso-style-name:'Code Char'", self.run_style, "mso-no-proof:yes"))
        return styled_tag("span", (("class", "CodeChar"), ("style", ";".join(declared))))

    @cached_property
    def bullet(self) -> str:
        value = self.computed.get("list-style-type")
        if self.tag == "ol":
            return value if value != "0" else "decimal"
        return value if value in _BULLETS else "disc"


def to_points(length: float) -> str:
    """Convert px to points; LibreOffice ignores a bare 0."""
    result = pt(length)
    return "0pt" if result == "0" else result


def font_points(size: float) -> str:
    """Convert px to points, rounded to halves like Word."""
    return f"{ceil(size * 1.5 - 0.5) / 2:g}pt"


@lru_cache(maxsize=512)
def style_factory(fonts: Fonts) -> StyleFactory[WordStyle]:
    return _StyleFactory(fonts)


class _StyleFactory:
    def __init__(self, fonts: Fonts) -> None:
        named, generic = fonts.word, fonts.web
        families = ((named.body, generic.body), (named.heading, generic.heading), (named.mono, generic.mono))
        self._families = {f'"{name}"' if " " in name else name: f"'{name}',{stack[-1]}" for name, stack in families}

    def __call__(self, element: str, declared: Mapping[str, str], parent: WordStyle | None) -> WordStyle:
        tag = CALLOUT if element.startswith("div.callout") else element.partition(".")[0]
        computed = ComputedValues.compute(declared, parent.computed if parent else None)
        element_background = declared.get("background-color", "transparent")
        has_background = tag in _BLOCK_BACKGROUND_TAGS and element_background != "transparent"
        background = element_background if has_background or parent is None else parent.background
        base_background = (
            parent.base_background if parent else (None if _is_dark_background(background) else background)
        )
        return WordStyle(
            tag=tag,
            style_name=_style_name(tag, parent),
            computed=computed,
            font_family=self._font_family(computed.get("font-family")),
            background=background,
            base_background=background if tag in _CELL_TAGS else base_background,
            needs_background=background != base_background,
            run_style=self._run_style(tag, computed, parent, element_background) if parent else "",
        )

    def _run_style(self, tag: str, computed: ComputedValues, parent: WordStyle, background: str) -> str:
        implied, always, never = (
            _IMPLIED_PROPERTIES.get(tag, {}),
            _ALWAYS_DECLARED.get(tag, ()),
            _NEVER_DECLARED.get(tag, ()),
        )
        declared = []
        for name in _RUN_PROPERTIES:
            value = computed.get(name)
            differs = value != (implied.get(name) or parent.computed.get(name))
            if name in always or (differs and name not in never):
                declared.append(f"{name}:{self._property_value(name, value, computed)}")
        if tag not in _BLOCK_BACKGROUND_TAGS:
            declared += [f"background:{background}"] if background != "transparent" else []
            borders = {computed.get(f"border-{side}") for side in SIDES}
            if len(borders) == 1 and _WIDTH.search(border := borders.pop()):
                declared.append(f"border:{px_to_pt(border)};mso-border-alt:{px_to_pt(border)}")
        return ";".join(declared)

    def _property_value(self, name: str, value: str, computed: ComputedValues) -> str:
        if name == "font-family":
            return self._font_family(value)
        if name == "font-weight":
            return WEIGHTS.get(value, value)
        if name == "font-size":
            return font_points(computed.font_size)
        return px_to_pt(value)

    def _font_family(self, value: str) -> str:
        return self._families.get(value, value.replace('"', "'"))


def _style_name(tag: str, parent: WordStyle | None) -> str:
    parent_name = parent.style_name if parent else "Normal"
    if tag == "li":
        return parent_name if parent_name == "Footnote Text" else "List Paragraph"
    return _STYLE_NAMES.get(tag, parent_name)


def _is_dark_background(background: str) -> bool:
    return bool(_COLOR.fullmatch(background)) and is_dark(background)
