"""Declarations of a user's stylesheet in the small grammar of the destinations without stylesheets.

`normalize` expands one declaration to longhands, independently of its element. `var()` must be substituted before.
`user_style` resolves values that depend on the element (`inherit`, `#rrggbbaa`, borders).
"""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from operator import add, mul, sub, truediv
from typing import NamedTuple

from mdpublish_core.css.cascade import KEYWORDS, SIDES, four_sides
from mdpublish_core.css.lengths import FONT_SIZES, PIXELS
from mdpublish_core.css.tokens import Token, color, split_at, tokens_of, words_of

BORDER_PARTS = ("width", "style", "color")

INITIAL_BORDER: Mapping[str, str] = {"width": "3px", "style": "none", "color": "currentcolor"}

WIDE_KEYWORDS = frozenset({"inherit", "initial", "unset", "revert", "revert-layer"})


class Units(NamedTuple):
    """What lengths are relative to, in px: the root element's font size, and the width of the text."""

    rem: float = 16.0
    width: float = 600.0


# In text from left to right; emails from right to left are mirrored.
_SIDES_OF: Mapping[str, Sequence[str]] = {
    "": SIDES,
    **{side: (side,) for side in SIDES},
    "block": ("top", "bottom"),
    "block-start": ("top",),
    "block-end": ("bottom",),
    "inline": ("left", "right"),
    "inline-start": ("left",),
    "inline-end": ("right",),
}

_RELATIVE = {"em": ("em", 1.0), "ex": ("em", 0.5), "ch": ("em", 0.5)}
"""An `ex` and a `ch` are about half an em in most fonts."""

_KEYWORDS: Mapping[str, Mapping[str, str]] = {
    **{name: dict(zip(words, words, strict=True)) for name, words in KEYWORDS.items()},
    "font-size": FONT_SIZES,
    "font-style": {"normal": "normal", "italic": "italic", "oblique": "italic"},
    "font-weight": {"normal": "400", "lighter": "400", "bold": "700", "bolder": "700"},
    "letter-spacing": {"normal": "0"},
    "line-height": {"normal": "1.2"},
    "text-align": {word: word for word in KEYWORDS["text-align"]} | {"start": "left", "end": "right"},
}

_COLORED = frozenset({"color", "background-color"})

_NUMBERED = frozenset({"font-weight", "line-height"})

_MEASURED = frozenset(
    {"font-size", "letter-spacing", "line-height", "text-indent", "border-radius", "width", "height"}
    | {f"{box}-{side}" for box in ("margin", "padding") for side in SIDES}
)

_DECORATIONS = ("underline", "line-through")

# Drawn as solid lines.
_SHADED_STYLES = frozenset({"groove", "ridge", "inset", "outset"})

_BORDER_WIDTHS = {"thin": "1px", "medium": "3px", "thick": "5px"}


def _of_sides() -> Iterator[tuple[str, tuple[str, ...]]]:
    """Yield the properties of sides, and what they set."""
    for name, sides in _SIDES_OF.items():
        dashed = name and f"-{name}"
        for box in ("margin", "padding"):
            yield f"{box}{dashed}", tuple(f"{box}-{side}" for side in sides)
        yield f"border{dashed}", tuple(f"border-{side}-{part}" for side in sides for part in BORDER_PARTS)
        for part in BORDER_PARTS:
            yield f"border{dashed}-{part}", tuple(f"border-{side}-{part}" for side in sides)


_LONGHANDS: Mapping[str, tuple[str, ...]] = {
    **{name: (name,) for name in (*_KEYWORDS, *_COLORED, *_NUMBERED, *_MEASURED, "font-family", "text-decoration")},
    "background": ("background-color",),
    "font": ("font-style", "font-variant", "font-weight", "font-size", "line-height", "font-family"),
    "list-style": ("list-style-type",),
    "text-decoration-line": ("text-decoration",),
    **dict(_of_sides()),
}


def longhands(name: str) -> tuple[str, ...]:
    """Return the properties that a declaration sets; none if no destination without stylesheets has any of them."""
    return _LONGHANDS.get(name, ())


@lru_cache(maxsize=8192)
def normalize(name: str, value: str, units: Units = Units()) -> tuple[tuple[str, str], ...]:  # noqa: B008  (immutable)
    """Return longhands and values; nothing if the value is invalid or has no equivalent."""
    names = longhands(name)
    tokens = tokens_of(value)
    if not names or not tokens:
        return ()
    if len(tokens) == 1 and tokens[0].type == "ident" and tokens[0].lower_value in WIDE_KEYWORDS:
        return tuple((each, tokens[0].lower_value) for each in names)
    if name in {"background", "font", "list-style"}:
        return tuple(_PARTED[name](tokens, units))
    if names[0].endswith(BORDER_PARTS) and not name.endswith(BORDER_PARTS):
        return tuple(_border(names, words_of(tokens), units))
    return tuple(_sided(names, tokens, units))


def _sided(names: Sequence[str], tokens: Sequence[Token], units: Units) -> Iterator[tuple[str, str]]:
    """Yield the values of a property, or of sides."""
    if len(names) == 1:
        if (simple := _simple(names[0], tokens, units)) is not None:
            yield names[0], simple
        return
    words = words_of(tokens)
    if len(words) > len(names):
        return
    each_word = four_sides(words) if len(names) == len(SIDES) else (words[0], words[-1])
    values = [_simple(side, [word], units) for side, word in zip(names, each_word, strict=True)]
    if None not in values:
        yield from ((side, each or "0") for side, each in zip(names, values, strict=True))


def _background(tokens: Sequence[Token], _units: Units) -> Iterator[tuple[str, str]]:
    colors = [each for token in tokens if (each := color(token)) is not None]
    yield "background-color", colors[-1] if colors else "transparent"


def _list_style(tokens: Sequence[Token], _units: Units) -> Iterator[tuple[str, str]]:
    words = (token.lower_value for token in tokens if token.type == "ident")
    yield from (("list-style-type", word) for word in words if word in KEYWORDS["list-style-type"])


def _font(tokens: Sequence[Token], units: Units) -> Iterator[tuple[str, str]]:
    """Yield the parts of the shorthand `font`: what is not given is reset."""
    parts = {"font-style": "normal", "font-variant": "normal", "font-weight": "400", "line-height": "1.2"}
    rest = list(tokens)
    while rest:
        token = rest.pop(0)
        if token.type == "whitespace":
            continue
        word = token.lower_value if token.type == "ident" else ""
        name = next((each for each in ("font-style", "font-variant", "font-weight") if word in _KEYWORDS[each]), None)
        if name is not None:
            parts[name] = parts[name] if word == "normal" else _KEYWORDS[name][word]
        elif token.type == "number":
            parts["font-weight"] = f"{token.value:g}"
        else:
            break
    else:
        return
    size = _simple("font-size", [token], units)
    words = words_of(rest)
    if words and words[0].type == "literal" and words[0].value == "/":
        parts["line-height"] = (_simple("line-height", words[1:2], units) if words[1:] else None) or "1.2"
        words = words[2:]
        rest = rest[rest.index(words[0]) :] if words else []
    family = _family(rest)
    if size is not None and family is not None:
        yield from (*parts.items(), ("font-size", size), ("font-family", family))


_PARTED: dict[str, Callable[[Sequence[Token], Units], Iterator[tuple[str, str]]]] = {
    "background": _background,
    "font": _font,
    "list-style": _list_style,
}


def _border(names: Sequence[str], words: Sequence[Token], units: Units) -> Iterator[tuple[str, str]]:
    given = dict(INITIAL_BORDER)
    for word in words:
        for each in BORDER_PARTS:
            if (value := _border_part(each, word, units)) is not None:
                given[each] = value
                break
        else:
            return
    yield from ((each, given[each.rpartition("-")[2]]) for each in names)


def _border_part(part: str, token: Token, units: Units) -> str | None:
    word = token.lower_value if token.type == "ident" else ""
    if part == "color":
        return color(token)
    if part == "style":
        if word in KEYWORDS["border-style"]:
            return word
        return "solid" if word in _SHADED_STYLES else "none" if word in {"none", "hidden"} else None
    length = _BORDER_WIDTHS.get(word) or _length([token], units)
    return None if length is None or length.startswith("-") or length.endswith("%") else length


def _simple(name: str, tokens: Sequence[Token], units: Units) -> str | None:
    words = words_of(tokens)
    if name == "font-family":
        return _family(tokens)
    idents = [token.lower_value for token in words if token.type == "ident"]
    if name == "text-decoration":
        return " ".join(line for line in _DECORATIONS if line in idents) or ("none" if idents or not words else None)
    if len(words) != 1:
        return None
    (word,) = idents or [""]
    if name.startswith("margin-") and word == "auto":
        return "0"
    if word in _KEYWORDS.get(name, {}):
        return _KEYWORDS[name][word]
    return _measure(name, words[0], units)


def _measure(name: str, word: Token, units: Units) -> str | None:
    if name.startswith("border-") and (part := name.rpartition("-")[2]) in BORDER_PARTS:
        return _border_part(part, word, units)
    if name in _COLORED:
        return color(word)
    if name in _NUMBERED and word.type == "number":
        return f"{word.value:g}" if float(word.value) >= 0 else None
    length = _length([word], units) if name in _MEASURED else None
    if length is not None and length.startswith("-"):
        return "0" if name.startswith("margin-") else length if name in {"letter-spacing", "text-indent"} else None
    return length


_FAMILY = re.compile(r"[\w -]+")


def _family(tokens: Sequence[Token]) -> str | None:
    """Return font families, quoted where they have spaces, or None if one has other characters."""
    families: list[str] = []
    words: list[str] = []
    for token in (*tokens, None):
        if token is None or (token.type == "literal" and token.value == ","):
            families.append(" ".join(words))
            words = []
        elif token.type in {"ident", "string"}:
            words.append(token.value)
        elif token.type != "whitespace":
            return None
    # Emoji fonts and the like may have a name that clients could not read.
    readable = [family for family in families if _FAMILY.fullmatch(family)]
    return ",".join(f'"{family}"' if " " in family else family for family in readable) or None


_Quantity = tuple[float, str]
"""A number and its unit: `px`, `em`, `%`, or none."""


def _length(words: Sequence[Token], units: Units) -> str | None:
    if (quantity := _quantity(words[0], units)) is None:
        return None
    number, unit = quantity
    if not unit:
        return "0" if number == 0 else None
    return f"{number:.4g}{unit}" if abs(number) < 1e4 else None


def _quantity(token: Token, units: Units) -> _Quantity | None:
    if token.type == "number":
        return float(token.value), ""
    if token.type == "percentage":
        return float(token.value), "%"
    if token.type == "dimension":
        unit = token.lower_unit
        if unit in _RELATIVE:
            name, factor = _RELATIVE[unit]
            return float(token.value) * factor, name
        pixels = {**PIXELS, "rem": units.rem, "vw": units.width / 100}.get(unit)
        return None if pixels is None else (float(token.value) * pixels, "px")
    if token.type == "function" and token.lower_name in _MATH:
        return _computed(token, units)
    return _sum(words_of(token.content or ()), units) if token.type == "() block" else None


def _sum(words: Sequence[Token], units: Units) -> _Quantity | None:
    """Compute sums and products of quantities that have one unit, or none."""
    total: _Quantity | None = None
    operation = add
    start = 0
    for number, word in enumerate((*words, None)):
        is_sign = word is not None and word.type == "literal" and word.value in {"+", "-"}
        if not is_sign and word is not None:
            continue
        term = _product(words[start:number], units)
        if term is None or (total is not None and total[1] != term[1] and total[0] and term[0]):
            return None
        total = term if total is None else (operation(total[0], term[0]), total[1] if total[0] else term[1])
        operation = add if word is None or word.value == "+" else sub
        start = number + 1
    return total


def _product(words: Sequence[Token], units: Units) -> _Quantity | None:
    if len(words) % 2 == 0:
        return None
    result = _quantity(words[0], units)
    for mark, factor in zip(words[1::2], words[2::2], strict=True):
        value = _quantity(factor, units)
        if result is None or value is None or mark.type != "literal" or mark.value not in {"*", "/"}:
            return None
        is_division = mark.value == "/"
        if (is_division and (value[1] or not value[0])) or (result[1] and value[1]):
            return None
        result = ((truediv if is_division else mul)(result[0], value[0]), result[1] or value[1])
    return result


def _computed(token: Token, units: Units) -> _Quantity | None:
    """Compute a function of quantities that have one unit, or none."""
    choose, count = _MATH[token.lower_name]
    quantities = [_sum(words_of(each), units) for each in split_at(token.arguments, ",")]
    names = {quantity[1] for quantity in quantities if quantity}
    if None in quantities or len(names) > 1 or count not in {None, len(quantities)}:
        return None
    return choose(quantity[0] for quantity in quantities if quantity), names.pop()


_MATH: Mapping[str, tuple[Callable[[Iterable[float]], float], int | None]] = {
    "calc": (min, 1),
    "min": (min, None),
    "max": (max, None),
    "clamp": (lambda values: sorted(values)[1], 3),
}
"""Functions, and how many arguments they have."""
