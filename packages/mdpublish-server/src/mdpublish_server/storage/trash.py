"""Queries for documents that were deleted on the site and can be restored.

Until then they have no account: no list, search or limit of one knows of them, and they are unpublished. Slugs stay.
"""

from collections.abc import Sequence
from datetime import datetime

from sqlalchemy import and_, bindparam, delete, insert, select, update

from mdpublish_server.storage.record_columns import RecordColumns
from mdpublish_server.storage.records import DocumentRecord, TrashedDocument
from mdpublish_server.storage.search_index import unindex_document
from mdpublish_server.storage.tables import DOCUMENTS, TRASH
from mdpublish_server.storage.timestamps import to_microseconds
from mdpublish_server.storage.transactions import Statement, Transaction

_TRASHED = RecordColumns(TrashedDocument, TRASH, DOCUMENTS)

_trashed = TRASH.join(DOCUMENTS, DOCUMENTS.c.id == TRASH.c.document_id)
_of_account = TRASH.c.account_id == bindparam("account")
_this = and_(TRASH.c.document_id == bindparam("document"), _of_account)

_GIVE = Statement(
    update(DOCUMENTS)
    .where(DOCUMENTS.c.id == bindparam("document"))
    .values(
        account_id=bindparam("owner"), published_at=None, updated_at=bindparam("now"), revision=DOCUMENTS.c.revision + 1
    )
)
_ADD = Statement(
    insert(TRASH).values(
        {name: bindparam(name) for name in ("document_id", "account_id", "deleted_at", "was_published")}
    )
)
_LIST = Statement(
    select(*_TRASHED.columns)
    .select_from(_trashed)
    .where(_of_account)
    .order_by(TRASH.c.deleted_at.desc())
    .limit(bindparam("limit"))
)
_CONTENT = Statement(select(DOCUMENTS.c.content).select_from(_trashed).where(_this))
_TAKE = Statement(delete(TRASH).where(_this).returning(TRASH.c.was_published))
_EXPIRED = Statement(
    select(TRASH.c.document_id).where(TRASH.c.deleted_at <= bindparam("until")).limit(bindparam("limit"))
)
_SOME = Statement(select(TRASH.c.document_id).where(_of_account).limit(bindparam("limit")))
_DELETE = Statement(delete(DOCUMENTS).where(DOCUMENTS.c.id == bindparam("document"), DOCUMENTS.c.account_id.is_(None)))


def move_to_trash(transaction: Transaction, account_id: str, document: DocumentRecord, *, now: datetime) -> None:
    values = {"account_id": account_id, "deleted_at": to_microseconds(now)}
    unindex_document(transaction, document.id)
    transaction.change(_GIVE, document=document.id, owner=None, now=to_microseconds(document.updated_at))
    transaction.change(_ADD, document_id=document.id, was_published=document.published_at is not None, **values)


def list_trash(transaction: Transaction, account_id: str, *, limit: int) -> Sequence[TrashedDocument]:
    """Return deleted documents, the last one first."""
    return _TRASHED.all(transaction, _LIST, account=account_id, limit=limit)


def trashed_content(transaction: Transaction, account_id: str, document_id: str) -> str | None:
    """Return the content of a deleted document of an account."""
    row = transaction.row(_CONTENT, account=account_id, document=document_id)
    return None if row is None else row[0]


def take_from_trash(transaction: Transaction, account_id: str, document_id: str, *, edited_at: datetime) -> bool | None:
    """Give a document back to its account; return whether it was published, or None if it is not there."""
    row = transaction.row(_TAKE, account=account_id, document=document_id)
    if row is None:
        return None
    transaction.change(_GIVE, document=document_id, owner=account_id, now=to_microseconds(edited_at))
    return bool(row[0])


def some_trashed(
    transaction: Transaction, *, limit: int, account_id: str | None = None, until: datetime | None = None
) -> Sequence[str]:
    """Return ids of documents of an account, or of those deleted at `until` or before."""
    if until is None:
        rows = transaction.rows(_SOME, account=account_id, limit=limit)
    else:
        rows = transaction.rows(_EXPIRED, until=to_microseconds(until), limit=limit)
    return tuple(row[0] for row in rows)


def erase(transaction: Transaction, document_id: str) -> bool:
    """Delete a document that is in the trash."""
    return transaction.change(_DELETE, document=document_id) == 1
