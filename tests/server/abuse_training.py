"""Trains the abuse filter's weights: `python -m tests.server.abuse_training`.

A logistic regression over the signals of `mdpublish_server.abuse.passages` and over common words, by coordinate
descent, in a fixed order and without chance: the same texts give the same weights. `--check` prints figures of
cross-validation and writes nothing, `--groups` holds out whole kinds and languages too.
"""

import sys
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Sequence
from math import exp
from pathlib import Path
from typing import NamedTuple

from mdpublish_server.abuse.intents import TOGETHER
from mdpublish_server.abuse.model import BIAS, WEIGHTS_FILE, WORDS_FILE, word_share
from mdpublish_server.abuse.normalize import MARK
from mdpublish_server.abuse.passages import SIZES, passages_of, tables
from tests.corpora import many_readmes, readmes_of_trades
from tests.server.abuse_texts import Sample, all_samples

PENALTY = 2.0
WORD_PENALTY = 1.0
"""Of the squared differences from `EXPECTED`: larger is smoother."""

ORDINARY_PATTERNS = frozenset({"formal-group", "known-only", "taught", "warned-abuse", "routine", "case-note"})

EXPECTED = {
    **{name: -0.5 if name in ORDINARY_PATTERNS else 0.5 for name in TOGETHER},
    **dict.fromkeys(("own-threat", "brand-host", "secret-field", "move-money"), 1.5),
    **dict.fromkeys(
        ("userinfo-link", "script-link", "odd-ip-link", "look-alike-link", "disguised-brand", "seed-field"), 4.0
    ),
}
"""Weights before any text is seen; 0 for other signals."""

NOT_TRAINED = frozenset({"url", "picture", "number"})
"""Signals that only tell whether a page can be replied to."""

EPOCHS = 25

FOLDS = 8

SOURCE_WEIGHTS = {"half": 3.0, "texts": 1.0, "variants": 1.0, "samples": 0.3, "unseen": 0.3}
"""The older samples are shorter and more alike than what people write."""

MIN_TEXTS = 3
"""A word has a weight if it is in so many texts."""

FALSE_POSITIVES = 0.02
"""Share of ordinary texts above the threshold in cross-validation, which sets the bias."""

ORDINARY_WEIGHT = 2.0
"""An ordinary text counts as several lures: refusing one is worse."""

README_PASSAGES = 400
"""The most suspicious passages of READMEs are ordinary texts too."""

PART_WEIGHT = 0.2

_HEADER = """\
# Weights of {}; a passage whose weights sum to more than zero is refused.
# Written by `python -m tests.server.abuse_training`.
"""


class Example(NamedTuple):
    """A passage: its signals, its words, and how much it counts."""

    signals: tuple[str, ...]
    words: tuple[str, ...]
    is_lure: bool
    weight: float = 1.0


Weights = dict[str, float]
"""Of signals, and of words after a space."""

Passages = list[tuple[tuple[str, ...], tuple[str, ...]]]


def signals_of(title: str, markdown: str) -> Passages:
    """Return each passage's signals and words."""
    names = {bit: name for name, bit in tables().bits.items()}
    _, passages = passages_of(title, markdown)
    return [
        (
            tuple(name for bit, name in names.items() if passage.signals & bit and name not in NOT_TRAINED),
            tuple(sorted({f" {word}" for word in passage.words if word[0] != MARK})),
        )
        for passage in passages
    ]


def common_words(samples: Iterable[tuple[Sample, Passages]]) -> frozenset[str]:
    counts = Counter(word for _, passages in samples for word in {word for _, words in passages for word in words})
    return frozenset(word for word, count in counts.items() if count >= MIN_TEXTS)


def values_of(example: Example, common: frozenset[str]) -> list[tuple[str, float]]:
    words = [word for word in example.words if word in common]
    share = word_share(len(words)) if words else 0.0
    return [(BIAS, 1.0), *((name, 1.0) for name in example.signals), *((word, share) for word in words)]


def train(examples: Sequence[Example], common: frozenset[str]) -> Weights:
    """Return the weights that minimize the logistic loss."""
    columns: dict[str, list[tuple[int, float]]] = defaultdict(list)
    sums = [0.0] * len(examples)
    for number, example in enumerate(examples):
        for name, value in values_of(example, common):
            columns[name].append((number, value))
            sums[number] += EXPECTED.get(name, 0.0) * value
    weights = {name: EXPECTED.get(name, 0.0) for name in columns}
    marks = [(example.weight, 1.0 if example.is_lure else 0.0) for example in examples]
    for _ in range(EPOCHS):
        for name, members in columns.items():
            penalty = 1e-9 if name == BIAS else WORD_PENALTY if name[0] == " " else PENALTY
            slope = penalty * (weights[name] - EXPECTED.get(name, 0.0))
            curvature = penalty
            for number, value in members:
                weight, mark = marks[number]
                chance = 1 / (1 + exp(-sums[number]))
                slope += weight * value * (chance - mark)
                curvature += weight * value * value * max(chance * (1 - chance), 0.05)
            step = -slope / curvature
            weights[name] += step
            for number, value in members:
                sums[number] += step * value
    return weights


def score(weights: Weights, passages: Passages) -> float:
    """Return the score of the worst passage."""
    return max((_score(weights, signals, words) for signals, words in passages), default=-99.0)


def _score(weights: Weights, signals: Sequence[str], words: Sequence[str]) -> float:
    known = [weights[word] for word in words if word in weights]
    of_words = word_share(len(known)) * sum(known) if known else 0.0
    return weights[BIAS] + sum(weights.get(name, 0.0) for name in signals) + of_words


def examples_of(samples: Iterable[tuple[Sample, Passages]]) -> list[Example]:
    """Return the texts' passages; a lure counts also as it were if it was part of a long page."""
    examples = []
    for sample, passages in samples:
        weight = SOURCE_WEIGHTS[sample.source]
        for signals, words in passages:
            examples.append(
                Example(signals, words, sample.is_lure, weight * (1 if sample.is_lure else ORDINARY_WEIGHT))
            )
            if sample.is_lure:
                part = tuple("part" if name in SIZES else name for name in signals)
                examples.append(Example(part, words, is_lure=True, weight=PART_WEIGHT * weight))
    return examples


def cross_validate(
    samples: Sequence[tuple[Sample, Passages]], extra: list[Example], group: Callable[[Sample], str]
) -> list[float]:
    """Return each text's score by a model that has seen neither its group nor variants."""
    scores = [0.0] * len(samples)
    for held in sorted({group(sample) for sample, _ in samples}):
        seen = [pair for pair in samples if group(pair[0]) != held and pair[0].source != "variants"]
        weights = train([*examples_of(seen), *extra], common_words(seen))
        for number, (sample, passages) in enumerate(samples):
            if group(sample) == held:
                scores[number] = score(weights, passages)
    return scores


def readme_examples(weights: Weights) -> list[Example]:
    documents = {**many_readmes(), **readmes_of_trades()}
    passages = {passage for name, markdown in documents.items() for passage in signals_of(name, markdown)}
    ranked = sorted(passages, key=lambda passage: (-score(weights, [passage]), passage))
    return [Example(*passage, is_lure=False) for passage in ranked[:README_PASSAGES]]


def threshold(scores: Sequence[float]) -> float:
    """Return the score that few ordinary texts exceed."""
    return sorted(scores)[-int(FALSE_POSITIVES * len(scores)) - 1]


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
    samples = [(sample, signals_of("Page", sample.markdown)) for sample in all_samples()]
    common = common_words(samples)
    extra = readme_examples(train(examples_of(samples), common))
    scores = cross_validate(samples, extra, lambda sample: f"{sample.number % FOLDS}")
    measured = [
        (sample, points) for (sample, _), points in zip(samples, scores, strict=True) if sample.source != "variants"
    ]
    limit = threshold([points for sample, points in measured if not sample.is_lure and sample.source == "half"])
    print(f"threshold {limit:.2f}")
    for source in ("half", "texts"):
        print(f"\n{source}:")
        of_source = [(sample, points) for sample, points in measured if sample.source == source]
        shown, of_shown = [sample for sample, _ in of_source], [points for _, points in of_source]
        report(shown, of_shown, limit, lambda sample: sample.language)
        if source == "half":
            report(shown, of_shown, limit, lambda sample: sample.kind)
    if "--groups" in sys.argv:
        for name, group in (("kind", _kinds), ("language", lambda sample: sample.language)):
            print(f"\nheld out by {name}:")
            report([sample for sample, _ in samples], cross_validate(samples, extra, group), limit, group)
    if "--verbose" in sys.argv:
        for sample, points in sorted(measured, key=lambda pair: pair[1]):
            if (points > limit) != sample.is_lure and sample.source in {"half", "texts"}:
                print(f"{points:6.2f} {sample.language} {sample.kind}: {sample.name}")
    if "--check" in sys.argv:
        return
    weights = train([*examples_of(samples), *extra], common)
    weights[BIAS] -= limit
    write(WEIGHTS_FILE, "signals", {name: weight for name, weight in weights.items() if name[0] != " "})
    write(WORDS_FILE, "words", {name.strip(): weight for name, weight in weights.items() if name[0] == " "})


def _kinds(sample: Sample) -> str:
    """Return one of few groups of kinds."""
    return f"{sum(map(ord, sample.kind)) % FOLDS}"


def write(path: Path, what: str, weights: Weights) -> None:
    lines = [f"{name} {weight:.2f}" for name, weight in sorted(weights.items())]
    path.write_text(_HEADER.format(what) + "\n".join(lines) + "\n", "utf-8")


if __name__ == "__main__":
    main()
