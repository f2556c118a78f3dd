"""Documents in SQL; what leads to a published one is in `permalinks`."""

from collections.abc import Sequence
from dataclasses import fields
from datetime import datetime
from typing import Any, TypeVar

from sqlalchemy import Column, and_, bindparam, delete, insert, or_, select, update

from mdpublish_server.storage.records import Document, DocumentSummary
from mdpublish_server.storage.tables import DOCUMENTS
from mdpublish_server.storage.timestamps import from_microseconds, to_microseconds
from mdpublish_server.storage.transactions import Row, Statement, Transaction

_COLUMNS = tuple(DOCUMENTS.c[field.name] for field in fields(Document))
_SUMMARY_COLUMNS = tuple(DOCUMENTS.c[field.name] for field in fields(DocumentSummary))

# What the database holds in another form.
_TIMES = frozenset({"published_at", "expires_at", "created_at", "updated_at"})
_FLAGS = frozenset({"hide_badge", "is_taken_down"})

_Record = TypeVar("_Record", Document, DocumentSummary)

_of_account = DOCUMENTS.c.account_id == bindparam("account")
_this = and_(DOCUMENTS.c.id == bindparam("document_id"), _of_account)
_newest_first = (DOCUMENTS.c.updated_at.desc(), DOCUMENTS.c.id.desc())
_older = or_(
    DOCUMENTS.c.updated_at < bindparam("before"),
    and_(DOCUMENTS.c.updated_at == bindparam("before"), DOCUMENTS.c.id < bindparam("before_id")),
)

_ADD = Statement(insert(DOCUMENTS))
_FIND = Statement(select(*_COLUMNS).where(DOCUMENTS.c.id == bindparam("document_id")))
_FIND_OF_ACCOUNT = Statement(select(*_COLUMNS).where(_this))
_LIST = Statement(
    select(*_SUMMARY_COLUMNS).where(_of_account, _older).order_by(*_newest_first).limit(bindparam("limit"))
)
_IDS = Statement(select(DOCUMENTS.c.id).where(_of_account).order_by(*_newest_first))
_EDITED = Statement(
    select(DOCUMENTS.c.updated_at).where(_of_account).order_by(*_newest_first).limit(1).offset(bindparam("rank"))
)
_REPLACE = Statement(
    update(DOCUMENTS)
    .where(DOCUMENTS.c.id == bindparam("document_id"), DOCUMENTS.c.revision == bindparam("seen"))
    .values(
        {
            column.key: bindparam(f"new_{column.key}")
            for column in _COLUMNS
            if column.key not in ("id", "created_at", "is_taken_down", "revision")
        }
        | {"revision": DOCUMENTS.c.revision + 1}
    )
)
_DELETE = Statement(delete(DOCUMENTS).where(_this).returning(DOCUMENTS.c.published_at))
_DELETE_DEMO = Statement(
    delete(DOCUMENTS).where(DOCUMENTS.c.id == bindparam("document_id"), DOCUMENTS.c.account_id.is_(None))
)
_UNPUBLISH = Statement(
    update(DOCUMENTS)
    .where(DOCUMENTS.c.id == bindparam("document_id"), DOCUMENTS.c.published_at.is_not(None))
    .values(published_at=None, revision=DOCUMENTS.c.revision + 1)
)
# With a revision of its own: whoever is about to publish the document, as it was before, is refused.
_TAKE_DOWN = Statement(
    update(DOCUMENTS)
    .where(DOCUMENTS.c.id == bindparam("document_id"))
    .values(is_taken_down=True, revision=DOCUMENTS.c.revision + 1)
)
_BUMP_REVISIONS = Statement(update(DOCUMENTS).where(_of_account).values(revision=DOCUMENTS.c.revision + 1))
_is_expired = DOCUMENTS.c.expires_at <= bindparam("now")
_DELETE_EXPIRED = Statement(
    # Once more outside: PostgreSQL looks again there at a row that was claimed while this waited for it.
    delete(DOCUMENTS).where(
        _is_expired, DOCUMENTS.c.id.in_(select(DOCUMENTS.c.id).where(_is_expired).limit(bindparam("limit")))
    )
)


def add_document(transaction: Transaction, document: Document) -> None:
    """Keep a new document."""
    transaction.change(_ADD, **_values(document))


def find_document(transaction: Transaction, document_id: str) -> Document | None:
    """Return the document of this id, whosever it is."""
    row = transaction.row(_FIND, document_id=document_id)
    return None if row is None else _record(Document, _COLUMNS, row)


def find_account_document(transaction: Transaction, account_id: str, document_id: str) -> Document | None:
    """Return an account's document of this id."""
    row = transaction.row(_FIND_OF_ACCOUNT, account=account_id, document_id=document_id)
    return None if row is None else _record(Document, _COLUMNS, row)


def list_documents(
    transaction: Transaction, account_id: str, *, before: datetime, before_id: str, limit: int
) -> Sequence[DocumentSummary]:
    """Return an account's documents that were edited before a time (or then, with a lower id), the newest first."""
    rows = transaction.rows(_LIST, account=account_id, before=to_microseconds(before), before_id=before_id, limit=limit)
    return tuple(_record(DocumentSummary, _SUMMARY_COLUMNS, row) for row in rows)


def document_ids(transaction: Transaction, account_id: str) -> Sequence[str]:
    """Return the ids of all documents of an account, the one edited last first."""
    return tuple(row[0] for row in transaction.rows(_IDS, account=account_id))


def edited_at_rank(transaction: Transaction, account_id: str, rank: int) -> datetime | None:
    """Return when the document was edited that stands at `rank` (from 0) by its last edit; None where there are fewer."""
    row = transaction.row(_EDITED, account=account_id, rank=rank)
    return None if row is None else from_microseconds(int(row[0]))


def replace_document(transaction: Transaction, document: Document) -> bool:
    """Keep a document in place of the one that has its id and its revision, and raise that.

    False where that one has changed or gone meanwhile. `created_at` and `is_taken_down` stay as they were.
    """
    values = {f"new_{name}": value for name, value in _values(document).items()}
    for unchanged in ("id", "created_at", "is_taken_down", "revision"):
        del values[f"new_{unchanged}"]
    return transaction.change(_REPLACE, document_id=document.id, seen=document.revision, **values) == 1


def delete_document(transaction: Transaction, account_id: str, document_id: str) -> bool | None:
    """Delete an account's document, and tell whether it was published; None where there is none of this id."""
    row = transaction.row(_DELETE, account=account_id, document_id=document_id)
    return None if row is None else row[0] is not None


def delete_demo(transaction: Transaction, document_id: str) -> bool:
    """Delete a document that is no account's, and tell whether it was one."""
    return transaction.change(_DELETE_DEMO, document_id=document_id) == 1


def unpublish_document(transaction: Transaction, document_id: str) -> bool:
    """Unpublish a document, and tell whether it was published."""
    return transaction.change(_UNPUBLISH, document_id=document_id) == 1


def take_down(transaction: Transaction, document_id: str) -> None:
    """Keep that a document may not be published again."""
    transaction.change(_TAKE_DOWN, document_id=document_id)


def bump_revisions(transaction: Transaction, account_id: str) -> None:
    """Raise the revision of all documents of an account: their pages are rendered anew when they are next viewed."""
    transaction.change(_BUMP_REVISIONS, account=account_id)


def delete_expired_documents(transaction: Transaction, *, now: datetime, limit: int) -> int:
    """Delete demos whose time is over, so many at most, and return how many."""
    return transaction.change(_DELETE_EXPIRED, now=to_microseconds(now), limit=limit)


def _values(document: Document) -> dict[str, object]:
    values = {column.key: getattr(document, column.key) for column in _COLUMNS}
    return values | {name: to_microseconds(values[name]) for name in _TIMES}


def _record(kind: type[_Record], columns: Sequence[Column[Any]], row: Row) -> _Record:
    values = {column.key: value for column, value in zip(columns, row, strict=True)}
    times = {name: from_microseconds(values[name]) for name in _TIMES & values.keys()}
    flags = {name: bool(values[name]) for name in _FLAGS & values.keys()}
    return kind(**values | times | flags)
