"""`/sitemap.xml` and its parts: all public pages and profiles (sitemaps.org, protocol 0.9).

Unless nothing changed, each request reads the database, so that unpublished pages are never listed. Files are built
one at a time, in a thread, and kept while their URLs are the same; concurrent requests share a build.
"""

import asyncio
import re
import time
import zlib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from hashlib import sha256

import msgspec
from anyio import to_thread
from lxml import etree
from starlette.requests import Request
from starlette.types import ASGIApp

from mdpublish_core.hosting.pages import LruCache
from mdpublish_server.errors import NotFound
from mdpublish_server.services.feeds import PublicPages, SitemapUrl
from mdpublish_server.storage import Database, Stamp, Transaction
from mdpublish_server.web.cached_response import CachedResponse

_NAMESPACE = "http://www.sitemaps.org/schemas/sitemap/0.9"

_NUMBER = re.compile(r"[1-9][0-9]{0,4}")

_MAX_CACHED = 16  # files of up to 400 KB

_PAUSE_SECONDS = 0.0005  # after some milliseconds of work, a thread yields the GIL to the event loop

_LEVEL = 5
_GZIP = 31  # a gzip header, without a time

_PIECE = msgspec.json.Decoder(tuple[SitemapUrl, ...])


@dataclass(frozen=True, slots=True, kw_only=True)
class _Contents:
    """URLs of a file, of pages or of further files, and their digest.

    JSON in batches: as objects, garbage collection would pause the service.
    """

    pieces: Sequence[bytes]
    is_index: bool
    digest: bytes


@dataclass(frozen=True, slots=True, kw_only=True)
class _CachedFile:
    """A file, its contents' digest, and the database's stamp before they were read."""

    response: CachedResponse
    digest: bytes
    stamp: Stamp | None


class Sitemaps:
    """The sitemap's files."""

    def __init__(self, database: Database, public_pages: PublicPages) -> None:
        self._database = database
        self._public_pages = public_pages
        self._cache: LruCache[int, _CachedFile] = LruCache(_MAX_CACHED)
        self._builds: dict[int, asyncio.Task[CachedResponse]] = {}
        self._lock = asyncio.Lock()

    async def show(self, _request: Request) -> ASGIApp:
        """Return the sitemap, or the index if it takes several files."""
        return await self._file(0)

    async def show_part(self, request: Request) -> ASGIApp:
        number: str = request.path_params["number"]
        if not _NUMBER.fullmatch(number):
            raise _no_file()
        return await self._file(int(number))

    async def _file(self, number: int) -> CachedResponse:
        """Return a file; 0 is the sitemap or its index."""
        cached = self._cache.peek(number)
        if cached is not None and cached.stamp is not None and cached.stamp == await self._database.stamp():
            return cached.response
        build = self._builds.get(number)
        if build is None:
            build = self._builds[number] = asyncio.create_task(self._build_serially(number))
        # Shared by other requests, so it outlives this one.
        return await asyncio.shield(build)

    async def _build_serially(self, number: int) -> CachedResponse:
        try:
            await self._lock.acquire()
        finally:
            # The build may miss changes from here on; later requests start another.
            del self._builds[number]
        try:
            return await self._build(number)
        finally:
            self._lock.release()

    async def _build(self, number: int) -> CachedResponse:
        split = await self._database.scan(self._public_pages.split_sitemap, max(number, 1))
        if split is not None:
            await self._database.write(split)
        stamp = await self._database.stamp()
        contents = await self._database.scan(self._contents, number)
        cached = self._cache.peek(number)
        if cached is not None and cached.digest == contents.digest:
            response = cached.response
        else:
            response = await to_thread.run_sync(_rendered, contents)
        self._cache.put(number, _CachedFile(response=response, digest=contents.digest, stamp=stamp))
        return response

    def _contents(self, transaction: Transaction, number: int) -> _Contents:
        if number == 0:
            parts = self._public_pages.sitemap_parts(transaction)
            if len(parts) > 1:
                files = [self._public_pages.url(f"/sitemap-{part}.xml") for part in parts]
                return _contents([[SitemapUrl(url=url, changed_at=None) for url in files]], is_index=True)
        return _contents(self._public_pages.sitemap_urls(transaction, max(number, 1)), is_index=False)


def _contents(batches: Iterable[Sequence[SitemapUrl]], *, is_index: bool) -> _Contents:
    pieces = []
    for urls in batches:
        pieces.append(msgspec.json.encode(urls))
        time.sleep(_PAUSE_SECONDS)
    if not pieces:
        raise _no_file()
    return _Contents(pieces=pieces, is_index=is_index, digest=sha256(b"\n".join(pieces)).digest())


def _rendered(contents: _Contents) -> CachedResponse:
    """Write a file, in up to some hundred milliseconds."""
    root = "sitemapindex" if contents.is_index else "urlset"
    begin, end = f'<{root} xmlns="{_NAMESPACE}">'.encode(), f"</{root}>".encode()
    zipped = zlib.compressobj(_LEVEL, wbits=_GZIP)
    chunks = [zipped.compress(b"<?xml version='1.0' encoding='utf-8'?>\n" + begin)]
    # Piece by piece: lxml and zlib hold the GIL for longer than a request takes.
    for piece in contents.pieces:
        entries = etree.tostring(_tree(begin + end, piece, is_index=contents.is_index), encoding="utf-8")
        chunks.append(zipped.compress(entries.removeprefix(begin).removesuffix(end)))
        time.sleep(_PAUSE_SECONDS)
    chunks += [zipped.compress(end), zipped.flush()]
    content = b"".join(chunks)
    return CachedResponse(
        content,
        etag=sha256(content).hexdigest()[:32],
        media_type="application/xml",
        headers={"X-Content-Type-Options": "nosniff"},
    )


def _tree(empty: bytes, piece: bytes, *, is_index: bool) -> etree._Element:
    root = etree.fromstring(empty)
    kind, loc, lastmod = _name("sitemap" if is_index else "url"), _name("loc"), _name("lastmod")
    for entry_url in _PIECE.decode(piece):
        entry = etree.SubElement(root, kind)
        etree.SubElement(entry, loc).text = entry_url.url
        if entry_url.changed_at is not None:
            etree.SubElement(entry, lastmod).text = f"{entry_url.changed_at:%Y-%m-%dT%H:%M:%SZ}"
    return root


def _name(name: str) -> str:
    return f"{{{_NAMESPACE}}}{name}"


def _no_file() -> NotFound:
    return NotFound("The sitemap has no part with this number")
