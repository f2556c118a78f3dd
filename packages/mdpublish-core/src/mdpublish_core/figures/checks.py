"""Checks of a drawing: what it shows is compared with what its engine was asked for."""

import re
from collections.abc import Iterator, Sequence

from mdpublish_core.figures.errors import FigureError
from mdpublish_core.figures.request import EngineOutput, Remark
from mdpublish_core.figures.words import lost_words, words_of

# Of a number that an engine could not calculate; and of a break that it did not read.
_NO_NUMBER = re.compile(
    r" (?:[rdxy]|[cr][xy]|[xy][12]|width|height|points|transform|viewBox)=(\"[^\"]*\b(?:NaN|undefined|Infinity)\b)"
)
_BREAKS = re.compile(r"~br~|<br ?/?>", re.IGNORECASE)
_CODES = re.compile(r"[#&]lt;|[#&]60;|\\<")

_MAX_MISSING = 0.5
"""Share of labels without which a drawing is worse than its source."""


def check_output(output: EngineOutput, drawn_words: Sequence[str], source: str) -> Iterator[Remark]:
    """Yield remarks about what is drawn in another way; raises `FigureError` if that is worse than the source."""
    if broken := _NO_NUMBER.search(output.svg or ""):
        raise FigureError(f"the engine draws at {broken[1][1:40]}, which is no number")
    yield from _check_breaks(drawn_words, source)
    yield from check_labels(output, drawn_words, source)


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
        lines = enumerate(source.split("\n"), 1)
        line = next((number for number, line in lines if not words_of(line).isdisjoint(words)), None)
        if line not in said:
            yield from lost_words([(frozenset(words), line, "")], frozenset())
