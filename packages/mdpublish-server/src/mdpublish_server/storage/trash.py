"""Queries for documents that were deleted on the site and can be restored.

Until then they have no account: no list, search or limit of one knows of them, and they are unpublished. Slugs stay.
"""

from collections.abc import Sequence
from datetime import datetime

from mdpublish_server.storage.record_columns import RecordColumns
from mdpublish_server.storage.records import DocumentRecord, TrashedDocument
from mdpublish_server.storage.search_index import unindex_document
from mdpublish_server.storage.sql_files import read_statements
from mdpublish_server.storage.tables import DOCUMENTS, TRASH
from mdpublish_server.storage.transactions import Transaction

_TRASHED = RecordColumns(TrashedDocument, TRASH, DOCUMENTS)
_SQL = read_statements(__name__, trashed=_TRASHED.sql)


def move_to_trash(transaction: Transaction, account_id: str, document: DocumentRecord, *, now: datetime) -> None:
    values = {"account_id": account_id, "deleted_at": now}
    unindex_document(transaction, document.id)
    transaction.change(_SQL["give"], document=document.id, owner=None, now=document.updated_at)
    transaction.change(_SQL["add"], document_id=document.id, was_published=document.published_at is not None, **values)


def list_trash(transaction: Transaction, account_id: str, *, limit: int) -> Sequence[TrashedDocument]:
    """Return deleted documents, the last one first."""
    return _TRASHED.all(transaction, _SQL["list"], account=account_id, limit=limit)


def trashed_content(transaction: Transaction, account_id: str, document_id: str) -> str | None:
    """Return the content of a deleted document of an account."""
    return transaction.value(_SQL["content"], account=account_id, document=document_id)


def take_from_trash(transaction: Transaction, account_id: str, document_id: str, *, edited_at: datetime) -> bool | None:
    """Give a document back to its account; return whether it was published, or None if it is not there."""
    row = transaction.row(_SQL["take"], account=account_id, document=document_id)
    if row is None:
        return None
    transaction.change(_SQL["give"], document=document_id, owner=account_id, now=edited_at)
    return bool(row[0])


def some_trashed(
    transaction: Transaction, *, limit: int, account_id: str | None = None, until: datetime | None = None
) -> Sequence[str]:
    """Return ids of documents of an account, or of those deleted at `until` or before."""
    if until is None:
        rows = transaction.rows(_SQL["some"], account=account_id, limit=limit)
    else:
        rows = transaction.rows(_SQL["expired"], until=until, limit=limit)
    return tuple(row[0] for row in rows)


def erase(transaction: Transaction, document_id: str) -> bool:
    """Delete a document that is in the trash."""
    return transaction.change(_SQL["delete"], document=document_id) == 1
