"""Queries for changes of documents that are not published."""

from collections.abc import Collection, Sequence
from datetime import datetime

from sqlalchemy import bindparam, delete, select, update

from mdpublish_server.storage.record_columns import RecordColumns
from mdpublish_server.storage.records import DocumentRecord, WorkingCopy
from mdpublish_server.storage.tables import DOCUMENTS, WORKING_COPIES
from mdpublish_server.storage.timestamps import to_microseconds
from mdpublish_server.storage.transactions import Statement, Transaction, among, numbered

_COPY = RecordColumns(WorkingCopy, WORKING_COPIES)

LISTED = 100
"""Documents that one statement looks for."""

_this = WORKING_COPIES.c.document_id == bindparam("document")
_is_open = WORKING_COPIES.c.discarded_at.is_(None)

_FIND = Statement(select(*_COPY.columns).where(_this))
_AMONG = Statement(select(WORKING_COPIES.c.document_id).where(among(WORKING_COPIES.c.document_id, LISTED), _is_open))
_DELETE = Statement(delete(WORKING_COPIES).where(_this, WORKING_COPIES.c.number == bindparam("seen")))
_DELETE_DISCARDED = Statement(delete(WORKING_COPIES).where(WORKING_COPIES.c.discarded_at <= bindparam("until")))
# Locks the row: until the end of the transaction, nobody changes the document or its working copy.
_HOLD = Statement(
    update(DOCUMENTS)
    .where(DOCUMENTS.c.id == bindparam("document"), DOCUMENTS.c.revision == bindparam("seen"))
    .values(is_autosaved=DOCUMENTS.c.is_autosaved)
)


def find_working_copy(transaction: Transaction, document_id: str) -> WorkingCopy | None:
    """Return a document's working copy, also one that was discarded."""
    return _COPY.first(transaction, _FIND, document=document_id)


def changed_among(transaction: Transaction, document_ids: Sequence[str]) -> Collection[str]:
    """Return which of at most `LISTED` documents have changes that are not published."""
    return {row[0] for row in transaction.rows(_AMONG, **numbered(document_ids, LISTED))}


def hold_document(transaction: Transaction, document: DocumentRecord) -> bool:
    """Let no one else change a document in this transaction; return False if the stored revision differs."""
    return transaction.change(_HOLD, document=document.id, seen=document.revision) == 1


def replace_working_copy(transaction: Transaction, copy: WorkingCopy, *, seen: int) -> bool:
    """Store a copy in place of number `seen`, 0 for none; return False if there is another. The document is held."""
    current = find_working_copy(transaction, copy.document_id)
    if (current.number if current else 0) != seen:
        return False
    transaction.change(_DELETE, document=copy.document_id, seen=seen)
    _COPY.add(transaction, copy)
    return True


def delete_working_copy(transaction: Transaction, document_id: str, *, seen: int) -> bool:
    """Delete number `seen`, 0 for none; return False if there is another. The document is held."""
    if transaction.change(_DELETE, document=document_id, seen=seen):
        return True
    return not seen and find_working_copy(transaction, document_id) is None


def delete_discarded(transaction: Transaction, *, until: datetime) -> None:
    transaction.change(_DELETE_DISCARDED, until=to_microseconds(until))
