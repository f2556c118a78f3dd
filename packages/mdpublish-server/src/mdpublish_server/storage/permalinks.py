"""Queries for permalinks, stored pages and demos."""

from datetime import datetime

from sqlalchemy import and_, bindparam, cast, delete, false, func, select, true, update
from sqlalchemy.dialects.postgresql import insert  # both dialects compile ON CONFLICT alike

from mdpublish_server.storage.records import DemoPage, Page, ResolvedPage
from mdpublish_server.storage.tables import ACCOUNTS, DEMO_PAGES, DOCUMENTS, PAGES, PERMALINKS
from mdpublish_server.storage.timestamps import from_microseconds, to_microseconds
from mdpublish_server.storage.transactions import Row, Statement, Transaction

_current = PERMALINKS.alias("current_addresses")

_new_permalink = insert(PERMALINKS)
_CLAIM = Statement(
    _new_permalink.on_conflict_do_update(
        index_elements=["path"],
        set_={"document_id": _new_permalink.excluded.document_id, "is_current": true()},
        # Retired permalinks may be taken over.
        where=(PERMALINKS.c.is_current.is_(false()))
        | (PERMALINKS.c.document_id == _new_permalink.excluded.document_id),
    ).returning(PERMALINKS.c.path)
)
_RETIRE_OTHERS = Statement(
    update(PERMALINKS)
    .where(
        PERMALINKS.c.document_id == bindparam("document"),
        PERMALINKS.c.path != bindparam("current"),
        PERMALINKS.c.is_current.is_(true()),
    )
    .values(is_current=False)
)
_of_account = and_(DOCUMENTS.c.account_id == bindparam("account"), DOCUMENTS.c.slug.is_not(None))
_moved = insert(PERMALINKS).from_select(
    ["path", "document_id", "is_current"],
    select(cast(bindparam("beginning"), PERMALINKS.c.path.type) + DOCUMENTS.c.slug, DOCUMENTS.c.id, true()).where(
        _of_account
    ),
)
_MOVE = Statement(
    _moved.on_conflict_do_update(
        index_elements=["path"], set_={"document_id": _moved.excluded.document_id, "is_current": true()}
    )
)
_RETIRE_UNMOVED = Statement(
    update(PERMALINKS)
    .where(
        PERMALINKS.c.document_id.in_(select(DOCUMENTS.c.id).where(_of_account)),
        PERMALINKS.c.is_current.is_(true()),
        func.substr(PERMALINKS.c.path, 1, bindparam("length")) != bindparam("beginning"),
    )
    .values(is_current=False)
)
_CURRENT_DOCUMENT = Statement(
    select(PERMALINKS.c.document_id).where(PERMALINKS.c.path == bindparam("key"), PERMALINKS.c.is_current.is_(true()))
)
_FIND = Statement(
    select(
        DOCUMENTS.c.id,
        _current.c.path,
        DOCUMENTS.c.revision,
        DOCUMENTS.c.visibility,
        DOCUMENTS.c.hide_badge,
        DOCUMENTS.c.published_at,
        DOCUMENTS.c.expires_at,
        ACCOUNTS.c.plan,
        ACCOUNTS.c.plan_until,
        ACCOUNTS.c.is_suspended,
        PAGES.c.etag,
        PAGES.c.style_hash,
        PAGES.c.render_version,
        PAGES.c.revision,
        PAGES.c.has_badge,
        PAGES.c.body,
        DOCUMENTS.c.title,
        DOCUMENTS.c.template_id,
        DOCUMENTS.c.theme_mode,
        DOCUMENTS.c.account_id,
    )
    .select_from(
        PERMALINKS.join(DOCUMENTS, DOCUMENTS.c.id == PERMALINKS.c.document_id)
        .join(_current, and_(_current.c.document_id == PERMALINKS.c.document_id, _current.c.is_current.is_(true())))
        .outerjoin(ACCOUNTS, ACCOUNTS.c.id == DOCUMENTS.c.account_id)
        .outerjoin(PAGES, PAGES.c.document_id == DOCUMENTS.c.id)
    )
    .where(PERMALINKS.c.path == bindparam("key"))
)
_new_page = insert(PAGES)
_page_columns = ("etag", "style_hash", "render_version", "revision", "has_badge", "body")
_SAVE_PAGE = Statement(
    _new_page.on_conflict_do_update(
        index_elements=["document_id"], set_={name: _new_page.excluded[name] for name in _page_columns}
    )
)
_DELETE_PAGE = Statement(delete(PAGES).where(PAGES.c.document_id == bindparam("document")))
# Row lock: the document must not change before its page is saved.
_REVISION = Statement(
    select(DOCUMENTS.c.revision).where(DOCUMENTS.c.id == bindparam("document")).with_for_update(read=True)
)

_demo_columns = (
    DEMO_PAGES.c.identifier,
    DEMO_PAGES.c.document_id,
    DEMO_PAGES.c.claim_token_hash,
    DEMO_PAGES.c.expires_at,
    DEMO_PAGES.c.claimed_at,
    DEMO_PAGES.c.bytes,
)
_ADD_DEMO = Statement(insert(DEMO_PAGES))
_DEMO = Statement(select(*_demo_columns).where(DEMO_PAGES.c.identifier == bindparam("key")))
_DEMO_OF_TOKEN = Statement(select(*_demo_columns).where(DEMO_PAGES.c.claim_token_hash == bindparam("key")))
_CLAIM_DEMO = Statement(
    update(DEMO_PAGES)
    .where(DEMO_PAGES.c.identifier == bindparam("key"), DEMO_PAGES.c.claimed_at.is_(None))
    .values(claimed_at=bindparam("now"))
)
_DELETE_UNCLAIMED = Statement(
    delete(DEMO_PAGES).where(DEMO_PAGES.c.identifier == bindparam("key"), DEMO_PAGES.c.claimed_at.is_(None))
)
_DELETE_EXPIRED_DEMOS = Statement(delete(DEMO_PAGES).where(DEMO_PAGES.c.expires_at <= bindparam("until")))


def claim_permalink(transaction: Transaction, path: str, document_id: str) -> bool:
    """Make `path` the only current path of a document; return False if taken."""
    taken = transaction.row(_CLAIM, path=path, document_id=document_id, is_current=True)
    if taken is None:
        return False
    transaction.change(_RETIRE_OTHERS, document=document_id, current=path)
    return True


def move_permalinks(transaction: Transaction, account_id: str, beginning: str) -> None:
    """Move all pages to `beginning` + slug; old paths redirect.

    No other account may have a current path there.
    """
    transaction.change(_MOVE, account=account_id, beginning=beginning)
    transaction.change(_RETIRE_UNMOVED, account=account_id, beginning=beginning, length=len(beginning))


def document_at(transaction: Transaction, path: str) -> str | None:
    row = transaction.row(_CURRENT_DOCUMENT, key=path)
    return None if row is None else row[0]


def find_page(transaction: Transaction, path: str) -> ResolvedPage | None:
    row = transaction.row(_FIND, key=path)
    return None if row is None else _resolved_of(row)


def save_page(transaction: Transaction, document_id: str, page: Page) -> bool:
    """Return False if the document's revision has changed."""
    revision = transaction.row(_REVISION, document=document_id)
    if revision is None or revision[0] != page.revision:
        return False
    transaction.change(
        _SAVE_PAGE,
        document_id=document_id,
        etag=page.etag,
        style_hash=page.style_hash,
        render_version=page.render_version,
        revision=page.revision,
        has_badge=page.has_badge,
        body=page.body,
    )
    return True


def delete_page(transaction: Transaction, document_id: str) -> None:
    transaction.change(_DELETE_PAGE, document=document_id)


def add_demo(transaction: Transaction, demo: DemoPage) -> None:
    transaction.change(
        _ADD_DEMO,
        identifier=demo.identifier,
        document_id=demo.document_id,
        claim_token_hash=demo.claim_token_hash,
        expires_at=to_microseconds(demo.expires_at),
        claimed_at=to_microseconds(demo.claimed_at),
        bytes=demo.bytes,
    )


def find_demo(transaction: Transaction, identifier: str) -> DemoPage | None:
    row = transaction.row(_DEMO, key=identifier)
    return None if row is None else _demo_of(row)


def find_demo_by_token(transaction: Transaction, claim_token_hash: str) -> DemoPage | None:
    row = transaction.row(_DEMO_OF_TOKEN, key=claim_token_hash)
    return None if row is None else _demo_of(row)


def claim_demo(transaction: Transaction, identifier: str, *, now: datetime) -> bool:
    """Return False if already claimed."""
    return transaction.change(_CLAIM_DEMO, key=identifier, now=to_microseconds(now)) == 1


def delete_unclaimed_demo(transaction: Transaction, identifier: str) -> bool:
    """Return False if claimed or gone."""
    return transaction.change(_DELETE_UNCLAIMED, key=identifier) == 1


def delete_expired_demos(transaction: Transaction, *, until: datetime) -> int:
    return transaction.change(_DELETE_EXPIRED_DEMOS, until=to_microseconds(until))


def _demo_of(row: Row) -> DemoPage:
    return DemoPage(
        identifier=row[0],
        document_id=row[1],
        claim_token_hash=row[2],
        expires_at=from_microseconds(row[3]),
        claimed_at=from_microseconds(row[4]),
        bytes=row[5],
    )


def _resolved_of(row: Row) -> ResolvedPage:
    page = None
    if row[10] is not None:
        page = Page(
            etag=row[10],
            style_hash=row[11],
            render_version=row[12],
            revision=row[13],
            has_badge=bool(row[14]),
            body=row[15],
        )
    return ResolvedPage(
        document_id=row[0],
        path=row[1],
        revision=row[2],
        visibility=row[3],
        hide_badge=bool(row[4]),
        published_at=from_microseconds(row[5]),
        expires_at=from_microseconds(row[6]),
        plan=row[7],
        plan_until=from_microseconds(row[8]),
        is_suspended=bool(row[9]),
        page=page,
        title=row[16],
        template_id=row[17],
        theme_mode=row[18],
        account_id=row[19],
    )
