"""Queries for former contents of documents."""

from collections.abc import Mapping, Sequence
from dataclasses import fields
from typing import Any

from sqlalchemy import and_, bindparam, delete, insert, select

from mdpublish_server.storage.records import Revision, RevisionSummary
from mdpublish_server.storage.tables import DOCUMENT_REVISIONS, DOCUMENTS
from mdpublish_server.storage.timestamps import from_microseconds, to_microseconds
from mdpublish_server.storage.transactions import Row, Statement, Transaction

_SUMMARY_NAMES = tuple(field.name for field in fields(RevisionSummary))
_summary_columns = tuple(DOCUMENT_REVISIONS.c[name] for name in _SUMMARY_NAMES)

_TIMES = frozenset({"saved_at", "replaced_at"})

_of_document = DOCUMENT_REVISIONS.c.document_id == bindparam("document")
_newest_first = DOCUMENT_REVISIONS.c.number.desc()

_ADD = Statement(insert(DOCUMENT_REVISIONS))
_LIST = Statement(select(*_summary_columns).where(_of_document).order_by(_newest_first))
_NEWEST = Statement(select(*_summary_columns).where(_of_document).order_by(_newest_first).limit(1))
_FIND = Statement(
    select(*_summary_columns, DOCUMENT_REVISIONS.c.content).where(
        _of_document, DOCUMENT_REVISIONS.c.number == bindparam("this_number")
    )
)
_SIZES = Statement(
    select(DOCUMENT_REVISIONS.c.number, DOCUMENT_REVISIONS.c.bytes).where(_of_document).order_by(_newest_first)
)
_NUMBERS_OF_ACCOUNT = Statement(
    select(DOCUMENT_REVISIONS.c.document_id, DOCUMENT_REVISIONS.c.number)
    .select_from(DOCUMENT_REVISIONS.join(DOCUMENTS, DOCUMENTS.c.id == DOCUMENT_REVISIONS.c.document_id))
    .where(DOCUMENTS.c.account_id == bindparam("account"))
    .order_by(DOCUMENT_REVISIONS.c.document_id, _newest_first)
)
_DELETE_SAME = Statement(
    delete(DOCUMENT_REVISIONS).where(
        and_(
            _of_document,
            DOCUMENT_REVISIONS.c.bytes == bindparam("size"),
            DOCUMENT_REVISIONS.c.content == bindparam("same_content"),
        )
    )
)
_DELETE_UP_TO = Statement(
    delete(DOCUMENT_REVISIONS).where(_of_document, DOCUMENT_REVISIONS.c.number <= bindparam("last"))
)


def list_revisions(transaction: Transaction, document_id: str) -> Sequence[RevisionSummary]:
    """Return a document's former contents, newest first."""
    return tuple(_summary_of(row) for row in transaction.rows(_LIST, document=document_id))


def account_revisions(transaction: Transaction, account_id: str) -> Mapping[str, Sequence[int]]:
    """Return the numbers of each document's former contents, newest first."""
    numbers: dict[str, list[int]] = {}
    for document_id, number in transaction.rows(_NUMBERS_OF_ACCOUNT, account=account_id):
        numbers.setdefault(document_id, []).append(number)
    return numbers


def newest_revision(transaction: Transaction, document_id: str) -> RevisionSummary | None:
    row = transaction.row(_NEWEST, document=document_id)
    return None if row is None else _summary_of(row)


def find_revision(transaction: Transaction, document_id: str, number: int) -> Revision | None:
    row = transaction.row(_FIND, document=document_id, this_number=number)
    return None if row is None else Revision(**_values_of(row[:-1]), content=bytes(row[-1]))


def add_revision(transaction: Transaction, revision: Revision) -> None:
    """Store a former content, in place of an equal one."""
    transaction.change(_DELETE_SAME, document=revision.document_id, size=revision.bytes, same_content=revision.content)
    values = {name: getattr(revision, name) for name in _SUMMARY_NAMES}
    times = {name: to_microseconds(values[name]) for name in _TIMES}
    transaction.change(_ADD, **values | times, content=revision.content)


def trim_revisions(transaction: Transaction, document_id: str, *, number: int, max_bytes: int) -> None:
    """Delete the oldest former contents of a document until at most `number` are left, of `max_bytes` together."""
    total = 0
    for index, (this_number, size) in enumerate(transaction.rows(_SIZES, document=document_id)):
        total += size
        if index >= number or total > max_bytes:
            transaction.change(_DELETE_UP_TO, document=document_id, last=this_number)
            return


def _summary_of(row: Row) -> RevisionSummary:
    return RevisionSummary(**_values_of(row))


def _values_of(row: Row) -> dict[str, Any]:
    values = dict(zip(_SUMMARY_NAMES, row, strict=True))
    times = {name: from_microseconds(values[name]) for name in _TIMES}
    return values | times | {"is_before_restore": bool(values["is_before_restore"])}
