"""Queries for former contents of documents."""

from collections.abc import Mapping, Sequence

from mdpublish_server.storage.record_columns import RecordColumns
from mdpublish_server.storage.records import Revision, RevisionSummary
from mdpublish_server.storage.sql_files import read_statements
from mdpublish_server.storage.tables import DOCUMENT_REVISIONS
from mdpublish_server.storage.transactions import Transaction, query

_SUMMARY = RecordColumns(RevisionSummary, DOCUMENT_REVISIONS)
_REVISION = RecordColumns(Revision, DOCUMENT_REVISIONS)
_SQL = read_statements(__name__, summary=_SUMMARY.sql, revision=_REVISION.sql)

list_revisions = query(_SUMMARY.all, _SQL["list"], "document")
newest_revision = query(_SUMMARY.first, _SQL["newest"], "document")
find_revision = query(_REVISION.first, _SQL["find"], "document", "this_number")
name_revision = query(Transaction.change, _SQL["name"], "document", "this_number", "given")


def account_revisions(transaction: Transaction, account_id: str) -> Mapping[str, Sequence[int]]:
    """Return the numbers of each document's former contents, newest first."""
    numbers: dict[str, list[int]] = {}
    for document_id, number in transaction.rows(_SQL["numbers_of_account"], account=account_id):
        numbers.setdefault(document_id, []).append(number)
    return numbers


def add_revision(transaction: Transaction, revision: Revision) -> None:
    """Store a former content, in place of an equal one without a name."""
    transaction.change(
        _SQL["delete_same"], document=revision.document_id, size=revision.bytes, same_content=revision.content
    )
    _REVISION.add(transaction, revision)


def trim_revisions(transaction: Transaction, document_id: str, *, number: int, max_bytes: int) -> None:
    """Delete the oldest former contents without a name until at most `number` are left, of `max_bytes` together."""
    total = 0
    for index, (this_number, size) in enumerate(transaction.rows(_SQL["sizes"], document=document_id)):
        total += size
        if index >= number or total > max_bytes:
            transaction.change(_SQL["delete_up_to"], document=document_id, last=this_number)
            return
