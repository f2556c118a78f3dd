"""CSS's colours, as all that reads a drawing understands them: `hsl()`, names and halves of a channel are not for everybody."""

import math
import re
from collections.abc import Mapping

NUMBER = r"[+-]?(?:\d{1,20}(?:\.\d{0,30})?|\.\d{1,30})(?:[eE][+-]?\d{1,2})?"
"""A number of CSS or SVG, not too long to be reckoned with."""

ANGLES: Mapping[str, float] = {"": 1.0, "deg": 1.0, "grad": 0.9, "rad": 180 / math.pi, "turn": 360.0}
"""The units of angles, in degrees."""

_HEX = re.compile(r"#(?:[0-9a-f]{3,4}|[0-9a-f]{6}|[0-9a-f]{8})")
_FUNCTION = re.compile(r"(rgb|hsl)a?\(\s*([-+.\w%,/\s]{1,200})\)")
_COMPONENT = re.compile(rf"({NUMBER})(%|deg|grad|rad|turn|)")

# https://www.w3.org/TR/css-color-4/#named-colors
_TABLE = """
aliceblue:f0f8ff antiquewhite:faebd7 aqua:00ffff aquamarine:7fffd4 azure:f0ffff beige:f5f5dc bisque:ffe4c4
black:000000 blanchedalmond:ffebcd blue:0000ff blueviolet:8a2be2 brown:a52a2a burlywood:deb887 cadetblue:5f9ea0
chartreuse:7fff00 chocolate:d2691e coral:ff7f50 cornflowerblue:6495ed cornsilk:fff8dc crimson:dc143c cyan:00ffff
darkblue:00008b darkcyan:008b8b darkgoldenrod:b8860b darkgray:a9a9a9 darkgreen:006400 darkgrey:a9a9a9
darkkhaki:bdb76b darkmagenta:8b008b darkolivegreen:556b2f darkorange:ff8c00 darkorchid:9932cc darkred:8b0000
darksalmon:e9967a darkseagreen:8fbc8f darkslateblue:483d8b darkslategray:2f4f4f darkslategrey:2f4f4f
darkturquoise:00ced1 darkviolet:9400d3 deeppink:ff1493 deepskyblue:00bfff dimgray:696969 dimgrey:696969
dodgerblue:1e90ff firebrick:b22222 floralwhite:fffaf0 forestgreen:228b22 fuchsia:ff00ff gainsboro:dcdcdc
ghostwhite:f8f8ff gold:ffd700 goldenrod:daa520 gray:808080 green:008000 greenyellow:adff2f grey:808080
honeydew:f0fff0 hotpink:ff69b4 indianred:cd5c5c indigo:4b0082 ivory:fffff0 khaki:f0e68c lavender:e6e6fa
lavenderblush:fff0f5 lawngreen:7cfc00 lemonchiffon:fffacd lightblue:add8e6 lightcoral:f08080 lightcyan:e0ffff
lightgoldenrodyellow:fafad2 lightgray:d3d3d3 lightgreen:90ee90 lightgrey:d3d3d3 lightpink:ffb6c1
lightsalmon:ffa07a lightseagreen:20b2aa lightskyblue:87cefa lightslategray:778899 lightslategrey:778899
lightsteelblue:b0c4de lightyellow:ffffe0 lime:00ff00 limegreen:32cd32 linen:faf0e6 magenta:ff00ff maroon:800000
mediumaquamarine:66cdaa mediumblue:0000cd mediumorchid:ba55d3 mediumpurple:9370db mediumseagreen:3cb371
mediumslateblue:7b68ee mediumspringgreen:00fa9a mediumturquoise:48d1cc mediumvioletred:c71585
midnightblue:191970 mintcream:f5fffa mistyrose:ffe4e1 moccasin:ffe4b5 navajowhite:ffdead navy:000080
oldlace:fdf5e6 olive:808000 olivedrab:6b8e23 orange:ffa500 orangered:ff4500 orchid:da70d6 palegoldenrod:eee8aa
palegreen:98fb98 paleturquoise:afeeee palevioletred:db7093 papayawhip:ffefd5 peachpuff:ffdab9 peru:cd853f
pink:ffc0cb plum:dda0dd powderblue:b0e0e6 purple:800080 rebeccapurple:663399 red:ff0000 rosybrown:bc8f8f
royalblue:4169e1 saddlebrown:8b4513 salmon:fa8072 sandybrown:f4a460 seagreen:2e8b57 seashell:fff5ee
sienna:a0522d silver:c0c0c0 skyblue:87ceeb slateblue:6a5acd slategray:708090 slategrey:708090 snow:fffafa
springgreen:00ff7f steelblue:4682b4 tan:d2b48c teal:008080 thistle:d8bfd8 tomato:ff6347 turquoise:40e0d0
violet:ee82ee wheat:f5deb3 white:ffffff whitesmoke:f5f5f5 yellow:ffff00 yellowgreen:9acd32
"""

_NAMES: Mapping[str, str] = {name: f"#{value}" for name, _, value in (entry.partition(":") for entry in _TABLE.split())}


def colour(value: str) -> str | None:
    """Return a colour as `#rrggbb`, as `#rrggbbaa` where it lets something through, or as `currentColor`; None for no colour."""
    word = value.lower()
    if word in _NAMES:
        return _NAMES[word]
    if word == "transparent":
        return "#00000000"
    if word == "currentcolor":
        return "currentColor"
    if _HEX.fullmatch(word):
        digits = word[1:] if len(word) > 5 else "".join(digit * 2 for digit in word[1:])
        return f"#{digits}" if digits[6:] != "ff" else f"#{digits[:6]}"
    match = _FUNCTION.fullmatch(word)
    return _function(match[1], match[2]) if match else None


def _function(name: str, text: str) -> str | None:
    """Read what stands in the parentheses of `rgb()` or `hsl()`, in the older form with commas or the newer without."""
    parts = [_COMPONENT.fullmatch(part) for part in re.split(r"\s*[,/]\s*|\s+", text.strip())]
    if len(parts) not in {3, 4} or None in parts:
        return None
    sizes = [(float(part[1]), part[2]) for part in parts if part]
    alpha = _share(*sizes[3], 1) if len(sizes) == 4 else 1.0
    if name == "rgb":
        red, green, blue = (_share(size, unit, 255) for size, unit in sizes[:3])
    else:
        hue = sizes[0][0] * ANGLES.get(sizes[0][1], 1.0)
        red, green, blue = _of_hsl(hue, _share(*sizes[1], 100), _share(*sizes[2], 100))
    channels = "".join(f"{_byte(channel):02x}" for channel in (red, green, blue))
    return f"#{channels}" if alpha >= 1 else f"#{channels}{_byte(alpha):02x}"


def _share(size: float, unit: str, whole: float) -> float:
    return min(1.0, max(0.0, size / (100 if unit == "%" else whole)))


def _byte(share: float) -> int:
    return int(share * 255 + 0.5)


def _of_hsl(hue: float, saturation: float, lightness: float) -> tuple[float, float, float]:
    """Return red, green and blue, as https://www.w3.org/TR/css-color-4/#hsl-to-rgb reckons them."""

    def channel(shift: int) -> float:
        k = (shift + hue / 30) % 12
        return lightness - saturation * min(lightness, 1 - lightness) * max(-1, min(k - 3, 9 - k, 1))

    return channel(0), channel(8), channel(4)
