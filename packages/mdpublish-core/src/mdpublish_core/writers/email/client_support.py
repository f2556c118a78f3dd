"""CSS supported by all major email clients, according to caniemail and Word's known behavior in Outlook for Windows."""

import re
from collections.abc import Mapping

from mdpublish_core.css.cascade import KEYWORDS, parse_declarations
from mdpublish_core.data_files import read_names, read_table
from mdpublish_core.strings.lazy_patterns import compile_lazily

_TABLES = read_names(__file__, "client_support.tsv")

INLINE_ELEMENTS = frozenset(_TABLES["inline"])
"""Without margins and line height."""

HEADINGS = frozenset(f"h{level}" for level in range(1, 7))

TABLE_PARTS = frozenset({"caption", "table", "tbody", "td", "tfoot", "th", "thead", "tr"})
"""Without margins; aligned by attributes."""

SPACED_ELEMENTS = HEADINGS | {"p", "ul", "ol", "dl", "dd", "summary", "figcaption"}
"""Their default margins are reset."""

CLIENT_DEFAULTS: Mapping[str, Mapping[str, str]] = {
    tag: parse_declarations(declarations) for tag, declarations in _TABLES["default"].items()
}
"""Defaults that differ from inherited values. Empty strings never match, so the property is always declared."""

SAME_ELEMENTS = _TABLES["same"]
"""Supported elements, by those that they stand for. Others become a `span`, or only their children."""

LIST_INDENT = 40
"""In px."""

LIST_MARKERS = ("disc", "circle", "square")
"""The clients' bullets by nesting depth."""

MAX_BORDER_WIDTH = 8
"""Outlook for Windows draws no wider borders, in px."""

MIN_LETTER_SPACING = -2.0
"""Outlook for Windows allows no tighter spacing, in px."""

_WORDS: Mapping[str, frozenset[str]] = {
    **{name: frozenset(words) for name, words in KEYWORDS.items()},
    "font-weight": frozenset({f"{hundreds}00" for hundreds in range(1, 10)}),
    "letter-spacing": frozenset({"normal"}),
    "text-decoration": frozenset({"none", "underline", "line-through"}),
    "text-transform": frozenset({"none", "uppercase", "capitalize"}),
}

_PROPERTY_SYNTAX: Mapping[str, re.Pattern[str]] = {
    name: compile_lazily(form) for names, form in read_table(__file__, "property_syntax.tsv") for name in names.split()
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
