"""Phrases: their notation, and how they are found in a text.

Words separated by spaces; `a|b` is either word, `a*` a prefix, `a?` optional, and `...` up to five words.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import reduce
from itertools import product
from operator import or_
from typing import NamedTuple

from mdpublish_server.abuse.normalize import normalize
from mdpublish_server.abuse.tokenizer import Tokenizer

_GAP = 5

_SPAN = 20  # words that a phrase may cover

_FIRST_IDEOGRAPH = "\u2e80"  # scripts without spaces; the tokenizer splits them into characters


class _Step(NamedTuple):
    words: frozenset[str]
    stems: tuple[str, ...]
    optional: bool
    gap: bool


class _Phrase(NamedTuple):
    bit: int
    steps: tuple[_Step, ...]


class _Entry(NamedTuple):
    """What begins with a word: signals of the word alone, and phrases."""

    bits: int
    phrases: tuple[_Phrase, ...]


_NOTHING = _Entry(0, ())


class PhraseIndex:
    """The phrases of all signals by first word; `bits` maps a signal to its bit."""

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
        """Return, for each word, the signals of phrases that begin there."""
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
        """Return all signals in a short text."""
        return union(self.match(self.tokenizer.tokenize(normalize(content))))

    def _entry(self, word: str) -> _Entry:
        entry = self._of_words.get(word, _NOTHING)
        for length in self._lengths:
            if length > len(word):
                break
            if (stem := self._of_stems.get(word[:length])) is not None:
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


def union(masks: Iterable[int]) -> int:
    """Return the signals that are in any of `masks`."""
    return reduce(or_, masks, 0)


def _matched_signals(entry: _Entry, words: Sequence[str]) -> int:
    signals = entry.bits
    for phrase in entry.phrases:
        if not signals & phrase.bit and _may_match(phrase.steps, words) and _matches(phrase.steps, words):
            signals |= phrase.bit
    return signals


def _may_match(steps: Sequence[_Step], words: Sequence[str]) -> bool:
    """Tell whether the second word may be the second step, which rules out nearly all phrases."""
    first, second = steps[0], steps[1]
    if first.optional or second.optional or second.gap:
        return True
    return len(words) > 1 and _matches_step(words[1], second)


def _variants(phrase: str) -> Iterator[str]:
    """Expand choices among ideographic words, which become several words each."""
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
