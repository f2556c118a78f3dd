"""Phrases: how the words of a sign are written down, and found in a text.

A phrase is words with spaces between them; `a|b` is either word, `a?` may be missing, `{name}` is any word of a class,
and `...` up to five words of any kind. Phrases are folded as texts are.
"""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import product
from typing import NamedTuple

from mdpublish_server.policies.scanner.folding import fold
from mdpublish_server.policies.scanner.words import Words

_GAP = 5

_SPAN = 20
"""Words that a phrase may reach over: what is found at a place depends on no more than these."""


_FIRST_IDEOGRAPH = "\u2e80"
"""From here on, scripts put no spaces between words; `words` cuts their characters apart."""


class _Step(NamedTuple):
    words: frozenset[str]
    optional: bool
    gap: bool


class _Phrase(NamedTuple):
    bit: int
    steps: tuple[_Step, ...]


class PhraseBook:
    """The phrases of all signs, by the words that they begin with; `bits` names each sign's bit in a set of signs."""

    def __init__(self, signs: Mapping[str, Iterable[str]], classes: Mapping[str, str]) -> None:
        self.bits = {name: 1 << number for number, name in enumerate(signs)}
        self._beginning_with: dict[str, list[_Phrase]] = defaultdict(list)
        known: set[str] = set()
        for name, phrases in signs.items():
            for steps in (_steps(variant) for phrase in phrases for variant in _variants(phrase.format_map(classes))):
                known.update(*(step.words for step in steps))
                self._file(_Phrase(self.bits[name], steps))
        self.words = Words(frozenset(known))

    def found(self, words: Sequence[str]) -> list[int]:
        """Return the set of signs whose phrases begin at each word."""
        kept: dict[tuple[str, ...], int] = {}
        signs: list[int] = []
        beginning_with = self._beginning_with
        for position, word in enumerate(words):
            phrases = beginning_with.get(word)
            if phrases is None:
                signs.append(0)
                continue
            span = tuple(words[position : position + _SPAN])
            at = kept.get(span)
            if at is None:
                at = 0
                for phrase in phrases:
                    if not at & phrase.bit and _matches(phrase.steps, span):
                        at |= phrase.bit
                kept[span] = at
            signs.append(at)
        return signs

    def all_in(self, text: str) -> int:
        """Return the set of signs in a short text."""
        signs = 0
        for at in self.found(self.words.read(fold(text))):
            signs |= at
        return signs

    def _file(self, phrase: _Phrase) -> None:
        for number, step in enumerate(phrase.steps):
            for word in step.words:
                self._beginning_with[word].append(_Phrase(phrase.bit, phrase.steps[number:]))
            if not step.optional:
                return


def _variants(phrase: str) -> Iterator[str]:
    """Yield a phrase with each choice among words of ideographs made, since these are several words each."""
    pieces = phrase.split()
    yield from map(" ".join, product(*(_choices(piece) for piece in pieces)))


def _choices(piece: str) -> Sequence[str]:
    if not _has_ideographs(piece):
        return [piece]
    words = piece.removesuffix("?").split("|")
    choices = [" ".join(fold(word)) for word in words if _has_ideographs(word)]
    others = "|".join(word for word in words if not _has_ideographs(word))
    return [*choices, *filter(None, [others]), *([""] if piece.endswith("?") else [])]


def _has_ideographs(piece: str) -> bool:
    return any(character >= _FIRST_IDEOGRAPH for character in piece)


def _steps(phrase: str) -> tuple[_Step, ...]:
    steps = []
    for piece in phrase.split():
        assert "?" not in piece[:-1], f"only a whole choice may be missing, and no word of one: {piece!r} in {phrase!r}"
        words = frozenset(fold(piece.removesuffix("?")).split("|"))
        steps.append(_Step(words - {"..."}, optional=piece.endswith("?"), gap=piece == "..."))
    return tuple(steps)


def _matches(steps: Sequence[_Step], words: Sequence[str]) -> bool:
    """Tell whether the steps lead from the first word on through any of them."""
    places = {0}
    for step in steps:
        if step.gap:
            places = {place + gap for place in places for gap in range(_GAP + 1)}
            continue
        reached = {place + 1 for place in places if place < len(words) and words[place] in step.words}
        places = places | reached if step.optional else reached
        if not places:
            return False
    return True
