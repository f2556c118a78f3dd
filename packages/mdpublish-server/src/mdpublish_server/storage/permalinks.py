"""Queries for permalinks, stored pages and demos."""

from datetime import datetime

from sqlalchemy import and_, bindparam, delete, or_, select, update
from sqlalchemy.dialects.postgresql import insert  # both dialects compile ON CONFLICT alike

from mdpublish_server.storage.paths import DEMOS, SHARED, demo_path_of, path_of, slug_of, space_of, username_of
from mdpublish_server.storage.record_columns import RecordColumns
from mdpublish_server.storage.records import DemoPage, Page, ResolvedPage
from mdpublish_server.storage.tables import (
    ACCOUNTS,
    DEMO_PAGES,
    DOCUMENTS,
    FORMER_USERNAMES,
    PAGES,
    PERMALINKS,
    USERNAMES,
)
from mdpublish_server.storage.timestamps import to_microseconds
from mdpublish_server.storage.transactions import Row, Statement, Transaction

_current = PERMALINKS.alias("current_addresses")

# Rows in the shared space stay open when the account gets a username.
_is_current = and_(_current.c.until.is_(None), _current.c.space != SHARED)
_PAGE = RecordColumns(Page, PAGES)
_RESOLVED = RecordColumns(ResolvedPage, DOCUMENTS, ACCOUNTS, document_id=DOCUMENTS.c.id)
_resolved = select(
    _current.c.space, _current.c.slug, ACCOUNTS.c.username, PAGES.c.document_id, *_PAGE.columns, *_RESOLVED.columns
)
_targets = (
    PERMALINKS.join(DOCUMENTS, DOCUMENTS.c.id == PERMALINKS.c.document_id)
    .join(_current, and_(_current.c.document_id == PERMALINKS.c.document_id, _is_current))
    .outerjoin(ACCOUNTS, ACCOUNTS.c.id == DOCUMENTS.c.account_id)
    .outerjoin(PAGES, PAGES.c.document_id == DOCUMENTS.c.id)
)
_has_slug = PERMALINKS.c.slug == bindparam("slug")
_FIND = Statement(_resolved.select_from(_targets).where(PERMALINKS.c.space == bindparam("space"), _has_slug))
_FIND_OF_USER = Statement(
    _resolved.select_from(_targets.join(USERNAMES, USERNAMES.c.account_id == PERMALINKS.c.space)).where(
        USERNAMES.c.username == bindparam("name"),
        _has_slug,
        PERMALINKS.c.since <= ACCOUNTS.c.renames,
        or_(PERMALINKS.c.until.is_(None), PERMALINKS.c.until >= ACCOUNTS.c.renames),
    )
)
# Where several accounts had the username and the slug, it was the last one's.
_FIND_OF_FORMER_USER = Statement(
    _resolved.select_from(_targets.join(FORMER_USERNAMES, FORMER_USERNAMES.c.account_id == PERMALINKS.c.space))
    .where(
        FORMER_USERNAMES.c.username == bindparam("name"),
        _has_slug,
        PERMALINKS.c.since <= FORMER_USERNAMES.c.number,
        or_(PERMALINKS.c.until.is_(None), PERMALINKS.c.until >= FORMER_USERNAMES.c.number),
    )
    .order_by(FORMER_USERNAMES.c.left_at.desc(), FORMER_USERNAMES.c.number.desc())
    .limit(1)
)
_FIND_OF_DOCUMENT = Statement(_resolved.select_from(_targets).where(DOCUMENTS.c.id == bindparam("document")).limit(1))
_new_page = insert(PAGES)
_SAVE_PAGE = Statement(
    _new_page.on_conflict_do_update(
        index_elements=["document_id"], set_={each.key: _new_page.excluded[each.key] for each in _PAGE.columns}
    )
)
_DELETE_PAGE = Statement(delete(PAGES).where(PAGES.c.document_id == bindparam("document")))
# Row lock: the document must not change before its page is saved.
_REVISION = Statement(
    select(DOCUMENTS.c.revision).where(DOCUMENTS.c.id == bindparam("document")).with_for_update(read=True)
)

_DEMO = RecordColumns(DemoPage, DEMO_PAGES)
_ADD_DEMO = Statement(insert(DEMO_PAGES).on_conflict_do_nothing())
_DEMO_OF_IDENTIFIER = Statement(select(*_DEMO.columns).where(DEMO_PAGES.c.identifier == bindparam("key")))
_DEMO_OF_TOKEN = Statement(select(*_DEMO.columns).where(DEMO_PAGES.c.claim_token_hash == bindparam("key")))
_CLAIM_DEMO = Statement(
    update(DEMO_PAGES)
    .where(DEMO_PAGES.c.identifier == bindparam("key"), DEMO_PAGES.c.claimed_at.is_(None))
    .values(claimed_at=bindparam("now"))
)
_DELETE_UNCLAIMED = Statement(
    delete(DEMO_PAGES).where(DEMO_PAGES.c.identifier == bindparam("key"), DEMO_PAGES.c.claimed_at.is_(None))
)


def find_page(transaction: Transaction, path: str) -> ResolvedPage | None:
    """Return the page that has or had this path."""
    username, slug = username_of(path), slug_of(path)
    if username is None:
        row = transaction.row(_FIND, space=space_of(path), slug=slug)
    else:
        row = transaction.row(_FIND_OF_USER, name=username, slug=slug)
        row = row or transaction.row(_FIND_OF_FORMER_USER, name=username, slug=slug)
    return None if row is None else _resolved_of(row)


def find_page_of(transaction: Transaction, document_id: str) -> ResolvedPage | None:
    """Return the page of a document, published or not, that has an address."""
    row = transaction.row(_FIND_OF_DOCUMENT, document=document_id)
    return None if row is None else _resolved_of(row)


def save_page(transaction: Transaction, document_id: str, page: Page) -> bool:
    """Return False if the document's revision has changed."""
    revision = transaction.row(_REVISION, document=document_id)
    if revision is None or revision[0] != page.revision:
        return False
    transaction.change(_SAVE_PAGE, document_id=document_id, **_PAGE.written(page))
    return True


def delete_page(transaction: Transaction, document_id: str) -> None:
    transaction.change(_DELETE_PAGE, document=document_id)


def add_demo(transaction: Transaction, demo: DemoPage) -> bool:
    """Return False if there is a demo with this identifier."""
    return transaction.change(_ADD_DEMO, **_DEMO.written(demo)) == 1


def find_demo(transaction: Transaction, identifier: str) -> DemoPage | None:
    return _DEMO.first(transaction, _DEMO_OF_IDENTIFIER, key=identifier)


def find_demo_by_token(transaction: Transaction, claim_token_hash: str) -> DemoPage | None:
    return _DEMO.first(transaction, _DEMO_OF_TOKEN, key=claim_token_hash)


def claim_demo(transaction: Transaction, identifier: str, *, now: datetime) -> bool:
    """Return False if already claimed."""
    return transaction.change(_CLAIM_DEMO, key=identifier, now=to_microseconds(now)) == 1


def delete_unclaimed_demo(transaction: Transaction, identifier: str) -> bool:
    """Return False if claimed or gone."""
    return transaction.change(_DELETE_UNCLAIMED, key=identifier) == 1


def _resolved_of(row: Row) -> ResolvedPage:
    (space, slug, username, has_page), values = row[:4], row[4:]
    page = _PAGE.read(values[: len(_PAGE.columns)]) if has_page else None
    path = demo_path_of(slug) if space == DEMOS else path_of(username, slug)
    return _RESOLVED.read(values[len(_PAGE.columns) :], path=path, page=page)
