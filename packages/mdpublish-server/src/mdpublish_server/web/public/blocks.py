"""A preview in blocks: who shows one version of a text is sent what differs in the next.

A page is a shell, all of it but what its container holds, and the blocks in there. Each has a key, of its content
alone, so that nothing is stored of who shows what.
"""

import re
from base64 import urlsafe_b64encode
from collections.abc import Iterator
from hashlib import blake2b
from typing import Final

from msgspec import Struct

NOTHING: Final = "-"
"""What a request sends that shows no version."""

_KEY_BYTES: Final = 6
_KEY_CHARACTERS: Final = _KEY_BYTES * 4 // 3

# `HtmlWriter` escapes `>` in attributes.
_START = re.compile(r"<([A-Za-z][^\s/>]*)[^>]*>")


class Piece(Struct, frozen=True):
    """A shell or a block: its key, and its HTML unless it is known."""

    key: str
    html: str | None


class Blocks(Struct, frozen=True, kw_only=True):
    """A page; runs of blocks that are known are given by where they begin and end there."""

    container: str
    shell: Piece
    blocks: list[Piece | tuple[int, int]]


def blocks_of(html: str, container: str, known: str) -> Blocks:
    """Return a page in blocks; `known` has the keys of what is shown, the shell's first."""
    start, end = html.index(">", html.index(f"<{container}")) + 1, html.rindex(f"</{container}>")
    keys = [known[at : at + _KEY_CHARACTERS] for at in range(0, len(known), _KEY_CHARACTERS)]
    places = {key: place for place, key in enumerate(keys[1:])}
    shell = html[:start] + html[end:]
    parts: list[Piece | tuple[int, int]] = []
    for block in _split(html, start, end):
        key = _key(block)
        last = parts[-1] if parts else None
        if isinstance(last, tuple) and keys[last[1] + 1 : last[1] + 2] == [key]:
            parts[-1] = (last[0], last[1] + 1)
        elif (place := places.get(key)) is not None:
            parts.append((place, place + 1))
        else:
            parts.append(Piece(key, block))
    key = _key(shell)
    return Blocks(container=container, shell=Piece(key, None if key == keys[0] else shell), blocks=parts)


def _key(html: str) -> str:
    return urlsafe_b64encode(blake2b(html.encode(), digest_size=_KEY_BYTES).digest()).decode()


def _split(html: str, start: int, end: int) -> Iterator[str]:
    """Yield each element, or text, with the text after it; what mail clients alone read may not be well-formed."""
    if html.find("<!--", start, end) >= 0:
        yield html[start:end]
        return
    while start < end:
        after = html.find("<", max(start + 1, _end_of_element(html, start, end)), end)
        after = end if after < 0 else after
        yield html[start:after]
        start = after


def _end_of_element(html: str, start: int, end: int) -> int:
    opening = _START.match(html, start, end)
    if opening is None or opening[0].endswith("/>"):
        return opening.end() if opening else start
    depth = 0
    for tag in re.compile(rf"<(/?){re.escape(opening[1])}(?=[\s/>])[^>]*>").finditer(html, start, end):
        if not tag[0].endswith("/>"):
            depth += -1 if tag[1] else 1
        if not depth:
            return tag.end()
    return end
