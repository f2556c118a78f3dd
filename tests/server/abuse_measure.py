"""Measures the abuse filter on texts elsewhere: `python -m tests.server.abuse_measure LURES ORDINARY`.

Each file has a JSON object a line, with `lang`, `kind` and `text`. The figures are those of the weights in the package.
`--list` also prints the kinds and beginnings of the texts that the filter gets wrong: a set whose errors have been seen
is no longer a measure of other texts.
"""

import json
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from time import thread_time
from typing import NamedTuple

from mdpublish_server.abuse import scan

_BEGINNING = 100
_REACHABLE = "Write to a@b.example."
"""A text for which the filter reads its weights."""


class Judged(NamedTuple):
    """A sample, and whether the filter refused it."""

    language: str
    kind: str
    markdown: str
    is_refused: bool


def judged(path: Path) -> Iterator[Judged]:
    for line in filter(str.strip, path.read_text("utf-8").splitlines()):
        sample = json.loads(line)
        yield Judged(sample["lang"], sample["kind"], sample["text"], scan("Page", sample["text"]) is not None)


def rates(lures: Sequence[Judged], ordinary: Sequence[Judged]) -> Iterator[str]:
    """Yield a line for each language, and one for all."""
    languages = sorted({sample.language for sample in (*lures, *ordinary)})
    for name, chosen in (*((language, {language}) for language in languages), ("all", set(languages))):
        yield f"{name:4}lures refused: {_share(lures, chosen)}, ordinary texts refused: {_share(ordinary, chosen)}"


def _share(samples: Sequence[Judged], languages: set[str]) -> str:
    counts = Counter(sample.is_refused for sample in samples if sample.language in languages)
    number = counts.total()
    return f"{counts[True]} of {number} ({counts[True] / number:.1%})" if number else "none"


def errors(lures: Sequence[Judged], ordinary: Sequence[Judged]) -> Iterator[str]:
    wrong = [
        *(("missed", sample) for sample in lures if not sample.is_refused),
        *(("refused", sample) for sample in ordinary if sample.is_refused),
    ]
    for error, sample in wrong:
        yield f"{error} {sample.language} {sample.kind}: {' '.join(sample.markdown.split())[:_BEGINNING]}"


def main(arguments: Sequence[str]) -> None:
    paths = [Path(argument) for argument in arguments if argument != "--list"]
    if len(paths) != 2:
        sys.exit("usage: python -m tests.server.abuse_measure [--list] LURES ORDINARY")
    scan("", _REACHABLE)
    start = thread_time()
    lures, ordinary = (list(judged(path)) for path in paths)
    seconds = thread_time() - start
    kilobytes = sum(len(sample.markdown.encode()) for sample in (*lures, *ordinary)) / 1000
    print(*rates(lures, ordinary), sep="\n")
    print(f"{seconds / max(kilobytes, 1) * 1e6:.0f} µs of CPU time per KB")
    if "--list" in arguments:
        print(*errors(lures, ordinary), sep="\n")


if __name__ == "__main__":
    main(sys.argv[1:])
