"""Two versions of a source, merged by blocks: items and rows too, and what stands between them."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from mdpublish_core.merging.alignment import three_way
from mdpublish_core.merging.leaves import leaves_of
from mdpublish_core.merging.sources import units_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from mdpublish_core import nodes


class MergedBlocks(NamedTuple):
    """Some blocks of two versions, and what becomes of both; None where they conflict."""

    ours: str
    theirs: str
    merged: str | None


def merge_versions(
    versions: tuple[str, str, str], parse: Callable[[str], nodes.Document], labels: tuple[str, str]
) -> tuple[str, int]:
    """Return the first version with the changes of both, conflict markers where they overlap, and their number."""
    merged: list[str] = []
    conflicts = 0
    for part in merged_blocks(versions, parse):
        conflicts += part.merged is None
        merged += [part.merged] if part.merged is not None else _conflict(merged, part.ours, part.theirs, labels)
    return "".join(merged), conflicts


def merged_blocks(versions: tuple[str, str, str], parse: Callable[[str], nodes.Document]) -> Iterator[MergedBlocks]:
    """Yield the parts of two versions of a first one, in order."""
    base, ours, theirs = (units_of(version, leaves_of(parse(version))) for version in versions)
    for region in three_way(base, ours, theirs, are_apart=True):
        ours_part = "".join(ours[region.ours.start : region.ours.stop])
        theirs_part = "".join(theirs[region.theirs.start : region.theirs.stop])
        if region.ours_changed and region.theirs_changed and ours_part != theirs_part:
            yield MergedBlocks(ours_part, theirs_part, None)
        else:
            yield MergedBlocks(ours_part, theirs_part, theirs_part if region.theirs_changed else ours_part)


def _conflict(before: Sequence[str], ours: str, theirs: str, labels: tuple[str, str]) -> list[str]:
    """Return both sides as `git merge-file` marks them, each marker on a line of its own."""
    start = [] if not before or before[-1].endswith("\n") else ["\n"]
    ours, theirs = (f"{side}\n" if side and not side.endswith("\n") else side for side in (ours, theirs))
    return [*start, f"<<<<<<< {labels[0]}\n", ours, "=======\n", theirs, f">>>>>>> {labels[1]}\n"]
