"""Edits that are not in the merged source: what it adds and deletes must be added and deleted there.

Differences are compared, so what a destination loses on the way out and in is no edit. The ledger reads all four: words,
numbers of items, boxes, links, images and formulas.
"""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, NamedTuple

from mdpublish_core import ledger, nodes
from mdpublish_core.ledger import SeenEntry
from mdpublish_core.notices import Notice

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence


class Documents(NamedTuple):
    """A document before and after a change."""

    before: nodes.Document
    after: nodes.Document


def unplaced_notices(edit: Documents, merge: Documents) -> Iterator[Notice]:
    """Yield a notice for each kind of thing that only the edit or only the merge adds or deletes."""
    sent, edited, base, merged = map(_entries, (*edit, *merge))
    sides = {
        "an edit is not in the merged Markdown": (edited, sent, merged, base),
        "a deletion is not made in the merged Markdown": (sent, edited, base, merged),
        "the merged Markdown has more than the edited document": (merged, base, edited, sent),
        "the merged Markdown lacks what was not deleted": (base, merged, sent, edited),
    }
    for problem, (more, less, placed, unplaced) in sides.items():
        # What was added is nowhere yet; all else counts only where both sides have it.
        known = None if more is edited else {*sent, *edited} & {*base, *merged}
        changed = [entry for entry in _beyond(more, less) if known is None or entry in known]
        for loss in ledger.losses(changed, _beyond(placed, unplaced)):
            if loss.kind != "number":
                yield Notice("merge-left-out", f"{problem}: {ledger.describe(loss)}")
            elif more is edited:
                # Programs renumber lists that were joined or divided.
                yield Notice("merge-kept", f"lists have the numbers of the source, not {ledger.describe(loss)}")


def _entries(document: nodes.Document) -> Sequence[SeenEntry]:
    """Return what a document shows, word by word, without the numbers of notes."""
    shown = nodes.transform(document, lambda token: None if isinstance(token, nodes.FootnoteReference) else token)
    entries = ledger.tree.entries_of((*shown.children, *shown.footnote_definitions))
    return [
        SeenEntry(entry.kind, value)
        for entry in entries
        for value in (entry.value.split() if entry.kind == "words" else [entry.value])
    ]


def _beyond(entries: Sequence[SeenEntry], others: Sequence[SeenEntry]) -> Sequence[SeenEntry]:
    """Return entries without as many equal ones as the others have."""
    present = Counter(others)
    beyond = []
    for entry in reversed(entries):
        if present[entry]:
            present[entry] -= 1
        else:
            beyond.append(entry)
    return beyond[::-1]
