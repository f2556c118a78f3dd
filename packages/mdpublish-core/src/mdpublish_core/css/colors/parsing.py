"""CSS colors as hex: some SVG readers know neither `hsl()`, names nor fractional channels."""

import math
import re
from collections.abc import Mapping

from mdpublish_core.css.colors.named import NAMED_COLORS
from mdpublish_core.strings.lazy_patterns import compile_lazily

NUMBER = r"[+-]?(?:\d{1,20}(?:\.\d{0,30})?|\.\d{1,30})(?:[eE][+-]?\d{1,2})?"
"""A CSS or SVG number of bounded length."""

ANGLES: Mapping[str, float] = {"": 1.0, "deg": 1.0, "grad": 0.9, "rad": 180 / math.pi, "turn": 360.0}
"""Angle units, in degrees."""

_HEX = re.compile(r"#(?:[0-9a-f]{3,4}|[0-9a-f]{6}|[0-9a-f]{8})")
_FUNCTION = compile_lazily(r"(rgb|hsl)a?\(\s*([-+.\w%,/\s]{1,200})\)")
COMPONENT = compile_lazily(rf"({NUMBER})(%|deg|grad|rad|turn|)")
"""A number, and `%` or the unit of an angle."""


def parse_css_color(value: str) -> str | None:
    """Return `#rrggbb`, `#rrggbbaa` if translucent, `currentColor`, or None if invalid."""
    word = value.lower()
    if word in NAMED_COLORS:
        return NAMED_COLORS[word]
    if word == "transparent":
        return "#00000000"
    if word == "currentcolor":
        return "currentColor"
    if _HEX.fullmatch(word):
        digits = word[1:] if len(word) > 5 else "".join(digit * 2 for digit in word[1:])
        return f"#{digits}" if digits[6:] != "ff" else f"#{digits[:6]}"
    match = _FUNCTION.fullmatch(word)
    return _parse_function(match[1], match[2]) if match else None


def _parse_function(name: str, arguments: str) -> str | None:
    """Parse the arguments of `rgb()` or `hsl()`, with commas or without."""
    parts = [COMPONENT.fullmatch(part) for part in re.split(r"\s*[,/]\s*|\s+", arguments.strip())]
    if len(parts) not in {3, 4} or None in parts:
        return None
    values = [(float(part[1]), part[2]) for part in parts if part]
    alpha = _to_fraction(*values[3], 1) if len(values) == 4 else 1.0
    if name == "rgb":
        red, green, blue = (_to_fraction(value, unit, 255) for value, unit in values[:3])
    else:
        hue = values[0][0] * ANGLES.get(values[0][1], 1.0)
        red, green, blue = _hsl_to_rgb(hue, _to_fraction(*values[1], 100), _to_fraction(*values[2], 100))
    channels = "".join(f"{_to_byte(channel):02x}" for channel in (red, green, blue))
    return f"#{channels}" if alpha >= 1 else f"#{channels}{_to_byte(alpha):02x}"


def _to_fraction(size: float, unit: str, whole: float) -> float:
    return min(1.0, max(0.0, size / (100 if unit == "%" else whole)))


def _to_byte(fraction: float) -> int:
    return int(fraction * 255 + 0.5)


def _hsl_to_rgb(hue: float, saturation: float, lightness: float) -> tuple[float, float, float]:
    # https://www.w3.org/TR/css-color-4/#hsl-to-rgb

    def channel(shift: int) -> float:
        k = (shift + hue / 30) % 12
        return lightness - saturation * min(lightness, 1 - lightness) * max(-1, min(k - 3, 9 - k, 1))

    return channel(0), channel(8), channel(4)
