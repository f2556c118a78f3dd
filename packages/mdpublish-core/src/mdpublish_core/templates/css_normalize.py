"""Normalization of declarations to the small grammar that destinations support.

Computed values, translucent colors and viewport units are dropped.
"""

import re
from collections.abc import Iterator
from functools import lru_cache
from typing import TYPE_CHECKING

from mdpublish_core.templates.cascade import parse_declarations

if TYPE_CHECKING:
    from cssutils.css import Value

_SIDES = ("top", "right", "bottom", "left")

_PIXELS = {
    "px": 1.0,
    "pt": 4 / 3,
    "pc": 16.0,
    "in": 96.0,
    "cm": 96 / 2.54,
    "mm": 96 / 25.4,
    "q": 96 / 101.6,
    "rem": 16.0,
}
"""A `rem` is the browsers' default."""

_RELATIVE = {"em": "em", "%": "%", "ex": "em", "ch": "em"}

# About half an em in most fonts.
_HALF = {"ex", "ch"}

_FONT_SIZES = {
    "xx-small": "9px",
    "x-small": "10px",
    "small": "13px",
    "medium": "16px",
    "large": "18px",
    "x-large": "24px",
    "xx-large": "32px",
    "smaller": "0.83em",
    "larger": "1.2em",
}

_KEYWORDS = {
    "font-style": {"normal": "normal", "italic": "italic", "oblique": "italic"},
    "font-variant": {"normal": "normal", "small-caps": "small-caps"},
    "font-weight": {"normal": "400", "lighter": "400", "bold": "700", "bolder": "700"},
    "letter-spacing": {"normal": "0"},
    "line-height": {"normal": "1.2"},
    "list-style-type": {
        kind: kind
        for kind in (
            "none",
            "disc",
            "circle",
            "square",
            "decimal",
            "lower-alpha",
            "upper-alpha",
            "lower-roman",
            "upper-roman",
        )
    },
    "text-align": {
        "left": "left",
        "start": "left",
        "center": "center",
        "right": "right",
        "end": "right",
        "justify": "justify",
    },
    "text-transform": {each: each for each in ("none", "uppercase", "lowercase", "capitalize")},
    "vertical-align": {each: each for each in ("baseline", "top", "middle", "bottom", "sub", "super")},
    "font-size": _FONT_SIZES,
    "border-collapse": {"collapse": "collapse", "separate": "separate"},
}

_COLORED = frozenset({"color", "background-color"})

_NUMBERED = frozenset({"font-weight", "line-height"})

_MEASURED = frozenset(
    {"font-size", "letter-spacing", "line-height", "text-indent", "border-radius", "width"}
    | {f"{box}-{side}" for box in ("margin", "padding") for side in _SIDES}
)

_DECORATIONS = ("underline", "line-through")

_BORDER_STYLES = frozenset({"solid", "dashed", "dotted", "double"})

_BORDER_WIDTHS = {"thin": "1px", "medium": "3px", "thick": "5px"}

_BORDER_PART = re.compile(r"border(?:-(top|right|bottom|left))?-(width|style|color)")

_FONT = re.compile(r"(?P<size>[^\s/]+)(?:\s*/\s*(?P<height>\S+))?\s+(?P<family>.+)", re.DOTALL)


@lru_cache(maxsize=4096)
def normalize_declarations(declarations: str) -> tuple[tuple[str, str], ...]:
    normalized: dict[str, str] = {}
    for name, value in (each for declared in _separate(declarations) for each in _without_shorthand(*declared)):
        part = _BORDER_PART.fullmatch(name)
        if part:
            for side in [part[1]] if part[1] else _SIDES:
                _change_border(normalized, f"border-{side}", part[2], value)
        elif name.startswith("border-") and name.removeprefix("border-") in _SIDES:
            normalized[name] = _border(value)
        elif (simple := _normalize_value(name, value)) is not None:
            normalized[name] = simple
    return tuple(normalized.items())


def _separate(declarations: str) -> Iterator[tuple[str, str]]:
    for declaration in declarations.split(";"):
        name, _, value = declaration.partition(":")
        parts = value.split()
        is_box = name.strip() in {"margin", "padding"}
        if not parts or not name.strip() or (is_box and ("(" in value or len(parts) > len(_SIDES))):
            continue
        yield from parse_declarations(declaration).items()


def _without_shorthand(name: str, value: str) -> Iterator[tuple[str, str]]:
    if name == "background":
        color = next((str(each.cssText) for each in _values(value) if each.type == "COLOR_VALUE"), "transparent")
        yield "background-color", color
    elif name == "list-style":
        yield from (("list-style-type", word) for word in value.lower().split() if word in _KEYWORDS["list-style-type"])
    elif name == "text-decoration-line":
        yield "text-decoration", value
    elif name == "font":
        yield from _font_parts(value)
    else:
        yield name, value


def _font_parts(value: str) -> Iterator[tuple[str, str]]:
    yield from (("font-style", "normal"), ("font-variant", "normal"), ("font-weight", "400"), ("line-height", "1.2"))
    rest = value.strip()
    while (word := rest.partition(" ")[0].lower()) and " " in rest:
        name = next((each for each in ("font-style", "font-variant", "font-weight") if word in _KEYWORDS[each]), None)
        if name is None and not re.fullmatch("[1-9]00", word):
            break
        if word != "normal":
            yield name or "font-weight", word
        rest = rest.partition(" ")[2].strip()
    font = _FONT.fullmatch(rest)
    if font:
        yield "font-size", font["size"]
        yield "font-family", font["family"]
        if font["height"]:
            yield "line-height", font["height"]


def _normalize_value(name: str, value: str) -> str | None:
    word = value.strip().lower()
    if name == "font-family":
        return re.sub(r"\s*,\s*", ",", value).replace("'", '"')
    if name == "text-decoration":
        return " ".join(line for line in _DECORATIONS if line in word.split()) or "none"
    if word in _KEYWORDS.get(name, {}):
        return _KEYWORDS[name][word]
    if name.startswith("margin-") and word.startswith(("auto", "-")):
        return "0"
    values = _values(value)
    return _normalize_measure(name, values[0]) if len(values) == 1 else None


def _normalize_measure(name: str, value: "Value") -> str | None:
    if name in _COLORED:
        return _color(value)
    if name in _NUMBERED and value.type == "NUMBER":
        return value.cssText
    return _length(value) if name in _MEASURED else None


def _values(value: str) -> list["Value"]:
    from cssutils.css import PropertyValue

    return list(PropertyValue(value))


def _color(value: "Value") -> str | None:
    if value.type != "COLOR_VALUE" or value.alpha not in {0, 1}:
        return None
    return f"#{value.red:02x}{value.green:02x}{value.blue:02x}" if value.alpha else "transparent"


def _length(value: "Value") -> str | None:
    if value.type == "NUMBER":
        return "0" if value.value == 0 else None
    if value.type not in {"DIMENSION", "PERCENTAGE"}:
        return None
    unit = (value.dimension or "").lower()
    if unit in _PIXELS:
        return f"{value.value * _PIXELS[unit]:.4g}px"
    if unit in _RELATIVE:
        return f"{value.value / (2 if unit in _HALF else 1):.4g}{_RELATIVE[unit]}"
    return None


def _border(value: str) -> str:
    """Return a border as `width style color`, or 0."""
    width, style, color = "3px", "", "#000000"
    for part in _values(value):
        word = str(part.cssText).lower()
        if part.type == "COLOR_VALUE":
            color = _color(part) or color
        elif word in _BORDER_WIDTHS:
            width = _BORDER_WIDTHS[word]
        elif part.type in {"DIMENSION", "NUMBER"}:
            width = _length(part) or "0"
        else:
            style = word
    # Inset and outset borders.
    style = style if style in _BORDER_STYLES or style in {"", "none", "hidden"} else "solid"
    return f"{width} {style} {color}" if style in _BORDER_STYLES and width != "0" and color != "transparent" else "0"


def _change_border(normalized: dict[str, str], side: str, part: str, value: str) -> None:
    """Change one part of an existing border; a color alone does not create one."""
    parts = normalized.get(side, "0").split()
    if len(parts) != len(("width", "style", "color")):
        return
    changed = _border(value if part == "style" else f"{value} solid").split()
    if len(changed) == 1:
        normalized[side] = "0"
        return
    index = ("width", "style", "color").index(part)
    parts[index] = changed[index]
    normalized[side] = " ".join(parts)
