"""Document queries."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import datetime

from sqlalchemy import and_, bindparam, case, cast, delete, exists, func, insert, select, tuple_, update

from mdpublish_server.storage.accounts import COUNTED_DOCUMENT, count_document
from mdpublish_server.storage.record_columns import RecordColumns
from mdpublish_server.storage.records import DocumentRecord, DocumentSummary, folder_key
from mdpublish_server.storage.search_index import (
    ADDED_COLUMNS,
    index_document,
    index_title,
    index_values,
    require_thread_to_unindex,
)
from mdpublish_server.storage.tables import DOCUMENT_WORDS, DOCUMENTS, TRASH
from mdpublish_server.storage.timestamps import from_microseconds, to_microseconds
from mdpublish_server.storage.transactions import SQLITE, Statement, Transaction, among, numbered

_DOCUMENT = RecordColumns(DocumentRecord, DOCUMENTS)
_SUMMARY = RecordColumns(DocumentSummary, DOCUMENTS)

_of_account = DOCUMENTS.c.account_id == bindparam("account")
_this = and_(DOCUMENTS.c.id == bindparam("document_id"), _of_account)
_newest_first = (DOCUMENTS.c.updated_at.desc(), DOCUMENTS.c.id.desc())

# The edit time is the account's next one. Casts: PostgreSQL takes a null in a list of columns for text.
_ADDED = (
    insert(DOCUMENTS)
    .from_select(
        [column.key for column in _DOCUMENT.columns],
        select(
            *(
                COUNTED_DOCUMENT.c.edited_at
                if column.key == "updated_at"
                else cast(bindparam(f"new_{column.key}"), column.type)
                for column in _DOCUMENT.columns
            )
        ),
    )
    .returning(DOCUMENTS.c.id, DOCUMENTS.c.updated_at)
    .cte("added")
)
_ADD_COUNTED = Statement(
    select(_ADDED.c.updated_at).add_cte(
        insert(DOCUMENT_WORDS)
        .from_select(
            [column.key for column in ADDED_COLUMNS],
            select(
                _ADDED.c.id, *(cast(bindparam(f"indexed_{column.key}"), column.type) for column in ADDED_COLUMNS[1:])
            ),
        )
        .cte("indexed")
    )
)
_FIND = Statement(select(*_DOCUMENT.columns).where(DOCUMENTS.c.id == bindparam("document_id")))
_FIND_OF_ACCOUNT = Statement(select(*_DOCUMENT.columns).where(_this))
BEGINNING_CHARACTERS = 600
"""Characters of the text of an untitled document that lists read."""

UPDATED, TITLE, CREATED = "updated", "title", "created"

_SORTS = {UPDATED: DOCUMENTS.c.updated_at, TITLE: DOCUMENTS.c.title_key, CREATED: DOCUMENTS.c.created_at}
_is_untitled = DOCUMENTS.c.title == bindparam("untitled")
_LISTED = select(
    *_SUMMARY.columns,
    case((_is_untitled, func.substr(DOCUMENTS.c.content, 1, BEGINNING_CHARACTERS)), else_=""),
).where(_of_account)


def _list(sort: str, *, in_folder: bool) -> Statement:
    # Row values: an index finds them, but not each of two alternatives.
    columns = (_SORTS[sort], DOCUMENTS.c.id)
    place, last = tuple_(*columns), tuple_(bindparam("before"), bindparam("before_id"))
    is_rising = sort == TITLE
    listed = _LISTED.where(place > last if is_rising else place < last)
    if in_folder:
        listed = listed.where(DOCUMENTS.c.folder_key == bindparam("folder_key"))
    listed = listed.order_by(*(each if is_rising else each.desc() for each in columns))
    return Statement(listed.limit(bindparam("limit")))


_LISTS = {(sort, in_folder): _list(sort, in_folder=in_folder) for sort in _SORTS for in_folder in (False, True)}

CHOSEN = 20
"""Documents that one statement finds by their ids."""

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
CONTENTS = 5
"""Texts that one statement reads."""

_CONTENTS = Statement(
    select(*_SUMMARY.columns, DOCUMENTS.c.content).where(
        _of_account, DOCUMENTS.c.id.in_([bindparam(f"id_{number}") for number in range(CONTENTS)])
    )
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
            for column in _DOCUMENT.columns
            if column.key not in ("id", "created_at", "is_taken_down", "revision")
        }
        | {"revision": DOCUMENTS.c.revision + 1}
    )
)
_MARK_SAVED = Statement(
    update(DOCUMENTS)
    .where(DOCUMENTS.c.id == bindparam("document_id"), DOCUMENTS.c.revision == bindparam("seen"))
    .values(is_autosaved=False)
)
_DELETE = Statement(delete(DOCUMENTS).where(_this).returning(DOCUMENTS.c.published_at))
# What is in the trash has no account either.
_is_demo = and_(DOCUMENTS.c.account_id.is_(None), ~exists().where(TRASH.c.document_id == DOCUMENTS.c.id))
_DELETE_DEMO = Statement(delete(DOCUMENTS).where(DOCUMENTS.c.id == bindparam("document_id"), _is_demo))
_UNPUBLISH = Statement(
    update(DOCUMENTS)
    .where(DOCUMENTS.c.id == bindparam("document_id"), DOCUMENTS.c.published_at.is_not(None))
    .values(published_at=None, revision=DOCUMENTS.c.revision + 1)
)
# A new revision makes a concurrent publish conflict.
_TAKE_DOWN = Statement(
    update(DOCUMENTS)
    .where(DOCUMENTS.c.id == bindparam("document_id"))
    .values(is_taken_down=True, revision=DOCUMENTS.c.revision + 1)
)
# Of an account's document, only the page ends.
_is_expired = and_(DOCUMENTS.c.expires_at <= bindparam("now"), _is_demo)
_EXPIRED = Statement(select(DOCUMENTS.c.id).where(_is_expired).limit(bindparam("limit")))
# A demo may have been claimed meanwhile.
_DELETE_EXPIRED = Statement(delete(DOCUMENTS).where(DOCUMENTS.c.id == bindparam("document_id"), _is_expired))
_SOME = Statement(select(DOCUMENTS.c.id).where(_of_account).limit(bindparam("limit")))


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
    if transaction.dialect == SQLITE:
        edited_at = count_document(
            transaction, document.account_id, month=month, quota=quota, limit=limit, now=document.updated_at
        )
        if edited_at is None:
            return None
        edited = replace(document, updated_at=edited_at)
        add_document(transaction, edited, words=words)
        return edited
    values = _DOCUMENT.written(document)
    now = values.pop("updated_at")
    row = transaction.row(
        _ADD_COUNTED,
        account_id=document.account_id,
        this_month=month,
        limit=quota,
        max_documents=limit,
        now=now,
        **{f"new_{name}": value for name, value in values.items()},
        **{f"indexed_{name}": value for name, value in index_values(document, words).items()},
    )
    return None if row is None else replace(document, updated_at=from_microseconds(int(row[0])))


def find_document(transaction: Transaction, document_id: str) -> DocumentRecord | None:
    return _DOCUMENT.first(transaction, _FIND, document_id=document_id)


def find_account_document(transaction: Transaction, account_id: str, document_id: str) -> DocumentRecord | None:
    return _DOCUMENT.first(transaction, _FIND_OF_ACCOUNT, account=account_id, document_id=document_id)


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
    values: dict[str, object] = {"before": to_microseconds(before) if isinstance(before, datetime) else before}
    values |= {"account": account_id, "before_id": before_id, "limit": limit, "untitled": untitled}
    values["folder_key"] = folder_key(folder)
    return _summaries(transaction, _LISTS[sort, folder is not None], **values)


def chosen_documents(
    transaction: Transaction, account_id: str, document_ids: Sequence[str], *, untitled: str
) -> Sequence[DocumentSummary]:
    """Return those of at most `CHOSEN` documents that are the account's, in the order of their ids."""
    values = {"account": account_id, "untitled": untitled, **numbered(document_ids, CHOSEN)}
    return sorted(_summaries(transaction, _CHOSEN, **values), key=lambda each: document_ids.index(each.id))


def count_by_folder(transaction: Transaction, account_id: str) -> Mapping[str, int]:
    """Return the numbers of documents by the names of their folders, in order; "" are those in none."""
    counts = {name or "": count for name, count in transaction.rows(_FOLDERS, account=account_id)}
    return {name: counts[name] for name in sorted(counts, key=folder_key)}


def _summaries(transaction: Transaction, statement: Statement, **values: object) -> Sequence[DocumentSummary]:
    return tuple(_SUMMARY.read(row[:-1], beginning=row[-1]) for row in transaction.rows(statement, **values))


def find_contents(
    transaction: Transaction, account_id: str, document_ids: Sequence[str]
) -> Mapping[str, tuple[DocumentSummary, str]]:
    """Return what exists of at most `CONTENTS` documents, by their ids."""
    padded = [*document_ids, *[""] * (CONTENTS - len(document_ids))]
    rows = transaction.rows(
        _CONTENTS, account=account_id, **{f"id_{number}": each for number, each in enumerate(padded)}
    )
    return {row[0]: (_SUMMARY.read(row[:-1]), row[-1]) for row in rows}


def document_ids(transaction: Transaction, account_id: str) -> Sequence[str]:
    """Return ids, newest edit first."""
    return tuple(row[0] for row in transaction.rows(_IDS, account=account_id))


def edited_at_rank(transaction: Transaction, account_id: str, rank: int) -> datetime | None:
    """Return the edit time at `rank` (from 0), newest first."""
    row = transaction.row(_EDITED, account=account_id, rank=rank)
    return None if row is None else from_microseconds(int(row[0]))


def replace_document(transaction: Transaction, document: DocumentRecord, *, words: str | None = None) -> bool:
    """Save a document and bump its revision, unless another is stored; its text is indexed if its `words` are given."""
    values = {f"new_{name}": value for name, value in _DOCUMENT.written(document).items()}
    for unchanged in ("id", "created_at", "is_taken_down", "revision"):
        del values[f"new_{unchanged}"]
    if transaction.change(_REPLACE, document_id=document.id, seen=document.revision, **values) != 1:
        return False
    if words is None:
        index_title(transaction, document)
    else:
        index_document(transaction, document, words)
    return True


def mark_saved(transaction: Transaction, document: DocumentRecord) -> None:
    """Do nothing if the stored revision differs."""
    transaction.change(_MARK_SAVED, document_id=document.id, seen=document.revision)


def delete_document(transaction: Transaction, account_id: str, document_id: str) -> bool | None:
    """Return whether it was published, or None if not found."""
    require_thread_to_unindex(transaction, document_id)
    row = transaction.row(_DELETE, account=account_id, document_id=document_id)
    return None if row is None else row[0] is not None


def delete_demo(transaction: Transaction, document_id: str) -> bool:
    return transaction.change(_DELETE_DEMO, document_id=document_id) == 1


def unpublish_document(transaction: Transaction, document_id: str) -> bool:
    return transaction.change(_UNPUBLISH, document_id=document_id) == 1


def take_down(transaction: Transaction, document_id: str) -> None:
    transaction.change(_TAKE_DOWN, document_id=document_id)


def expired_documents(transaction: Transaction, *, now: datetime, limit: int) -> Sequence[str]:
    return tuple(row[0] for row in transaction.rows(_EXPIRED, now=to_microseconds(now), limit=limit))


def delete_expired_document(transaction: Transaction, document_id: str, *, now: datetime) -> bool:
    """Return False if it was claimed or is gone."""
    return transaction.change(_DELETE_EXPIRED, document_id=document_id, now=to_microseconds(now)) == 1


def some_documents(transaction: Transaction, account_id: str, *, limit: int) -> Sequence[str]:
    """Return ids of documents of an account, in any order."""
    return tuple(row[0] for row in transaction.rows(_SOME, account=account_id, limit=limit))
