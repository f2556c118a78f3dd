"""Queries for listed pages: profiles, feeds and the sitemap.

Listed are published documents with visibility `public`, without a password or an end, whose account is not suspended.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime

from mdpublish_server.storage.record_columns import RecordColumns
from mdpublish_server.storage.sql_files import read_statements
from mdpublish_server.storage.tables import DOCUMENTS
from mdpublish_server.storage.timestamps import from_microseconds
from mdpublish_server.storage.transactions import Transaction


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

_PUBLIC_PAGE = RecordColumns(PublicPage, DOCUMENTS, document_id=DOCUMENTS.c.id)
_FEED_POSITION = RecordColumns(FeedPosition, DOCUMENTS, document_id=DOCUMENTS.c.id)
_SITEMAP_POSITION = RecordColumns(SitemapPosition, DOCUMENTS, document_id=DOCUMENTS.c.id)
_SQL = read_statements(
    __name__, public_page=_PUBLIC_PAGE.sql, feed_position=_FEED_POSITION.sql, sitemap_position=_SITEMAP_POSITION.sql
)


def list_public_pages(
    transaction: Transaction, username: str, *, before: FeedPosition, limit: int
) -> Sequence[PublicPage]:
    """Return pages older than `before`, newest first."""
    position = {"before": before.published_at, "before_id": before.document_id}
    return _PUBLIC_PAGE.all(transaction, _SQL["older"], key=username, **position, limit=limit)


def find_public_body(transaction: Transaction, document_id: str, *, limit: int) -> bytes | None:
    """Return a listed page's gzipped body of at most `limit` bytes."""
    row = transaction.row(_SQL["body"], document=document_id, limit=limit)
    return None if row is None else bytes(row[0])


def newer_position_at(
    transaction: Transaction, username: str, *, after: FeedPosition, rank: int
) -> FeedPosition | None:
    """Return the position `rank` places (from 0) newer than `after`."""
    position = {"after": after.published_at, "after_id": after.document_id}
    return _FEED_POSITION.first(transaction, _SQL["newer"], key=username, **position, rank=rank)


def sitemap_position_at(transaction: Transaction, *, after: SitemapPosition, rank: int) -> SitemapPosition | None:
    """Return the position `rank` places (from 0) later than `after`."""
    return _SITEMAP_POSITION.first(transaction, _SQL["sitemap_position_at"], rank=rank, **_named("after", after))


def list_sitemap_pages(
    transaction: Transaction, *, after: SitemapPosition, last: SitemapPosition, limit: int
) -> Sequence[SitemapPage]:
    """Return pages after `after`, up to and including `last`."""
    rows = transaction.rows(_SQL["sitemap_pages"], limit=limit, **_named("after", after), **_named("last", last))
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
    stored = {row[0]: _SITEMAP_POSITION.read(row[1:]) for row in transaction.rows(_SQL["parts"])}
    return {1: SITEMAP_START} | dict(sorted(stored.items(), key=lambda part: part[1]))


def add_sitemap_starts(transaction: Transaction, new: Sequence[SitemapPosition], *, seen: int) -> None:
    """Add parts, unless there are other than the `seen` ones."""
    starts = sitemap_starts(transaction)
    if len(starts) != seen:
        return
    for number, start in enumerate(new, max(starts) + 1):
        transaction.change(_SQL["add_part"], number=number, **_SITEMAP_POSITION.written(start))


def _named(name: str, position: SitemapPosition) -> dict[str, object]:
    return {
        f"{name}_account": position.account_id,
        f"{name}_time": position.published_at,
        f"{name}_id": position.document_id,
    }
