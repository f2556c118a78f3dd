"""What Google Docs gets for an element: the style of its runs of text, and what its block, cell or list item needs.

Docs keeps character properties on spans alone, lengths in points, one font, weights 400 and 700. It knows neither
letters set apart nor capitals made of small letters: both are left out, and the text stays as it was written.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache

from mdpublish_core.html import BLOCK_ELEMENTS
from mdpublish_core.templates.cascade import Computed
from mdpublish_core.templates.matcher import Project
from mdpublish_core.templates.theme import Fonts

PAGE_WIDTH = 468.0
"""The width of a page's text in points: US Letter, Docs' own default, with an inch on either side."""

POINTS = 0.75
"""A CSS pixel in points."""

PAPER = "#ffffff"
"""The colour of a page in Docs, which nothing that is pasted can change."""

Edge = tuple[float, str]
"""A border: its width in points, 0 where there is none, and its colour."""

# The widest border that Docs offers, in points.
_WIDEST_EDGE = 6.0

# The width of a border that is not to be seen: Docs has four on each cell, and without one, readers drop the padding.
_HAIRLINE = 0.5

# Docs' own line height, of which "single" is this many times the font's size.
_SINGLE = 1.2

# What Docs itself makes raised and lowered text smaller by; anything else would be read as a size of its own.
_SCRIPT = "font-size:0.6em"

_MARKS = frozenset(
    {
        *("disc", "circle", "square", "decimal", "decimal-leading-zero", "none"),
        *("lower-alpha", "upper-alpha", "lower-roman", "upper-roman"),
    }
)

_GENERIC = frozenset({"serif", "sans-serif", "monospace"})
_TABLE_PARTS = frozenset({"thead", "tbody", "tr", "th", "td"})
_CAPTIONS = frozenset({"caption", "figcaption"})
_SIDES = ("top", "right", "bottom", "left")
_NUMBER = re.compile(r"-?(?:\d+\.?\d*|\.\d+)")
_SHORT_COLOR = re.compile(r"#([0-9a-f])([0-9a-f])([0-9a-f])", re.IGNORECASE)

# Weights from here on are bold where a font has no other: https://www.w3.org/TR/css-fonts-4/#font-style-matching
_BOLD = 600

# Blocks with a ground that stand in no cell.
_WITHOUT_CELLS = frozenset({"h1", "h2", "h3", "h4", "h5", "h6", "p", "summary"})


@dataclass(frozen=True, slots=True)
class Look:
    """What an element looks like in Docs.

    `page` is the colour of the template's own ground. `size` is in px, as if nothing were raised or lowered; `shift` tells
    whether text is. `ground` is what stands behind text. `run` is the style of a span of text, and of the span in it that
    raises or lowers it, empty for most; `glyph` is what a list item says of its mark. `line` and `indent`, in points, are
    those of paragraphs, `align` is empty for the usual. `top` and `bottom` are margins in px, which collapse as in CSS;
    `left` and `right` are what margin, border and padding come to in points. `fill` is a block's background, empty for
    none; `edges` are its borders and `padding` is inside them, in points: top, right, bottom and left. `mark` is that of
    a list, empty where Docs does not know it; `vertical` is where a cell's content stands.
    """

    computed: Computed
    page: str
    size: float
    shift: str
    ground: str
    run: tuple[str, str]
    glyph: str
    line: str
    indent: float
    align: str
    top: float
    bottom: float
    left: float
    right: float
    fill: str
    edges: tuple[Edge, ...]
    padding: tuple[float, ...]
    mark: str
    vertical: str

    @property
    def is_framed(self) -> bool:
        """Whether the element has a background or a border, which Docs keeps on the cells of tables alone."""
        return bool(self.fill) or any(width for width, _ in self.edges)


@lru_cache(maxsize=256)
def projection(fonts: Fonts) -> Project[Look]:
    """Return the function that makes looks, for a theme's fonts."""
    generic = {
        name: _generic(stack)
        for name, stack in (
            (fonts.docs.heading, fonts.web.heading),
            (fonts.docs.body, fonts.web.body),
            (fonts.docs.mono, ("monospace",)),
        )
    }

    def project(element: str, declared: Mapping[str, str], parent: Look | None) -> Look:
        tag = element.partition(".")[0]
        if tag in _CAPTIONS:
            declared = {"font-style": "italic", "text-align": "center", **declared}
        computed = Computed.of(declared, parent.computed if parent else None)
        return _look(tag, computed, parent, generic)

    return project


def _look(tag: str, computed: Computed, parent: Look | None, generic: Mapping[str, str]) -> Look:
    is_block = tag in BLOCK_ELEMENTS or parent is None
    shift = computed.get("vertical-align")
    if shift in {"sub", "super"}:
        size = parent.size if parent else computed.font_size
    else:
        shift = parent.shift if parent else ""
        size = parent.size * computed.font_size / parent.computed.font_size if parent else computed.font_size
    background = color(computed.get("background-color"))
    fill = "" if background == "transparent" or parent is None else background
    if tag in _TABLE_PARTS and parent and not fill:
        fill = parent.fill
    if is_block or parent is None:
        # A heading and a title are no cells, but letters may have the ground of their own that these should have.
        ground = fill if fill and tag in _WITHOUT_CELLS else "transparent"
    else:
        ground = fill or parent.ground
    glyph = _characters(computed, size, ground, generic)
    padding = tuple(_points(computed.get(f"padding-{side}")) for side in _SIDES)
    edges = tuple(_edge(computed, side) for side in _SIDES)
    mark = computed.get("list-style-type")
    return Look(
        computed=computed,
        page=parent.page if parent else background,
        size=size,
        shift=shift,
        ground=ground,
        run=(f"{glyph};white-space:pre-wrap", f"{_SCRIPT};vertical-align:{shift}" if shift else ""),
        glyph=glyph,
        line=f"line-height:{_line_height(computed):.4g}",
        indent=computed.px("text-indent") * POINTS,
        align=_alignment(computed.get("text-align")),
        top=computed.px("margin-top"),
        bottom=computed.px("margin-bottom"),
        left=_points(computed.get("margin-left")) + edges[3][0] + padding[3],
        right=_points(computed.get("margin-right")) + edges[1][0] + padding[1],
        fill=fill if is_block else "",
        edges=edges,
        padding=padding,
        mark=mark if mark in _MARKS else "",
        vertical=computed.get("vertical-align") if computed.get("vertical-align") in {"middle", "bottom"} else "top",
    )


def points(length: float) -> str:
    """Return a length in points, to a tenth."""
    return f"{length:.1f}".removesuffix(".0") + "pt" if abs(length) >= 0.05 else "0pt"


def edge(border: Edge, under: str) -> str:
    """Return a border; one that is not there is a hairline of the colour that it lies on, `under`."""
    width, ink = border if border[0] else (_HAIRLINE, under)
    return f"solid {ink} {f'{width:.2f}'.rstrip('0').rstrip('.')}pt"


def color(value: str) -> str:
    """Return a colour as Docs writes it, where it is one that is told by digits."""
    short = _SHORT_COLOR.fullmatch(value)
    return "#" + "".join(digit * 2 for digit in short.groups()).lower() if short else value.lower()


def _characters(computed: Computed, size: float, ground: str, generic: Mapping[str, str]) -> str:
    """Return the properties of characters, in the order in which Docs writes them, all of them as it does."""
    weight = computed.get("font-weight")
    declared = (
        ("font-size", points(size * POINTS)),
        ("font-family", _family(computed.get("font-family"), generic)),
        ("color", color(computed.get("color"))),
        ("background-color", ground),
        ("font-weight", "700" if weight.isdecimal() and int(weight) >= _BOLD else "400"),
        ("font-style", "italic" if computed.get("font-style") in {"italic", "oblique"} else "normal"),
        ("font-variant", "small-caps" if computed.get("font-variant") == "small-caps" else "normal"),
        ("text-decoration", _decoration(computed.get("text-decoration"))),
        ("vertical-align", "baseline"),
    )
    return ";".join(f"{name}:{value}" for name, value in declared)


def _family(value: str, generic: Mapping[str, str]) -> str:
    """Return a font with the generic family behind it, for readers that do not have it."""
    names = [name.strip().strip("\"'") for name in value.split(",")]
    if names[0] in generic and len(names) == 1:
        names.append(generic[names[0]])
    return ",".join(f"'{name}'" if " " in name else name for name in names)


def _generic(stack: tuple[str, ...]) -> str:
    return stack[-1] if stack[-1] in _GENERIC else "sans-serif"


def _decoration(value: str) -> str:
    """Return the decorations that Docs has."""
    words = value.split()
    return " ".join(word for word in ("underline", "line-through") if word in words) or "none"


def _alignment(value: str) -> str:
    return value if value in {"center", "right", "justify"} else ""


def _line_height(computed: Computed) -> float:
    value = computed.get("line-height")
    number = _NUMBER.match(value)
    if not number or not float(number[0]):
        return _SINGLE
    unit = value[number.end() :]
    return float(number[0]) / {"px": computed.font_size, "%": 100.0}.get(unit, 1.0)


def _points(value: str) -> float:
    """Return a length in points; a share is taken of the page."""
    number = _NUMBER.match(value)
    if not number:
        return 0.0
    unit = value[number.end() :]
    if unit == "%":
        return float(number[0]) / 100 * PAGE_WIDTH
    return float(number[0]) * POINTS if unit in {"", "px"} else 0.0


def _edge(computed: Computed, side: str) -> Edge:
    """Return a border; Docs has them solid."""
    words = computed.get(f"border-{side}").split()
    width, ink = 0.0, computed.get("color")
    for word in words:
        if _NUMBER.match(word):
            width = _points(word)
        elif word in {"none", "hidden"}:
            return 0.0, ink
        elif word.startswith("#"):
            ink = word
    return min(width, _WIDEST_EDGE), color(ink)
