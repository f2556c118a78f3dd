"""Versions of a source: what one has that another has not, marked; and two, merged by blocks."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from mdpublish_core import nodes
from mdpublish_core.merging.alignment import Leaf, document_of, leaves_of, match, three_way
from mdpublish_core.merging.changes import Version
from mdpublish_core.merging.inlines import Atom, keys_of, mark_of, with_atoms
from mdpublish_core.merging.sources import units_of

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable, Iterator, Sequence


_WHOLE = (nodes.CodeFence, nodes.BlockCode, nodes.Figure, nodes.MathBlock)


def mark_changes(document: nodes.Document, other: nodes.Document, mark: nodes.HtmlElement) -> nodes.Document:
    """Return a document in which all that `other` has not is in copies of `mark`."""
    ours, theirs = Version(document), Version(other)
    return document_of(list(_marked_leaves(ours, theirs, mark)), document)


def _marked_leaves(ours: Version, theirs: Version, mark: nodes.HtmlElement) -> Iterator[Leaf]:
    start, other_start = 0, 0
    for stop, other_stop in [*match(_keys(ours), _keys(theirs)), (len(ours.leaves), len(theirs.leaves))]:
        # A leaf may have become several: the words between two unchanged leaves are compared as one text.
        atoms = [atom for index in range(start, stop) for atom in ours.atoms[index]]
        others = [atom for index in range(other_start, other_stop) for atom in theirs.atoms[index]]
        same = {index for index, _ in match([*keys_of(atoms)], [*keys_of(others)])}
        position = 0
        for index in range(start, stop):
            leaf, count = ours.leaves[index], len(ours.atoms[index])
            changed = [number not in same for number in range(position, position + count)]
            yield leaf._replace(node=_marked(leaf.node, ours.atoms[index], changed, mark))
            position += count
        yield from ours.leaves[stop : stop + 1]
        start, other_start = stop + 1, other_stop + 1


def _keys(version: Version) -> list[Hashable]:
    """Return keys that tell figures apart, too."""
    contents = (getattr(leaf.node, "content", None) for leaf in version.leaves)
    return list(zip(version.keys, contents, strict=True))


def _marked(node: nodes.Token, atoms: list[Atom], changed: list[bool], mark: nodes.HtmlElement) -> nodes.Token:
    """Return a leaf with its changed words marked, or all of it if its words are the same or not to be marked."""
    is_whole = not any(changed)
    marked = [
        atom._replace(marks=(mark_of(mark), *atom.marks)) if is_changed or is_whole else atom
        for atom, is_changed in zip(atoms, changed, strict=True)
    ]
    return with_atoms(node, marked) or (nodes.replace(mark, children=[node]) if isinstance(node, _WHOLE) else node)


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
