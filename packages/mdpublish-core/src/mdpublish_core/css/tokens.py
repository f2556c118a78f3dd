"""Tokens of CSS. The only module that imports tinycss2.

tinycss2 tokenizes without recursion, but writes nested blocks recursively, so what is nested deeper than `MAX_DEPTH` is not
written: see `is_deep`.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import lru_cache
from math import cos, radians, sin

from tinycss2 import (
    parse_blocks_contents,
    parse_component_value_list,
    parse_rule_list,
    parse_stylesheet,
    serialize,
)
from tinycss2.ast import Node as Token
from tinycss2.color4 import Color
from tinycss2.color5 import parse_color
from tinycss2.nth import parse_nth

__all__ = [
    "MAX_DEPTH",
    "SPACE",
    "Token",
    "blocks_contents",
    "css_text",
    "is_deep",
    "parse_nth",
    "rgba",
    "rule_list",
    "split_at",
    "stylesheet",
    "tokens_of",
    "tokens_within",
    "trimmed",
]

MAX_DEPTH = 32
"""Of blocks, functions and nested rules."""

_ESCAPE_OR_LINE_END = re.compile(r"(\\[^\n\f\r])|[ \t]*[\n\f\r][ \t\n\f\r]*")

_NO_SPACE = {"whitespace", "comment"}

(SPACE,) = parse_component_value_list(" ")


def stylesheet(css: str) -> list[Token]:
    return parse_stylesheet(css, skip_comments=True, skip_whitespace=True)


def rule_list(tokens: Iterable[Token]) -> list[Token]:
    return parse_rule_list(tokens, skip_comments=True, skip_whitespace=True)


def blocks_contents(tokens: Iterable[Token]) -> list[Token]:
    return parse_blocks_contents(tokens, skip_comments=True, skip_whitespace=True)


@lru_cache(maxsize=4096)
def tokens_of(value: str) -> tuple[Token, ...]:
    """Return the component values of a declaration's value. The tokens must not be changed."""
    return tuple(trimmed(parse_component_value_list(value, skip_comments=True)))


def trimmed(tokens: Sequence[Token]) -> Sequence[Token]:
    start, end = 0, len(tokens)
    while start < end and tokens[start].type in _NO_SPACE:
        start += 1
    while end > start and tokens[end - 1].type in _NO_SPACE:
        end -= 1
    return tokens[start:end]


def css_text(tokens: Sequence[Token]) -> str:
    """Return the tokens as CSS on one line, without comments."""
    # Only white space between tokens has line ends; in strings they are escaped.
    css = serialize(token for token in trimmed(tokens) if token.type != "comment")
    return _ESCAPE_OR_LINE_END.sub(lambda match: match[1] or " ", css)


def inner_tokens(token: Token) -> Sequence[Token]:
    if token.type == "function":
        return token.arguments
    return token.content or () if token.type.endswith("block") else ()


def tokens_within(tokens: Iterable[Token]) -> Iterator[Token]:
    """Yield tokens, and those in their blocks and functions."""
    pending = list(tokens)
    while pending:
        token = pending.pop()
        yield token
        pending.extend(inner_tokens(token))


def is_deep(tokens: Iterable[Token]) -> bool:
    level: list[Token] = list(tokens)
    for _ in range(MAX_DEPTH):
        level = [inner for token in level for inner in inner_tokens(token)]
        if not level:
            return False
    return True


def split_at(tokens: Iterable[Token], mark: str) -> list[list[Token]]:
    parts: list[list[Token]] = [[]]
    for token in tokens:
        if token.type == "literal" and token.value == mark:
            parts.append([])
        else:
            parts[-1].append(token)
    return parts


def rgba(token: Token) -> tuple[int, int, int, float] | str | None:
    """Return a color in sRGB and its alpha, `currentcolor`, or None for anything else.

    Colors that sRGB lacks get the nearest value of each channel.
    """
    if token.type not in {"hash", "ident", "function"}:
        return None
    color = parse_color(token)
    if color is None or isinstance(color, str):
        return color
    to_srgb = _TO_SRGB.get(color.space)
    if to_srgb is None:
        return None
    # Half up, as browsers round.
    red, green, blue = (int(255 * min(1.0, max(0.0, channel)) + 0.5 + 1e-6) for channel in to_srgb(color))
    return red, green, blue, color.alpha


def _srgb(color: Color) -> Iterable[float]:
    return [float(channel or 0) for channel in color.to("srgb").coordinates]


def _oklab(color: Color) -> Iterable[float]:
    """Return a color of Oklab or OkLCh (https://bottosson.github.io/posts/oklab/) in sRGB."""
    lightness, a, b = (float(coordinate or 0) for coordinate in color.coordinates)
    if color.space == "oklch":
        a, b = a * cos(radians(b)), a * sin(radians(b))
    long = (lightness + 0.3963377774 * a + 0.2158037573 * b) ** 3
    medium = (lightness - 0.1055613458 * a - 0.0638541728 * b) ** 3
    short = (lightness - 0.0894841775 * a - 1.2914855480 * b) ** 3
    return map(
        _gamma,
        (
            4.0767416621 * long - 3.3077115913 * medium + 0.2309699292 * short,
            -1.2684380046 * long + 2.6097574011 * medium - 0.3413193965 * short,
            -0.0041960863 * long - 0.7034186147 * medium + 1.7076147010 * short,
        ),
    )


def _gamma(linear: float) -> float:
    return 12.92 * linear if linear <= 0.0031308 else 1.055 * linear ** (1 / 2.4) - 0.055


_TO_SRGB: dict[str, Callable[[Color], Iterable[float]]] = {
    "srgb": _srgb,
    "hsl": _srgb,
    "hwb": _srgb,
    "oklab": _oklab,
    "oklch": _oklab,
}
