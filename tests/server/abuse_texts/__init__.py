"""Texts for the abuse filter: lures, and ordinary ones on the same subjects.

The `.jsonl` files are by authors who did not know the filter; a name begins with its author (`lure` and `ord` are the
first half of two sets by others). Further sets are not here, so that the filter can be measured on them.

In `.txt` files, a text begins with `=== caught: kind name` or `=== passed: kind name`; `\\u{200b}` stands for that code
point. The `-variants-` files were written after a look at the errors on `lure` and `ord`. `abuse_samples` and
`abuse_unseen` have short texts, and ways to disguise letters and links.
"""

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

FOLDER = Path(__file__).parent

_HEAD = re.compile(r"^=== (caught|passed): (.+)\n", re.MULTILINE)
_NUMBERED = re.compile(r"\\u\{([0-9a-f]{2,5})\}")


class Sample(NamedTuple):
    """`kind` is its subject."""

    name: str
    is_lure: bool
    language: str
    kind: str
    markdown: str
    author: str


def all_samples() -> Iterator[Sample]:
    yield from _of_authors()
    yield from _of_texts()


def _of_authors() -> Iterator[Sample]:
    for path in sorted(FOLDER.glob("*.jsonl")):
        for line in path.read_text("utf-8").splitlines():
            sample = json.loads(line)
            prefix = sample["name"].partition("-")[0]
            author = "first" if prefix in {"lure", "ord"} else prefix
            is_lure = path.stem.startswith("lures")
            yield Sample(sample["name"], is_lure, path.stem[-2:], sample["kind"], sample["markdown"], author)


def _of_texts() -> Iterator[Sample]:
    for path in (*sorted(FOLDER.glob("*.txt")), *sorted(FOLDER.parent.glob("abuse_[su]*/*.txt"))):
        parts = _HEAD.split(path.read_text("utf-8"))
        assert not parts[0].strip(), f"{path.name} begins with no head"
        is_sample = path.parent != FOLDER
        author = path.parent.name[6:] if is_sample else "variants" if "-variants-" in path.name else "texts"
        language = author if is_sample else path.stem[-2:]
        for verdict, name, markdown in zip(parts[1::3], parts[2::3], parts[3::3], strict=True):
            content = _NUMBERED.sub(lambda match: chr(int(match[1], 16)), markdown)
            kind = author if is_sample else name.split()[0]
            yield Sample(name, verdict == "caught", language, kind, content, author)
