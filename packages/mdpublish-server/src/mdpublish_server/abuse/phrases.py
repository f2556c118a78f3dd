"""Phrases: how the words of a sign are written down, and found in a text.

A phrase is words with spaces between them; `a|b` is either word, `a*` all words that begin so, `a?` may be missing, and
`...` is up to five words of any kind. Phrases are folded as texts are.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import product
from typing import NamedTuple

from mdpublish_server.abuse.normalize import normalize
from mdpublish_server.abuse.tokenizer import Tokenizer

_GAP = 5

_SPAN = 20
"""Words that a phrase may reach over: what is found at a place depends on no more than these."""


_FIRST_IDEOGRAPH = "\u2e80"
"""From here on, scripts put no spaces between words; `words` cuts their characters apart."""


class _Step(NamedTuple):
    words: frozenset[str]
    stems: tuple[str, ...]
    optional: bool
    gap: bool


class _Phrase(NamedTuple):
    bit: int
    steps: tuple[_Step, ...]


class _Entry(NamedTuple):
    """What begins with a word: the signs that it is by itself, and the phrases."""

    bits: int
    phrases: tuple[_Phrase, ...]


_NOTHING = _Entry(0, ())


class PhraseIndex:
    """The phrases of all signs, by the words that they begin with; `bits` names each sign's bit in a set of signs."""

    def __init__(self, signals: Mapping[str, Iterable[str]]) -> None:
        self.bits = {name: 1 << number for number, name in enumerate(signals)}
        self._of_words: dict[str, _Entry] = {}
        self._of_stems: dict[str, _Entry] = {}
        known: set[str] = set()
        for name, phrases in signals.items():
            for steps in (_steps(variant) for phrase in phrases for variant in _variants(phrase)):
                known.update(*(step.words | set(step.stems) for step in steps))
                self._add(_Phrase(self.bits[name], steps))
        self._lengths = sorted({len(stem) for stem in self._of_stems})
        self.tokenizer = Tokenizer(frozenset(known))

    def match(self, words: Sequence[str]) -> list[int]:
        """Return the set of signs whose phrases begin at each word."""
        entries: dict[str, _Entry] = {}
        cache: dict[tuple[str, ...], int] = {}
        signals: list[int] = []
        for position, word in enumerate(words):
            entry = entries.get(word)
            if entry is None:
                entry = entries[word] = self._entry(word)
            if not entry.phrases:
                signals.append(entry.bits)
                continue
            span = tuple(words[position : position + _SPAN])
            matched = cache.get(span)
            if matched is None:
                matched = cache[span] = _matched_signals(entry, span)
            signals.append(matched)
        return signals

    def match_all(self, content: str) -> int:
        """Return the set of signs in a short text."""
        signals = 0
        for matched in self.match(self.tokenizer.tokenize(normalize(content))):
            signals |= matched
        return signals

    def _entry(self, word: str) -> _Entry:
        """Return what begins with a word, be it named as it is or by its beginning."""
        entry = self._of_words.get(word, _NOTHING)
        for length in self._lengths:
            if length > len(word):
                break
            stem = self._of_stems.get(word[:length])
            if stem is not None:
                entry = _Entry(entry.bits | stem.bits, entry.phrases + stem.phrases)
        return entry

    def _add(self, phrase: _Phrase) -> None:
        for number, step in enumerate(phrase.steps):
            rest = _Phrase(phrase.bit, phrase.steps[number:])
            for table, names in ((self._of_words, step.words), (self._of_stems, step.stems)):
                for name in names:
                    entry = table.get(name, _NOTHING)
                    if len(rest.steps) == 1:
                        table[name] = entry._replace(bits=entry.bits | rest.bit)
                    else:
                        table[name] = entry._replace(phrases=(*entry.phrases, rest))
            if not step.optional:
                return


def _matched_signals(entry: _Entry, words: Sequence[str]) -> int:
    """Return the signs of which a phrase begins with the first word."""
    signals = entry.bits
    for phrase in entry.phrases:
        if not signals & phrase.bit and _matches(phrase.steps, words):
            signals |= phrase.bit
    return signals


def _variants(phrase: str) -> Iterator[str]:
    """Yield a phrase with each choice among words of ideographs made, since these are several words each."""
    pieces = phrase.split()
    yield from map(" ".join, product(*(_choices(piece) for piece in pieces)))


def _choices(piece: str) -> Sequence[str]:
    if not _has_ideographs(piece):
        return [piece]
    words = piece.removesuffix("?").split("|")
    choices = [" ".join(normalize(word)) for word in words if _has_ideographs(word)]
    others = "|".join(word for word in words if not _has_ideographs(word))
    return [*choices, *filter(None, [others]), *([""] if piece.endswith("?") else [])]


def _has_ideographs(piece: str) -> bool:
    return any(character >= _FIRST_IDEOGRAPH for character in piece)


def _steps(phrase: str) -> tuple[_Step, ...]:
    steps = []
    for piece in phrase.split():
        assert "?" not in piece[:-1], f"only a whole choice may be missing, and no word of one: {piece!r} in {phrase!r}"
        choices = [normalize(word) for word in piece.removesuffix("?").split("|")]
        steps.append(
            _Step(
                frozenset(word for word in choices if word != "..." and not word.endswith("*")),
                tuple(word[:-1] for word in choices if word.endswith("*")),
                optional=piece.endswith("?"),
                gap=piece == "...",
            )
        )
    return tuple(steps)


def _matches(steps: Sequence[_Step], words: Sequence[str]) -> bool:
    """Tell whether the steps lead from the first word on through any of them."""
    positions = {0}
    for step in steps:
        if step.gap:
            positions = {position + gap for position in positions for gap in range(_GAP + 1)}
            continue
        reached = {
            position + 1 for position in positions if position < len(words) and _matches_step(words[position], step)
        }
        positions = positions | reached if step.optional else reached
        if not positions:
            return False
    return True


def _matches_step(word: str, step: _Step) -> bool:
    return word in step.words or (bool(step.stems) and word.startswith(step.stems))
