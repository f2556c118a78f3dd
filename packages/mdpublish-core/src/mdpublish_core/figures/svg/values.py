"""Validation and normalization of attribute and property values.

Invalid values are dropped. Colors become `#rrggbb` or `#rrggbbaa`, lengths px without unit; numbers are rounded.
"""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import lru_cache

from mdpublish_core.css.colors.parsing import ANGLES, COMPONENT, NUMBER, parse_css_color
from mdpublish_core.css.lengths import FONT_SIZES, PIXELS
from mdpublish_core.figures.svg.allowlist import GEOMETRY, PROPERTIES, TABLES
from mdpublish_core.strings.lazy_patterns import compile_lazily

CSS_WIDE_KEYWORDS: Mapping[str, str] = TABLES["wide_keywords"]
"""Without other style origins, `revert` is `unset`."""

MAX_VALUE = 1000
"""In characters, except paths."""

_MAX_DECLARATIONS = 20_000
"""In characters."""

_MAX_NUMBER = 10_000_000
"""In px; exact in 24-bit floats."""

_LENGTH = re.compile(rf"({NUMBER})\s*(px|pt|pc|mm|cm|in|q|rem|em|ex|ch|%|)", re.IGNORECASE)
_PIXELS = {**PIXELS, "": 1.0, "rem": 16.0}
_PARTS = re.compile(r"[\s,]+")

_REFERENCE = compile_lazily(r"""url\(\s*(["']?)\s*#([^\s"'()\\]{1,200})\s*\1\s*\)""", re.IGNORECASE)
_ANY_URL = compile_lazily(r"""url\(\s*(?:"[^"]*"|'[^']*'|[^"')]*)\s*\)""", re.IGNORECASE)

# Semicolons in strings or parentheses do not end it.
_DECLARATION = compile_lazily(
    r"""(?:[^;"'()]++|"[^"]*"|'[^']*'|\((?:[^()"']++|"[^"]*"|'[^']*'|\([^()]*\)|(?!))*+\)|(?!))++"""
)

_TRANSFORM = re.compile(
    r"\s*,?\s*(matrix|translate[XY]?|scale[XY]?|rotate|skew[XY])\s*\(([^()]{1,300})\)", re.IGNORECASE
)
_ARGUMENT = re.compile(rf"({NUMBER})(px|deg|grad|rad|turn|)", re.IGNORECASE)
_ARGUMENTS = re.compile(
    rf"\s*{NUMBER}(?:px|deg|grad|rad|turn)?(?:(?:\s*,\s*|\s+|(?=[-+])){NUMBER}(?:px|deg|grad|rad|turn)?)*\s*",
    re.IGNORECASE,
)
_FUNCTIONS = {"matrix": "matrix", "rotate": "rotate"} | {
    f"{name}{axis}".lower(): f"{name}{axis}" for name in ("translate", "scale", "skew") for axis in ("", "X", "Y")
}
_COUNTS: Mapping[str, Sequence[int]] = TABLES["argument_counts"]

_FAMILIES = re.compile(r"""[\w\s,"'.&+-]{1,300}""")
_LISTS_OF_NUMBERS = {
    "path": re.compile(r"\s*[Mm][\sMmLlHhVvCcSsQqTtAaZz0-9eE+\-.,]*"),
    "points": re.compile(r"[\s0-9eE+\-.,]+"),
}
# Numbers that would overflow in renderers.
_OUT_OF_BOUNDS = re.compile(r"\d{9}|[eE]\+?\d")
_LONG_FRACTION = re.compile(r"(?<!\d)(\d*)\.(\d{4,})(?![\deE])")
_ASPECT = compile_lazily(r"none|x(?:Min|Mid|Max)Y(?:Min|Mid|Max)(?:\s+(?:meet|slice))?")


def format_number(value: float) -> str:
    """Round to three decimals, or five significant digits."""
    size = abs(value)
    digits = f"{value:.{3 if size >= 10 else 4 if size >= 1 else 6}f}"
    digits = digits.rstrip("0").rstrip(".") if "." in digits else digits
    return "0" if digits in {"-0", ""} else digits


def shorten_path(path: str) -> str:
    """Round numbers, but keep integer parts: flags may run into them."""
    return " ".join(_LONG_FRACTION.sub(_shortened, path).split())


def _shortened(match: re.Match[str]) -> str:
    whole, fraction = match[1], match[2]
    decimals = 3 if len(whole) > 1 else 4 if whole not in {"", "0"} else 6
    if len(fraction) <= decimals:
        return match[0]
    rounded = round(int(fraction[: decimals + 1]) / 10)
    digits = str(rounded).rjust(decimals, "0") if rounded < 10**decimals else "9" * decimals
    digits = digits.rstrip("0")
    return f"{whole}.{digits}" if digits else whole or "0"


def normalize_attribute(kind: str, value: str) -> str | None:
    """Return the normalized value; None if invalid."""
    if kind in _LISTS_OF_NUMBERS:
        return _numbers(_LISTS_OF_NUMBERS[kind], value)
    if len(value) > MAX_VALUE:
        # Only lists of positions may be long; they are not cached.
        return _lengths(value.strip()) if kind == "lengths" else None
    return _normalize(kind, value)


def normalize_property(name: str, value: str) -> str | None:
    """Return the normalized value or a key of `CSS_WIDE_KEYWORDS`; None if invalid."""
    if len(value) > MAX_VALUE:
        return None
    return _property(name, value)


@lru_cache(maxsize=4096)
def _property(name: str, value: str) -> str | None:
    word = CSS_WIDE_KEYWORDS.get(value.strip().lower())
    if word:
        return word
    return _normalize(PROPERTIES.get(name) or GEOMETRY[name], value)


def parse_declarations(css: str) -> tuple[tuple[str, str, bool], ...]:
    """Return names, normalized values and whether they are `!important`.

    Values with `var()` are unchanged; invalid declarations and overlong CSS are dropped.
    """
    if len(css) > _MAX_DECLARATIONS:
        return ()
    return _cached_declarations(css) if len(css) <= MAX_VALUE else tuple(_iter_declarations(css))


@lru_cache(maxsize=1024)
def _cached_declarations(css: str) -> tuple[tuple[str, str, bool], ...]:
    """Elements often share declarations."""
    return tuple(_iter_declarations(css))


def _iter_declarations(css: str) -> Iterator[tuple[str, str, bool]]:
    if "/*" in css:
        css = re.sub(r"/\*.*?(?:\*/|\Z)", " ", css, flags=re.DOTALL)
    for match in _DECLARATION.finditer(css):
        name, colon, value = match[0].partition(":")
        value, mark, word = value.strip().rpartition("!") if "!" in value else (value, "", "")
        if not colon or (mark and word.strip().lower() != "important"):
            continue
        for longhand, normalized in _longhands(name.strip(), value.strip()):
            yield longhand, normalized, bool(mark)


def _longhands(name: str, value: str) -> Iterator[tuple[str, str]]:
    if name.startswith("--"):
        if value and len(value) <= MAX_VALUE:
            yield name, value
        return
    name = name.lower()
    names = ("marker-start", "marker-mid", "marker-end") if name == "marker" else (name,)
    for each in names:
        if each not in PROPERTIES and each not in GEOMETRY:
            return
        if "var(" in value.lower():
            yield each, value[:MAX_VALUE]
            continue
        normalized = normalize_property(each, value)
        if normalized is not None:
            yield each, normalized


@lru_cache(maxsize=4096)
def _normalize(kind: str, value: str) -> str | None:
    reader = _READERS.get(kind)
    if reader:
        return reader(value.strip())
    words = kind.split("|")
    lowered = value.strip().lower()
    return next((word for word in words if word.lower() == lowered), None)


def _length(value: str) -> str | None:
    match = _LENGTH.fullmatch(value)
    if not match:
        return None
    size, unit = float(match[1]), match[2].lower()
    factor = _PIXELS.get(unit)
    if factor is None:
        return f"{format_number(size)}{unit}" if abs(size) <= _MAX_NUMBER else None
    size *= factor
    return format_number(size) if abs(size) <= _MAX_NUMBER else None


def _size(value: str) -> str | None:
    length = _length(value)
    return length if length and not length.startswith("-") else None


def _lengths(value: str) -> str | None:
    lengths = [_length(part) for part in _PARTS.split(value)]
    return None if None in lengths else " ".join(filter(None, lengths))


def _weight(value: str) -> str | None:
    word = value.lower()
    if word in {"normal", "bold"}:
        return "400" if word == "normal" else "700"
    if word in {"bolder", "lighter"}:
        return word
    return str(int(word)) if word.isascii() and word.isdigit() and 1 <= int(word[:5]) <= 1000 else None


def _opacity(value: str) -> str | None:
    match = COMPONENT.fullmatch(value)
    if not match or match[2] not in {"", "%"}:
        return None
    share = float(match[1]) / (100 if match[2] else 1)
    return format_number(round(min(1.0, max(0.0, share)), 4))


def _families(value: str) -> str | None:
    if not _FAMILIES.fullmatch(value):
        return None
    families = []
    for family in value.split(","):
        bare = " ".join(family.replace('"', " ").replace("'", " ").split())
        if not bare:
            continue
        families.append(bare if re.fullmatch(r"[A-Za-z_-][\w-]*", bare) else f"'{bare}'")
    return ",".join(families) or None


def _dashes(value: str) -> str | None:
    if value.lower() == "none":
        return "none"
    sizes = [_size(part) for part in _PARTS.split(value)]
    if None in sizes:
        return None
    # https://www.w3.org/TR/SVG2/painting.html#StrokeDashing: zeros mean no dashes.
    return " ".join(filter(None, sizes)) if set(sizes) != {"0"} else "none"


def _decoration(value: str) -> str | None:
    words = value.lower().split()
    if words == ["none"]:
        return "none"
    lines = [line for line in ("underline", "overline", "line-through") if line in words]
    return " ".join(lines) or None


def _paint_layers(value: str) -> str | None:
    words = value.lower().split()
    known = {"fill", "stroke", "markers"}
    return " ".join(words) if words == ["normal"] or (set(words) <= known and len(set(words)) == len(words)) else None


def _display(value: str) -> str | None:
    word = value.lower()
    if word == "none":
        return "none"
    return "inline" if re.fullmatch(r"[a-z-]{1,30}", word) else None


def _paint(value: str) -> str | None:
    word = value.lower()
    if word in {"none", "context-fill", "context-stroke"}:
        return word
    if not word.startswith("url("):
        return parse_css_color(value)
    local = _REFERENCE.match(value)
    match = local or _ANY_URL.match(value)
    rest = value[match.end() :].strip().lower() if match else "url("
    other = None if rest.startswith("url(") else _paint(rest or "none")
    return f"url(#{local[2]}) {other}" if local and other else other


def _reference(value: str) -> str | None:
    """Replace external URLs by `none`."""
    match = _REFERENCE.fullmatch(value)
    if match:
        return f"url(#{match[2]})"
    return "none" if value.lower() == "none" or _ANY_URL.fullmatch(value) else None


def _transform(value: str) -> str | None:
    if value.lower() in {"none", ""}:
        return "none"
    written, position = [], 0
    while position < len(value):
        match = _TRANSFORM.match(value, position)
        function = _transformation(match[1], match[2]) if match else None
        if not match or not function:
            return None
        written.append(function)
        position = match.end()
    return " ".join(written)


def _transformation(name: str, content: str) -> str | None:
    """Write a transform function with plain numbers, as attributes require."""
    if not _ARGUMENTS.fullmatch(content):
        return None
    arguments = []
    for match in _ARGUMENT.finditer(content):
        size = float(match[1]) * ANGLES.get(match[2].lower(), 1.0)
        if abs(size) > _MAX_NUMBER:
            return None
        arguments.append(size)
    name = _FUNCTIONS[name.lower()]
    if name[-1] in "XY" and not name.startswith("skew"):
        still = 0.0 if name.startswith("translate") else 1.0
        arguments = [*arguments, still] if name[-1] == "X" else [still, *arguments]
        name = name[:-1]
    if len(arguments) not in _COUNTS[name]:
        return None
    return f"{name}({','.join(format_number(each) if name == 'translate' else _exact(each) for each in arguments)})"


def _exact(value: float) -> str:
    """Write six decimals, since errors are multiplied."""
    digits = f"{value:.6f}".rstrip("0").rstrip(".")
    return "0" if digits == "-0" else digits


def _origin(value: str) -> str | None:
    """Parse a point in px."""
    lengths = (_lengths(value) or "").split()
    return " ".join(lengths) if len(lengths) == 2 and all(_is_plain(each) for each in lengths) else None


def _is_plain(length: str) -> bool:
    return length[-1:].isdigit()


def _box(value: str) -> str | None:
    lengths = (_lengths(value) or "").split()
    if len(lengths) != 4 or not all(_is_plain(each) for each in lengths):
        return None
    return " ".join(lengths) if min(float(lengths[2]), float(lengths[3])) > 0 else None


def _orient(value: str) -> str | None:
    if value in {"auto", "auto-start-reverse"}:
        return value
    match = COMPONENT.fullmatch(value)
    if not match or match[2] == "%":
        return None
    return format_number(float(match[1]) * ANGLES[match[2]])


def _numbers(pattern: re.Pattern[str], value: str) -> str | None:
    if not pattern.fullmatch(value):
        return None
    short = shorten_path(value)
    return short if not _OUT_OF_BOUNDS.search(short) else None


_READERS: Mapping[str, Callable[[str], str | None]] = {
    "aspect": lambda value: " ".join(value.split()) if _ASPECT.fullmatch(value) else None,
    "box": _box,
    "color": parse_css_color,
    "dashes": _dashes,
    "decoration": _decoration,
    "display": _display,
    "families": _families,
    "font-size": lambda value: _size(FONT_SIZES.get(value.lower(), value)),
    "length": _length,
    "lengths": _lengths,
    "offset": _opacity,
    "opacity": _opacity,
    "order": _paint_layers,
    "orient": _orient,
    "origin": _origin,
    "paint": _paint,
    "reference": _reference,
    "shift": lambda value: value.lower() if value.lower() in {"sub", "super", "baseline"} else _length(value),
    "size": _size,
    "spacing": lambda value: "0" if value.lower() == "normal" else _length(value),
    "transform": _transform,
    "weight": _weight,
}
