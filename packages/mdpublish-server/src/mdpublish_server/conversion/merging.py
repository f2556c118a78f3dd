"""Two texts that one became, merged as documents are: by blocks, items and rows."""

import re
from collections.abc import Iterator
from contextlib import suppress
from hashlib import sha256

from mdpublish_core import parse
from mdpublish_core.errors import LimitExceeded
from mdpublish_core.hosting.documents import MergedBlocks, merged_blocks, normalize
from mdpublish_server.conversion.comparison import common_start, compare
from mdpublish_server.conversion.protocol import BlockConflict, Merged, MergeJob

_IN_LINES = re.compile(r"\n*[ ]*(?:[-+*][ ]|\d+[.)][ ]|\|)")
"""Begins items and rows, which no blank line parts."""


def merge(job: MergeJob) -> Merged:
    """Merge both changes; those of one block conflict, unless `choices` has what becomes of them."""
    base, mine, theirs = (_with_line_end(normalize(each)) for each in (job.base, job.mine, job.theirs))
    parts = [MergedBlocks(mine, theirs, theirs if base == mine else mine if base == theirs else None)]
    # Texts that cannot be read are one block.
    with suppress(LimitExceeded):
        parts = list(merged_blocks((base, mine, theirs), parse)) if parts[0].merged is None else parts
    pairs, conflicts, before = list[tuple[str, str]](), list[BlockConflict](), ""
    for part in parts:
        identity = sha256(f"{part.ours}\0{part.theirs}".encode()).hexdigest()[:16]
        merged = part.merged if part.merged is not None else _chosen(job.choices.get(identity), part, before)
        if merged is None:
            comparison = compare(part.theirs, part.ours)
            conflicts.append(BlockConflict(id=identity, line=before.count("\n") + 1, comparison=comparison))
        pairs.append((part.ours, merged or ""))
        before += part.ours
    if conflicts:
        return Merged(content=None, conflicts=tuple(conflicts))
    if not job.mine.endswith("\n"):
        pairs = _without_line_end(pairs)
    written, content = ("".join(side) for side in zip(*pairs, strict=True))
    replacements = _replacements(pairs if written == job.mine else [(job.mine, content)])
    return Merged(content=content, replacements=tuple(replacements)[::-1])


def _chosen(choice: str | None, part: MergedBlocks, before: str) -> str | None:
    """Return what a person has chosen for a block; None for nothing."""
    if choice != "both":
        return {"mine": part.ours, "theirs": part.theirs}.get(choice or "")
    if not (part.ours and part.theirs):
        return part.ours + part.theirs
    is_in_front_matter = before.startswith("---\n") and "\n---\n" not in before[3:]
    is_tight = is_in_front_matter or all(map(_IN_LINES.match, part[:2]))
    return "\n".join([part.ours.rstrip("\n"), *([] if is_tight else [""]), part.theirs.lstrip("\n")])


def _with_line_end(content: str) -> str:
    return content if content.endswith("\n") or not content else f"{content}\n"


def _without_line_end(pairs: list[tuple[str, str]]) -> list[tuple[str, str]]:
    """Take away the line end that the texts were given."""
    sides = [list(side) for side in zip(*pairs, strict=True)]
    for side in sides:
        last = max((index for index, content in enumerate(side) if content), default=0)
        side[last] = side[last].removesuffix("\n")
    return list(zip(*sides, strict=True))


def _replacements(pairs: list[tuple[str, str]]) -> Iterator[tuple[int, int, str]]:
    """Yield what to replace in the first text, in units of UTF-16, as scripts count."""
    start = 0
    for content, merged in pairs:
        shorter = min(len(content), len(merged))
        head = common_start(content, merged, shorter)
        tail = common_start(content[::-1], merged[::-1], shorter - head)
        if merged != content:
            first = start + _units(content[:head])
            yield first, first + _units(content[head : len(content) - tail]), merged[head : len(merged) - tail]
        start += _units(content)


def _units(content: str) -> int:
    return len(content.encode("utf-16-le")) // 2
