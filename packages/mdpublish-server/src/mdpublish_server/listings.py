"""Listing: which pages the site itself tells of, on users' pages, in their feeds and in the sitemap.

Listed are published pages of visibility `public`, of accounts that are not suspended; which these are is asked of
`storage.listings`, and nowhere else. Whoever has none listed is not told apart from whoever never was.
"""

import re
from base64 import urlsafe_b64decode, urlsafe_b64encode
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from mdpublish_core.page import reading_minutes
from mdpublish_server.errors import NotFound
from mdpublish_server.pages import path_of
from mdpublish_server.policies.usernames import USERNAME_CHARACTERS
from mdpublish_server.storage import Database, Transaction
from mdpublish_server.storage.listings import (
    FIRST,
    NEWEST,
    MappedPage,
    Moment,
    Place,
    PublicPage,
    list_mapped,
    list_public,
    newer_of_rank,
    place_of_rank,
)
from mdpublish_server.storage.times import microseconds, moment

PAGES_LISTED = 50
"""Pages on one part of a user's page, and in a feed."""

MAPPED_PAGES = 24_000
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
class MappedAddress:
    """One address in the sitemap; `changed_at` is None where nobody knows."""

    url: str
    changed_at: datetime | None


class Listings:
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
        shown = pages[:PAGES_LISTED]
        return Profile(
            username=username,
            account_id=shown[0].account_id,
            url=url if before is None else f"{url}?before={before}",
            feed_url=f"{url}/feed.atom",
            pages=tuple(self._listed(username, page) for page in shown),
            is_first=before is None,
            older=f"{url}?before={_cursor_of(shown[-1].moment)}" if len(pages) > len(shown) else None,
            newer=None if before is None else f"{url}?before={_cursor_of(newer)}" if newer else url,
        )

    def mapped(self, transaction: Transaction, part: int) -> Iterator[Sequence[MappedAddress]]:
        """Return the addresses in a part of the sitemap (from 0), some at a time; none where there is no such part.

        The first part begins with the start page.
        """
        after = _start_of(transaction, part)
        if after is None:
            return
        last = _end_of(transaction, after)
        account = after.account_id
        if part == 0:
            yield (MappedAddress(url=self.url("/"), changed_at=None),)
        while pages := list_mapped(transaction, after=after, last=last, most=_ROWS):
            yield tuple(self._mapped(pages, account))
            after = pages[-1].place
            account = after.account_id

    def parts(self, transaction: Transaction) -> Sequence[int]:
        """Return which parts of the sitemap (from 0) have addresses: at least the first, which has the start page."""
        found = [0]
        start: Place | None = place_of_rank(transaction, after=FIRST, rank=MAPPED_PAGES - 1)
        part = 1
        while start is not None:
            last = _end_of(transaction, start)
            # All of a part may be of suspended accounts.
            if list_mapped(transaction, after=start, last=last, most=1):
                found.append(part)
            start = place_of_rank(transaction, after=start, rank=MAPPED_PAGES - 1)
            part += 1
        return found

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

    def _mapped(self, pages: Sequence[MappedPage], account: str) -> Iterator[MappedAddress]:
        """Return the addresses of pages, and before the first one of each account but `account` its user's page."""
        for page in pages:
            if page.place.account_id != account and page.username is not None:
                yield MappedAddress(url=self.url(f"/u/{page.username}"), changed_at=None)
            account = page.place.account_id
            changed_at = max(page.place.published_at, page.updated_at)
            yield MappedAddress(url=self.url(path_of(page.username, page.slug)), changed_at=changed_at)


def _find(transaction: Transaction, username: str, start: Moment) -> tuple[Sequence[PublicPage], Moment | None]:
    """Return a user's pages, one more than are shown, and before which page the part of newer ones begins, if it is full."""
    pages = list_public(transaction, username, before=start, most=PAGES_LISTED + 1)
    if start == NEWEST or not pages:
        return pages, None
    return pages, newer_of_rank(transaction, username, after=pages[0].moment, rank=PAGES_LISTED)


def _start_of(transaction: Transaction, part: int) -> Place | None:
    """Return the place before a part of the sitemap."""
    place: Place | None = FIRST
    for _ in range(part):
        if place is None:
            return None
        place = place_of_rank(transaction, after=place, rank=MAPPED_PAGES - 1)
    return place


def _end_of(transaction: Transaction, start: Place) -> Place:
    """Return the last place of the part of the sitemap that begins behind `start`."""
    return place_of_rank(transaction, after=start, rank=MAPPED_PAGES - 1) or _LAST


# Behind the place of any page: an account's id is hexadecimal, and sorts before this everywhere.
_LAST = Place(account_id="zzzzzzzz", published_at=NEWEST.published_at, document_id="")


def _cursor_of(place: Moment) -> str:
    return urlsafe_b64encode(microseconds(place.published_at).to_bytes(8) + UUID(place.document_id).bytes).decode()


def _read_cursor(cursor: str) -> Moment:
    """Return the place that a cursor marks; raises `NotFound`, since nothing of ours links to another."""
    if not _CURSOR.fullmatch(cursor):
        raise _no_page()
    place = urlsafe_b64decode(cursor)
    time = min(int.from_bytes(place[:8]), microseconds(NEWEST.published_at))
    return Moment(published_at=moment(time), document_id=str(UUID(bytes=place[8:])))


def _no_page() -> NotFound:
    return NotFound("there is no page at this address")
