"""Queries for changes of documents that are not published."""

from collections.abc import Collection, Sequence

from mdpublish_server.storage.record_columns import RecordColumns
from mdpublish_server.storage.records import DocumentRecord, WorkingCopy
from mdpublish_server.storage.sql_files import read_statements
from mdpublish_server.storage.tables import WORKING_COPIES
from mdpublish_server.storage.transactions import Transaction, numbered, placeholders, query

_COPY = RecordColumns(WorkingCopy, WORKING_COPIES)

LISTED = 100
"""Documents that one statement looks for."""

_SQL = read_statements(__name__, copy=_COPY.sql, listed=placeholders(LISTED))

find_working_copy = query(_COPY.first, _SQL["find"], "document")
delete_discarded = query(Transaction.change, _SQL["delete_discarded"])


def changed_among(transaction: Transaction, document_ids: Sequence[str]) -> Collection[str]:
    """Return which of at most `LISTED` documents have changes that are not published."""
    return {row[0] for row in transaction.rows(_SQL["among"], **numbered(document_ids, LISTED))}


def hold_document(transaction: Transaction, document: DocumentRecord) -> bool:
    """Let no one else change a document in this transaction; return False if the stored revision differs."""
    return transaction.change(_SQL["hold"], document=document.id, seen=document.revision) == 1


def replace_working_copy(transaction: Transaction, copy: WorkingCopy, *, seen: int) -> bool:
    """Store a copy in place of number `seen`, 0 for none; return False if there is another. The document is held."""
    current = find_working_copy(transaction, copy.document_id)
    if (current.number if current else 0) != seen:
        return False
    transaction.change(_SQL["delete"], document=copy.document_id, seen=seen)
    _COPY.add(transaction, copy)
    return True


def delete_working_copy(transaction: Transaction, document_id: str, *, seen: int) -> bool:
    """Delete number `seen`, 0 for none; return False if there is another. The document is held."""
    if transaction.change(_SQL["delete"], document=document_id, seen=seen):
        return True
    return not seen and find_working_copy(transaction, document_id) is None
