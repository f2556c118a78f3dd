"""Queries for permalinks, stored pages and demos."""

from datetime import datetime

from sqlalchemy import and_, bindparam, delete, or_, select, update
from sqlalchemy.dialects.postgresql import insert  # both dialects compile ON CONFLICT alike

from mdpublish_server.storage.paths import DEMOS, SHARED, demo_path_of, path_of, slug_of, space_of, username_of
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
from mdpublish_server.storage.timestamps import from_microseconds, to_microseconds
from mdpublish_server.storage.transactions import Row, Statement, Transaction

_current = PERMALINKS.alias("current_addresses")

# Rows in the shared space stay open when the account gets a username.
_is_current = and_(_current.c.until.is_(None), _current.c.space != SHARED)
_resolved = select(
    DOCUMENTS.c.id,
    _current.c.space,
    _current.c.slug,
    ACCOUNTS.c.username,
    DOCUMENTS.c.revision,
    DOCUMENTS.c.visibility,
    DOCUMENTS.c.hide_badge,
    DOCUMENTS.c.published_at,
    DOCUMENTS.c.expires_at,
    ACCOUNTS.c.plan,
    ACCOUNTS.c.plan_until,
    ACCOUNTS.c.is_suspended,
    DOCUMENTS.c.title,
    DOCUMENTS.c.template_id,
    DOCUMENTS.c.theme_mode,
    DOCUMENTS.c.account_id,
    ACCOUNTS.c.default_language,
    PAGES.c.etag,
    PAGES.c.style_hash,
    PAGES.c.render_version,
    PAGES.c.revision,
    PAGES.c.has_badge,
    PAGES.c.body,
    PAGES.c.path,
    PAGES.c.default_language,
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
_new_page = insert(PAGES)
_page_columns = ("etag", "style_hash", "render_version", "revision", "has_badge", "body", "path", "default_language")
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
_ADD_DEMO = Statement(insert(DEMO_PAGES).on_conflict_do_nothing())
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


def find_page(transaction: Transaction, path: str) -> ResolvedPage | None:
    """Return the page that has or had this path."""
    username, slug = username_of(path), slug_of(path)
    if username is None:
        row = transaction.row(_FIND, space=space_of(path), slug=slug)
    else:
        row = transaction.row(_FIND_OF_USER, name=username, slug=slug)
        row = row or transaction.row(_FIND_OF_FORMER_USER, name=username, slug=slug)
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
        path=page.path,
        default_language=page.default_language,
    )
    return True


def delete_page(transaction: Transaction, document_id: str) -> None:
    transaction.change(_DELETE_PAGE, document=document_id)


def add_demo(transaction: Transaction, demo: DemoPage) -> bool:
    """Return False if there is a demo with this identifier."""
    added = transaction.change(
        _ADD_DEMO,
        identifier=demo.identifier,
        document_id=demo.document_id,
        claim_token_hash=demo.claim_token_hash,
        expires_at=to_microseconds(demo.expires_at),
        claimed_at=to_microseconds(demo.claimed_at),
        bytes=demo.bytes,
    )
    return added == 1


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
    if row[17] is not None:
        page = Page(
            etag=row[17],
            style_hash=row[18],
            render_version=row[19],
            revision=row[20],
            has_badge=bool(row[21]),
            body=row[22],
            path=row[23],
            default_language=row[24],
        )
    return ResolvedPage(
        document_id=row[0],
        path=demo_path_of(row[2]) if row[1] == DEMOS else path_of(row[3], row[2]),
        revision=row[4],
        visibility=row[5],
        hide_badge=bool(row[6]),
        published_at=from_microseconds(row[7]),
        expires_at=from_microseconds(row[8]),
        plan=row[9],
        plan_until=from_microseconds(row[10]),
        is_suspended=bool(row[11]),
        title=row[12],
        template_id=row[13],
        theme_mode=row[14],
        account_id=row[15],
        default_language=row[16],
        page=page,
    )
