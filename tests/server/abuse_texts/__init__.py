"""Texts for the abuse filter: lures, and ordinary ones on the same subjects.

In `.txt` files, a text begins with `=== caught: kind name` or `=== passed: kind name`; `\\u{200b}` stands for that code
point. The `.jsonl` files are the first half of two sets that were written by people who did not know the filter; the
other half is not here, so that the filter can be measured on it. The `-variants-` files were written after a look at
the errors on that first half: figures of it hold only for models that have not seen them.
"""

import json
import re
from collections.abc import Iterator
from itertools import count
from pathlib import Path
from typing import NamedTuple

FOLDER = Path(__file__).parent

_HEAD = re.compile(r"^=== (caught|passed): (.+)\n", re.MULTILINE)
_NUMBERED = re.compile(r"\\u\{([0-9a-f]{2,5})\}")


class Sample(NamedTuple):
    """`kind` is its subject; `number` counts the texts of its source."""

    name: str
    is_lure: bool
    language: str
    kind: str
    number: int
    markdown: str
    source: str


def all_samples() -> Iterator[Sample]:
    yield from _of_halves()
    yield from _of_samples()


def _of_halves() -> Iterator[Sample]:
    for path in sorted(FOLDER.glob("*.jsonl")):
        for number, line in enumerate(path.read_text("utf-8").splitlines()):
            sample = json.loads(line)
            is_lure = path.stem.startswith("lures")
            yield Sample(sample["name"], is_lure, path.stem[-2:], sample["kind"], number, sample["markdown"], "half")


def _of_samples() -> Iterator[Sample]:
    numbers = count()
    for path in (*sorted(FOLDER.glob("*.txt")), *sorted(FOLDER.parent.glob("abuse_[su]*/*.txt"))):
        parts = _HEAD.split(path.read_text("utf-8"))
        assert not parts[0].strip(), f"{path.name} begins with no head"
        is_sample = path.parent != FOLDER
        source = path.parent.name[6:] if is_sample else "variants" if "-variants-" in path.name else "texts"
        language = source if is_sample else path.stem[-2:]
        for verdict, name, markdown in zip(parts[1::3], parts[2::3], parts[3::3], strict=True):
            kind = source if is_sample else name.split()[0]
            content = _NUMBERED.sub(lambda match: chr(int(match[1], 16)), markdown)
            yield Sample(name, verdict == "caught", language, kind, next(numbers), content, source)
