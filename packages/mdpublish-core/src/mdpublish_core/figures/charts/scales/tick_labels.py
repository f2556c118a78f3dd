"""Ticks and the sizes of their labels."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

from mdpublish_core.figures.charts.fonts import Label
from mdpublish_core.figures.charts.scales.options import Ticks


@dataclass(slots=True)
class Tick:
    """A tick. On logarithmic scales, `step` is the multiple of a power of ten."""

    value: float
    label: Label | None = None
    is_major: bool = False
    step: float = 0.0


class LabelSize(NamedTuple):
    """The size of a label, in px."""

    width: float
    height: float


_NO_SIZE = LabelSize(0.0, 0.0)


@dataclass(frozen=True, slots=True)
class LabelSizes:
    """Sizes of a scale's tick labels."""

    sizes: Sequence[LabelSize]
    first: LabelSize
    last: LabelSize
    widest: LabelSize
    highest: LabelSize


def measure_labels(ticks: Sequence[Tick], options: Ticks) -> LabelSizes:
    """Measure labels, or a sample of `sampleSize`."""
    font = options.font
    number = min(options.max_ticks or len(ticks), len(ticks))
    every = max(1, int(len(ticks) // number)) if number else 1
    labels = [tick.label or () for tick in ticks[::every]]
    sizes = [LabelSize(font.widest(label), len(label) * font.line_height) for label in labels]
    widest = max((size.width for size in sizes), default=0.0)
    highest = max((size.height for size in sizes), default=0.0)
    return LabelSizes(
        sizes,
        first=sizes[0] if sizes else _NO_SIZE,
        # The last label is measured only without sampling.
        last=sizes[-1] if sizes and len(sizes) == len(ticks) else _NO_SIZE,
        widest=next((size for size in sizes if size.width == widest), _NO_SIZE),
        highest=next((size for size in sizes if size.height == highest), _NO_SIZE),
    )


def sample_ticks(ticks: Sequence[Tick], number: float) -> list[Tick]:
    step, position = len(ticks) / number, 0.0
    sample: list[Tick] = []
    while position < len(ticks):
        sample.append(ticks[int(position)])
        position += step
    return sample


def divide(value: float, divisor: float) -> float:
    """Return infinity for a divisor of 0."""
    return value / divisor if divisor else math.inf
