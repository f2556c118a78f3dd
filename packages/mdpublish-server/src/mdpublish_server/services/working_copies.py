"""Changes of published documents that readers do not see yet.

    published ──save──▶ published, changed ──publish──▶ published
        ▲                    │      ▲
        └──────discard───────┘      └── restore what was discarded

What the site saves of a published document is its working copy, of which the API shows that there is one. What is saved
is refused if the document or the copy has another number than the form was opened at.
"""

from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import Any, NamedTuple

from mdpublish_server.auth.authentication import AuthenticatedRequest
from mdpublish_server.auth.plans import require_options
from mdpublish_server.conversion.converter import Converter
from mdpublish_server.conversion.protocol import CompareJob, Comparison
from mdpublish_server.services.concurrency import OptimisticUpdates, RetryConflict
from mdpublish_server.services.documents import RevisionConflict, find_seen, read_for_edit
from mdpublish_server.services.rebasing import copied, over
from mdpublish_server.services.revision_history import RevisionHistory, UpdateKind
from mdpublish_server.storage import Database, DocumentRecord, Transaction, WorkingCopy
from mdpublish_server.storage import working_copies as table
from mdpublish_server.storage.transactions import Work

RETENTION = timedelta(days=30)
"""How long what was discarded can be restored."""


class Seen(NamedTuple):
    """What a form was opened at: the document's revision, and its working copy's number, 0 for none."""

    revision: int
    copy: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Working:
    """A document as readers see it, and its working copy, which may be discarded."""

    document: DocumentRecord
    copy: WorkingCopy | None

    @property
    def is_changed(self) -> bool:
        """Whether it has changes that are not published."""
        return self.copy is not None and self.copy.discarded_at is None

    @property
    def is_apart(self) -> bool:
        """Whether what is saved waits to be published."""
        return self.is_changed or self.document.published_at is not None

    @property
    def is_conflicting(self) -> bool:
        return self.is_changed and self.copy is not None and self.copy.is_conflicting

    @property
    def shown(self) -> DocumentRecord:
        """The document as it is edited."""
        return over(self.document, self.copy)

    @property
    def seen(self) -> Seen:
        return Seen(self.document.revision, self.copy.number if self.copy else 0)


def find_working(transaction: Transaction, auth: AuthenticatedRequest, document_id: str) -> Working:
    """Raise `NotFound`."""
    return Working(
        document=find_seen(transaction, auth, document_id), copy=table.find_working_copy(transaction, document_id)
    )


@dataclass(frozen=True, slots=True)
class WorkingCopies:
    """Reads, saves, compares, discards and restores working copies; all raise `NotFound` for others' documents."""

    database: Database
    updates: OptimisticUpdates
    converter: Converter
    history: RevisionHistory

    async def get(self, auth: AuthenticatedRequest, document_id: str) -> Working:
        return await self.database.read(find_working, auth, document_id)

    async def changed_among(self, document_ids: list[str]) -> set[str]:
        return set(await self.database.read(table.changed_among, document_ids))

    async def save(
        self,
        auth: AuthenticatedRequest,
        document_id: str,
        fields: dict[str, Any],
        *,
        seen: Seen | None = None,
        kind: UpdateKind = "save",
    ) -> Working:
        """Save `fields`, some of those that `rebasing.COPIED` names; a copy that is like its document is none.

        Raises `RevisionConflict`, and `Forbidden` for Pro values or a read-only document.
        """

        async def prepare() -> Work[Working]:
            working = await self._for_edit(auth, document_id, seen)
            former = working.shown
            require_options(auth.plan, fields, former)
            shown = replace(former, **fields, is_autosaved=kind == "autosave")
            is_same = copied(shown) == copied(working.document)
            if is_same and not working.is_changed:
                return lambda _transaction: working
            words = former.word_count
            if shown.content != former.content:
                words = (await self.converter.read_words(shown.content, client_id=auth.account.id)).count
            copy = WorkingCopy(
                document_id=document_id,
                number=working.seen.copy + 1,
                word_count=words,
                saved_at=auth.now,
                is_autosaved=shown.is_autosaved,
                is_conflicting=working.is_conflicting,
                discarded_at=auth.now if is_same else None,
                **copied(shown),
            )
            return await self._stored(working, copy, kind=kind)

        return await self.updates.run(auth, document_id, prepare)

    async def discard(self, auth: AuthenticatedRequest, document_id: str) -> Working:
        """Show what is published again; the text becomes a revision, and all can be restored for some time."""
        return await self._mark(auth, document_id, discarded_at=auth.now)

    async def restore(self, auth: AuthenticatedRequest, document_id: str) -> Working:
        """Take up what was discarded, unless something was saved since."""
        return await self._mark(auth, document_id, discarded_at=None)

    async def _mark(self, auth: AuthenticatedRequest, document_id: str, *, discarded_at: datetime | None) -> Working:
        async def prepare() -> Work[Working]:
            working = await self._for_edit(auth, document_id, None)
            if working.copy is None or working.is_changed == (discarded_at is None):
                return lambda _transaction: working
            copy = replace(working.copy, number=working.copy.number + 1, discarded_at=discarded_at)
            return await self._stored(working, copy)

        return await self.updates.run(auth, document_id, prepare)

    async def compare(self, auth: AuthenticatedRequest, document_id: str) -> tuple[Working, Comparison]:
        """Compare what is published with the working copy; raises `ConversionError`, `ServiceUnavailable`."""
        working = await self.get(auth, document_id)
        job = CompareJob(before=working.document.content, after=working.shown.content)
        return working, await self.converter.compare(job, client_id=auth.account.id)

    async def keep(self, auth: AuthenticatedRequest, document_id: str, content: str) -> None:
        """Store a content, of which another was chosen in part, as a revision."""
        shown = (await self.get(auth, document_id)).shown
        words = await self.converter.read_words(content, client_id=auth.account.id)
        lost = replace(shown, content=content, word_count=words.count, updated_at=auth.now)
        await self.database.write(await self.history.replacement(lost, shown.content, now=auth.now))

    async def _for_edit(self, auth: AuthenticatedRequest, document_id: str, seen: Seen | None) -> Working:
        def read(transaction: Transaction) -> Working:
            read_for_edit(transaction, auth, document_id)
            working = find_working(transaction, auth, document_id)
            if seen is not None and seen != working.seen:
                raise RevisionConflict(working.document)
            return working

        return await self.database.read(read)

    async def _stored(self, working: Working, copy: WorkingCopy, *, kind: UpdateKind = "save") -> Work[Working]:
        """Return what stores `copy`, and as a revision the content that no text shows any more."""
        document = working.document
        store_former: Work[None] | None = None
        stored = Working(document=document, copy=copy)
        if working.is_changed and working.shown.content != stored.shown.content:
            store_former = await self.history.replacement(
                working.shown, stored.shown.content, now=copy.saved_at, kind=kind
            )

        def store(transaction: Transaction) -> Working:
            if not table.hold_document(transaction, document) or not table.replace_working_copy(
                transaction, copy, seen=working.seen.copy
            ):
                raise RetryConflict
            if store_former is not None:
                store_former(transaction)
            return stored

        return store
