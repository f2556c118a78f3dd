"""What a person sees, one by one."""

import re
from collections.abc import Iterable
from typing import Literal, NamedTuple
from unicodedata import normalize
from urllib.parse import parse_qs, unquote, urlsplit

Kind = Literal["words", "number", "box", "link", "image", "formula", "row"]


class SeenEntry(NamedTuple):
    """Words, or one thing that a person sees; `value` is what is compared."""

    kind: Kind
    value: str


CHECKED, UNCHECKED = "[x]", "[ ]"

BOXES = {"☐": UNCHECKED, "☑": CHECKED, "☒": CHECKED, "🗹": CHECKED, "⬜": UNCHECKED, "✅": CHECKED}
"""Characters that people read as boxes; a box may arrive as a character, and a character as a box."""

_WRITTEN_NUMBER = re.compile(r"\(?(.*?)[.)]*")
_MAX_MARK = 50
"""Characters of a list's mark."""

_INVISIBLE = re.compile("[\u2500\u00ad\u200b-\u200f\u2060\ufe0e\ufe0f\ufeff]")


class Words:
    """Collects text, whose words may be divided by elements that do not divide lines."""

    def __init__(self) -> None:
        self._parts: list[str] = []

    def add(self, content: str) -> None:
        if content:
            self._parts.append(content)

    def end(self) -> tuple[SeenEntry, ...]:
        """Return the words so far; what follows is not part of the last one."""
        if not self._parts:
            return ()
        words = "".join(self._parts)
        self._parts.clear()
        if not words.isascii():
            words = normalize("NFKC", _INVISIBLE.sub("", words))
        return (SeenEntry("words", words),)


def number_of(mark: str) -> str:
    """Return a written mark as the number of a list's item: `(1)`, `1)` and `1` are `1.`."""
    match = _WRITTEN_NUMBER.fullmatch(mark.strip()[:_MAX_MARK])
    return f"{match[1]}." if match and match[1] else ""


def row_of(cells: Iterable[str]) -> SeenEntry:
    """Return a row of a table by the letters and digits of its cells: a cell has these in any form."""
    shown = ("".join(filter(str.isalnum, normalize("NFKC", cell))) for cell in cells)
    return SeenEntry("row", "|".join(filter(None, shown)))


def target_of(url: str) -> str:
    """Return the address that a link leads to, without what redirects and counts; empty for one within the page."""
    try:
        parts = urlsplit(url.strip())
        if parts.hostname == "www.google.com" and parts.path == "/url":
            parts = urlsplit(next(iter(parse_qs(parts.query).get("q", ())), ""))
    except ValueError:
        return url.strip()
    query = "&".join(each for each in parts.query.split("&") if not each.startswith("utm_"))
    shown = unquote(parts._replace(query=query).geturl())
    return shown if parts.scheme in {"http", "https", "mailto", "tel"} else ""
