"""Formats a text: what rules propose is made as far as it changes no reading."""

from bisect import bisect_right
from collections.abc import Collection, Iterable, Sequence
from operator import attrgetter
from typing import NamedTuple

from mdpublish_core.arguments import require_input_size
from mdpublish_core.formatting.foreign import foreign_spans
from mdpublish_core.formatting.front_matter import end_of_front_matter
from mdpublish_core.formatting.proof import Proof
from mdpublish_core.formatting.rules import RULES
from mdpublish_core.formatting.source import MarkedSource, Unit
from mdpublish_core.options.extensions import DEFAULT_EXTENSIONS, Extension
from mdpublish_core.options.limits import DEFAULT_LIMITS
from mdpublish_core.readers.markdown.options import ReaderOptions
from mdpublish_core.strings.changes import Change, line_starts, with_changes
from mdpublish_core.strings.positions import Span

_MAX_ROUNDS = 8
"""Rounds of changes: some leave room for others that would overlap with them."""

_CHECKED_CHARACTERS = 20_000_000
_MIN_CHECKS, _MAX_CHECKS = 12, 400
"""How often a text is parsed to find the units that cannot be made; past it, those in question are not made."""


TOO_MANY = "too many changes of the file cannot be made, so this one was not tried"


class RefusedUnit(NamedTuple):
    """A unit of changes that is not made: its line in the result, and why."""

    rule: str
    line: int
    reason: str


class Formatted(NamedTuple):
    """A formatted text, how many units of changes it has, and those that cannot be made."""

    markdown: str
    units: int = 0
    refused: Sequence[RefusedUnit] = ()


def format_markdown(
    markdown: str,
    *,
    extensions: frozenset[Extension] = DEFAULT_EXTENSIONS,
    width: int | None = None,
    skipped: Collection[str] = (),
) -> Formatted:
    """Return a text in one style, by all rules but those `skipped`; it is read as the same document.

    Raises `LimitExceeded`.
    """
    require_input_size(len(markdown.encode("utf-8", "replace")), DEFAULT_LIMITS)
    start = end_of_front_matter(markdown)
    head, body = markdown[:start], markdown[start:]
    options = ReaderOptions("keep", extensions - {"front-matter"}, shows_unknown_tags=False)
    proof: Proof | None = None
    count = 0
    refused: Sequence[tuple[Unit, str]] = ()
    for _ in range(_MAX_ROUNDS):
        source = MarkedSource(body, options, width=width, is_first=not head.strip("\ufeff"))
        units = _proposed(source, skipped)
        refused = ()
        if not units:
            break
        proof = proof or Proof(body, extensions, is_filled=width is not None)
        chosen, refused = _chosen(body, units, proof)
        if not chosen:
            break
        body = with_changes(body, _changes(chosen))
        count += len(chosen)
    first = len(line_starts(head))
    places = [RefusedUnit(unit.rule, first + source.line_of(unit.changes[0].start), reason) for unit, reason in refused]
    return Formatted(head + body, count, sorted(places, key=attrgetter("line")))


def _proposed(source: MarkedSource, skipped: Collection[str]) -> list[Unit]:
    """Return units of which none overlaps another, or lies in what other programs read."""
    spans = foreign_spans(source)
    starts = [start for start, _ in spans]
    units = [
        unit
        for rule, propose in RULES.items()
        if rule not in skipped
        for unit in propose(source, rule)
        if not any(_is_foreign(change, spans, starts) for change in unit.changes)
    ]
    dropped: set[int] = set()
    previous, owner = Change(-1, -1, ""), -1
    for change, index in sorted((change, index) for index, unit in enumerate(units) for change in unit.changes):
        overlaps = change.start < previous.end or change.start == previous.start
        if overlaps:
            dropped.add(max(index, owner))
        if not overlaps or index < owner:
            previous, owner = change, index
    return [unit for index, unit in enumerate(units) if index not in dropped]


def _is_foreign(change: Change, spans: Sequence[Span], starts: Sequence[int]) -> bool:
    index = bisect_right(starts, max(change.start, change.end - 1)) - 1
    return index >= 0 and spans[index][1] > change.start


def _changes(units: Iterable[Unit]) -> list[Change]:
    return sorted(change for unit in units for change in unit.changes)


def _chosen(markdown: str, units: Sequence[Unit], proof: Proof) -> tuple[list[Unit], list[tuple[Unit, str]]]:
    """Return the units that can be made together, and others with the reason."""
    chosen: list[Unit] = []
    refused: list[tuple[Unit, str]] = []
    left = max(_MIN_CHECKS, min(_MAX_CHECKS, _CHECKED_CHARACTERS // (len(markdown) + 1)))
    pending = [units]
    while pending:
        group = pending.pop()
        left -= 1
        reason = proof.objection(with_changes(markdown, _changes([*chosen, *group]))) if left >= 0 else TOO_MANY
        if not reason:
            chosen += group
        elif len(group) == 1 or left < 0:
            refused += [(unit, reason) for unit in group]
        else:
            middle = len(group) // 2
            pending += group[middle:], group[:middle]
    return chosen, refused
