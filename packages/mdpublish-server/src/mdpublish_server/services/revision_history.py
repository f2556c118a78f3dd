"""Which former contents of a document are stored.

Each that a person or a program has saved or replaces, or that restoring another one replaces. Autosave replaces its own
contents every few seconds, so not each of those can be one of the last twenty; of them, a content is stored that

- is the first to be replaced for some minutes (the setting `revision_minutes`): so each that stood for that long, and, of
  those that followed each other faster, the first in each interval,
- loses a passage at once, such as one that was selected and deleted, or pasted over.
"""

import zlib
from dataclasses import replace
from datetime import datetime, timedelta
from typing import Literal

from anyio import to_thread

from mdpublish_server.conversion.comparison import common_start
from mdpublish_server.settings import Settings
from mdpublish_server.storage import Database, DocumentRecord, Revision, Transaction
from mdpublish_server.storage.document_revisions import add_revision, newest_revision, trim_revisions
from mdpublish_server.storage.transactions import Work

UpdateKind = Literal["save", "autosave", "restore"]
"""How a content is replaced."""

PASSAGE_CHARACTERS = 200
"""An autosave that replaces or deletes more of a content loses a passage."""


class RevisionHistory:
    """Stores former contents."""

    def __init__(self, database: Database, settings: Settings) -> None:
        self._database = database
        self._number = settings.document_revisions
        self._interval = timedelta(minutes=settings.revision_minutes)
        self._max_bytes = settings.revision_megabytes * 1_000_000

    async def replacement(
        self, document: DocumentRecord, content: str, *, now: datetime, kind: UpdateKind = "save"
    ) -> Work[None]:
        """Return what to do in the transaction in which `content` replaces the document's.

        The transaction must fail if the document's revision has changed: nothing is locked until then.
        """
        former: Revision | None = None
        if document.content != content and await self._is_stored(document, content, now=now, kind=kind):
            compressed = await to_thread.run_sync(_compressed, document.content)
            former = Revision(
                document_id=document.id,
                number=document.revision,
                title=document.title,
                word_count=document.word_count,
                saved_at=document.updated_at,
                replaced_at=now,
                is_before_restore=kind == "restore",
                bytes=len(compressed),
                content=compressed,
            )
        return lambda transaction: self._store(transaction, document.id, former)

    async def _is_stored(self, document: DocumentRecord, content: str, *, now: datetime, kind: UpdateKind) -> bool:
        if not document.content or not self._number:
            return False
        if kind != "autosave" or not document.is_autosaved:
            return True
        newest = await self._database.read(newest_revision, document.id)
        if newest is None or now - newest.replaced_at >= self._interval:
            return True
        return await to_thread.run_sync(loses_passage, document.content, content)

    def _store(self, transaction: Transaction, document_id: str, former: Revision | None) -> None:
        if former is not None:
            # A working copy's contents follow each other within one revision of the document.
            newest = newest_revision(transaction, document_id)
            number = max(former.number, newest.number + 1 if newest else 0)
            add_revision(transaction, replace(former, number=number))
        trim_revisions(transaction, document_id, number=self._number, max_bytes=self._max_bytes)


def loses_passage(before: str, after: str) -> bool:
    """Return whether a passage of `before` is not in `after`, between what both begin and end with."""
    shorter = min(len(before), len(after))
    start = common_start(before, after, shorter)
    end = common_start(before[::-1], after[::-1], shorter - start)
    return len(before) - start - end > PASSAGE_CHARACTERS


def content_of(revision: Revision) -> str:
    """Return the content, decompressed: some milliseconds for a megabyte."""
    return zlib.decompress(revision.content).decode()


def _compressed(content: str) -> bytes:
    return zlib.compress(content.encode())
