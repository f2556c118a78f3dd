"""Document queries."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import datetime

from mdpublish_server.storage.accounts import COUNT_DOCUMENT, count_document
from mdpublish_server.storage.record_columns import RecordColumns
from mdpublish_server.storage.records import DocumentRecord, DocumentSummary, folder_key
from mdpublish_server.storage.search_index import index_document, index_title, index_values, require_thread_to_unindex
from mdpublish_server.storage.sql_files import read_statements
from mdpublish_server.storage.tables import DOCUMENTS
from mdpublish_server.storage.timestamps import from_microseconds
from mdpublish_server.storage.transactions import SQLITE, Statement, Transaction, numbered, placeholders, query

_DOCUMENT = RecordColumns(DocumentRecord, DOCUMENTS)
_SUMMARY = RecordColumns(DocumentSummary, DOCUMENTS)

BEGINNING_CHARACTERS = 600
"""Characters of the text of an untitled document that lists read."""

UPDATED, TITLE, CREATED = "updated", "title", "created"

CHOSEN = 20
"""Documents that one statement finds by their ids."""

CONTENTS = 5
"""Texts that one statement reads."""

_UNCHANGED = ("id", "created_at", "is_taken_down", "revision")
_SQL = read_statements(
    __name__,
    document=_DOCUMENT.sql,
    summary=_SUMMARY.sql,
    columns=", ".join(column.name for column in _DOCUMENT.columns),
    count_document=COUNT_DOCUMENT,
    new_values=", ".join(
        "counted.edited_at" if column.key == "updated_at" else f"CAST(:new_{column.key} AS {column.type})"
        for column in _DOCUMENT.columns
    ),
    replaced=", ".join(
        f"{column.name} = :new_{column.key}" for column in _DOCUMENT.columns if column.key not in _UNCHANGED
    ),
    beginning_characters=BEGINNING_CHARACTERS,
    chosen=placeholders(CHOSEN),
    contents=placeholders(CONTENTS),
)

find_document = query(_DOCUMENT.first, _SQL["find"], "document_id")
find_account_document = query(_DOCUMENT.first, _SQL["find_of_account"], "account", "document_id")
document_ids = query(Transaction.column, _SQL["ids"], "account")
delete_demo = query(Transaction.changes_one, _SQL["delete_demo"], "document_id")
unpublish_document = query(Transaction.changes_one, _SQL["unpublish"], "document_id")
take_down = query(Transaction.change, _SQL["take_down"], "document_id")
give_document = query(Transaction.change, _SQL["give"], "document_id")
give_words = query(Transaction.change, _SQL["give_words"], "document_id")
set_slug = query(Transaction.change, _SQL["set_slug"], "document_id", "to")
expired_documents = query(Transaction.column, _SQL["expired"])
delete_expired_document = query(Transaction.changes_one, _SQL["delete_expired"], "document_id")
edited_at_rank = query(Transaction.time, _SQL["edited"], "account", "rank")
some_documents = query(Transaction.column, _SQL["some"], "account")


def add_document(transaction: Transaction, document: DocumentRecord, *, words: str) -> None:
    """Add a document; `words` are the `indexed_words` of its text."""
    _DOCUMENT.add(transaction, document)
    index_document(transaction, document, words, is_new=True)


def add_counted_document(
    transaction: Transaction, document: DocumentRecord, *, words: str, month: str, quota: int, limit: int
) -> DocumentRecord | None:
    """Add a document and count it and the request; on PostgreSQL, in one statement.

    Return the document with its edit time, or None, unchanged, if the account is at a limit or in another month.
    """
    assert document.account_id is not None
    limits = {"this_month": month, "limit": quota, "max_documents": limit}
    if transaction.dialect == SQLITE:
        edited_at = count_document(transaction, document.account_id, now=document.updated_at, **limits)
        if edited_at is None:
            return None
        edited = replace(document, updated_at=edited_at)
        add_document(transaction, edited, words=words)
        return edited
    values = _DOCUMENT.written(document)
    now = values.pop("updated_at")
    row = transaction.row(
        _SQL["add_counted"],
        account_id=document.account_id,
        now=now,
        **limits,
        **{f"new_{name}": value for name, value in values.items()},
        **{f"indexed_{name}": value for name, value in index_values(document, words).items()},
    )
    return None if row is None else replace(document, updated_at=from_microseconds(int(row[0])))


def list_documents(
    transaction: Transaction,
    account_id: str,
    *,
    before: datetime | str,
    before_id: str,
    limit: int,
    folder: str | None = None,
    sort: str = UPDATED,
    untitled: str = "",
) -> Sequence[DocumentSummary]:
    """Return documents, all or those of a folder, "" for none, with how those begin that are called `untitled`.

    They come before the time `before` and `before_id`, the newest first, or in the order of titles after a title's key.
    """
    statement = _SQL[f"list_{sort}" if folder is None else f"list_{sort}_in_folder"]
    values = {"account": account_id, "folder_key": folder_key(folder), "untitled": untitled}
    return _summaries(transaction, statement, **values, before=before, before_id=before_id, limit=limit)


def chosen_documents(
    transaction: Transaction, account_id: str, document_ids: Sequence[str], *, untitled: str
) -> Sequence[DocumentSummary]:
    """Return those of at most `CHOSEN` documents that are the account's, in the order of their ids."""
    values = {"account": account_id, "untitled": untitled, **numbered(document_ids, CHOSEN)}
    return sorted(_summaries(transaction, _SQL["chosen"], **values), key=lambda each: document_ids.index(each.id))


def count_by_folder(transaction: Transaction, account_id: str) -> Mapping[str, int]:
    """Return the numbers of documents by the names of their folders, in order; "" are those in none."""
    counts = {name or "": count for name, count in transaction.rows(_SQL["folders"], account=account_id)}
    return {name: counts[name] for name in sorted(counts, key=folder_key)}


def _summaries(transaction: Transaction, statement: Statement, **values: object) -> Sequence[DocumentSummary]:
    return tuple(_SUMMARY.read(row[:-1], beginning=row[-1]) for row in transaction.rows(statement, **values))


def find_contents(
    transaction: Transaction, account_id: str, document_ids: Sequence[str]
) -> Mapping[str, tuple[DocumentSummary, str]]:
    """Return what exists of at most `CONTENTS` documents, by their ids."""
    rows = transaction.rows(_SQL["contents"], account=account_id, **numbered(document_ids, CONTENTS))
    return {row[0]: (_SUMMARY.read(row[:-1]), row[-1]) for row in rows}


def replace_document(transaction: Transaction, document: DocumentRecord, *, words: str | None = None) -> bool:
    """Save a document and bump its revision, unless another is stored; its text is indexed if its `words` are given."""
    values = {f"new_{name}": value for name, value in _DOCUMENT.written(document).items()}
    for unchanged in _UNCHANGED:
        del values[f"new_{unchanged}"]
    if transaction.change(_SQL["replace"], document_id=document.id, seen=document.revision, **values) != 1:
        return False
    if words is None:
        index_title(transaction, document)
    else:
        index_document(transaction, document, words)
    return True


def mark_saved(transaction: Transaction, document: DocumentRecord) -> None:
    """Do nothing if the stored revision differs."""
    transaction.change(_SQL["mark_saved"], document_id=document.id, seen=document.revision)


def delete_document(transaction: Transaction, account_id: str, document_id: str) -> bool | None:
    """Return whether it was published, or None if not found."""
    require_thread_to_unindex(transaction, document_id)
    row = transaction.row(_SQL["delete"], account=account_id, document_id=document_id)
    return None if row is None else row[0] is not None
