"""What becomes of a working copy when its document is changed elsewhere.

What only one of both changed is taken from there, field by field, and of the content block by block. What both changed
stays as the working copy has it, which then is in conflict: the document has the other value.
"""

from dataclasses import dataclass, replace
from typing import Any

from mdpublish_server.conversion import Converter, MergeJob
from mdpublish_server.services.concurrency import RetryConflict
from mdpublish_server.storage import Database, DocumentRecord, Transaction, WorkingCopy
from mdpublish_server.storage.transactions import Work
from mdpublish_server.storage.working_copies import delete_working_copy, find_working_copy, replace_working_copy

COPIED = ("content", "title", "template_id", "theme_mode", "description", "page_width")
"""The fields of a working copy that its document has."""


def copied(document: DocumentRecord) -> dict[str, Any]:
    """Return the values of a document that a working copy of it has."""
    return {name: getattr(document, name) for name in COPIED}


def over(document: DocumentRecord, copy: WorkingCopy | None) -> DocumentRecord:
    """Return the document as it is edited: with the values of its working copy."""
    if copy is None or copy.discarded_at is not None:
        return document
    values = {name: getattr(copy, name) for name in (*COPIED, "word_count", "is_autosaved")}
    return replace(document, updated_at=copy.saved_at, **values)


@dataclass(frozen=True, slots=True)
class Rebasing:
    """Carries working copies over to changed documents."""

    database: Database
    converter: Converter

    async def carried(self, before: DocumentRecord, after: DocumentRecord) -> Work[None]:
        """Return what to do in the transaction that replaces `before` by `after`; it may raise `RetryConflict`."""
        copy = await self.database.read(lambda transaction: find_working_copy(transaction, before.id))
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

    async def _rebased(self, copy: WorkingCopy, before: DocumentRecord, after: DocumentRecord) -> WorkingCopy | None:
        """Return None if nothing changes."""
        taken: dict[str, Any] = {}
        conflicts = False
        for name in COPIED:
            base, mine, theirs = getattr(before, name), getattr(copy, name), getattr(after, name)
            if theirs in (base, mine):
                continue
            if mine == base:
                taken[name] = theirs
            elif name == "content" and (merged := await self._merged(before, base, mine, theirs)) is not None:
                taken[name] = merged
            else:
                conflicts = True
        if not taken and not conflicts:
            return None
        return replace(copy, number=copy.number + 1, is_conflicting=copy.is_conflicting or conflicts, **taken)

    async def _merged(self, document: DocumentRecord, base: str, mine: str, theirs: str) -> str | None:
        job = MergeJob(base=base, mine=mine, theirs=theirs)
        return await self.converter.merge(job, client_id=document.account_id or "")


def published(document: DocumentRecord, number: int) -> Work[None]:
    """Return what to do in the transaction that publishes working copy `number`, 0 for none."""

    def drop(transaction: Transaction) -> None:
        if not delete_working_copy(transaction, document.id, seen=number):
            raise RetryConflict

    return drop
