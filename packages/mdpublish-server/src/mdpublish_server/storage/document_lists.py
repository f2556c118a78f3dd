"""Queries for the list of documents on the site: its orders, its folders, and documents that were chosen in it."""

from collections.abc import Sequence
from datetime import datetime
from typing import Any, NamedTuple

from sqlalchemy import Column, Select, bindparam, case, func, select, tuple_

from mdpublish_server.storage.record_columns import RecordColumns
from mdpublish_server.storage.records import DocumentSummary, folder_key
from mdpublish_server.storage.tables import DOCUMENTS
from mdpublish_server.storage.timestamps import to_microseconds
from mdpublish_server.storage.transactions import Statement, Transaction, among, numbered

CHOSEN = 20
"""Documents that one statement finds by their ids."""

BEGINNING_CHARACTERS = 600
"""Characters of the text of an untitled document that are read."""

TITLE, CREATED, UPDATED = "title", "created", "updated"

_SUMMARY = RecordColumns(DocumentSummary, DOCUMENTS)
_of_account = DOCUMENTS.c.account_id == bindparam("account")
_in_folder = DOCUMENTS.c.folder_key == bindparam("folder_key")
_LISTED = select(
    *_SUMMARY.columns,
    case(
        (DOCUMENTS.c.title == bindparam("untitled"), func.substr(DOCUMENTS.c.content, 1, BEGINNING_CHARACTERS)),
        else_="",
    ),
).where(_of_account)


def _ordered(column: Column[Any], *, is_falling: bool = True) -> Select[Any]:
    columns = (column, DOCUMENTS.c.id)
    position, last = tuple_(*columns), tuple_(bindparam("key"), bindparam("last_id"))
    return (
        _LISTED.where(position < last if is_falling else position > last)
        .order_by(*(each.desc() if is_falling else each for each in columns))
        .limit(bindparam("limit"))
    )


_ORDERED = {
    UPDATED: _ordered(DOCUMENTS.c.updated_at),
    TITLE: _ordered(DOCUMENTS.c.title_key, is_falling=False),
    CREATED: _ordered(DOCUMENTS.c.created_at),
}
_LISTS = {order: Statement(ordered) for order, ordered in _ORDERED.items()}
_FOLDER_LISTS = {order: Statement(ordered.where(_in_folder)) for order, ordered in _ORDERED.items()}
_CHOSEN = Statement(_LISTED.where(among(DOCUMENTS.c.id, CHOSEN)))
# A folder is called as in the document edited last: an index counts, and finds one name for each.
_other = DOCUMENTS.alias()
_name = (
    select(_other.c.folder)
    .where(_other.c.account_id == bindparam("account"), _other.c.folder_key == DOCUMENTS.c.folder_key)
    .order_by(_other.c.updated_at.desc(), _other.c.id.desc())
    .limit(1)
    .scalar_subquery()
)
_FOLDERS = Statement(select(_name, func.count()).where(_of_account).group_by(DOCUMENTS.c.folder_key))


class Listed(NamedTuple):
    """A document, and the beginning of its text if it has no title."""

    document: DocumentSummary
    beginning: str


class Folder(NamedTuple):
    """A folder with its number of documents; that of documents in no folder is called ""."""

    name: str
    documents: int


def ordered_documents(
    transaction: Transaction,
    account_id: str,
    order: str,
    *,
    after: tuple[str | datetime, str],
    limit: int,
    untitled: str,
    folder: str | None = None,
) -> Sequence[Listed]:
    """Return documents after a key and an id, titles rising, times falling: all, or those of a folder, "" for none.

    Of those that are called `untitled`, the text begins as `Listed` has it.
    """
    key, last_id = after
    shown_key = to_microseconds(key) if isinstance(key, datetime) else key
    values = {"account": account_id, "key": shown_key, "last_id": last_id, "limit": limit, "untitled": untitled}
    if folder is None:
        return _listed(transaction, _LISTS[order], **values)
    return _listed(transaction, _FOLDER_LISTS[order], **values, folder_key=folder_key(folder))


def chosen_documents(
    transaction: Transaction, account_id: str, document_ids: Sequence[str], *, untitled: str
) -> Sequence[Listed]:
    """Return those of at most `CHOSEN` documents that are the account's."""
    return _listed(transaction, _CHOSEN, account=account_id, untitled=untitled, **numbered(document_ids, CHOSEN))


def folders(transaction: Transaction, account_id: str) -> Sequence[Folder]:
    """Return what documents are in, by name, first that of those in none."""
    rows = transaction.rows(_FOLDERS, account=account_id)
    return sorted((Folder(name or "", count) for name, count in rows), key=lambda each: folder_key(each.name))


def folder_names(transaction: Transaction, account_id: str) -> Sequence[str]:
    """Return the names of the folders that documents are in."""
    return tuple(folder.name for folder in folders(transaction, account_id) if folder.name)


def _listed(transaction: Transaction, statement: Statement, **values: object) -> Sequence[Listed]:
    rows = transaction.rows(statement, **values)
    return tuple(Listed(_SUMMARY.read(row[:-1]), row[-1]) for row in rows)
