"""Checks of a drawing: what it shows is compared with what its engine was asked for."""

import re
from collections.abc import Iterator, Sequence
from collections.abc import Set as AbstractSet

from mdpublish_core.figures.boxes import Box
from mdpublish_core.figures.errors import FigureError
from mdpublish_core.figures.request import EngineOutput, Remark
from mdpublish_core.figures.svg import CleanSvg, DrawnText
from mdpublish_core.figures.words import lost_words, words_of

# Of a number that an engine could not calculate; and of a break that it did not read.
_NO_NUMBER = re.compile(
    r" (?:[rdxy]|[cr][xy]|[xy][12]|width|height|points|transform|viewBox)=(\"[^\"]*\b(?:NaN|undefined|Infinity)\b)"
)
_MARKER = re.compile(r"<marker\b.*?</marker>", re.DOTALL)
_DASHED = re.compile(r' stroke-dasharray="(?!none")')
_BREAKS = re.compile(r"~br~|<br ?/?>", re.IGNORECASE)
_CODES = re.compile(r"[#&]lt;|[#&]60;|\\<")

_MAX_MISSING = 0.5
"""Share of labels without which a drawing is worse than its source."""

_COVERED, _MAX_LINES = 0.3, 500
"""Share of a line of text that another one covers; lines that are compared."""


def check_output(output: EngineOutput, drawn: Sequence[DrawnText], source: str) -> Iterator[Remark]:
    """Yield remarks about what is drawn in another way; raises `FigureError` if that is worse than the source."""
    if broken := _NO_NUMBER.search(output.svg or ""):
        raise FigureError(f"the engine draws at {broken[1][1:40]}, which is no number")
    drawn_words = [each.words for each in drawn]
    yield from _check_breaks(drawn_words, source)
    yield from _check_overlaps(drawn, source)
    yield from _check_shapes(drawn, source)
    yield from check_labels(output, drawn_words, source)


def check_links(links: tuple[int, int], svg: CleanSvg) -> Iterator[Remark]:
    """Yield remarks about arrowheads and dashes that are not drawn; raises `FigureError` if no link has its head."""
    drawn = _MARKER.sub("", "".join(svg.parts)) if any(links) else ""
    heads = drawn.count(" marker-end=") + drawn.count(" marker-start=")
    if links[0] > 1 and not heads:
        raise FigureError("the engine draws links without their arrowheads")
    for name, expected, seen in zip(("arrowheads", "dashes"), links, (heads, len(_DASHED.findall(drawn))), strict=True):
        if seen < expected:
            yield Remark(f"{expected - seen} of {expected} links are drawn without their {name}", is_text=True)


def _check_overlaps(drawn: Sequence[DrawnText], source: str) -> Iterator[Remark]:
    """Yield a remark about words upon other words, where neither can be read."""
    # A single letter may be the sign of an icon.
    placed = sorted((box, words) for words, box, is_slanted, _ in drawn if box and len(words) > 1 and not is_slanted)
    pairs = list(_overlapping(placed[:_MAX_LINES]))
    for words, under in pairs[:1]:
        more = f", and {len(pairs) - 1} more upon others" if len(pairs) > 1 else ""
        line = _line_with(words_of(words) or words_of(under), source)
        yield Remark(f"the engine draws '{words[:40]}' upon '{under[:40]}'{more}", line, is_text=True)


def _line_with(words: AbstractSet[str], source: str) -> int | None:
    """Return the first line that has one of some words."""
    return next((line for line, each in enumerate(source.split("\n"), 1) if words & words_of(each)), None)


def _check_shapes(drawn: Sequence[DrawnText], source: str) -> Iterator[Remark]:
    """Yield a remark about words that are wider than their shape."""
    beyond = [each.words for each in drawn if each.is_beyond]
    for words in beyond[:1]:
        more = f", and {len(beyond) - 1} more labels" if len(beyond) > 1 else ""
        yield Remark(f"'{words[:40]}' is wider than its shape{more}", _line_with(words_of(words), source), is_text=True)


def _overlapping(placed: Sequence[tuple[Box, str]]) -> Iterator[tuple[str, str]]:
    """Yield words that cover others; what is drawn in one place with the same words is a halo."""
    for number, (box, words) in enumerate(placed):
        for other, under in placed[number + 1 :]:
            if other.left >= box.right:
                break
            both, smaller = box.intersection(other), min(box.width * box.height, other.width * other.height)
            if words != under and not both.is_empty and both.width * both.height > _COVERED * smaller:
                yield words, under


def _check_breaks(drawn_words: Sequence[str], source: str) -> Iterator[Remark]:
    """Yield a remark about a break that is drawn as it is written, unless the author wants to show one."""
    shown = next((each for each in drawn_words if _BREAKS.search(each)), None)
    if shown is not None and not _CODES.search(source) and "~br~" not in source:
        line = next((number for number, line in enumerate(source.split("\n"), 1) if _BREAKS.search(line)), None)
        yield Remark(f"the engine shows a break as text, in '{shown[:40]}'", line, is_text=True)


def check_labels(output: EngineOutput, drawn_words: Sequence[str], source: str) -> Iterator[Remark]:
    """Yield remarks about labels that are not drawn; raises `FigureError` if most are missing."""
    # Words may be broken at any letter.
    shown, characters = words_of(" ".join(drawn_words)), "".join(filter(str.isalpha, "".join(drawn_words).lower()))
    # Labels of marks that have none are ours.
    expected = words_of(source) - shown
    lost = {label: [word for word in words_of(label) & expected if word not in characters] for label in output.labels}
    lost = {label: words for label, words in lost.items() if words}
    said = {each.line: each.message for each in output.remarks if each.is_text}
    if len(lost) > max(1, _MAX_MISSING * len(set(output.labels))):
        raise FigureError(next(iter(said.values()), "the engine leaves out most labels"), next(iter(said), None))
    for words in lost.values():
        line = _line_with(frozenset(words), source)
        if line not in said:
            yield from lost_words([(frozenset(words), line, "")], frozenset())
