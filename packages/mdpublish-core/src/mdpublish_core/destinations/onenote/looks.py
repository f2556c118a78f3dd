"""What OneNote gets for an element: the style of its block or of its run of text, and what its cell or list needs.

OneNote knows a font, a size, a colour, bold, italic, one decoration and a background, and of blocks only how they are
aligned. A block says what is not as on the page itself, a run what is not as in its parent. Letters set apart, small
capitals, borders but those of tables, padding and margins are left out: there is no word for them.
"""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache

from mdpublish_core.figures.colors import MIN_TEXT_CONTRAST, contrast
from mdpublish_core.html import BLOCK_ELEMENTS
from mdpublish_core.templates.cascade import Computed
from mdpublish_core.templates.matcher import Project
from mdpublish_core.templates.theme import Fonts

PAPER = "#ffffff"
"""The colour of a page in OneNote, which nothing that is put on it changes."""

Font = tuple[str, str, str, str, str, str]
"""What OneNote knows of text, in the order of `_PROPERTIES`."""

_PROPERTIES = ("font-family", "font-size", "color", "font-weight", "font-style", "text-decoration")
_FAMILY, _SIZE, _COLOR, _WEIGHT, _STYLE, _DECORATION = range(6)

HEADINGS = ("h1", "h2", "h3", "h4", "h5", "h6")

# What only its weight tells from the text below it, for there is no word for what it is.
_TITLES = frozenset({"th", "p.title", "summary"})

# The elements that say a style of text by themselves, and the value of which property they say.
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

_NUMBERS = frozenset({"none", "decimal", "lower-alpha", "upper-alpha", "lower-roman", "upper-roman"})
_BULLETS = frozenset({"none", "disc", "circle", "square"})

# Weights from here on are bold, as CSS has it where a font has no other: https://www.w3.org/TR/css-fonts-4/#font-style-matching
_BOLD = 600

# Points in a CSS pixel.
_POINTS = 0.75

_HEX = re.compile(r"#[0-9a-f]{6}")
_SHORT_HEX = re.compile(r"#([0-9a-f])([0-9a-f])([0-9a-f])[0-9a-f]?")
_LONG_HEX = re.compile(r"(#[0-9a-f]{6})[0-9a-f]{2}")
_RGB = re.compile(r"rgba?\( ?(\d{1,3}) ?, ?(\d{1,3}) ?, ?(\d{1,3}) ?(?:, ?[\d.]+ ?)?\)")
_NAME = re.compile(r"[a-z]+")
_NAMES = {
    "black": "#000000",
    "silver": "#c0c0c0",
    "gray": "#808080",
    "white": "#ffffff",
    "maroon": "#800000",
    "red": "#ff0000",
    "purple": "#800080",
    "fuchsia": "#ff00ff",
    "green": "#008000",
    "lime": "#00ff00",
    "olive": "#808000",
    "yellow": "#ffff00",
    "navy": "#000080",
    "blue": "#0000ff",
    "teal": "#008080",
    "aqua": "#00ffff",
}
_NO_COLORS = frozenset({"transparent", "currentcolor", "inherit", "initial", "unset", "revert", "none"})
_NOT_IN_NAMES = re.compile(r"[^\w .\-]+")
_NO_FONTS = frozenset({"", "0", "inherit", "initial", "unset", "revert"})
_WIDTH = re.compile(r"(\d*\.?\d+)(?:px|pt)?")
_BORDER_STYLES = frozenset({"solid", "double", "dashed", "dotted", "groove", "ridge", "inset", "outset"})


@dataclass(frozen=True, slots=True)
class Look:
    """What an element looks like in OneNote.

    `page` is the font that a page has where nothing says another, with no colour where the page is painted: then each block
    says its own. `strays` are the numbers of the properties that some block around has otherwise than the page.

    `block` is the style of a block in its words, how it is aligned left out, which `align` says; `run` the style of a span,
    and `tags` the elements in it, outermost first. `fill` is the element's background, where it has one and it is not that
    which it stands on already, `ground`. `bar` and `line` are the colours of the borders left and above, empty for none;
    `is_framed` says that there are borders all around, `is_ruled` that there is any, `is_indented` that its text begins
    further right. `bullet` and `number` are marks of lists, `list-style-type` as OneNote knows it.
    """

    computed: Computed
    font: Font
    page: Font
    strays: frozenset[int]
    block: str
    run: str
    tags: tuple[str, ...]
    align: str
    fill: str
    ground: str
    bar: str
    line: str
    is_framed: bool
    is_ruled: bool
    is_indented: bool

    @property
    def is_painted(self) -> bool:
        """Whether the page is painted, since its text could not be read on OneNote's own."""
        return not self.page[_COLOR]

    @property
    def of_page(self) -> str:
        """The style of the page itself."""
        return _style(self.page, frozenset({_FAMILY, _SIZE} if self.is_painted else {_FAMILY, _SIZE, _COLOR}))

    @property
    def ink(self) -> str:
        """The colour of its text."""
        return self.font[_COLOR]

    @property
    def bullet(self) -> str:
        """The mark of a bulleted list."""
        value = self.computed.get("list-style-type")
        return value if value in _BULLETS else "disc"

    @property
    def number(self) -> str:
        """The mark of a numbered list."""
        value = self.computed.get("list-style-type")
        return value if value in _NUMBERS else "decimal"


@lru_cache(maxsize=256)
def projection(fonts: Fonts) -> Project[Look]:
    """Return the function that makes looks, for a theme's fonts.

    They are those of Word, beside which OneNote stands. It uses the first that is named; what else reads a page and does
    not have that one finds a font of its kind behind it.
    """
    generic = {
        fonts.word.mono: fonts.web.mono[-1],
        fonts.word.heading: fonts.web.heading[-1],
        fonts.word.body: fonts.web.body[-1],
    }

    def project(element: str, declared: Mapping[str, str], parent: Look | None) -> Look:
        tag = element.partition(".")[0]
        if element in _TITLES or tag in _TITLES:
            declared = {**declared, "font-weight": "700"}
        computed = Computed.of(declared, parent.computed if parent else None)
        return _look(tag, computed, parent, generic)

    return project


def _look(tag: str, computed: Computed, parent: Look | None, generic: Mapping[str, str]) -> Look:
    font = _font(computed, parent, generic)
    own = color(computed.get("background-color"))
    ground = parent.ground if parent else own or PAPER
    page = parent.page if parent else _page(font, ground)
    strays = parent.strays if parent else frozenset()
    said = strays | {number for number in range(6) if font[number] != page[number]}
    tags = tuple(_tags(tag, computed, font, parent)) if parent else ()
    fill = own if own != ground and parent else ""
    borders = {side: _border(computed, side, font) for side in ("top", "right", "bottom", "left")}
    return Look(
        computed=computed,
        font=font,
        page=page,
        strays=said if tag in BLOCK_ELEMENTS else strays,
        block=_style(font, said | _HEADING if tag in HEADINGS else said),
        run=_run(tag, font, fill, tags, parent) if parent else "",
        tags=tags,
        align=_ALIGNMENTS.get(computed.get("text-align"), ""),
        fill=fill,
        ground=fill or ground,
        bar=borders["left"],
        line=borders["top"],
        is_framed=all(borders.values()),
        is_ruled=any(borders.values()),
        is_indented=computed.px("padding-left") > 0,
    )


def color(value: str) -> str:
    """Return a colour in six digits, or by the name it was told by; empty where it is none that OneNote could have."""
    value = value.strip().lower()
    if _HEX.fullmatch(value):
        return value
    if match := _SHORT_HEX.fullmatch(value):
        return "#" + "".join(digit * 2 for digit in match.groups())
    if match := _LONG_HEX.fullmatch(value):
        return match[1]
    if match := _RGB.fullmatch(value):
        return "#" + "".join(f"{min(255, int(part)):02x}" for part in match.groups())
    return _NAMES.get(value, value) if _NAME.fullmatch(value) and value not in _NO_COLORS else ""


def _font(computed: Computed, parent: Look | None, generic: Mapping[str, str]) -> Font:
    """Return what OneNote knows of an element's text; sizes are in halves of points."""
    above = parent.font if parent else ("Calibri", "", "#000000", "", "", "")
    family = _NOT_IN_NAMES.sub("", computed.get("font-family").partition(",")[0]).strip()
    behind = generic.get(family, family)
    weight = computed.get("font-weight")
    decorations = computed.get("text-decoration").split()
    return (
        above[_FAMILY] if family in _NO_FONTS else family if behind == family else f"{family},{behind}",
        f"{max(1, round(computed.font_size * _POINTS * 2)) / 2:g}pt",
        color(computed.get("color")) or above[_COLOR],
        "bold" if weight.isdecimal() and int(weight) >= _BOLD else "normal",
        "italic" if computed.get("font-style") in {"italic", "oblique"} else "normal",
        next((each for each in _DECORATIONS if each in decorations), "none"),
    )


def _page(font: Font, ground: str) -> Font:
    """Return the font of the page: it has no colour where the text could not be read on white."""
    family, size, ink, _, _, _ = font
    if _HEX.fullmatch(ink):
        is_painted = contrast(ink, PAPER) < MIN_TEXT_CONTRAST
    else:
        is_painted = bool(_HEX.fullmatch(ground)) and contrast("#000000", ground) < MIN_TEXT_CONTRAST
    return family, size, "" if is_painted else ink, "normal", "normal", "none"


_ALL = frozenset(range(6))

# OneNote's own style of headings has all of these otherwise.
_HEADING = _ALL - {_DECORATION}


def _style(font: Font, which: frozenset[int]) -> str:
    return ";".join(f"{_PROPERTIES[number]}:{font[number]}" for number in sorted(which))


def _tags(tag: str, computed: Computed, font: Font, parent: Look) -> Iterator[str]:
    """Yield the elements that say what is new in an element's text."""
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


def _run(tag: str, font: Font, fill: str, tags: tuple[str, ...], parent: Look) -> str:
    """Return the style that tells a run of text from its parent's, but for what its tags say."""
    declared = {number for number in range(_DECORATION) if font[number] != parent.font[number]}
    if native := _NATIVE.get(tag):
        declared -= {native[1]} if native[0] in tags else set()
    if tag in _SCRIPTS:
        # OneNote makes raised and lowered letters smaller by itself.
        declared -= {_SIZE}
    if tag == "a":
        # Of a link, OneNote has a colour and a decoration of its own.
        declared |= {_COLOR}
        # Its line would be as dark as on paper, which on a painted page nobody sees.
        declared |= {_DECORATION} if font[_DECORATION] == "none" or parent.is_painted else set()
    style = _style(font, frozenset(declared))
    return f"{style}{';' if style else ''}background-color:{fill}" if fill else style


def _border(computed: Computed, side: str, font: Font) -> str:
    """Return the colour of a border that can be seen."""
    words = computed.get(f"border-{side}").split()
    widths = [float(match[1]) for word in words if (match := _WIDTH.fullmatch(word))]
    if "none" in words or "hidden" in words or not any(widths):
        return ""
    inks = (color(word) for word in words if word not in _BORDER_STYLES)
    return next(filter(None, inks), font[_COLOR])
