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
from mdpublish_server.storage.transactions import Transaction, query

_TRASHED = RecordColumns(TrashedDocument, TRASH, DOCUMENTS)
_SQL = read_statements(__name__, trashed=_TRASHED.sql)

list_trash = query(_TRASHED.all, _SQL["list"], "account")
trashed_content = query(Transaction.value, _SQL["content"], "account", "document")
erase = query(Transaction.changes_one, _SQL["delete"], "document")


def move_to_trash(transaction: Transaction, account_id: str, document: DocumentRecord, *, now: datetime) -> None:
    values = {"account_id": account_id, "deleted_at": now}
    unindex_document(transaction, document.id)
    transaction.change(_SQL["give"], document=document.id, owner=None, now=document.updated_at)
    transaction.change(_SQL["add"], document_id=document.id, was_published=document.published_at is not None, **values)


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
