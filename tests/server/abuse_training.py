"""Trains the abuse filter's weights: `python -m tests.server.abuse_training`.

A logistic regression over the signals of `mdpublish_server.abuse.passages` and over wording, by L-BFGS, in a fixed
order: the same texts give the same weights, but for rounding. `--check` prints figures of cross-validation, in which no
model has seen the author of a text that it judges, and writes nothing; `--languages` holds out languages too.
"""

import sys
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

import numpy as np
from scipy.optimize import minimize
from scipy.sparse import csr_matrix

from mdpublish_server.abuse.model import BIAS, WEIGHT_STEP, WEIGHTS_FILE, WORDS_FILE, share, wording_of
from mdpublish_server.abuse.passages import SIZES, passages_of, tables
from tests.corpora import many_readmes, readmes_of_trades
from tests.server.abuse_texts import Sample, all_samples

PENALTY = 3.0
"""Of the squared differences from `EXPECTED`: larger is smoother."""

EXPECTED = {
    **dict.fromkeys(("brand-host", "secret-field"), 1.5),
    **dict.fromkeys(
        ("userinfo-link", "script-link", "odd-ip-link", "look-alike-link", "disguised-brand", "seed-field"), 6.0
    ),
}
"""Weights before any text is seen; 0 for other signals."""

NOT_TRAINED = frozenset({"url", "picture", "number"})
"""Signals that only tell whether a page can be replied to."""

AUTHOR_WEIGHTS = {"texts": 1.0, "variants": 1.0, "samples": 0.3, "unseen": 0.3}
"""Texts by those who knew the filter count less than `INDEPENDENT_WEIGHT`."""

INDEPENDENT_WEIGHT = 2.0

MIN_TEXTS = 3
"""Wording has a weight if it is in so many texts."""

MIN_STEPS = 2
"""Smaller weights of wording are left out, which keeps `words.txt` small."""

FALSE_POSITIVES = 0.02
"""Share of an author's ordinary texts above the threshold in cross-validation, which sets the bias."""

ORDINARY_WEIGHT = 2.0
"""An ordinary text counts as several lures: refusing one is worse."""

README_PASSAGES = 400
"""The most suspicious passages of READMEs are ordinary texts too."""

README_WEIGHT = 0.5

PART_WEIGHT = 0.2

_HEADER = """\
# Weights of {}; a passage whose weights sum to more than zero is refused.
# Written by `python -m tests.server.abuse_training`.
"""


class Features(NamedTuple):
    """A passage: its signals, and scales and keys of its wording."""

    signals: tuple[str, ...]
    wording: tuple[tuple[float, tuple[str, ...]], ...]


class Example(NamedTuple):
    """A passage, and how much it counts."""

    features: Features
    is_lure: bool
    weight: float = 1.0


Weights = dict[str, float]
"""Of signals, and of keys of wording after a space."""

Passages = list[Features]
Pair = tuple[Sample, Passages]


def features_of(title: str, markdown: str) -> Passages:
    """Return each passage's signals and wording."""
    names = {bit: name for name, bit in tables().bits.items()}
    _, passages = passages_of(title, markdown)
    return [
        Features(
            tuple(name for bit, name in names.items() if passage.signals & bit and name not in NOT_TRAINED),
            tuple((scale, tuple(sorted(f" {key}" for key in keys))) for scale, keys in wording_of(passage)),
        )
        for passage in passages
    ]


def common_keys(samples: Iterable[Pair]) -> frozenset[str]:
    counts = Counter(
        key
        for _, passages in samples
        for key in {key for features in passages for _, keys in features.wording for key in keys}
    )
    return frozenset(key for key, count in counts.items() if count >= MIN_TEXTS)


def values_of(features: Features, known: Iterable[str]) -> Iterator[tuple[str, float]]:
    yield BIAS, 1.0
    yield from ((name, 1.0) for name in features.signals)
    for scale, keys in features.wording:
        of_kind = [key for key in keys if key in known]
        yield from ((key, share(scale, len(of_kind))) for key in of_kind)


def train(examples: Sequence[Example], common: frozenset[str]) -> Weights:
    """Return the weights that minimize the logistic loss and the penalty."""
    columns: dict[str, int] = {}
    entries = [
        (row, columns.setdefault(name, len(columns)), value)
        for row, example in enumerate(examples)
        for name, value in values_of(example.features, common)
    ]
    rows, numbers, values = zip(*entries, strict=True)
    matrix = csr_matrix((values, (rows, numbers)), shape=(len(examples), len(columns)))
    signs = np.array([1.0 if example.is_lure else -1.0 for example in examples])
    counts = np.array([example.weight for example in examples])
    expected = np.array([EXPECTED.get(name, 0.0) for name in columns])
    penalties = np.array([1e-3 if name == BIAS else PENALTY for name in columns])

    def loss(weights: np.ndarray) -> tuple[float, np.ndarray]:
        margins = signs * (matrix @ weights)
        away = weights - expected
        slopes = -signs * counts / (1 + np.exp(np.clip(margins, -500, 500)))
        total = counts @ np.logaddexp(0, -margins) + 0.5 * penalties @ away**2
        return float(total), matrix.T @ slopes + penalties * away

    best = minimize(loss, expected, jac=True, method="L-BFGS-B", options={"maxiter": 300, "ftol": 1e-7})
    return dict(zip(columns, best.x.tolist(), strict=True))


def score(weights: Mapping[str, float], passages: Passages) -> float:
    """Return the score of the worst passage."""
    return max((_score(weights, features) for features in passages), default=-99.0)


def _score(weights: Mapping[str, float], features: Features) -> float:
    return sum(weights.get(name, 0.0) * value for name, value in values_of(features, weights.keys()))


def examples_of(samples: Iterable[Pair]) -> list[Example]:
    """Return the texts' passages; a lure counts also as if it were part of a long page."""
    examples = []
    for sample, passages in samples:
        weight = AUTHOR_WEIGHTS.get(sample.author, INDEPENDENT_WEIGHT)
        for features in passages:
            examples.append(Example(features, sample.is_lure, weight * (1 if sample.is_lure else ORDINARY_WEIGHT)))
            if sample.is_lure:
                signals = tuple("part" if name in SIZES else name for name in features.signals)
                examples.append(Example(features._replace(signals=signals), is_lure=True, weight=PART_WEIGHT * weight))
    return examples


def cross_validate(samples: Sequence[Pair], extra: list[Example], group: Callable[[Sample], str]) -> list[float]:
    """Return each text's score by a model that has not seen its group, nor variants of it."""
    scores = [-99.0] * len(samples)
    for held in sorted({group(sample) for sample, _ in samples if sample.author != "variants"}):
        seen = [pair for pair in samples if group(pair[0]) != held and pair[0].author != "variants"]
        weights = train([*examples_of(seen), *extra], common_keys(seen))
        for number, (sample, passages) in enumerate(samples):
            if group(sample) == held:
                scores[number] = score(weights, passages)
    return scores


def readme_examples(weights: Weights) -> list[Example]:
    documents = {**many_readmes(), **readmes_of_trades()}
    passages = {features for name, markdown in documents.items() for features in features_of(name, markdown)}
    ranked = sorted(passages, key=lambda features: (-score(weights, [features]), features))
    return [Example(features, is_lure=False, weight=README_WEIGHT) for features in ranked[:README_PASSAGES]]


def threshold(measured: Iterable[tuple[Sample, float]]) -> float:
    """Return the lowest score that, in the mean over authors, few ordinary texts exceed."""
    ordinary = [(sample.author, points) for sample, points in measured if not sample.is_lure]
    of_authors = Counter(author for author, _ in ordinary)
    refused = 0.0
    for author, points in sorted(ordinary, key=lambda pair: -pair[1]):
        refused += 1 / of_authors[author] / len(of_authors)
        if refused > FALSE_POSITIVES:
            return points
    return 0.0


def report(samples: Sequence[Sample], scores: Sequence[float], limit: float, group: Callable[[Sample], str]) -> None:
    caught, refused, lures, ordinary = Counter[str](), Counter[str](), Counter[str](), Counter[str]()
    for sample, points in zip(samples, scores, strict=True):
        (lures if sample.is_lure else ordinary)[group(sample)] += 1
        (caught if sample.is_lure else refused)[group(sample)] += points > limit
    for name in sorted(lures | ordinary):
        print(f"{name:12} {caught[name]:4} of {lures[name]:4} lures, {refused[name]:3} of {ordinary[name]:4} ordinary")
    print(
        f"{'all':12} {caught.total():4} of {lures.total():4} lures, {refused.total():3} of {ordinary.total():4} ordinary"
    )


def main() -> None:
    samples = [(sample, features_of("Page", sample.markdown)) for sample in all_samples()]
    common = common_keys(samples)
    extra = readme_examples(train(examples_of(samples), common))
    scores = cross_validate(samples, extra, lambda sample: sample.author)
    measured = [
        (sample, points)
        for (sample, _), points in zip(samples, scores, strict=True)
        if sample.author not in AUTHOR_WEIGHTS
    ]
    shown, of_shown = [sample for sample, _ in measured], [points for _, points in measured]
    limit = threshold(measured)
    print(f"threshold {limit:.2f}\n\nheld out by author:")
    report(shown, of_shown, limit, lambda sample: sample.author)
    report(shown, of_shown, limit, lambda sample: sample.language)
    if "--languages" in sys.argv:
        by_language = cross_validate(samples, extra, lambda sample: sample.language)
        print("\nheld out by language:")
        independent = [
            (sample, points)
            for (sample, _), points in zip(samples, by_language, strict=True)
            if sample.author not in AUTHOR_WEIGHTS
        ]
        report(
            [sample for sample, _ in independent],
            [points for _, points in independent],
            limit,
            lambda sample: sample.language,
        )
    if "--verbose" in sys.argv:
        for sample, points in sorted(measured, key=lambda pair: pair[1]):
            if (points > limit) != sample.is_lure:
                print(f"{points - limit:6.2f} {sample.language} {sample.kind}: {sample.name}")
    if "--check" in sys.argv:
        return
    weights = train([*examples_of(samples), *extra], common)
    weights[BIAS] -= limit
    write(weights)


def write(weights: Weights) -> None:
    lines = [f"{name} {weight:.2f}" for name, weight in sorted(weights.items()) if name[0] != " "]
    WEIGHTS_FILE.write_text(_HEADER.format("signals") + "\n".join(lines) + "\n", "utf-8")
    keys: dict[int, list[str]] = {}
    for name, weight in sorted(weights.items()):
        steps = round(weight / WEIGHT_STEP)
        if name[0] == " " and abs(steps) >= MIN_STEPS:
            keys.setdefault(steps, []).append(name.strip())
    lines = [f"{steps} {' '.join(names)}" for steps, names in sorted(keys.items())]
    WORDS_FILE.write_text(_HEADER.format("wording, in hundredths") + "\n".join(lines) + "\n", "utf-8")


if __name__ == "__main__":
    main()
