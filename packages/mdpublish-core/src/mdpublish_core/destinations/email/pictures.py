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

_AROUND = (nodes.Link, nodes.Emphasis, nodes.Strong, nodes.Strikethrough, nodes.HtmlElement)

_END = nodes.LineBreak(soft=False)


@dataclass(frozen=True, slots=True)
class Size:
    """How large a picture is shown: its width and height for attributes, and its width for the style; None if unknown."""

    width: int | None
    height: int | None
    style_width: str | None


def size_of(width: str | None, height: str | None, room: int) -> Size:
    """Return the size of a picture in a room of so many px, given what the author or its bytes tell."""
    wide, high = _length(width), _length(height)
    number = None if high is None or high[1] else max(1, high[0])
    if wide is None:
        return Size(None, number, None)
    share = min(100, wide[0])
    natural = max(1, room * share // 100 if wide[1] else wide[0])
    shown = min(room, natural)
    if wide[1]:
        return Size(shown, None, f"{share}%")
    return Size(shown, number and max(1, round(number * shown / natural)), f"{shown}px")


def lonely(tokens: Sequence[nodes.Token]) -> frozenset[int]:
    """Return the `id()` of each picture or formula that is all there is in its line, among the inlines of one block."""
    alone: list[nodes.Token] = []
    line: list[nodes.Token] = []
    for token in (*_seen(tokens), _END):
        if not is_hard_break(token):
            line.append(token)
            continue
        alone += [each for each in line if isinstance(each, nodes.Image | nodes.MathSpan) and len(line) == 1]
        line = []
    return frozenset(map(id, alone))


def _seen(tokens: Sequence[nodes.Token]) -> Iterator[nodes.Token]:
    """Yield what is seen of inlines: pictures, ends of lines, and whatever shows a text."""
    for token in tokens:
        if isinstance(token, _AROUND):
            yield from _seen(token.children)
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
