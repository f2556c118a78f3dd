"""Profiles, feeds and the sitemap. Users without listed pages are indistinguishable from unknown ones."""

import re
from base64 import urlsafe_b64decode, urlsafe_b64encode
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from itertools import pairwise
from uuid import UUID
from zlib import MAX_WBITS, decompressobj

from mdpublish_core.hosting.pages import feed_content, reading_minutes
from mdpublish_server.errors import NotFound
from mdpublish_server.storage import Database, Transaction
from mdpublish_server.storage import public_pages as table
from mdpublish_server.storage.paths import path_of
from mdpublish_server.storage.timestamps import from_microseconds, to_microseconds
from mdpublish_server.storage.transactions import Work
from mdpublish_server.validation.usernames import USERNAME_CHARACTERS

PAGE_SIZE = 50

SITEMAP_PAGES = 24_000
"""Pages of a sitemap's part: with profiles, fewer than the 50,000 URLs per file that sitemaps.org allows."""

SPLIT_PAGES = 20_000
"""Pages of a new part, which grows until it is split."""

FEED_CHARACTERS = 300_000
"""Characters of HTML in a feed: read at each request, and by programs that ask often."""

_BODY_BYTES = 300_000

# Per query: the driver holds the GIL for milliseconds.
_ROWS = 250

_USERNAME = re.compile(rf"[a-z0-9-]{{{USERNAME_CHARACTERS[0]},{USERNAME_CHARACTERS[-1]}}}")

# Microseconds and a UUID: 24 bytes.
_CURSOR = re.compile(r"[A-Za-z0-9_-]{32}")


@dataclass(frozen=True, slots=True, kw_only=True)
class ListedPage:
    """A listed page; `changed_at` is never before `published_at`."""

    document_id: str
    url: str
    title: str
    description: str | None
    reading_minutes: int
    published_at: datetime
    changed_at: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class Profile:
    """A part of a user's listing; `older` and `newer` are URLs."""

    username: str
    account_id: str
    url: str
    feed_url: str
    pages: Sequence[ListedPage]
    is_first: bool
    older: str | None
    newer: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class SitemapUrl:
    """A URL."""

    url: str
    changed_at: datetime | None


class PublicPages:
    """Lists public pages."""

    def __init__(self, database: Database, *, public_url: str) -> None:
        self._database = database
        self._public_url = public_url

    def url(self, path: str) -> str:
        return f"{self._public_url}{path}"

    async def profile(self, username: str, *, before: str | None = None) -> Profile:
        if not _USERNAME.fullmatch(username):
            raise _no_page()
        start = table.NEWEST if before is None else _read_cursor(before)
        pages, newer = await self._database.read(_find, username, start)
        if not pages:
            raise _no_page()
        url = self.url(f"/u/{username}")
        shown = pages[:PAGE_SIZE]
        return Profile(
            username=username,
            account_id=shown[0].account_id,
            url=url if before is None else f"{url}?before={before}",
            feed_url=f"{url}/feed.atom",
            pages=tuple(self._listed(username, page) for page in shown),
            is_first=before is None,
            older=f"{url}?before={_cursor_of(shown[-1].feed_position)}" if len(pages) > len(shown) else None,
            newer=None if before is None else f"{url}?before={_cursor_of(newer)}" if newer else url,
        )

    async def contents(self, pages: Sequence[ListedPage]) -> Mapping[str, str]:
        """Return the HTML of the first pages, by their URLs, of together at most `FEED_CHARACTERS`."""
        return await self._database.read(lambda transaction: dict(_contents(transaction, pages)))

    def sitemap_urls(self, transaction: Transaction, number: int) -> Iterator[Sequence[SitemapUrl]]:
        """Yield batches of URLs, with the start page first in part 1."""
        starts = table.sitemap_starts(transaction)
        if number not in starts:
            return
        after, last = _part(starts, number)
        account = after.account_id
        if number == 1:
            yield (SitemapUrl(url=self.url("/"), changed_at=None),)
        while pages := table.list_sitemap_pages(transaction, after=after, last=last, limit=_ROWS):
            yield tuple(self._sitemap_urls(pages, account))
            after = pages[-1].sitemap_position
            account = after.account_id

    def sitemap_parts(self, transaction: Transaction) -> Sequence[int]:
        """Return the numbers of the first part and of those that list pages: a part's accounts may all be suspended."""
        ends = pairwise([*table.sitemap_starts(transaction).items(), (0, table.SITEMAP_END)])
        return [
            number
            for (number, start), (_, last) in ends
            if number == 1 or table.list_sitemap_pages(transaction, after=start, last=last, limit=1)
        ]

    def split_sitemap(self, transaction: Transaction, number: int) -> Work[None] | None:
        """Return what divides a part of more than `SITEMAP_PAGES` pages, None if there is nothing to divide."""
        starts = table.sitemap_starts(transaction)
        if number not in starts:
            return None
        after, last = _part(starts, number)
        full = table.sitemap_position_at(transaction, after=after, rank=SITEMAP_PAGES)
        if full is None or full > last:
            return None
        new: list[table.SitemapPosition] = []
        # A part begins where another page follows.
        while (
            following := table.sitemap_position_at(transaction, after=after, rank=SPLIT_PAGES)
        ) and following <= last:
            end = table.sitemap_position_at(transaction, after=after, rank=SPLIT_PAGES - 1)
            assert end is not None
            new.append(end)
            after = end
        seen = len(starts)
        return lambda writing: table.add_sitemap_starts(writing, new, seen=seen)

    def _listed(self, username: str, page: table.PublicPage) -> ListedPage:
        return ListedPage(
            document_id=page.document_id,
            url=self.url(path_of(username, page.slug)),
            title=page.title,
            description=page.description,
            reading_minutes=reading_minutes(page.word_count),
            published_at=page.published_at,
            changed_at=max(page.published_at, page.updated_at),
        )

    def _sitemap_urls(self, pages: Sequence[table.SitemapPage], account: str) -> Iterator[SitemapUrl]:
        for page in pages:
            if page.sitemap_position.account_id != account and page.username is not None:
                yield SitemapUrl(url=self.url(f"/u/{page.username}"), changed_at=None)
            account = page.sitemap_position.account_id
            changed_at = max(page.sitemap_position.published_at, page.updated_at)
            yield SitemapUrl(url=self.url(path_of(page.username, page.slug)), changed_at=changed_at)


def _find(
    transaction: Transaction, username: str, start: table.FeedPosition
) -> tuple[Sequence[table.PublicPage], table.FeedPosition | None]:
    pages = table.list_public_pages(transaction, username, before=start, limit=PAGE_SIZE + 1)
    if start == table.NEWEST or not pages:
        return pages, None
    return pages, table.newer_position_at(transaction, username, after=pages[0].feed_position, rank=PAGE_SIZE)


def _contents(transaction: Transaction, pages: Sequence[ListedPage]) -> Iterator[tuple[str, str]]:
    room = FEED_CHARACTERS
    for page in pages:
        body = table.find_public_body(transaction, page.document_id, limit=_BODY_BYTES)
        # What is cut off has no end, and no content.
        shown = decompressobj(16 + MAX_WBITS).decompress(body, _BODY_BYTES) if body else b""
        content = feed_content(shown, page.url)
        if content and len(content) <= room:
            room -= len(content)
            yield page.url, content


def _part(
    starts: Mapping[int, table.SitemapPosition], number: int
) -> tuple[table.SitemapPosition, table.SitemapPosition]:
    """Return the positions after which a part begins, and of its last page."""
    start = starts[number]
    return start, min((other for other in starts.values() if other > start), default=table.SITEMAP_END)


def _cursor_of(position: table.FeedPosition) -> str:
    return urlsafe_b64encode(
        to_microseconds(position.published_at).to_bytes(8) + UUID(position.document_id).bytes
    ).decode()


def _read_cursor(cursor: str) -> table.FeedPosition:
    if not _CURSOR.fullmatch(cursor):
        raise _no_page()
    position = urlsafe_b64decode(cursor)
    time = min(int.from_bytes(position[:8]), to_microseconds(table.NEWEST.published_at))
    return table.FeedPosition(published_at=from_microseconds(time), document_id=str(UUID(bytes=position[8:])))


def _no_page() -> NotFound:
    return NotFound("No page at this URL")
