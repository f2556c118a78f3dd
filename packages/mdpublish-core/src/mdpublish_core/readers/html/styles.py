"""Inline styles that mean something: marks, white space, alignment, and what is not shown. Others are ignored."""

from collections.abc import Mapping

from mdpublish_core.css.colors.parsing import parse_css_color
from mdpublish_core.nodes import Alignment
from mdpublish_core.readers.html.parse import Element
from mdpublish_core.readers.html_elements import ALIGNMENT_NUMBERS
from mdpublish_core.strings.lazy_patterns import compile_lazily

MIN_BOLD_WEIGHT = 600
"""Semi-bold: interfaces, such as ChatGPT's, show `strong` so."""

_MIN_HIGHLIGHT_CHROMA = 40
"""Difference between a highlight's strongest and weakest channel, of 255; gray is behind code and quotes."""

_LINE = compile_lazily(r"(?!0(?:[a-z ]|$))(?!.*none)")
_MONOSPACE = compile_lazily(
    r"(?i)\bmono\b|monospace|courier|consolas|menlo|monaco|lucida console|source code|fira code|cascadia|jetbrains"
)
_COLORS = compile_lazily(r"url\([^()]*\)|#[0-9a-f]+|(?:rgb|hsl)a?\([^()]*\)|\b[a-z]+\b")

_STYLE_ALIGNMENTS: Mapping[str, Alignment] = {"center": 0, "right": 1, "end": 1}

_PRESERVED = ("pre", "break-spaces")

Declarations = Mapping[str, str]

_NONE: Declarations = {}


def declarations_of(element: Element) -> Declarations:
    """Return the inline style, in lower case; of duplicates the last one counts."""
    if not (style := element.get("style")):
        return _NONE
    pairs = (declaration.partition(":") for declaration in style.lower().split(";"))
    return {name.strip(): value.replace("!important", "").strip() for name, _, value in pairs if value}


def is_hidden(element: Element, style: Declarations) -> bool:
    return (
        style.get("display") == "none"
        or style.get("mso-hide") == "all"
        or ("hidden" in element.attrib and element.get("hidden") != "until-found")
    )


def style_marks(style: Declarations) -> Mapping[str, bool]:
    """Return the marks that a style sets, and those that it takes away."""
    marks: dict[str, bool] = {}
    if weight := style.get("font-weight", ""):
        marks["strong"] = int(weight) >= MIN_BOLD_WEIGHT if weight.isdecimal() else weight.startswith("bold")
    if "font-style" in style:
        marks["em"] = style["font-style"].startswith(("italic", "oblique"))
    if "line-through" in style.get("text-decoration", "") + style.get("text-decoration-line", ""):
        marks["del"] = True
    if style.get("vertical-align") in {"super", "sub"}:
        marks["sup" if style["vertical-align"] == "super" else "sub"] = True
    return marks


def is_monospace(style: Declarations) -> bool:
    return is_monospace_font(style.get("font-family") or style.get("font", ""))


def is_monospace_font(names: str) -> bool:
    return bool(names) and _MONOSPACE.search(names) is not None


def is_highlighted(style: Declarations) -> bool:
    background = style.get("background-color") or style.get("background") or style.get("mso-highlight", "")
    color = next(filter(None, map(parse_css_color, _COLORS.findall(background))), "")
    if not color.startswith("#") or color.endswith("00", 7):
        return False
    channels = bytes.fromhex(color[1:7])
    return max(channels) - min(channels) > _MIN_HIGHLIGHT_CHROMA


def preserves_white_space(element: Element, style: Declarations, *, inherited: bool) -> bool:
    white_space = style.get("white-space") or style.get("white-space-collapse")
    if white_space:
        return white_space.startswith(_PRESERVED)
    return inherited or "whitespace-pre-wrap" in element.get("class", "").split()


def alignment_of(element: Element, style: Declarations) -> Alignment:
    """Return the alignment by style, attribute, or the class that our own tables have.

    Editors write `text-align:left` on everything, so it says nothing.
    """
    if named := style.get("text-align"):
        return _STYLE_ALIGNMENTS.get(named)
    named = element.get("align", "").strip().lower()
    classes = element.get("class", "").split()
    return ALIGNMENT_NUMBERS.get(named or next((name for name in classes if name in ALIGNMENT_NUMBERS), ""))


def is_ruled(style: Declarations) -> bool:
    """Return whether an element has a line above or below, and no box."""
    lines = (style.get(f"border-{side}", "none") for side in ("top", "bottom"))
    return "border-left" not in style and any(_LINE.match(line) for line in lines)
