"""CSS styles as pandoc's inline markup."""

import re
from collections.abc import Mapping

Mark = tuple[str, ...]

NO_MARKS: frozenset[Mark] = frozenset()
STRONG: Mark = ("Strong",)
EMPHASIS: Mark = ("Emph",)
STRIKEOUT: Mark = ("Strikeout",)
UNDERLINE: Mark = ("Underline",)
SUPERSCRIPT: Mark = ("Superscript",)
SUBSCRIPT: Mark = ("Subscript",)
QUOTED: Mark = ("Quoted",)
CODE: Mark = ("Code",)
HIGHLIGHT: Mark = ("Span", "mark")
INDENTED: Mark = ("Span", "indented")

_BACKGROUNDS = ("background-color", "background", "bgcolor")
_PAGE = "#ffffff"
_NO_BACKGROUND = re.compile(r"transparent|none|white|#fff(?:fff)?|rgb\(255, ?255, ?255\)", re.IGNORECASE)
_FIXED = re.compile(r"mono|consolas|courier|menlo", re.IGNORECASE)
_LENGTH = re.compile(r"[1-9][0-9.]*(?:pt|px|in|em)")
_FONT = re.compile(r"(?P<style>italic )?(?:small-caps )?(?P<weight>\d+ )?[\d.]+px(?:/[\d.]+)? (?P<family>.+)")
_BORDER = re.compile(r"border(?:-(?:top|left|right|bottom))?")


def is_fixed(font: str) -> bool:
    return bool(_FIXED.search(font))


def declared_in(style: str) -> dict[str, str]:
    pairs = (declaration.partition(":") for declaration in style.split(";"))
    declared = {name.strip(): value.strip() for name, _, value in pairs if value}
    if font := _FONT.fullmatch(declared.get("font", "")):
        parts = {f"font-{name}": (value or "normal").strip() for name, value in font.groupdict().items()}
        declared = {**declared, **parts}
    return declared


def has_background(declared: Mapping[str, str]) -> bool:
    """Return whether it differs from the page's."""
    return not _NO_BACKGROUND.fullmatch(_background(declared, "none"))


def has_border(declared: Mapping[str, str]) -> bool:
    """Return whether it differs from the background."""
    background = _background(declared, _PAGE)
    borders = [value for name, value in declared.items() if _BORDER.fullmatch(name)]
    return any(_LENGTH.search(border) and background not in border.split() for border in borders)


def _background(declared: Mapping[str, str], otherwise: str) -> str:
    return next((declared[name] for name in _BACKGROUNDS if name in declared), otherwise)


def marks_of_style(style: str) -> frozenset[Mark]:
    declared = declared_in(style)
    lines = declared.get("text-decoration", "")
    weight = declared.get("font-weight", "")
    fixed = is_fixed(declared.get("font-family", ""))
    held = {
        STRONG: weight == "bold" or (weight.isdecimal() and int(weight) >= 600),
        EMPHASIS: declared.get("font-style") == "italic",
        STRIKEOUT: "line-through" in lines,
        UNDERLINE: "underline" in lines,
        SUPERSCRIPT: declared.get("vertical-align") == "super",
        SUBSCRIPT: declared.get("vertical-align") == "sub",
        CODE: fixed,
        HIGHLIGHT: not fixed and has_background(declared),
        INDENTED: _LENGTH.match(declared.get("margin-left", "")) is not None,
    }
    return frozenset(mark for mark, holds in held.items() if holds)
