"""Ticks, the sizes of their labels, and the skipping of those that do not fit (`autoSkip`)."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import NamedTuple

from mdpublish_core.figures.charts.fonts import Label
from mdpublish_core.figures.charts.geometry import divisors, round_half_up
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


def skip_ticks(ticks: Sequence[Tick], options: Ticks, maximum: float) -> list[Tick]:
    """Return evenly spaced ticks, of which `maximum` fit. Major ticks take precedence."""
    limit = min(options.max_ticks or maximum, maximum)
    majors = [index for index, tick in enumerate(ticks) if tick.is_major] if options.has_major else []
    if len(majors) > limit:
        every = max(1, math.ceil(len(majors) / limit) if limit > 0 else len(majors))
        return [ticks[index] for index in majors[::every]]
    spacing = _spacing(majors, len(ticks), limit)
    if not majors:
        return _every_nth(ticks, spacing)
    first, last = majors[0], majors[-1]
    average = int(round_half_up((last - first) / (len(majors) - 1))) if len(majors) > 1 else None
    remaining = _every_nth(ticks, spacing, 0 if average is None else first - average, first)
    for start, end in pairwise(majors):
        remaining += _every_nth(ticks, spacing, start, end)
    return remaining + _every_nth(ticks, spacing, last, len(ticks) if average is None else last + average)


def _spacing(majors: Sequence[int], number: int, limit: float) -> float:
    """Return the step between ticks. If major ticks are evenly spaced, it divides their distance."""
    spacing = number / limit if limit > 0 else math.inf
    distance = _even_distance(majors)
    if distance:
        for divisor in divisors(distance)[:-1]:
            if divisor > spacing:
                return divisor
    return max(spacing, 1.0)


def _even_distance(majors: Sequence[int]) -> int:
    """Return the distance of major ticks if it is uniform from the first tick on, else 0."""
    if len(majors) < 2:
        return 0
    distance = majors[0]
    return distance if all(after - before == distance for before, after in pairwise(majors)) else 0


def _every_nth(ticks: Sequence[Tick], spacing: float, start: int = 0, end: int | None = None) -> list[Tick]:
    if not math.isfinite(spacing):
        return list(ticks[max(start, 0) : max(start, 0) + 1])
    step: float = math.ceil(spacing)
    if end:
        steps = math.floor((end - start) / step)
        step = (end - start) / steps if steps else math.inf
    last = min(len(ticks) if end is None else end, len(ticks))
    picked: list[Tick] = []
    count, index = 0, start
    while index < last:
        if index >= 0:
            picked.append(ticks[index])
        count += 1
        if not math.isfinite(step):
            break
        index = int(round_half_up(start + count * step))
    return picked
