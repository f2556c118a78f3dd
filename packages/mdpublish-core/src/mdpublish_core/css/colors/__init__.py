"""Color arithmetic: WCAG contrast, and mixing in OKLCH.

OKLCH (https://bottosson.github.io/posts/oklab/) is perceptual: lightness changes without the hue. Colors are `#rrggbb`.
"""

import math
from functools import lru_cache

Oklab = tuple[float, float, float]

Oklch = tuple[float, float, float]
"""Lightness 0 to 1, chroma from 0, hue in degrees."""

MIN_TEXT_CONTRAST = 4.5
"""https://www.w3.org/TR/WCAG22/#contrast-minimum"""

MIN_GRAPHICS_CONTRAST = 3.0
"""https://www.w3.org/TR/WCAG22/#non-text-contrast"""

MIN_CHROMA = 0.03
"""The hue of a less colorful color, in OKLCH, is meaningless."""

CHART_COLORS = 8
"""Number of a template's colors for the series of a figure."""


# Figures repeat few colors many times.
@lru_cache(maxsize=4_096)
def contrast(one: str, other: str) -> float:
    """Return the ratio of WCAG 2.2, 1 to 21."""
    lighter, darker = luminance(one), luminance(other)
    if lighter < darker:
        lighter, darker = darker, lighter
    return (lighter + 0.05) / (darker + 0.05)


def luminance(color: str) -> float:
    """Return the relative luminance of WCAG 2.2, 0 to 1."""
    red, green, blue = linear_rgb(color)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


@lru_cache(maxsize=4_096)
def ensure_contrast(color: str, background: str, ratio: float) -> str:
    """Lighten or darken a color as little as the contrast requires; black or white if nothing reaches it."""
    if contrast(color, background) >= ratio:
        return color
    lightness, chroma, hue = to_oklch(color)
    away = "#ffffff" if luminance(color) >= luminance(background) else "#000000"
    ends = (away, "#000000" if away == "#ffffff" else "#ffffff")
    best = next(
        (end for end in ends if contrast(end, background) >= ratio),
        max(ends, key=lambda end: contrast(end, background)),
    )
    near, end = lightness, luminance(best)
    for _ in range(10):
        middle = (near + end) / 2
        candidate = from_oklch((middle, chroma, hue))
        if contrast(candidate, background) >= ratio:
            end, best = middle, candidate
        else:
            near = middle
    return best


def mix(one: str, other: str, share: float) -> str:
    """Mix two colors in OKLab; `share` is that of `other`, 0 to 1."""
    (first, a, b), (second, c, d) = to_oklab(one), to_oklab(other)
    return _hex(*oklab_to_rgb(first + (second - first) * share, a + (c - a) * share, b + (d - b) * share))


def blend(color: str, background: str, share: float) -> str:
    """Composite a color of opacity `share` over a background, as browsers do."""
    if share == 1:
        return color
    pairs = zip(bytes.fromhex(color[1:]), bytes.fromhex(background[1:]), strict=True)
    return "#" + "".join(f"{round(upper * share + lower * (1 - share)):02x}" for upper, lower in pairs)


def oklab_distance(one: str, other: str) -> float:
    """Return the distance in OKLab; about 0.02 is just noticeable."""
    return math.dist(to_oklab(one), to_oklab(other))


# The same few colors are compared with one another.
@lru_cache(maxsize=4_096)
def to_oklab(color: str) -> Oklab:
    """Return lightness 0 to 1, and two opponent axes."""
    red, green, blue = linear_rgb(color)
    long = math.cbrt(0.4122214708 * red + 0.5363325363 * green + 0.0514459929 * blue)
    medium = math.cbrt(0.2119034982 * red + 0.6806995451 * green + 0.1073969566 * blue)
    short = math.cbrt(0.0883024619 * red + 0.2817188376 * green + 0.6299787005 * blue)
    return (
        0.2104542553 * long + 0.7936177850 * medium - 0.0040720468 * short,
        1.9779984951 * long - 2.4285922050 * medium + 0.4505937099 * short,
        0.0259040371 * long + 0.7827717662 * medium - 0.8086757660 * short,
    )


def to_oklch(color: str) -> Oklch:
    lightness, a, b = to_oklab(color)
    return lightness, math.hypot(a, b), math.degrees(math.atan2(b, a)) % 360


def from_oklch(color: Oklch) -> str:
    """Return `#rrggbb`, with the chroma reduced to fit sRGB."""
    lightness, chroma, hue = color
    cos, sin = math.cos(math.radians(hue)), math.sin(math.radians(hue))
    while True:
        red, green, blue = oklab_to_rgb(lightness, chroma * cos, chroma * sin)
        if chroma < 0.004 or (min(red, green, blue) >= -0.001 and max(red, green, blue) <= 1.001):
            return _hex(red, green, blue)
        chroma *= 0.9


def linear_rgb(color: str) -> tuple[float, float, float]:
    """Return the channels in linear light, 0 to 1."""
    value = int(color[1:], 16)
    return _EXPANDED[value >> 16], _EXPANDED[value >> 8 & 255], _EXPANDED[value & 255]


def rgb_hex(red: float, green: float, blue: float) -> str:
    """Return `#rrggbb` for channels in linear light, clipped to 0 to 1."""
    return _hex(*(_compressed(min(1.0, max(0.0, channel))) for channel in (red, green, blue)))


def is_dark(background: str) -> bool:
    """Tell whether white text has more contrast on it than black."""
    return luminance(background) < 0.18


_EXPANDED = tuple(c / 255 / 12.92 if c <= 10 else ((c / 255 + 0.055) / 1.055) ** 2.4 for c in range(256))


def oklab_to_rgb(lightness: float, a: float, b: float) -> tuple[float, float, float]:
    """Return sRGB channels, 0 to 1 if in gamut."""
    long = (lightness + 0.3963377774 * a + 0.2158037573 * b) ** 3
    medium = (lightness - 0.1055613458 * a - 0.0638541728 * b) ** 3
    short = (lightness - 0.0894841775 * a - 1.2914855480 * b) ** 3
    return (
        _compressed(4.0767416621 * long - 3.3077115913 * medium + 0.2309699292 * short),
        _compressed(-1.2684380046 * long + 2.6097574011 * medium - 0.3413193965 * short),
        _compressed(-0.0041960863 * long - 0.7034186147 * medium + 1.7076147010 * short),
    )


def _compressed(channel: float) -> float:
    return 1.055 * channel ** (1 / 2.4) - 0.055 if channel > 0.0031308 else 12.92 * channel


def _hex(*channels: float) -> str:
    return "#" + "".join(f"{round(255 * max(0.0, min(1.0, channel))):02x}" for channel in channels)
