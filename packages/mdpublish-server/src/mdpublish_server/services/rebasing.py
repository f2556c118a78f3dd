"""What becomes of a working copy when its document is changed elsewhere.

What only one of both changed is taken from there, field by field, and of the content block by block. What both changed
stays as the working copy has it, which then is in conflict: the document has the other value.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

from mdpublish_server.conversion.converter import Converter
from mdpublish_server.conversion.protocol import BlockConflict, MergeJob
from mdpublish_server.services.concurrency import RetryConflict
from mdpublish_server.storage import Database, DocumentRecord, Transaction, WorkingCopy
from mdpublish_server.storage.transactions import Work
from mdpublish_server.storage.working_copies import delete_working_copy, find_working_copy, replace_working_copy

COPIED = ("content", "title", "template_id", "theme_mode", "description", "page_width")
"""The fields of a working copy that its document has."""


def copied(document: DocumentRecord | WorkingCopy) -> dict[str, Any]:
    """Return the values of a document that a working copy of it has."""
    return {name: getattr(document, name) for name in COPIED}


def over(document: DocumentRecord, copy: WorkingCopy | None) -> DocumentRecord:
    """Return the document as it is edited: with the values of its working copy."""
    if copy is None or copy.discarded_at is not None:
        return document
    values = {name: getattr(copy, name) for name in (*COPIED, "word_count", "is_autosaved")}
    return replace(document, updated_at=copy.saved_at, **values)


class Merge(NamedTuple):
    """Fields that two sides changed: `values` that the first did not have, `replacements` of its text, and conflicts."""

    values: dict[str, Any]
    conflicts: dict[str, Sequence[BlockConflict]]
    replacements: Sequence[tuple[int, int, str]]


@dataclass(frozen=True, slots=True)
class Rebasing:
    """Carries working copies over to changed documents."""

    database: Database
    converter: Converter

    async def carried(self, before: DocumentRecord, after: DocumentRecord) -> Work[None]:
        """Return what to do in the transaction that replaces `before` by `after`; it may raise `RetryConflict`."""
        copy = await self.database.read(find_working_copy, before.id)
        rebased = None
        if copy is not None and copy.discarded_at is None:
            rebased = await self._rebased(copy, before, after)

        def carry(transaction: Transaction) -> None:
            current = find_working_copy(transaction, before.id)
            if (current and current.number) != (copy and copy.number):
                raise RetryConflict
            if copy is not None and rebased is not None:
                replace_working_copy(transaction, rebased, seen=copy.number)

        return carry

    async def merge(
        self,
        client_id: str,
        base: Mapping[str, Any],
        mine: Mapping[str, Any],
        theirs: Mapping[str, Any],
        choices: Mapping[str, str] | None = None,
    ) -> Merge:
        """Merge what became of the fields of `base`; `choices` as `MergeJob` has them."""
        merge = Merge({}, {}, [])
        for name in COPIED:
            former, their = base.get(name), theirs[name]
            my = mine.get(name, former or their)
            if their in (former, my):
                continue
            if my == former and name != "content":
                merge.values[name] = their
                continue
            job = MergeJob(base=former or "", mine=my or "", theirs=their or "", choices=choices or {})
            merged = await self.converter.merge(job, client_id=client_id)
            if merged.content is None:
                merge.conflicts[name] = merged.conflicts
            elif merged.content != my:
                merge.values[name] = merged.content
                merge = merge._replace(replacements=merged.replacements if name == "content" else merge.replacements)
        return merge

    async def _rebased(self, copy: WorkingCopy, before: DocumentRecord, after: DocumentRecord) -> WorkingCopy | None:
        """Return None if nothing changes."""
        merge = await self.merge(before.account_id or "", copied(before), copied(copy), copied(after))
        if not merge.values and not merge.conflicts:
            return None
        is_conflicting = copy.is_conflicting or bool(merge.conflicts)
        return replace(copy, number=copy.number + 1, is_conflicting=is_conflicting, **merge.values)


def published(document: DocumentRecord, number: int) -> Work[None]:
    """Return what to do in the transaction that publishes working copy `number`, 0 for none."""

    def drop(transaction: Transaction) -> None:
        if not delete_working_copy(transaction, document.id, seen=number):
            raise RetryConflict

    return drop
