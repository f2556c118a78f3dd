"""A generated figure with what its text form and its description must say, and the words that it is made of."""

import random
from dataclasses import dataclass, field

WORDS = "amber birch cedar dune ember fjord grove heath islet juniper knoll larch moor ness oasis pine quay ridge sand tarn".split()  # noqa: SIM905


@dataclass(frozen=True)
class Sample:
    engine: str
    source: str
    lines: list[str]
    said: list[str] = field(default_factory=list)
    """Parts of the description."""


def names_of(rng: random.Random, minimum: int = 3, maximum: int = 6) -> list[str]:
    return rng.sample(WORDS, rng.randint(minimum, maximum))


def numbers_of(rng: random.Random, names: list[str]) -> tuple[list[int], list[str]]:
    """Return different numbers, and what is said of their extremes."""
    numbers = rng.sample(range(1, 90), len(names))
    ends = [(what, which(numbers)) for what, which in (("highest", max), ("lowest", min))]
    return numbers, [f"{what} {end} ({names[numbers.index(end)]})" for what, end in ends] * (len(names) > 3)
