"""Break, balance and truncate lines of text."""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from unicodedata import category, combining, east_asian_width

MeasureWidth = Callable[[str], float]  # width in px

ELLIPSIS = "…"

# Approximate grapheme clusters: flags, variation selectors, skin tones, ZWJ sequences.
_CLUSTER = re.compile(
    "[\U0001f1e6-\U0001f1ff]{2}|.(?:[\ufe00-\ufe0f\U0001f3fb-\U0001f3ff\U000e0020-\U000e007f\u200c]|\u200d.)*",
    re.DOTALL,
)

_STEP = 4.0  # px


@dataclass(frozen=True, slots=True)
class BrokenLines:
    """The lines, and whether all text fits and no word was split."""

    lines: tuple[str, ...]
    is_complete: bool = True
    keeps_words: bool = True


def break_lines(words: str, *, max_width: float, max_lines: int, measure: MeasureWidth) -> BrokenLines:
    """Break text into at most `max_lines` balanced lines of at most `max_width` px."""
    pieces, keeps_words = _fitting(_pieces(words), max_width, measure)
    lines = _filled(pieces, max_width, measure)
    if len(lines) > max_lines:
        last = _cut(" ".join(lines[max_lines - 1 :]), max_width, measure)
        return BrokenLines((*lines[: max_lines - 1], last), is_complete=False, keeps_words=keeps_words)
    if len(lines) > 1:
        lines = _balanced(pieces, len(lines), max_width, measure)
    return BrokenLines(tuple(lines), keeps_words=keeps_words)


def truncate(line: str, *, max_width: float, measure: MeasureWidth) -> str:
    return line if measure(line) <= max_width else _cut(line, max_width, measure)


def split_graphemes(string: str) -> list[str]:
    graphemes: list[str] = []
    for cluster in _CLUSTER.findall(string):
        if graphemes and (combining(cluster[0]) or category(cluster[0]) in {"Mn", "Me", "Mc"}):
            graphemes[-1] += cluster
        else:
            graphemes.append(cluster)
    return graphemes


def _pieces(words: str) -> list[str]:
    """Return the unbreakable pieces; the first one of a word includes the space before it."""
    pieces: list[str] = []
    for number, word in enumerate(words.split()):
        first = len(pieces)
        for cluster in split_graphemes(word):
            if len(pieces) > first and not _may_end(pieces[-1], cluster):
                pieces[-1] += cluster
            else:
                pieces.append(cluster)
        if number:
            pieces[first] = f" {pieces[first]}"
    return pieces


def _may_end(before: str, after: str) -> bool:
    """Whether a line may end between two clusters: after a hyphen or slash, or beside an ideograph."""
    last = before[-1]
    if category(after[0]) in {"Pe", "Pf", "Po", "Pd", "Lm"} or category(last) in {"Ps", "Pi"}:
        return False
    if last in "-/_\u2010\u2013\u2014":
        return len(before) > 3
    return _is_ideograph(last) or _is_ideograph(after[0])


def _is_ideograph(character: str) -> bool:
    """Whether the script has no spaces between words; Korean has them."""
    if "\uac00" <= character <= "\ud7a3":
        return False
    return east_asian_width(character) in "WF" and category(character)[0] in "LSP"


def _fitting(pieces: Sequence[str], max_width: float, measure: MeasureWidth) -> tuple[list[str], bool]:
    """Split pieces wider than a line; the flag is false if there were any."""
    fitting: list[str] = []
    keeps_words = True
    for piece in pieces:
        if measure(piece.strip()) <= max_width:
            fitting.append(piece)
            continue
        keeps_words = False
        part = ""
        for cluster in split_graphemes(piece):
            if part and measure((part + cluster).strip()) > max_width:
                fitting.append(part)
                part = ""
            part += cluster
        fitting.append(part)
    return fitting, keeps_words


def _filled(pieces: Sequence[str], max_width: float, measure: MeasureWidth) -> list[str]:
    lines: list[str] = []
    line, taken = "", 0.0
    for piece in pieces:
        more = measure(piece)
        if line and taken + more > max_width:
            lines.append(line)
            line = piece.lstrip()
            taken = measure(line)
        else:
            line, taken = line + piece, taken + more
    return [each.strip() for each in (*lines, line)]


def _balanced(pieces: Sequence[str], line_count: int, max_width: float, measure: MeasureWidth) -> list[str]:
    """Minimize the longest line, by bisection."""
    low, high = max_width / line_count, max_width
    while high - low > _STEP:
        middle = (low + high) / 2
        if (
            len(_filled(pieces, middle, measure)) <= line_count
            and max(measure(each.strip()) for each in pieces) <= middle
        ):
            high = middle
        else:
            low = middle
    return _filled(pieces, high, measure)


def _cut(line: str, max_width: float, measure: MeasureWidth) -> str:
    prefix, taken = "", measure(ELLIPSIS)
    for cluster in split_graphemes(line):
        taken += measure(cluster)
        if taken > max_width:
            break
        prefix += cluster
    return prefix.rstrip(" ,;:.-/\u2013\u2014") + ELLIPSIS
