"""The model: a weight for each signal, read from `weights.txt`, and for wording, read from `words.txt`.

A passage is abuse if its signals' weights, those of its wording and the bias sum to more than zero.
`docs/explanation/abuse-filter.md` tells how they are trained.
"""

from collections.abc import Iterable, Iterator
from collections.abc import Set as AbstractSet
from functools import lru_cache
from math import sqrt
from pathlib import Path
from typing import NamedTuple

from mdpublish_server.abuse.intents import KINDS
from mdpublish_server.abuse.passages import Passage, tables
from mdpublish_server.abuse.wording import keys_of_pairs, keys_of_words

WEIGHTS_FILE = Path(__file__).with_name("weights.txt")
WORDS_FILE = Path(__file__).with_name("words.txt")

BIAS = "bias"
"""The name of the constant weight."""

WORDS_SCALE, PAIRS_SCALE, URLS_SCALE = 12.0, 8.0, 5.0
"""What each kind of wording counts, in relation to signals."""

WEIGHT_STEP = 0.01
"""Weights of wording are multiples of it, so that their sums do not depend on an order."""


FEW_KEYS = 10
"""Added to the number of keys, so that a word of a very short text decides little."""


class _Model(NamedTuple):
    bias: float
    weights: dict[int, float]
    wording: dict[str, int]
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
    of_bits = {bits[name]: weight for name, weight in weights.items()}
    return _Model(bias, of_bits, _read_wording(), tuple(kinds))


def _read(path: Path) -> dict[str, float]:
    lines = (line.split() for line in path.read_text("utf-8").splitlines() if not line.startswith("#"))
    return {name: float(weight) for name, weight in lines}


def _read_wording() -> dict[str, int]:
    """Each line is a number of steps and the keys of that weight."""
    lines = (line.split() for line in WORDS_FILE.read_text("utf-8").splitlines() if not line.startswith("#"))
    return {key: int(steps) for steps, *keys in lines for key in keys}


def wording_of(passage: Passage) -> Iterator[tuple[float, AbstractSet[str]]]:
    """Yield each kind's scale and its keys in a passage."""
    yield WORDS_SCALE, keys_of_words(passage.words)
    yield PAIRS_SCALE, keys_of_pairs(passage.words)
    yield URLS_SCALE, passage.urls


def share(scale: float, known: int) -> float:
    """Return what a key of a passage counts; `known` is the number of its different keys that have a weight."""
    return scale / sqrt(known + FEW_KEYS)


def score(passage: Passage) -> float:
    model = _model()
    points = model.bias + sum(_weights_of(passage.signals))
    return points + sum(_of_keys(keys, scale) for scale, keys in wording_of(passage))


def _of_keys(keys: Iterable[str], scale: float) -> float:
    weights = _model().wording
    known = [weights[key] for key in keys if key in weights]
    return share(scale, len(known)) * WEIGHT_STEP * sum(known) if known else 0.0


def suspicion(signals: int) -> float:
    """Return the sum of the positive weights."""
    return sum(weight for weight in _weights_of(signals) if weight > 0)


def _weights_of(signals: int) -> Iterator[float]:
    weights = _model().weights
    while signals:
        bit = signals & -signals
        signals ^= bit
        yield weights.get(bit, 0.0)


def kind_of(signals: int) -> str:
    return next(kind for kind, needs in _model().kinds if all(map(signals.__and__, needs)))
