"""Tokens of CSS. The only module that imports tinycss2.

tinycss2 tokenizes without recursion, but writes nested blocks recursively, so `is_deep` excludes what is too deep.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from math import cos, radians, sin

import tinycss2
from tinycss2 import nth
from tinycss2.ast import Node
from tinycss2.color5 import parse_color

from mdpublish_core.css.colors import oklab_to_rgb

Token = Node

parse_nth = nth.parse_nth

MAX_DEPTH = 32
"""Nesting depth of blocks, functions and rules."""

_ESCAPE_OR_LINE_END = re.compile(r"(\\[^\n\f\r])|[ \t]*[\n\f\r][ \t\n\f\r]*")

_NO_SPACE = {"whitespace", "comment"}

(SPACE,) = tinycss2.parse_component_value_list(" ")


def stylesheet(css: str) -> list[Token]:
    return tinycss2.parse_stylesheet(css, skip_comments=True, skip_whitespace=True)


def rule_list(tokens: Iterable[Token]) -> list[Token]:
    return tinycss2.parse_rule_list(tokens, skip_comments=True, skip_whitespace=True)


def blocks_contents(tokens: Iterable[Token]) -> list[Token]:
    return tinycss2.parse_blocks_contents(tokens, skip_comments=True, skip_whitespace=True)


@lru_cache(maxsize=4096)
def tokens_of(value: str) -> tuple[Token, ...]:
    """Return the component values of a declaration's value. The tokens must not be changed."""
    return tuple(trimmed(tinycss2.parse_component_value_list(value, skip_comments=True)))


def trimmed(tokens: Sequence[Token]) -> Sequence[Token]:
    start, end = 0, len(tokens)
    while start < end and tokens[start].type in _NO_SPACE:
        start += 1
    while end > start and tokens[end - 1].type in _NO_SPACE:
        end -= 1
    return tokens[start:end]


def words_of(tokens: Iterable[Token]) -> list[Token]:
    return [token for token in tokens if token.type not in _NO_SPACE]


def css_text(tokens: Sequence[Token]) -> str:
    """Return the tokens as CSS on one line, without comments."""
    # Only white space between tokens has line ends; in strings they are escaped.
    css = tinycss2.serialize(token for token in trimmed(tokens) if token.type != "comment")
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


def color(token: Token) -> str | None:
    """Return `#rrggbb`, `#rrggbbaa`, `transparent` or `currentcolor`, or None for anything else.

    Colors that sRGB lacks get the nearest value of each channel.
    """
    read = parse_color(token) if token.type in {"hash", "ident", "function"} else None
    if read is None or isinstance(read, str):
        return read
    if read.space in {"oklab", "oklch"}:
        lightness, a, b = (float(coordinate or 0) for coordinate in read.coordinates)
        if read.space == "oklch":
            a, b = a * cos(radians(b)), a * sin(radians(b))
        channels = oklab_to_rgb(lightness, a, b)
    elif read.space in {"srgb", "hsl", "hwb"}:
        red, green, blue = (float(channel or 0) for channel in read.to("srgb").coordinates)
        channels = red, green, blue
    else:
        return None
    if not (alpha := round(read.alpha * 255)):
        return "transparent"
    # Half up, as browsers round.
    opaque = "".join(f"{int(255 * min(1.0, max(0.0, channel)) + 0.5 + 1e-6):02x}" for channel in channels)
    return f"#{opaque}{alpha:02x}" if alpha < 0xFF else f"#{opaque}"
