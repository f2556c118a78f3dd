"""Viewing: what the public finds at a path.

A page is served as it was rendered; one of another rendering, such as without the fonts that pages have by now, or whose
badge is not as the plan has it, is rendered anew on its next view. Where the database tells cheaply that nothing has
changed, pages are kept in memory until it does.
"""

import logging
import re
from collections import OrderedDict
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime

from mdpublish_server.clock import Clock
from mdpublish_server.errors import Expired, NotFound, ServiceError, ServiceUnavailable
from mdpublish_server.pages import PageMaker, shows_badge
from mdpublish_server.policies.plans import is_pro
from mdpublish_server.storage import Database, Document, Found, Page, Transaction
from mdpublish_server.storage.addresses import find_demo, find_page, save_page
from mdpublish_server.storage.documents import find_document

# What the database is asked for: anything else is nobody's page.
_PATH = re.compile(r"/[a-z0-9/-]{1,150}")

# Bytes of pages that are kept in memory: some thousands of them.
_CACHE_BYTES = 32_000_000

_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True, kw_only=True)
class View:
    """What is at a path: a page, or, where `moved_to` is an address, a redirect to it."""

    page: Page | None
    moved_to: str | None
    is_indexed: bool
    until: datetime | None
    """When it is another by the clock alone: a demo expires, a plan ends."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Source:
    """The Markdown of the page at `url`, as its author wrote it; None where the page has moved there."""

    url: str
    content: str | None


class Viewer:
    """Finds what is at public paths."""

    def __init__(self, database: Database, pages: PageMaker, clock: Clock) -> None:
        self._database = database
        self._pages = pages
        self._clock = clock
        self._cache = _Cache(_CACHE_BYTES)

    async def view(self, path: str) -> View:
        """Return what is at a path; raises `NotFound`, `Expired` and `RenderError`."""
        kept = self.remembered(path)
        if kept is not None:
            return kept
        stamp = self._database.stamp()
        now = self._clock()
        view = await self._found(path, now)
        self._cache.put(path, stamp, view)
        return view

    async def source(self, path: str) -> Source:
        """Return the source of the page at a path; raises `NotFound` and `Expired`, as `view` does."""
        now = self._clock()
        if not _PATH.fullmatch(path):
            raise _no_page()
        url, content = await self._database.read(lambda transaction: _source(transaction, path, now))
        return Source(url=self._pages.url(url), content=content)

    def remembered(self, path: str) -> View | None:
        """Return what is at a path, if that is in memory and nothing has changed since."""
        view = self._cache.get(path, self._database.stamp())
        return view if view is None or view.until is None or self._clock() < view.until else None

    async def _found(self, path: str, now: datetime) -> View:
        found = await self._database.read(lambda transaction: find_visible(transaction, path, now))
        if found.path != path:
            return View(page=None, moved_to=self._pages.url(found.path), is_indexed=False, until=found.expires_at)
        has_badge = shows_badge(found.hide_badge, is_pro=is_pro(found.plan, found.plan_until, now=now))
        page = found.page
        if page is None or not self._is_fresh(page, found, has_badge=has_badge):
            page = await self._render_anew(found, has_badge=has_badge)
        until = found.expires_at if has_badge else found.plan_until
        return View(page=page, moved_to=None, is_indexed=found.visibility == "public", until=until)

    def _is_fresh(self, page: Page, found: Found, *, has_badge: bool) -> bool:
        is_same_rendering = page.render_version == self._pages.stored_version and page.has_badge == has_badge
        return is_same_rendering and page.revision == found.revision

    async def _render_anew(self, found: Found, *, has_badge: bool) -> Page:
        document = await self._database.read(lambda transaction: _document(transaction, found))
        try:
            _, page = await self._pages.make(document, path=found.path, badge=has_badge)
        except ServiceError:
            if found.page is None:
                raise
            _log.exception("a page could not be rendered anew, and is served as it was")
            return found.page
        # One that cannot be kept just now is shown all the same.
        with suppress(ServiceUnavailable):
            await self._database.write(lambda transaction: save_page(transaction, document.id, page))
        return page


class _Cache:
    """Views by path, as long as the database's stamp stays the same; the longest unused one goes first."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._size = 0
        self._stamp: int | None = None
        self._views: OrderedDict[str, View] = OrderedDict()

    def get(self, path: str, stamp: int | None) -> View | None:
        if stamp != self._stamp:
            self._views.clear()
            self._size = 0
            self._stamp = stamp
            return None
        view = self._views.get(path)
        if view is not None:
            self._views.move_to_end(path)
        return view

    def put(self, path: str, stamp: int | None, view: View) -> None:
        if stamp is None or stamp != self._stamp:
            return
        if path in self._views:
            self._size -= _size(self._views.pop(path))
        self._views[path] = view
        self._size += _size(view)
        while self._size > self._most:
            self._size -= _size(self._views.popitem(last=False)[1])


def find_visible(transaction: Transaction, path: str, now: datetime) -> Found:
    """Return what the public finds at a path; raises `NotFound` and `Expired`."""
    if not _PATH.fullmatch(path):
        raise _no_page()
    found = find_page(transaction, path)
    if found is None:
        if path.startswith("/p/"):
            demo = find_demo(transaction, path.removeprefix("/p/"))
            if demo is not None and demo.claimed_at is None and now >= demo.expires_at:
                raise _expired()
        raise _no_page()
    if found.expires_at is not None and now >= found.expires_at:
        raise _expired()
    if found.published_at is None or found.is_suspended:
        raise _no_page()
    return found


def _document(transaction: Transaction, found: Found) -> Document:
    document = find_document(transaction, found.document_id)
    if document is None or document.published_at is None:
        raise _no_page()
    return document


def _source(transaction: Transaction, path: str, now: datetime) -> tuple[str, str | None]:
    """Return the current path of the page at a path, and its text, where that is the path asked for."""
    found = find_visible(transaction, path, now)
    return found.path, _document(transaction, found).content if found.path == path else None


def _size(view: View) -> int:
    return 500 + (len(view.page.body) if view.page else 0)


def _expired() -> Expired:
    return Expired("this page has expired: a page published without an account stays for 72 hours")


def _no_page() -> NotFound:
    return NotFound("there is no page at this address")
