"""Inputs and timing: medians of interleaved rounds."""

import gc
import platform
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from statistics import median
from time import perf_counter

sys.path.insert(0, str(Path(__file__).parents[1]))

from tests.corpora import commonmark_spec, readmes

MIN_SECONDS = 0.005
"""Shorter conversions are repeated to fill this time, against clock noise."""

Converter = Callable[[str], object]


@dataclass(frozen=True, slots=True)
class Sample:
    """A named document."""

    name: str
    markdown: str


def readme_sample(kilobytes: int) -> Sample:
    """Return the READMEs, again and again if they are shorter."""
    markdown, size = "\n\n".join(readmes().values()), kilobytes * 1_000
    return Sample(f"READMEs, {kilobytes} KB", beginning("\n\n".join([markdown] * (size // len(markdown) + 1)), size))


def specification() -> Sample:
    spec = commonmark_spec()
    return Sample(f"CommonMark's specification, {len(spec.encode()) // 1_000} KB", spec)


def beginning(markdown: str, size: int) -> str:
    """Return the first paragraphs, about `size` bytes, without splitting a fence."""
    taken: list[str] = []
    length = 0
    for paragraph in markdown.split("\n\n"):
        if length >= size and "\n\n".join(taken).count("```") % 2 == 0:
            break
        taken.append(paragraph)
        length += len(paragraph.encode()) + 2
    return "\n\n".join(taken) + "\n"


def different_texts(kilobytes: int, count: int) -> Iterator[str]:
    """Yield texts of this size, at least, that begin at different paragraphs of the READMEs."""
    paragraphs = "\n\n".join(readmes().values()).split("\n\n")
    for number in range(count):
        start = number * 97 % len(paragraphs)
        following = paragraphs[start:] + paragraphs[:start]
        yield beginning("\n\n".join(following[: 10 * kilobytes]), kilobytes * 1_000)


def measure(markdown: str, converters: dict[str, Converter], rounds: int) -> dict[str, float]:
    """Return each converter's median milliseconds."""
    names = list(converters)
    repeats = {name: repeats_needed(converter, markdown) for name, converter in converters.items()}
    taken: dict[str, list[float]] = {name: [] for name in names}
    for number in range(rounds):
        first = number % len(names)
        for name in names[first:] + names[:first]:
            taken[name].append(milliseconds(converters[name], markdown, repeats[name]))
    return {name: median(times) for name, times in taken.items()}


def repeats_needed(converter: Converter, markdown: str) -> int:
    """Return the repetitions per measurement, after a warm-up."""
    converter(markdown)
    return max(1, round(MIN_SECONDS * 1_000 / milliseconds(converter, markdown, 1)))


def milliseconds(converter: Converter, markdown: str, repeats: int) -> float:
    gc.collect()  # do not collect another converter's garbage
    start = perf_counter()
    for _ in range(repeats):
        converter(markdown)
    return (perf_counter() - start) * 1_000 / repeats


def cpu_model() -> str:
    information = Path("/proc/cpuinfo")
    if information.is_file():
        for line in information.read_text("utf-8").splitlines():
            if line.startswith("model name"):
                return line.partition(":")[2].strip()
    return platform.processor() or platform.machine()
