"""Text in lines: broken where its script allows, balanced, and cut with an ellipsis where there are too many."""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from unicodedata import category, combining, east_asian_width

Width = Callable[[str], float]
"""Returns how wide a text is, in px."""

ELLIPSIS = "…"

# What a reader takes for one character: marks on a letter, two halves of a flag, emoji that are joined to one.
_CLUSTER = re.compile(
    "[\U0001f1e6-\U0001f1ff]{2}|.(?:[\ufe00-\ufe0f\U0001f3fb-\U0001f3ff\U000e0020-\U000e007f\u200c]|\u200d.)*",
    re.DOTALL,
)

# A balanced width is found to within so many px.
_STEP = 4.0


@dataclass(frozen=True, slots=True)
class Lines:
    """A text in lines; `is_whole` tells that nothing was cut off, `keeps_words` that no word had to be broken."""

    lines: tuple[str, ...]
    is_whole: bool = True
    keeps_words: bool = True


def broken(text: str, *, room: float, most: int, width: Width) -> Lines:
    """Return a text, whose words stand a space apart, in at most `most` lines of at most `room` px, as even as they can be."""
    pieces, keeps_words = _fitting(_pieces(text), room, width)
    lines = _filled(pieces, room, width)
    if len(lines) > most:
        last = _cut(" ".join(lines[most - 1 :]), room, width)
        return Lines((*lines[: most - 1], last), is_whole=False, keeps_words=keeps_words)
    if len(lines) > 1:
        lines = _balanced(pieces, len(lines), room, width)
    return Lines(tuple(lines), keeps_words=keeps_words)


def shortened(text: str, *, room: float, width: Width) -> str:
    """Return a text in one line of at most `room` px, with an ellipsis where that is less than all of it."""
    return text if width(text) <= room else _cut(text, room, width)


def clusters(text: str) -> list[str]:
    """Return a text in what a reader takes for its characters."""
    found: list[str] = []
    for cluster in _CLUSTER.findall(text):
        if found and (combining(cluster[0]) or category(cluster[0]) in {"Mn", "Me", "Mc"}):
            found[-1] += cluster
        else:
            found.append(cluster)
    return found


def _pieces(text: str) -> list[str]:
    """Return a text in pieces between which a line may end; a piece that begins a word has its space before it."""
    pieces: list[str] = []
    for number, word in enumerate(text.split()):
        first = len(pieces)
        for cluster in clusters(word):
            if len(pieces) > first and not _may_end(pieces[-1], cluster):
                pieces[-1] += cluster
            else:
                pieces.append(cluster)
        if number:
            pieces[first] = f" {pieces[first]}"
    return pieces


def _may_end(before: str, after: str) -> bool:
    """Tell whether a line may end between two characters of a word: at a hyphen, a slash, or beside an ideograph."""
    last = before[-1]
    if category(after[0]) in {"Pe", "Pf", "Po", "Pd", "Lm"} or category(last) in {"Ps", "Pi"}:
        return False
    if last in "-/_\u2010\u2013\u2014":
        return len(before) > 3
    return _is_ideograph(last) or _is_ideograph(after[0])


def _is_ideograph(character: str) -> bool:
    """Tell whether a character's script has no spaces between words; Korean has."""
    if "\uac00" <= character <= "\ud7a3":
        return False
    return east_asian_width(character) in "WF" and category(character)[0] in "LSP"


def _fitting(pieces: Sequence[str], room: float, width: Width) -> tuple[list[str], bool]:
    """Return the pieces, those that no line has room for broken, and whether there was none."""
    fitting: list[str] = []
    keeps_words = True
    for piece in pieces:
        if width(piece.strip()) <= room:
            fitting.append(piece)
            continue
        keeps_words = False
        part = ""
        for cluster in clusters(piece):
            if part and width((part + cluster).strip()) > room:
                fitting.append(part)
                part = ""
            part += cluster
        fitting.append(part)
    return fitting, keeps_words


def _filled(pieces: Sequence[str], room: float, width: Width) -> list[str]:
    """Return the pieces in lines, each as full as it can be."""
    lines: list[str] = []
    line, taken = "", 0.0
    for piece in pieces:
        more = width(piece)
        if line and taken + more > room:
            lines.append(line)
            line = piece.lstrip()
            taken = width(line)
        else:
            line, taken = line + piece, taken + more
    return [each.strip() for each in (*lines, line)]


def _balanced(pieces: Sequence[str], number: int, room: float, width: Width) -> list[str]:
    """Return the pieces in so many lines, of which the longest is as short as it can be."""
    least, most = room / number, room
    while most - least > _STEP:
        middle = (least + most) / 2
        if len(_filled(pieces, middle, width)) <= number and max(width(each.strip()) for each in pieces) <= middle:
            most = middle
        else:
            least = middle
    return _filled(pieces, most, width)


def _cut(text: str, room: float, width: Width) -> str:
    """Return as much of a text as there is room for before an ellipsis."""
    kept, taken = "", width(ELLIPSIS)
    for cluster in clusters(text):
        taken += width(cluster)
        if taken > room:
            break
        kept += cluster
    return kept.rstrip(" ,;:.-/\u2013\u2014") + ELLIPSIS
