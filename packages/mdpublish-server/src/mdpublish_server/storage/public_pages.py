"""Queries for listed pages: profiles, feeds and the sitemap.

Listed are published documents with visibility `public`, without a password or an end, whose account is not suspended.
Literals repeat the condition of `ix_documents_public`: else databases do not use a partial index.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime

from sqlalchemy import and_, bindparam, false, func, insert, literal_column, select, tuple_

from mdpublish_server.storage.record_columns import RecordColumns
from mdpublish_server.storage.tables import ACCOUNTS, DOCUMENTS, PAGES, SITEMAP_PARTS, USERNAMES
from mdpublish_server.storage.timestamps import from_microseconds, to_microseconds
from mdpublish_server.storage.transactions import Statement, Transaction


@dataclass(frozen=True, slots=True, kw_only=True)
class FeedPosition:
    """Position in a profile or feed."""

    published_at: datetime
    document_id: str


@dataclass(frozen=True, slots=True, kw_only=True, order=True)
class SitemapPosition:
    """Position in the sitemap."""

    account_id: str
    published_at: datetime
    document_id: str


@dataclass(frozen=True, slots=True, kw_only=True)
class PublicPage:
    """A page in a profile or feed."""

    document_id: str
    account_id: str
    slug: str
    title: str
    description: str | None
    word_count: int
    published_at: datetime
    updated_at: datetime

    @property
    def feed_position(self) -> FeedPosition:
        return FeedPosition(published_at=self.published_at, document_id=self.document_id)


@dataclass(frozen=True, slots=True, kw_only=True)
class SitemapPage:
    """A page in the sitemap."""

    sitemap_position: SitemapPosition
    username: str | None
    slug: str
    updated_at: datetime


NEWEST = FeedPosition(published_at=datetime.max.replace(tzinfo=UTC), document_id="")

SITEMAP_START = SitemapPosition(account_id="", published_at=datetime(1970, 1, 1, tzinfo=UTC), document_id="")

# Account ids are hexadecimal.
SITEMAP_END = SitemapPosition(account_id="zzzzzzzz", published_at=NEWEST.published_at, document_id="")

_is_public = and_(DOCUMENTS.c.visibility == literal_column("'public'"), DOCUMENTS.c.published_at.is_not(None))
# A second barrier: taken-down documents are unpublished.
_is_up = and_(
    _is_public,
    DOCUMENTS.c.is_taken_down.is_(false()),
    DOCUMENTS.c.password_hash.is_(None),
    DOCUMENTS.c.expires_at.is_(None),
)
_is_not_suspended = ACCOUNTS.c.is_suspended.is_(false())
_by_account = DOCUMENTS.join(ACCOUNTS, ACCOUNTS.c.id == DOCUMENTS.c.account_id)
# Not a join: PostgreSQL uses the index order only for a single account.
_is_of_user = DOCUMENTS.c.account_id == (
    select(ACCOUNTS.c.id)
    .select_from(USERNAMES.join(ACCOUNTS, ACCOUNTS.c.id == USERNAMES.c.account_id))
    .where(USERNAMES.c.username == bindparam("key"), _is_not_suspended)
    .scalar_subquery()
)

_PUBLIC_PAGE = RecordColumns(PublicPage, DOCUMENTS, document_id=DOCUMENTS.c.id)
_FEED_POSITION = RecordColumns(FeedPosition, DOCUMENTS, document_id=DOCUMENTS.c.id)
_SITEMAP_POSITION = RecordColumns(SitemapPosition, DOCUMENTS, document_id=DOCUMENTS.c.id)
_sitemap_columns = _SITEMAP_POSITION.columns
_feed_position = tuple_(*_FEED_POSITION.columns)
_sitemap_position = tuple_(*_sitemap_columns)
_after = _sitemap_position > tuple_(bindparam("after_account"), bindparam("after_time"), bindparam("after_id"))

_OLDER = Statement(
    select(*_PUBLIC_PAGE.columns)
    .where(_is_of_user, _is_up, _feed_position < tuple_(bindparam("before"), bindparam("before_id")))
    .order_by(DOCUMENTS.c.published_at.desc(), DOCUMENTS.c.id.desc())
    .limit(bindparam("limit"))
)
_NEWER = Statement(
    select(*_FEED_POSITION.columns)
    .where(_is_of_user, _is_up, _feed_position > tuple_(bindparam("after"), bindparam("after_id")))
    .order_by(*_FEED_POSITION.columns)
    .limit(1)
    .offset(bindparam("rank"))
)
_BODY = Statement(
    select(PAGES.c.body)
    .select_from(PAGES.join(DOCUMENTS, DOCUMENTS.c.id == PAGES.c.document_id))
    .where(DOCUMENTS.c.id == bindparam("document"), _is_up, func.length(PAGES.c.body) <= bindparam("limit"))
)
# Index-only, so it counts suspended accounts: some sitemap parts are smaller.
_SITEMAP_POSITION_AT = Statement(
    select(*_sitemap_columns).where(_is_public, _after).order_by(*_sitemap_columns).limit(1).offset(bindparam("rank"))
)
_SITEMAP_PAGES = Statement(
    select(*_sitemap_columns, ACCOUNTS.c.username, DOCUMENTS.c.slug, DOCUMENTS.c.updated_at)
    .select_from(_by_account)
    .where(
        _is_up,
        _is_not_suspended,
        _after,
        _sitemap_position <= tuple_(bindparam("last_account"), bindparam("last_time"), bindparam("last_id")),
    )
    .order_by(*_sitemap_columns)
    .limit(bindparam("limit"))
)
_PARTS = Statement(select(*SITEMAP_PARTS.c))
_ADD_PART = Statement(insert(SITEMAP_PARTS))


def list_public_pages(
    transaction: Transaction, username: str, *, before: FeedPosition, limit: int
) -> Sequence[PublicPage]:
    """Return pages older than `before`, newest first."""
    return _PUBLIC_PAGE.all(
        transaction,
        _OLDER,
        key=username,
        before=to_microseconds(before.published_at),
        before_id=before.document_id,
        limit=limit,
    )


def find_public_body(transaction: Transaction, document_id: str, *, limit: int) -> bytes | None:
    """Return a listed page's gzipped body of at most `limit` bytes."""
    row = transaction.row(_BODY, document=document_id, limit=limit)
    return None if row is None else bytes(row[0])


def newer_position_at(
    transaction: Transaction, username: str, *, after: FeedPosition, rank: int
) -> FeedPosition | None:
    """Return the position `rank` places (from 0) newer than `after`."""
    time = to_microseconds(after.published_at)
    return _FEED_POSITION.first(transaction, _NEWER, key=username, after=time, after_id=after.document_id, rank=rank)


def sitemap_position_at(transaction: Transaction, *, after: SitemapPosition, rank: int) -> SitemapPosition | None:
    """Return the position `rank` places (from 0) later than `after`."""
    return _SITEMAP_POSITION.first(transaction, _SITEMAP_POSITION_AT, rank=rank, **_named("after", after))


def list_sitemap_pages(
    transaction: Transaction, *, after: SitemapPosition, last: SitemapPosition, limit: int
) -> Sequence[SitemapPage]:
    """Return pages after `after`, up to and including `last`."""
    rows = transaction.rows(_SITEMAP_PAGES, limit=limit, **_named("after", after), **_named("last", last))
    return tuple(
        SitemapPage(
            sitemap_position=_SITEMAP_POSITION.read(row[:3]),
            username=row[3],
            slug=row[4],
            updated_at=from_microseconds(int(row[5])),
        )
        for row in rows
    )


def sitemap_starts(transaction: Transaction) -> dict[int, SitemapPosition]:
    """Return after which position each part begins, in their order; those after the first are stored."""
    stored = {row[0]: _SITEMAP_POSITION.read(row[1:]) for row in transaction.rows(_PARTS)}
    return {1: SITEMAP_START} | dict(sorted(stored.items(), key=lambda part: part[1]))


def add_sitemap_starts(transaction: Transaction, new: Sequence[SitemapPosition], *, seen: int) -> None:
    """Add parts, unless there are other than the `seen` ones."""
    starts = sitemap_starts(transaction)
    if len(starts) != seen:
        return
    for number, start in enumerate(new, max(starts) + 1):
        transaction.change(_ADD_PART, number=number, **_SITEMAP_POSITION.written(start))


def _named(name: str, position: SitemapPosition) -> dict[str, object]:
    return {
        f"{name}_account": position.account_id,
        f"{name}_time": to_microseconds(position.published_at),
        f"{name}_id": position.document_id,
    }
