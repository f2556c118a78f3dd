"""Formats a text: what rules propose is made as far as it changes no reading."""

from bisect import bisect_right
from collections.abc import Collection, Iterable, Sequence
from operator import attrgetter
from typing import NamedTuple

from mdpublish_core.arguments import require_input_size
from mdpublish_core.formatting.foreign import foreign_spans
from mdpublish_core.formatting.front_matter import end_of_front_matter
from mdpublish_core.formatting.proof import Proof
from mdpublish_core.formatting.rules import DEFAULT_RULES, RULES
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
    rules: Collection[str] = DEFAULT_RULES,
    lines: Sequence[tuple[int, int]] = (),
) -> Formatted:
    """Return a text in one style; it is read as the same document.

    Units are made that lie in ranges of `lines`, from the first to the last, counted from 1; without any, in all.
    Raises `LimitExceeded`.
    """
    require_input_size(len(markdown.encode("utf-8", "replace")), DEFAULT_LIMITS)
    start = end_of_front_matter(markdown)
    head, body = markdown[:start], markdown[start:]
    options = ReaderOptions("keep", extensions - {"front-matter"}, shows_unknown_tags=False)
    proof: Proof | None = None
    above = len(line_starts(head))
    ranges = _spans(body, [(first - above, last + 1 - above) for first, last in lines])
    count = 0
    refused: Sequence[tuple[Unit, str]] = ()
    for _ in range(_MAX_ROUNDS):
        source = MarkedSource(body, options, width=width, is_first=not head.strip("\ufeff"))
        units = _proposed(source, rules, ranges)
        refused = ()
        if not units:
            break
        proof = proof or Proof(body, extensions, is_filled=width is not None, is_numbered="numbers" in rules)
        chosen, refused = _chosen(body, units, proof)
        if not chosen:
            break
        changes = _changes(chosen)
        body = with_changes(body, changes)
        ranges = [(_moved(start, changes), _moved(end, changes)) for start, end in ranges]
        count += len(chosen)
    places = [RefusedUnit(unit.rule, above + source.line_of(unit.changes[0].start), reason) for unit, reason in refused]
    return Formatted(head + body, count, sorted(places, key=attrgetter("line")))


def _spans(markdown: str, lines: Iterable[tuple[int, int]]) -> list[Span]:
    """Return where ranges of lines start and end; lines are indexes, the last exclusive."""
    starts = [*line_starts(markdown), len(markdown)]
    final = len(starts) - 1
    return [(starts[min(max(first, 0), final)], starts[min(max(last, 0), final)]) for first, last in lines]


def _moved(offset: int, changes: Iterable[Change]) -> int:
    return offset + sum(len(each.after) - (each.end - each.start) for each in changes if each.start < offset)


def _proposed(source: MarkedSource, rules: Collection[str], ranges: Sequence[Span]) -> list[Unit]:
    """Return units of which none overlaps another, leaves the ranges, or lies in what other programs read."""
    spans = foreign_spans(source)
    starts = [start for start, _ in spans]
    units = [
        unit
        for rule, propose in RULES.items()
        if rule in rules
        for unit in propose(source, rule)
        if not any(_is_foreign(change, spans, starts) or not _is_within(change, ranges) for change in unit.changes)
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


def _is_within(change: Change, ranges: Sequence[Span]) -> bool:
    return not ranges or any(start <= change.start and change.end <= end > start for start, end in ranges)


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
