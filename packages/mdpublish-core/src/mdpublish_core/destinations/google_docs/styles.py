"""What Google Docs gets for an element: the style of its runs of text, and what its block, cell or list item needs.

Docs keeps character properties on spans alone, lengths in points, one font, weights 400 and 700. It knows neither
letters set apart nor capitals made of small letters: both are left out, and the text stays as it was written.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache

from mdpublish_core.html import BLOCK_ELEMENTS
from mdpublish_core.templates.cascade import ComputedValues
from mdpublish_core.templates.matcher import StyleFactory
from mdpublish_core.templates.theme import Fonts

PAGE_WIDTH = 468.0
"""The width of a page's text in points: US Letter, Docs' own default, with an inch on either side."""

POINTS_PER_PIXEL = 0.75
"""A CSS pixel in points."""

PAGE_COLOR = "#ffffff"
"""The colour of a page in Docs, which nothing that is pasted can change."""

Border = tuple[float, str]
"""A border: its width in points, 0 where there is none, and its colour."""

# The widest border that Docs offers, in points.
_MAX_BORDER_WIDTH = 6.0

# The width of a border that is not to be seen: Docs has four on each cell, and without one, readers drop the padding.
_HAIRLINE = 0.5

# Docs' own line height, of which "single" is this many times the font's size.
_SINGLE_SPACING = 1.2

# What Docs itself makes raised and lowered text smaller by; anything else would be read as a size of its own.
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
_SIDES = ("top", "right", "bottom", "left")
_NUMBER = re.compile(r"-?(?:\d+\.?\d*|\.\d+)")
_SHORT_COLOR = re.compile(r"#([0-9a-f])([0-9a-f])([0-9a-f])", re.IGNORECASE)

# Weights from here on are bold where a font has no other: https://www.w3.org/TR/css-fonts-4/#font-style-matching
_MIN_BOLD_WEIGHT = 600

# Blocks with a ground that stand in no cell.
_WITHOUT_CELLS = frozenset({"h1", "h2", "h3", "h4", "h5", "h6", "p", "summary"})


@dataclass(frozen=True, slots=True)
class ComputedStyle:
    """What an element looks like in Docs.

    `page_color` is the colour of the template's own ground. `size` is in px, as if nothing were raised or lowered; `shift` tells
    whether text is. `text_background` is what stands behind text. `run_styles` is the style of a span of text, and of the span in it that
    raises or lowers it, empty for most; `character_style` is what a list item says of its mark. `line_height` and `indent`, in points, are
    those of paragraphs, `align` is empty for the usual. `top` and `bottom` are margins in px, which collapse as in CSS;
    `left` and `right` are what margin, border and padding come to in points. `block_background` is a block's background, empty for
    none; `borders` are its borders and `padding` is inside them, in points: top, right, bottom and left. `marker` is that of
    a list, empty where Docs does not know it; `vertical_align` is where a cell's content stands.
    """

    computed: ComputedValues
    page_color: str
    size: float
    shift: str
    text_background: str
    run_styles: tuple[str, str]
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
        """Whether the element has a background or a border, which Docs keeps on the cells of tables alone."""
        return bool(self.block_background) or any(width for width, _ in self.borders)


@lru_cache(maxsize=256)
def style_factory(fonts: Fonts) -> StyleFactory[ComputedStyle]:
    """Return the function that makes looks, for a theme's fonts."""
    generic = {
        name: _generic_family(stack)
        for name, stack in (
            (fonts.docs.heading, fonts.web.heading),
            (fonts.docs.body, fonts.web.body),
            (fonts.docs.mono, ("monospace",)),
        )
    }

    def compute_style(element: str, declared: Mapping[str, str], parent: ComputedStyle | None) -> ComputedStyle:
        tag = element.partition(".")[0]
        if tag in _CAPTIONS:
            declared = {"font-style": "italic", "text-align": "center", **declared}
        computed = ComputedValues.compute(declared, parent.computed if parent else None)
        return _compute_style(tag, computed, parent, generic)

    return compute_style


def _compute_style(
    tag: str, computed: ComputedValues, parent: ComputedStyle | None, generic: Mapping[str, str]
) -> ComputedStyle:
    is_block = tag in BLOCK_ELEMENTS or parent is None
    shift = computed.get("vertical-align")
    if shift in {"sub", "super"}:
        size = parent.size if parent else computed.font_size
    else:
        shift = parent.shift if parent else ""
        size = parent.size * computed.font_size / parent.computed.font_size if parent else computed.font_size
    background = normalize_color(computed.get("background-color"))
    block_background = "" if background == "transparent" or parent is None else background
    if tag in _TABLE_PARTS and parent and not block_background:
        block_background = parent.block_background
    if is_block or parent is None:
        # A heading and a title are no cells, but letters may have the ground of their own that these should have.
        text_background = block_background if block_background and tag in _WITHOUT_CELLS else "transparent"
    else:
        text_background = block_background or parent.text_background
    character_style = _character_style(computed, size, text_background, generic)
    padding = tuple(_parse_points(computed.get(f"padding-{side}")) for side in _SIDES)
    borders = tuple(_parse_border(computed, side) for side in _SIDES)
    marker = computed.get("list-style-type")
    return ComputedStyle(
        computed=computed,
        page_color=parent.page_color if parent else background,
        size=size,
        shift=shift,
        text_background=text_background,
        run_styles=(
            f"{character_style};white-space:pre-wrap",
            f"{_SCRIPT_STYLE};vertical-align:{shift}" if shift else "",
        ),
        character_style=character_style,
        line_height=f"line-height:{_line_height(computed):.4g}",
        indent=computed.px("text-indent") * POINTS_PER_PIXEL,
        align=_alignment(computed.get("text-align")),
        top=computed.px("margin-top"),
        bottom=computed.px("margin-bottom"),
        left=_parse_points(computed.get("margin-left")) + borders[3][0] + padding[3],
        right=_parse_points(computed.get("margin-right")) + borders[1][0] + padding[1],
        block_background=block_background if is_block else "",
        borders=borders,
        padding=padding,
        marker=marker if marker in _LIST_MARKERS else "",
        vertical_align=computed.get("vertical-align")
        if computed.get("vertical-align") in {"middle", "bottom"}
        else "top",
    )


def to_points(length: float) -> str:
    """Return a length in points, to a tenth."""
    return f"{length:.1f}".removesuffix(".0") + "pt" if abs(length) >= 0.05 else "0pt"


def border_css(border: Border, background: str) -> str:
    """Return a border; one that is not there is a hairline of the colour that it lies on, `background`."""
    width, color = border if border[0] else (_HAIRLINE, background)
    return f"solid {color} {f'{width:.2f}'.rstrip('0').rstrip('.')}pt"


def normalize_color(value: str) -> str:
    """Return a colour as Docs writes it, where it is one that is told by digits."""
    short = _SHORT_COLOR.fullmatch(value)
    return "#" + "".join(digit * 2 for digit in short.groups()).lower() if short else value.lower()


def _character_style(computed: ComputedValues, size: float, background: str, generic: Mapping[str, str]) -> str:
    """Return the properties of characters, in the order in which Docs writes them, all of them as it does."""
    weight = computed.get("font-weight")
    declared = (
        ("font-size", to_points(size * POINTS_PER_PIXEL)),
        ("font-family", _font_family(computed.get("font-family"), generic)),
        ("color", normalize_color(computed.get("color"))),
        ("background-color", background),
        ("font-weight", "700" if weight.isdecimal() and int(weight) >= _MIN_BOLD_WEIGHT else "400"),
        ("font-style", "italic" if computed.get("font-style") in {"italic", "oblique"} else "normal"),
        ("font-variant", "small-caps" if computed.get("font-variant") == "small-caps" else "normal"),
        ("text-decoration", _decoration(computed.get("text-decoration"))),
        ("vertical-align", "baseline"),
    )
    return ";".join(f"{name}:{value}" for name, value in declared)


def _font_family(value: str, generic: Mapping[str, str]) -> str:
    """Return a font with the generic family behind it, for readers that do not have it."""
    names = [name.strip().strip("\"'") for name in value.split(",")]
    if names[0] in generic and len(names) == 1:
        names.append(generic[names[0]])
    return ",".join(f"'{name}'" if " " in name else name for name in names)


def _generic_family(stack: tuple[str, ...]) -> str:
    return stack[-1] if stack[-1] in _GENERIC_FAMILIES else "sans-serif"


def _decoration(value: str) -> str:
    """Return the decorations that Docs has."""
    words = value.split()
    return " ".join(word for word in ("underline", "line-through") if word in words) or "none"


def _alignment(value: str) -> str:
    return value if value in {"center", "right", "justify"} else ""


def _line_height(computed: ComputedValues) -> float:
    value = computed.get("line-height")
    number = _NUMBER.match(value)
    if not number or not float(number[0]):
        return _SINGLE_SPACING
    unit = value[number.end() :]
    return float(number[0]) / {"px": computed.font_size, "%": 100.0}.get(unit, 1.0)


def _parse_points(value: str) -> float:
    """Return a length in points; a share is taken of the page."""
    number = _NUMBER.match(value)
    if not number:
        return 0.0
    unit = value[number.end() :]
    if unit == "%":
        return float(number[0]) / 100 * PAGE_WIDTH
    return float(number[0]) * POINTS_PER_PIXEL if unit in {"", "px"} else 0.0


def _parse_border(computed: ComputedValues, side: str) -> Border:
    """Return a border; Docs has them solid."""
    words = computed.get(f"border-{side}").split()
    width, color = 0.0, computed.get("color")
    for word in words:
        if _NUMBER.match(word):
            width = _parse_points(word)
        elif word in {"none", "hidden"}:
            return 0.0, color
        elif word.startswith("#"):
            color = word
    return min(width, _MAX_BORDER_WIDTH), normalize_color(color)
