"""Queries for former contents of documents."""

from collections.abc import Mapping, Sequence

from sqlalchemy import and_, bindparam, delete, select, update

from mdpublish_server.storage.record_columns import RecordColumns
from mdpublish_server.storage.records import Revision, RevisionSummary
from mdpublish_server.storage.tables import DOCUMENT_REVISIONS, DOCUMENTS
from mdpublish_server.storage.transactions import Statement, Transaction

_SUMMARY = RecordColumns(RevisionSummary, DOCUMENT_REVISIONS)
_REVISION = RecordColumns(Revision, DOCUMENT_REVISIONS)

_of_document = DOCUMENT_REVISIONS.c.document_id == bindparam("document")
_newest_first = DOCUMENT_REVISIONS.c.number.desc()

_LIST = Statement(select(*_SUMMARY.columns).where(_of_document).order_by(_newest_first))
_NEWEST = Statement(select(*_SUMMARY.columns).where(_of_document).order_by(_newest_first).limit(1))
_is_this = DOCUMENT_REVISIONS.c.number == bindparam("this_number")
_is_named = DOCUMENT_REVISIONS.c.name != ""
_SIZES = Statement(
    select(DOCUMENT_REVISIONS.c.number, DOCUMENT_REVISIONS.c.bytes)
    .where(_of_document, ~_is_named)
    .order_by(_newest_first)
)
_FIND = Statement(select(*_REVISION.columns).where(_of_document, _is_this))
_NAME = Statement(update(DOCUMENT_REVISIONS).where(_of_document, _is_this).values(name=bindparam("given")))
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
            ~_is_named,
            DOCUMENT_REVISIONS.c.bytes == bindparam("size"),
            DOCUMENT_REVISIONS.c.content == bindparam("same_content"),
        )
    )
)
_DELETE_UP_TO = Statement(
    delete(DOCUMENT_REVISIONS).where(_of_document, ~_is_named, DOCUMENT_REVISIONS.c.number <= bindparam("last"))
)


def list_revisions(transaction: Transaction, document_id: str) -> Sequence[RevisionSummary]:
    """Return a document's former contents, newest first."""
    return _SUMMARY.all(transaction, _LIST, document=document_id)


def account_revisions(transaction: Transaction, account_id: str) -> Mapping[str, Sequence[int]]:
    """Return the numbers of each document's former contents, newest first."""
    numbers: dict[str, list[int]] = {}
    for document_id, number in transaction.rows(_NUMBERS_OF_ACCOUNT, account=account_id):
        numbers.setdefault(document_id, []).append(number)
    return numbers


def newest_revision(transaction: Transaction, document_id: str) -> RevisionSummary | None:
    return _SUMMARY.first(transaction, _NEWEST, document=document_id)


def find_revision(transaction: Transaction, document_id: str, number: int) -> Revision | None:
    return _REVISION.first(transaction, _FIND, document=document_id, this_number=number)


def name_revision(transaction: Transaction, document_id: str, number: int, name: str) -> None:
    """Keep a former content under a name; without one, it may be deleted like others."""
    transaction.change(_NAME, document=document_id, this_number=number, given=name)


def add_revision(transaction: Transaction, revision: Revision) -> None:
    """Store a former content, in place of an equal one without a name."""
    transaction.change(_DELETE_SAME, document=revision.document_id, size=revision.bytes, same_content=revision.content)
    _REVISION.add(transaction, revision)


def trim_revisions(transaction: Transaction, document_id: str, *, number: int, max_bytes: int) -> None:
    """Delete the oldest former contents without a name until at most `number` are left, of `max_bytes` together."""
    total = 0
    for index, (this_number, size) in enumerate(transaction.rows(_SIZES, document=document_id)):
        total += size
        if index >= number or total > max_bytes:
            transaction.change(_DELETE_UP_TO, document=document_id, last=this_number)
            return
