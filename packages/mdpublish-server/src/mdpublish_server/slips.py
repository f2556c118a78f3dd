"""Names that are nearly a known one."""

from collections.abc import Collection, Sequence
from itertools import takewhile

_MAX_DISTANCE = 2
"""Distance by Damerau and Levenshtein: characters left out, added or replaced, and neighbors swapped."""


def meant_by(name: str, known: Collection[str]) -> Sequence[str]:
    """Return the known names that are nearest to another, none if they are more than two characters apart."""
    for distance in range(1, _MAX_DISTANCE + 1):
        if similar := [each for each in known if _is_within(distance, name, each)]:
            return similar
    return []


def _is_within(distance: int, name: str, other: str) -> bool:
    if abs(len(name) - len(other)) > distance:
        return False
    # What both begin with never adds to their distance.
    same = sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], zip(name, other, strict=False)))
    name, other = name[same:], other[same:]
    if not (name or other):
        return True
    if not distance:
        return False
    steps = [(1, 1), (1, 0), (0, 1), *([(2, 2)] if name[:2] == other[1::-1] else [])]
    return any(_is_within(distance - 1, name[left:], other[right:]) for left, right in steps)
