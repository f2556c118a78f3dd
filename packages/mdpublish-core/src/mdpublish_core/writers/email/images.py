"""Sizes of images. Outlook for Windows uses the attributes, Apple Mail the style of attached images.

A remote image of unknown width is only limited by `max-width`: a badge mustn't be stretched.
"""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from mdpublish_core import nodes
from mdpublish_core.strings.lazy_patterns import compile_lazily

_LENGTH = compile_lazily(r"([0-9]{1,5})(?:\.[0-9]*)?(%?)")

_WRAPPERS = (nodes.Link, nodes.Emphasis, nodes.Strong, nodes.Strikethrough, nodes.HtmlElement)

_LINE_END = nodes.LineBreak(soft=False)


class ImageSize(NamedTuple):
    """An image's size for attributes and style; None if unknown."""

    width: int | None
    height: int | None
    style_width: str | None


def image_size(width: str | None, height: str | None, available_width: int) -> ImageSize:
    parsed_width, parsed_height = _length(width), _length(height)
    number = None if parsed_height is None or parsed_height[1] else max(1, parsed_height[0])
    if parsed_width is None:
        return ImageSize(None, number, None)
    percent = min(100, parsed_width[0])
    natural = max(1, available_width * percent // 100 if parsed_width[1] else parsed_width[0])
    shown = min(available_width, natural)
    if parsed_width[1]:
        return ImageSize(shown, None, f"{percent}%")
    return ImageSize(shown, number and max(1, round(number * shown / natural)), f"{shown}px")


def standalone_images(tokens: Sequence[nodes.Token]) -> frozenset[int]:
    """Return the `id()` of images and formulas alone in their line."""
    alone: list[nodes.Token] = []
    line: list[nodes.Token] = []
    for token in (*_visible_tokens(tokens), _LINE_END):
        if not is_hard_break(token):
            line.append(token)
            continue
        alone += [each for each in line if isinstance(each, nodes.Image | nodes.MathSpan) and len(line) == 1]
        line = []
    return frozenset(map(id, alone))


def _visible_tokens(tokens: Sequence[nodes.Token]) -> Iterator[nodes.Token]:
    for token in tokens:
        if isinstance(token, _WRAPPERS):
            yield from _visible_tokens(token.children)
        elif isinstance(token, nodes.RawText):
            if token.content.strip():
                yield token
        elif is_hard_break(token) or not isinstance(token, nodes.LineBreak):
            yield token


def is_hard_break(token: nodes.Token) -> bool:
    return isinstance(token, nodes.LineBreak) and not token.soft


def _length(value: str | None) -> tuple[int, bool] | None:
    """Return a number and whether it is a percentage."""
    match = _LENGTH.fullmatch(value) if value else None
    return (int(match[1]), bool(match[2])) if match else None
