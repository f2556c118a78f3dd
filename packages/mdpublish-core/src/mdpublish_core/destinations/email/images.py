"""Pictures in a mail: which of them stand alone in their lines, and how large they are.

Outlook for Windows goes by the attributes, in whole pixels; Apple Mail ignores them on pictures that the mail brings
along, and goes by the style. No picture is given more width than the text around it has. One of unknown width, from
elsewhere, is left as large as it is, but where a client can bound it: a badge must not grow to the width of the mail.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from mdpublish_core import nodes

_LENGTH = re.compile(r"([0-9]{1,5})(?:\.[0-9]*)?(%?)")

_WRAPPERS = (nodes.Link, nodes.Emphasis, nodes.Strong, nodes.Strikethrough, nodes.HtmlElement)

_LINE_END = nodes.LineBreak(soft=False)


@dataclass(frozen=True, slots=True)
class Size:
    """How large a picture is shown: its width and height for attributes, and its width for the style; None if unknown."""

    width: int | None
    height: int | None
    style_width: str | None


def image_size(width: str | None, height: str | None, available_width: int) -> Size:
    """Return the size of a picture in a room of so many px, given what the author or its bytes tell."""
    parsed_width, parsed_height = _length(width), _length(height)
    number = None if parsed_height is None or parsed_height[1] else max(1, parsed_height[0])
    if parsed_width is None:
        return Size(None, number, None)
    percent = min(100, parsed_width[0])
    natural = max(1, available_width * percent // 100 if parsed_width[1] else parsed_width[0])
    shown = min(available_width, natural)
    if parsed_width[1]:
        return Size(shown, None, f"{percent}%")
    return Size(shown, number and max(1, round(number * shown / natural)), f"{shown}px")


def standalone_images(tokens: Sequence[nodes.Token]) -> frozenset[int]:
    """Return the `id()` of each picture or formula that is all there is in its line, among the inlines of one block."""
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
    """Yield what is seen of inlines: pictures, ends of lines, and whatever shows a text."""
    for token in tokens:
        if isinstance(token, _WRAPPERS):
            yield from _visible_tokens(token.children)
        elif isinstance(token, nodes.RawText):
            if token.content.strip():
                yield token
        elif is_hard_break(token) or not isinstance(token, nodes.LineBreak):
            yield token


def is_hard_break(token: nodes.Token) -> bool:
    """Tell whether a token ends a line that readers see."""
    return isinstance(token, nodes.LineBreak) and not token.soft


def _length(value: str | None) -> tuple[int, bool] | None:
    """Return a length in px, or with True in hundredths of the room."""
    match = _LENGTH.fullmatch(value) if value else None
    return (int(match[1]), bool(match[2])) if match else None
