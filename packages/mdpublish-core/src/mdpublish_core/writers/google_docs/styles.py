"""Styles of elements in Google Docs.

Docs supports character properties on spans only, one font, weights 400 and 700, no letter spacing or text transforms.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

from mdpublish_core.css.cascade import SIDES, ComputedValues
from mdpublish_core.css.matcher import StyleFactory
from mdpublish_core.html import BLOCK_ELEMENTS, StartTag, styled_tag
from mdpublish_core.templates.theme import Fonts

PAGE_WIDTH = 468.0
"""US Letter, Docs' default, minus 1 in margins, in points."""

POINTS_PER_PIXEL = 0.75

PAGE_COLOR = "#ffffff"
"""Pasting can't change it."""

Border = tuple[float, str]
"""Width in points (0 for none) and color."""

NO_BORDER: Border = (0.0, "")

# The widest that Docs offers, in points.
_MAX_BORDER_WIDTH = 6.0

HAIRLINE = 0.5
"""In points; invisible: without all four borders, readers drop the padding."""

# Docs' "single" line spacing, in font sizes.
_SINGLE_SPACING = 1.2

# Docs' own size; others would be read as explicit font sizes.
_SCRIPT_STYLE = "font-size:0.6em"

_LIST_MARKERS = frozenset(
    {
        *("disc", "circle", "square", "decimal", "decimal-leading-zero", "none"),
        *("lower-alpha", "upper-alpha", "lower-roman", "upper-roman"),
    }
)

_GENERIC_FAMILIES = frozenset({"serif", "sans-serif", "monospace"})
_TABLE_PARTS = frozenset({"thead", "tbody", "tr", "th", "td"})
_CAPTIONS = frozenset({"caption", "figcaption"})
_NUMBER = re.compile(r"-?(?:\d+\.?\d*|\.\d+)")

_WITHOUT_CELLS = frozenset({"h1", "h2", "h3", "h4", "h5", "h6", "p", "summary"})


@dataclass(frozen=True, slots=True)
class GoogleDocsStyle:
    """The style of one element in one place.

    `size` (px) ignores superscripts. `run`: a text span and the script span in it. `character_style`: of a list marker.
    `top` and `bottom` are margins in px; other lengths are in points, `left` and `right` including border and padding.
    """

    computed: ComputedValues
    page_color: str
    size: float
    shift: str
    text_background: str
    run: tuple[StartTag, ...]
    character_style: str
    line_height: str
    indent: float
    align: str
    top: float
    bottom: float
    left: float
    right: float
    block_background: str
    borders: tuple[Border, ...]
    padding: tuple[float, ...]
    marker: str
    vertical_align: str

    @property
    def is_framed(self) -> bool:
        return bool(self.block_background) or any(width for width, _ in self.borders)


@lru_cache(maxsize=256)
def style_factory(fonts: Fonts) -> StyleFactory[GoogleDocsStyle]:
    generic = {
        name: stack[-1] if stack[-1] in _GENERIC_FAMILIES else "sans-serif"
        for name, stack in (
            (fonts.docs.heading, fonts.web.heading),
            (fonts.docs.body, fonts.web.body),
            (fonts.docs.mono, ("monospace",)),
        )
    }

    def compute_style(element: str, declared: Mapping[str, str], parent: GoogleDocsStyle | None) -> GoogleDocsStyle:
        tag = element.partition(".")[0]
        if tag in _CAPTIONS:
            declared = {"font-style": "italic", "text-align": "center", **declared}
        computed = ComputedValues.compute(declared, parent.computed if parent else None)
        return _compute_style(tag, computed, parent, generic)

    return compute_style


def _compute_style(
    tag: str, computed: ComputedValues, parent: GoogleDocsStyle | None, generic: Mapping[str, str]
) -> GoogleDocsStyle:
    is_block = tag in BLOCK_ELEMENTS or parent is None
    shift = computed.get("vertical-align")
    if shift in {"sub", "super"}:
        size = parent.size if parent else computed.font_size
    else:
        shift = parent.shift if parent else ""
        size = parent.size * computed.font_size / parent.computed.font_size if parent else computed.font_size
    background = computed.get("background-color")
    block_background = "" if background == "transparent" or parent is None else background
    if tag in _TABLE_PARTS and parent and not block_background:
        block_background = parent.block_background
    if is_block or parent is None:
        # The text gets the background instead.
        text_background = block_background if block_background and tag in _WITHOUT_CELLS else "transparent"
    else:
        text_background = block_background or parent.text_background
    character_style = _character_style(computed, size, text_background, generic)
    run_styles = [f"{character_style};white-space:pre-wrap"]
    if shift:
        run_styles.append(f"{_SCRIPT_STYLE};vertical-align:{shift}")
    padding = tuple(_points(computed, f"padding-{side}") for side in SIDES)
    borders = tuple(_border(computed, side) for side in SIDES)
    marker = computed.get("list-style-type")
    return GoogleDocsStyle(
        computed=computed,
        page_color=parent.page_color if parent else background,
        size=size,
        shift=shift,
        text_background=text_background,
        run=tuple(styled_tag("span", (("style", style),)) for style in run_styles),
        character_style=character_style,
        line_height=f"line-height:{_line_height(computed):.4g}",
        indent=computed.px("text-indent") * POINTS_PER_PIXEL,
        align=_alignment(computed.get("text-align")),
        top=computed.px("margin-top"),
        bottom=computed.px("margin-bottom"),
        left=_points(computed, "margin-left") + borders[3][0] + padding[3],
        right=_points(computed, "margin-right") + borders[1][0] + padding[1],
        block_background=block_background if is_block else "",
        borders=borders,
        padding=padding,
        marker=marker if marker in _LIST_MARKERS else "",
        vertical_align=computed.get("vertical-align")
        if computed.get("vertical-align") in {"middle", "bottom"}
        else "top",
    )


def to_points(length: float) -> str:
    return f"{length:.1f}".removesuffix(".0") + "pt" if abs(length) >= 0.05 else "0pt"


def border_css(border: Border, background: str) -> str:
    """Write a missing border as a hairline in the background color."""
    width, color = border if border[0] else (HAIRLINE, background)
    return f"solid {color} {f'{width:.2f}'.rstrip('0').rstrip('.')}pt"


def half_borders(borders: Sequence[Border]) -> float:
    """Return half of the width of the left and right borders, in points: adjacent cells share them."""
    return ((borders[1][0] or HAIRLINE) + (borders[3][0] or HAIRLINE)) / 2


def _character_style(computed: ComputedValues, size: float, background: str, generic: Mapping[str, str]) -> str:
    """Return all properties in Docs' order."""
    declared = (
        ("font-size", to_points(size * POINTS_PER_PIXEL)),
        ("font-family", _font_family(computed.get("font-family"), generic)),
        ("color", computed.get("color")),
        ("background-color", background),
        ("font-weight", "700" if computed.is_bold else "400"),
        ("font-style", "italic" if computed.get("font-style") in {"italic", "oblique"} else "normal"),
        ("font-variant", "small-caps" if computed.get("font-variant") == "small-caps" else "normal"),
        ("text-decoration", _decoration(computed.get("text-decoration"))),
        ("vertical-align", "baseline"),
    )
    return ";".join(f"{name}:{value}" for name, value in declared)


def _font_family(value: str, generic: Mapping[str, str]) -> str:
    names = [name.strip().strip("\"'") for name in value.split(",")]
    if names[0] in generic and len(names) == 1:
        names.append(generic[names[0]])
    return ",".join(f"'{name}'" if " " in name else name for name in names)


def _decoration(value: str) -> str:
    words = value.split()
    return " ".join(word for word in ("underline", "line-through") if word in words) or "none"


def _alignment(value: str) -> str:
    return value if value in {"center", "right", "justify"} else ""


def _line_height(computed: ComputedValues) -> float:
    number = _NUMBER.match(computed.get("line-height"))
    return float(number[0]) or _SINGLE_SPACING if number else _SINGLE_SPACING


def _points(computed: ComputedValues, name: str) -> float:
    """Return a length in points; percentages are of the page's width."""
    return computed.px(name, PAGE_WIDTH / POINTS_PER_PIXEL) * POINTS_PER_PIXEL


def _border(computed: ComputedValues, side: str) -> Border:
    border = computed.border(side)
    return (min(border.width * POINTS_PER_PIXEL, _MAX_BORDER_WIDTH), border.color) if border else NO_BORDER
