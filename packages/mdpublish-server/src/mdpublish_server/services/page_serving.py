"""Serving of published pages.

Stored pages are re-rendered on view if their version, badge or default language is outdated, and cached in memory until
the database counts a change of pages. While the database is away, cached pages are served for a bounded time, unless
this process has removed something since they were known to be current.
"""

import gzip
import logging
import re
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime
from math import inf
from time import monotonic

from mdpublish_core.hosting.pages import LruCache
from mdpublish_server.auth.plans import is_pro
from mdpublish_server.clock import Clock
from mdpublish_server.errors import NotFound, ServiceError, ServiceUnavailable
from mdpublish_server.services.concurrency import SingleFlight
from mdpublish_server.services.page_access import Visitor, expired, require_access, require_live
from mdpublish_server.services.pages import PageMaker, shows_badge
from mdpublish_server.storage import Database, DocumentRecord, Page, ReaderView, ResolvedPage, Stamp, Transaction
from mdpublish_server.storage.documents import find_document
from mdpublish_server.storage.permalinks import find_demo, find_page, save_page
from mdpublish_server.storage.readers import note_views

_PATH = re.compile(r"/[a-z0-9/-]{1,150}")

# Some thousands of pages.
_CACHE_BYTES = 32_000_000

# Renderings of which it is known whether they have a file: those of private pages are kept nowhere else.
_MAX_KNOWN = 10_000

_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False, weakref_slot=True)
class PageView:
    """A page, or a redirect to `moved_to`."""

    page: Page | None = None
    moved_to: str | None = None
    is_indexed: bool = False
    until: datetime | None
    """End of the page or of a plan."""
    is_private: bool
    """Whether others may see it: then it is not cached."""
    has_download: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class PageSource:
    """A page's Markdown; None if moved to `url`."""

    url: str
    content: str | None
    is_private: bool


class PageServer:
    """Resolves public paths."""

    def __init__(self, database: Database, pages: PageMaker, clock: Clock, *, stale_seconds: float = 0) -> None:
        self._stale_seconds = stale_seconds
        self._ticks = monotonic
        self._current_at = -inf
        self._current_removals = -1
        self._database = database
        self._pages = pages
        self._clock = clock
        self._cache = _ViewCache()
        self._have_downloads: LruCache[str, bool] = LruCache(_MAX_KNOWN)
        self._renderings: SingleFlight[tuple[str, int, str, bool, str | None], Page] = SingleFlight()

    async def view(self, path: str, *, network: str, visitor: Visitor) -> PageView:
        """Raise `NotFound`, `Locked`, `Expired` or `RenderError`; the visitor's `network` pays for rendering."""
        stamp = await self._stamp()
        if (cached := self._cached(path, stamp)) is not None:
            return cached
        now = self._clock()
        try:
            view = await self._load(path, now, network, visitor)
        except ServiceUnavailable:
            if (stale := self._stale(path)) is None:
                raise
            return stale
        if not view.is_private:
            self._cache.put(path, stamp, view)
        return view

    async def source(self, path: str, *, visitor: Visitor) -> PageSource:
        """Raise `NotFound` if the page's owner does not show its source, and what `view` raises."""
        now = self._clock()
        if not _PATH.fullmatch(path):
            raise _no_page()
        resolved, content = await self._database.read(_source, path, now, visitor)
        return PageSource(url=self._pages.url(resolved.path), content=content, is_private=resolved.is_private)

    async def cached_view(self, path: str) -> PageView | None:
        return self._cached(path, await self._stamp())

    async def _stamp(self) -> Stamp | None:
        at, removals = self._ticks(), self._database.removals
        stamp = await self._database.stamp()
        if stamp is not None:
            self._current_at, self._current_removals = at, removals
        return stamp

    def _cached(self, path: str, stamp: Stamp | None) -> PageView | None:
        return None if stamp is None else self._until_its_end(self._cache.get(path, stamp))

    def _stale(self, path: str) -> PageView | None:
        """Return a page that was current when the database was there last, if that is not long ago."""
        is_recent = self._ticks() - self._current_at <= self._stale_seconds
        is_unchanged = self._current_removals == self._database.removals
        return self._until_its_end(self._cache.peek(path)) if is_recent and is_unchanged else None

    def _until_its_end(self, view: PageView | None) -> PageView | None:
        return view if view is None or view.until is None or self._clock() < view.until else None

    async def _load(self, path: str, now: datetime, network: str, visitor: Visitor) -> PageView:
        def find(transaction: Transaction) -> tuple[ResolvedPage, Sequence[ReaderView]]:
            resolved = find_live_page(transaction, path, now)
            return resolved, require_access(transaction, resolved, visitor, now=now)

        resolved, views = await self._database.read(find)
        if views:
            with suppress(ServiceUnavailable):
                await self._database.write(note_views, views)
        if resolved.path != path:
            moved_to = self._pages.url(resolved.path)
            return PageView(moved_to=moved_to, until=resolved.expires_at, is_private=resolved.is_private)
        has_badge = shows_badge(resolved.hide_badge, is_pro=is_pro(resolved.plan, resolved.plan_until, now=now))
        page = resolved.page
        if page is None or not self._is_fresh(page, resolved, has_badge=has_badge):
            page = await self._rerendered(resolved, has_badge=has_badge, network=network)
        ends = (resolved.expires_at, None if has_badge else resolved.plan_until)
        return PageView(
            page=page,
            is_indexed=resolved.is_listed,
            until=min((end for end in ends if end is not None), default=None),
            is_private=resolved.is_private,
            has_download=resolved.offer_pdf or self._has_file(page),
        )

    def _has_file(self, page: Page) -> bool:
        """Return whether a page has a chart's data as a file, which a large page takes milliseconds to tell."""
        if (known := self._have_downloads.get(page.etag)) is None:
            known = b' href="data:text/csv;' in gzip.decompress(page.body)
            self._have_downloads.put(page.etag, known)
        return known

    def _is_fresh(self, page: Page, resolved: ResolvedPage, *, has_badge: bool) -> bool:
        if page.render_version != self._pages.stored_version or page.revision != resolved.revision:
            return False
        rendered = page.path, page.has_badge, page.default_language
        return rendered == (resolved.path, has_badge, resolved.default_language)

    async def _rerendered(self, resolved: ResolvedPage, *, has_badge: bool, network: str) -> Page:
        """Return a new rendering, shared by concurrent views, or the stored one if that fails."""
        key = resolved.document_id, resolved.revision, resolved.path, has_badge, resolved.default_language
        try:
            return await self._renderings.run(
                key, lambda: self._rerender(resolved, has_badge=has_badge, network=network)
            )
        except ServiceError as error:
            if resolved.page is None or isinstance(error, NotFound):
                raise
            return resolved.page

    async def _rerender(self, resolved: ResolvedPage, *, has_badge: bool, network: str) -> Page:
        document, current = await self._database.read(_to_render, resolved)
        if current.page is not None and self._is_fresh(current.page, current, has_badge=has_badge):
            # Another view saved it between this one's read and now.
            return current.page
        try:
            rendered = await self._pages.make(
                document,
                path=resolved.path,
                badge=has_badge,
                client_id=network,
                default_language=current.default_language,
            )
            page = rendered.page
        except ServiceError:
            if resolved.page is not None:
                _log.exception("Re-rendering of a page failed; serving the stored version")
            raise
        # Serve it even if saving fails.
        with suppress(ServiceUnavailable):
            await self._database.write(save_page, document.id, page)
        return page


class _ViewCache:
    """Views of one state of the pages: cleared when these change."""

    def __init__(self) -> None:
        self._changes: str | None = None
        self._views: LruCache[str, PageView] = LruCache(
            _CACHE_BYTES, lambda view: 500 + (len(view.page.body) if view.page else 0)
        )

    def peek(self, path: str) -> PageView | None:
        return self._views.peek(path)

    def get(self, path: str, stamp: Stamp) -> PageView | None:
        if stamp.changes != self._changes:
            self._views.clear()
            self._changes = stamp.changes
        return self._views.get(path)

    def put(self, path: str, stamp: Stamp | None, view: PageView) -> None:
        if stamp is not None and stamp.changes == self._changes:
            self._views.put(path, view)


def find_visible_page(transaction: Transaction, path: str, now: datetime, visitor: Visitor) -> ResolvedPage:
    """Raise `NotFound`, `Expired`, or `Locked` if the visitor may not see it."""
    resolved = find_live_page(transaction, path, now)
    require_access(transaction, resolved, visitor, now=now)
    return resolved


def find_live_page(transaction: Transaction, path: str, now: datetime) -> ResolvedPage:
    """Return what is published at a path, for nobody to see yet; raise `NotFound` or `Expired`."""
    if not _PATH.fullmatch(path):
        raise _no_page()
    resolved = find_page(transaction, path)
    if resolved is None and path.startswith("/p/"):
        demo = find_demo(transaction, path.removeprefix("/p/"))
        if demo is not None and demo.claimed_at is None and now >= demo.expires_at:
            raise expired(None)
    return require_live(resolved, now=now)


def _document(transaction: Transaction, resolved: ResolvedPage) -> DocumentRecord:
    document = find_document(transaction, resolved.document_id)
    if document is None or document.published_at is None:
        raise _no_page()
    return document


def _to_render(transaction: Transaction, resolved: ResolvedPage) -> tuple[DocumentRecord, ResolvedPage]:
    if (current := find_page(transaction, resolved.path)) is None:
        raise _no_page()
    return _document(transaction, current), current


def _source(transaction: Transaction, path: str, now: datetime, visitor: Visitor) -> tuple[ResolvedPage, str | None]:
    resolved = find_visible_page(transaction, path, now, visitor)
    document = _document(transaction, resolved)
    if not document.show_source:
        raise _no_page()
    return resolved, document.content if resolved.path == path else None


def _no_page() -> NotFound:
    return NotFound("No page at this URL")
