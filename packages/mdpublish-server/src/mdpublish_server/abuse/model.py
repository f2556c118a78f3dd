"""The model: a weight for each signal, read from `weights.txt`, and for common words, read from `words.txt`.

A passage is abuse if its signals' weights, the mean of its words' weights and the bias sum to more than zero.
`docs/explanation/abuse-filter.md` tells how they are trained.
"""

from collections.abc import Iterable
from functools import lru_cache
from math import sqrt
from pathlib import Path
from typing import NamedTuple

from mdpublish_server.abuse.kinds import KINDS
from mdpublish_server.abuse.passages import Passage, tables

WEIGHTS_FILE = Path(__file__).with_name("weights.txt")
WORDS_FILE = Path(__file__).with_name("words.txt")

BIAS = "bias"
"""The name of the constant weight."""

WORDS_SCALE = 4.0
"""What the words of a passage count, in relation to its signals."""


class _Model(NamedTuple):
    bias: float
    weights: tuple[tuple[int, float], ...]
    words: dict[str, float]
    kinds: tuple[tuple[str, tuple[int, ...]], ...]


@lru_cache(maxsize=1)
def _model() -> _Model:
    bits = tables().bits
    weights = _read(WEIGHTS_FILE)
    bias = weights.pop(BIAS)
    kinds = (
        (kind, tuple(sum(bits[name] for name in choice.split("|")) for choice in needs.split()))
        for kind, needs in KINDS
    )
    of_bits = tuple((bits[name], weight) for name, weight in weights.items())
    return _Model(bias, of_bits, _read(WORDS_FILE), tuple(kinds))


def _read(path: Path) -> dict[str, float]:
    lines = (line.split() for line in path.read_text("utf-8").splitlines() if not line.startswith("#"))
    return {name: float(weight) for name, weight in lines}


def word_share(known: int) -> float:
    """Return what a word of a passage counts; `known` is the number of its different words that have a weight."""
    return WORDS_SCALE / sqrt(known)


def score(passage: Passage) -> float:
    model = _model()
    signals = passage.signals
    return model.bias + sum(weight for bit, weight in model.weights if signals & bit) + _of_words(passage.words)


def _of_words(words: Iterable[str]) -> float:
    weights = _model().words
    known = [weights[word] for word in set(words) if word in weights]
    return word_share(len(known)) * sum(sorted(known)) if known else 0.0


def suspicion(signals: int) -> float:
    """Return the sum of the positive weights."""
    return sum(weight for bit, weight in _model().weights if weight > 0 and signals & bit)


def kind_of(signals: int) -> str:
    return next(kind for kind, needs in _model().kinds if all(map(signals.__and__, needs)))
