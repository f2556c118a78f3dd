"""A text under repair: its changes are kept as changes of the original, so that each can be undone alone."""

from bisect import bisect_right
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from mdpublish_core.strings.changes import Change, line_starts, with_changes

Changes = tuple[Change, ...]
"""What is repaired, and undone, together."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Repair:
    """A repaired place, 1-based; of several changes, such as the two ends of a fence, newlines join the texts.

    `changes` are of the original, in order: its characters from `start` to `end` became `after`.
    """

    code: str
    line: int
    column: int
    before: str
    after: str
    changes: Changes = field(repr=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class Repaired:
    """A repaired text.

    `offers` are repairs that were not applied, since the text may be meant as it is; `skipped` are codes of those that
    it may need, and for which the extra `repair` is missing.
    """

    markdown: str
    repairs: tuple[Repair, ...]
    offers: tuple[Repair, ...] = ()
    skipped: tuple[str, ...] = ()
    original: str = field(repr=False)

    @property
    def summary(self) -> str:
        """How many repairs there are, and of what: `3 repairs: bullet (2), wrapping fence`; empty without any."""
        counts = Counter(each.code.replace("-", " ") for each in self.repairs)
        kinds = ", ".join(f"{kind} ({count:,})" if count > 1 else kind for kind, count in counts.items())
        return f"{len(self.repairs):,} repair{'s' if len(self.repairs) > 1 else ''}: {kinds}" if kinds else ""

    def without(self, *undone: Repair) -> str:
        """Return the text with all repairs but these."""
        omitted = frozenset(undone)
        changes = sorted(change for each in self.repairs if each not in omitted for change in each.changes)
        return with_changes(self.original, changes)


class _Place(NamedTuple):
    """Characters of the text, from `start` to `end`, and a fresh change of them, or the one by which they are there."""

    start: int
    end: int
    is_fresh: bool
    change: Change
    owner: int

    @property
    def shift(self) -> int:
        """The distance from the original to the text behind a change."""
        return self.end - self.change.end


class Draft:
    """Changes of a text that was changed before become changes of the original; where two meet, they become one.

    It belongs to the later repair if that changed the whole place, such as a table's frame, else to the former.
    """

    def __init__(self, markdown: str) -> None:
        self.original = self.markdown = markdown
        # In order, with the index of the repair.
        self._changes: list[tuple[Change, int]] = []
        self._codes: list[str] = []

    def apply(self, code: str, repairs: Iterable[Changes]) -> bool:
        """Apply repairs of the current text, of those that overlap the first; return whether there are any."""
        places = list[_Place]()
        for changes in _without_overlaps(list(repairs)):
            places += (_Place(*change[:2], is_fresh=True, change=change, owner=len(self._codes)) for change in changes)
            self._codes.append(code)
        if not places:
            return False
        merged = [self._merged(cluster, shift) for cluster, shift in self._clusters(places)]
        self._changes = [each for each in merged if self.original[each[0].start : each[0].end] != each[0].after]
        self.markdown = with_changes(self.original, (change for change, _ in self._changes))
        return True

    def repairs(self) -> list[Repair]:
        starts = line_starts(self.original)
        by_owner: dict[int, list[Change]] = {}
        for change, owner in self._changes:
            by_owner.setdefault(owner, []).append(change)
        return [
            Repair(
                code=self._codes[owner],
                line=(line := bisect_right(starts, changes[0].start)),
                column=changes[0].start - starts[line - 1] + 1,
                before="\n".join(self.original[start:end] for start, end, _ in changes),
                after="\n".join(change.after for change in changes),
                changes=tuple(changes),
            )
            for owner, changes in by_owner.items()
        ]

    def _clusters(self, places: list[_Place]) -> Iterator[tuple[list[_Place], int]]:
        """Yield places with those before, together where they meet, and the shift of the text before them."""
        shift = 0
        for change, owner in self._changes:
            start, end = change.start + shift, change.start + shift + len(change.after)
            places.append(_Place(start, end, is_fresh=False, change=change, owner=owner))
            shift = places[-1].shift
        cluster, end, shift, next_shift = list[_Place](), 0, 0, 0
        for place in sorted(places):
            if cluster and (place.start > end or (place.start == end and not _both_insert(cluster[-1], place))):
                yield cluster, shift
                cluster, shift = [], next_shift
            end = max(end, place.end)
            cluster.append(place)
            next_shift = next_shift if place.is_fresh else place.shift
        yield cluster, shift

    def _merged(self, cluster: Sequence[_Place], shift: int) -> tuple[Change, int]:
        """Return one change of the original for places that meet, and its repair."""
        start, end = cluster[0].start, max(place.end for place in cluster)
        former = [place for place in cluster if not place.is_fresh]
        fresh = [place for place in cluster if place.is_fresh]
        inner = [Change(place.start - start, place.end - start, place.change.after) for place in fresh]
        last_shift = former[-1].shift if former else shift
        owner = (fresh if fresh and (fresh[0].start, fresh[0].end) == (start, end) else former)[0].owner
        return Change(start - shift, end - last_shift, with_changes(self.markdown[start:end], inner)), owner


def _both_insert(one: _Place, other: _Place) -> bool:
    """Return whether two changes insert at one place of the original, where their order would be lost."""
    return all(place.change.start == place.change.end for place in (one, other))


def _without_overlaps(repairs: Sequence[Changes]) -> Iterator[Changes]:
    """Yield those whose changes overlap none before them: the others are searched for again in the resulting text."""
    dropped, previous = set[int](), Change(-1, -1, "")
    for change, number in sorted((change, number) for number, changes in enumerate(repairs) for change in changes):
        if number not in dropped and (change.start < previous.end or change[:2] == previous[:2]):
            dropped.add(number)
        elif number not in dropped:
            previous = change
    return (changes for number, changes in enumerate(repairs) if changes and number not in dropped)
