"""Feeds and profiles: which pages the site itself tells of, on users' pages, in their feeds and in the sitemap.

Listed are published pages of visibility `public`, of accounts that are not suspended; which these are is asked of
`storage.public_pages`, and nowhere else. Whoever has none listed is not told apart from whoever never was.
"""

import re
from base64 import urlsafe_b64decode, urlsafe_b64encode
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from mdpublish_core.page import reading_minutes
from mdpublish_server.errors import NotFound
from mdpublish_server.services.pages import path_of
from mdpublish_server.storage import Database, Transaction
from mdpublish_server.storage.public_pages import (
    NEWEST,
    SITEMAP_START,
    FeedPosition,
    PublicPage,
    SitemapPage,
    SitemapPosition,
    list_public_pages,
    list_sitemap_pages,
    newer_position_at,
    sitemap_position_at,
)
from mdpublish_server.storage.timestamps import from_microseconds, to_microseconds
from mdpublish_server.validation.usernames import USERNAME_CHARACTERS

PAGE_SIZE = 50
"""Pages on one part of a user's page, and in a feed."""

SITEMAP_PAGES = 24_000
"""Pages in one part of the sitemap: with a page of the user's for each and the start page, fewer than the 50,000 addresses
that sitemaps.org allows."""

# Rows of the sitemap that are asked for at once: so long a driver keeps Python's lock, some milliseconds.
_ROWS = 250

# What the database is asked for: anything else is nobody's username.
_USERNAME = re.compile(rf"[a-z0-9-]{{{USERNAME_CHARACTERS[0]},{USERNAME_CHARACTERS[-1]}}}")

# A time in microseconds and an id, as the API's own cursors: 24 bytes.
_CURSOR = re.compile(r"[A-Za-z0-9_-]{32}")


@dataclass(frozen=True, slots=True, kw_only=True)
class ListedPage:
    """One page in a list; `changed_at` is never before `published_at`, though the text may be older than its page."""

    document_id: str
    url: str
    title: str
    description: str | None
    reading_minutes: int
    published_at: datetime
    changed_at: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class Profile:
    """A part of a user's pages, the newest first; `older` and `newer` are the addresses of the parts beside it."""

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
    """One address in the sitemap; `changed_at` is None where nobody knows."""

    url: str
    changed_at: datetime | None


class PublicPages:
    """Lists public pages under `public_url`."""

    def __init__(self, database: Database, *, public_url: str) -> None:
        self._database = database
        self._public_url = public_url

    def url(self, path: str) -> str:
        """Return the absolute address of a path."""
        return f"{self._public_url}{path}"

    async def profile(self, username: str, *, before: str | None = None) -> Profile:
        """Return the pages that a user's page shows, `before` a cursor of its own; raises `NotFound` where there are none."""
        if not _USERNAME.fullmatch(username):
            raise _no_page()
        start = NEWEST if before is None else _read_cursor(before)
        pages, newer = await self._database.read(lambda transaction: _find(transaction, username, start))
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

    def sitemap_urls(self, transaction: Transaction, part: int) -> Iterator[Sequence[SitemapUrl]]:
        """Return the addresses in a part of the sitemap (from 0), some at a time; none where there is no such part.

        The first part begins with the start page.
        """
        after = _start_of(transaction, part)
        if after is None:
            return
        last = _end_of(transaction, after)
        account = after.account_id
        if part == 0:
            yield (SitemapUrl(url=self.url("/"), changed_at=None),)
        while pages := list_sitemap_pages(transaction, after=after, last=last, limit=_ROWS):
            yield tuple(self._sitemap_urls(pages, account))
            after = pages[-1].sitemap_position
            account = after.account_id

    def sitemap_parts(self, transaction: Transaction) -> Sequence[int]:
        """Return which parts of the sitemap (from 0) have addresses: at least the first, which has the start page."""
        numbers = [0]
        start: SitemapPosition | None = sitemap_position_at(transaction, after=SITEMAP_START, rank=SITEMAP_PAGES - 1)
        part = 1
        while start is not None:
            last = _end_of(transaction, start)
            # All of a part may be of suspended accounts.
            if list_sitemap_pages(transaction, after=start, last=last, limit=1):
                numbers.append(part)
            start = sitemap_position_at(transaction, after=start, rank=SITEMAP_PAGES - 1)
            part += 1
        return numbers

    def _listed(self, username: str, page: PublicPage) -> ListedPage:
        return ListedPage(
            document_id=page.document_id,
            url=self.url(path_of(username, page.slug)),
            title=page.title,
            description=page.description,
            reading_minutes=reading_minutes(page.word_count),
            published_at=page.published_at,
            changed_at=max(page.published_at, page.updated_at),
        )

    def _sitemap_urls(self, pages: Sequence[SitemapPage], account: str) -> Iterator[SitemapUrl]:
        """Return the addresses of pages, and before the first one of each account but `account` its user's page."""
        for page in pages:
            if page.sitemap_position.account_id != account and page.username is not None:
                yield SitemapUrl(url=self.url(f"/u/{page.username}"), changed_at=None)
            account = page.sitemap_position.account_id
            changed_at = max(page.sitemap_position.published_at, page.updated_at)
            yield SitemapUrl(url=self.url(path_of(page.username, page.slug)), changed_at=changed_at)


def _find(
    transaction: Transaction, username: str, start: FeedPosition
) -> tuple[Sequence[PublicPage], FeedPosition | None]:
    """Return a user's pages, one more than are shown, and before which page the part of newer ones begins, if it is full."""
    pages = list_public_pages(transaction, username, before=start, limit=PAGE_SIZE + 1)
    if start == NEWEST or not pages:
        return pages, None
    return pages, newer_position_at(transaction, username, after=pages[0].feed_position, rank=PAGE_SIZE)


def _start_of(transaction: Transaction, part: int) -> SitemapPosition | None:
    """Return the place before a part of the sitemap."""
    position: SitemapPosition | None = SITEMAP_START
    for _ in range(part):
        if position is None:
            return None
        position = sitemap_position_at(transaction, after=position, rank=SITEMAP_PAGES - 1)
    return position


def _end_of(transaction: Transaction, start: SitemapPosition) -> SitemapPosition:
    """Return the last place of the part of the sitemap that begins behind `start`."""
    return sitemap_position_at(transaction, after=start, rank=SITEMAP_PAGES - 1) or _LAST


# Behind the place of any page: an account's id is hexadecimal, and sorts before this everywhere.
_LAST = SitemapPosition(account_id="zzzzzzzz", published_at=NEWEST.published_at, document_id="")


def _cursor_of(position: FeedPosition) -> str:
    return urlsafe_b64encode(
        to_microseconds(position.published_at).to_bytes(8) + UUID(position.document_id).bytes
    ).decode()


def _read_cursor(cursor: str) -> FeedPosition:
    """Return the place that a cursor marks; raises `NotFound`, since nothing of ours links to another."""
    if not _CURSOR.fullmatch(cursor):
        raise _no_page()
    position = urlsafe_b64decode(cursor)
    time = min(int.from_bytes(position[:8]), to_microseconds(NEWEST.published_at))
    return FeedPosition(published_at=from_microseconds(time), document_id=str(UUID(bytes=position[8:])))


def _no_page() -> NotFound:
    return NotFound("there is no page at this address")
