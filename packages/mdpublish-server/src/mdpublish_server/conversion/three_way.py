"""Two changes of one text, joined by its blocks: what blank lines separate, and fenced code as a whole."""

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from mdpublish_server.conversion.comparison import MAX_STEPS, Search

_FENCE = re.compile(r" {0,3}(`{3,}|~{3,})")


class _Change(NamedTuple):
    """What stands in place of the base's blocks from `start` to `end`."""

    start: int
    end: int
    blocks: Sequence[str]


def merge(base: str, mine: str, theirs: str) -> str | None:
    """Return `base` with both changes, or None where both changed a block differently, or began at the same place."""
    old, new, other = map(_blocks_of, (base, mine, theirs))
    search = Search(MAX_STEPS)
    changes = sorted((*_changes(old, new, search), *_changes(old, other, search)), key=lambda each: each[:2])
    merged: list[str] = []
    done = 0
    last: _Change | None = None
    for change in changes:
        if change == last:
            continue
        is_insertion = last is not None and change.start == change.end == last.start == last.end
        if change.start < done or is_insertion:
            return None
        merged += [*old[done : change.start], *change.blocks]
        done, last = change.end, change
    content = "".join((*merged, *old[done:]))
    return content if mine.endswith("\n") else content.removesuffix("\n")


def _changes(old: Sequence[str], new: Sequence[str], search: Search) -> Iterator[_Change]:
    i = j = 0
    for i_same, j_same, size in search.common_blocks(old, new):
        if i < i_same or j < j_same:
            yield _Change(i, i_same, new[j:j_same])
        i, j = i_same + size, j_same + size


def _blocks_of(content: str) -> list[str]:
    """Return blocks and, between them, runs of blank lines; joined, they are the text with an end to its last line."""
    blocks: list[str] = []
    fence, was_blank = "", None
    for line in content.replace("\r\n", "\n").removesuffix("\n").split("\n"):
        mark = _FENCE.match(line)
        is_blank = not fence and not line.strip()
        if is_blank == was_blank:
            blocks[-1] += f"{line}\n"
        else:
            blocks.append(f"{line}\n")
        was_blank = is_blank
        if mark and not fence:
            fence = mark[1]
        elif mark and mark[1].startswith(fence) and not line[mark.end() :].strip():
            fence = ""
    return blocks
