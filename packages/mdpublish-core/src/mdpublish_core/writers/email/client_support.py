"""CSS supported by all major email clients, according to caniemail and Word's known behavior in Outlook for Windows."""

import re
from collections.abc import Mapping

from mdpublish_core.css.cascade import KEYWORDS, SIDES
from mdpublish_core.data_files import read_words
from mdpublish_core.strings.lazy_patterns import compile_lazily

INLINE_ELEMENTS = frozenset(read_words(__file__, "client_support.tsv")["inline"])
"""Without margins and line height."""

HEADINGS = frozenset(f"h{level}" for level in range(1, 7))

TABLE_PARTS = frozenset({"caption", "table", "tbody", "td", "tfoot", "th", "thead", "tr"})
"""Without margins; aligned by attributes."""

SPACED_ELEMENTS = HEADINGS | {"p", "ul", "ol", "dl", "dd", "summary", "figcaption"}
"""Their default margins are reset."""

_MONOSPACE = {"font-family": ""}
_RESIZED = {"font-size": ""}
_BOLD = {"font-weight": "700"}
_ITALIC = {"font-style": "italic"}
_UNDERLINED = {"text-decoration": "underline"}

CLIENT_DEFAULTS: Mapping[str, Mapping[str, str]] = {
    "a": {"color": "", "text-decoration": "underline"},
    "cite": _ITALIC,
    "code": _MONOSPACE,
    "del": {"text-decoration": "line-through"},
    "em": _ITALIC,
    "ins": _UNDERLINED,
    "kbd": _MONOSPACE,
    "samp": _MONOSPACE,
    "small": _RESIZED,
    "strong": _BOLD,
    "sub": {**_RESIZED, "vertical-align": "sub"},
    "sup": {**_RESIZED, "vertical-align": "super"},
    "th": _BOLD,
    "u": _UNDERLINED,
    "var": _ITALIC,
    **{heading: {**_RESIZED, **_BOLD} for heading in HEADINGS},
}
"""Defaults that differ from inherited values. Empty strings never match, so the property is always declared."""

LIST_INDENT = 40
"""In px."""

LIST_MARKERS = ("disc", "circle", "square")
"""The clients' bullets by nesting depth."""

MAX_BORDER_WIDTH = 8
"""Outlook for Windows draws no wider borders, in px."""

MIN_LETTER_SPACING = -2.0
"""Outlook for Windows allows no tighter spacing, in px."""

_COLOR = r"#[0-9a-f]{6}|transparent"
_NUMBER = r"(?:\d+\.?\d*|\.\d+)"
_LENGTH = rf"-?(?:0|{_NUMBER}(?:px|em|%))"
_BORDER = rf"0|none|{_NUMBER}(?:px|em) (?:solid|dashed|dotted|double) (?:{_COLOR})"

_WORDS: Mapping[str, frozenset[str]] = {
    **{name: frozenset(words) for name, words in KEYWORDS.items()},
    "font-weight": frozenset({f"{hundreds}00" for hundreds in range(1, 10)}),
    "letter-spacing": frozenset({"normal"}),
    "text-decoration": frozenset({"none", "underline", "line-through"}),
    "text-transform": frozenset({"none", "uppercase", "capitalize"}),
}

_PROPERTY_SYNTAX: Mapping[str, re.Pattern[str]] = {
    name: compile_lazily(form)
    for name, form in {
        "background-color": _COLOR,
        "border-radius": _LENGTH,
        "color": _COLOR,
        "font-family": r"[\w \"',-]+",
        "font-size": rf"{_NUMBER}(?:px|em|%)",
        "letter-spacing": _LENGTH,
        "line-height": _NUMBER,
        "text-indent": _LENGTH,
        "width": _LENGTH,
        **{f"{group}-{side}": _LENGTH for group in ("margin", "padding") for side in SIDES},
        **{f"border-{side}": _BORDER for side in SIDES},
    }.items()
}

# Outlook for Windows treats these as missing fonts.
_SYSTEM_FAMILY = compile_lazily(r"system-ui|ui-[a-z-]+|-apple-system|BlinkMacSystemFont")


def supported_declarations(declared: Mapping[str, str]) -> dict[str, str]:
    return {name: value for name, value in declared.items() if _is_supported(name, value)}


def _is_supported(name: str, value: str) -> bool:
    if value in _WORDS.get(name, ()):
        return True
    return name in _PROPERTY_SYNTAX and _PROPERTY_SYNTAX[name].fullmatch(value) is not None


def mirror_declarations(declared: Mapping[str, str]) -> dict[str, str]:
    """Swap left and right."""
    mirrored = {}
    for name, value in declared.items():
        group, _, side = name.rpartition("-")
        if name == "text-align":
            mirrored[name] = _opposite_side(value)
        else:
            mirrored[f"{group}-{_opposite_side(side)}" if group in {"margin", "padding", "border"} else name] = value
    return mirrored


def _opposite_side(side: str) -> str:
    return {"left": "right", "right": "left"}.get(side, side)


def email_font_families(families: str) -> str:
    """Use single quotes, which attributes needn't escape."""
    supported = (family.strip().replace('"', "'") for family in families.split(","))
    return ",".join(family for family in supported if not _SYSTEM_FAMILY.fullmatch(family.strip("'"))) or "sans-serif"
