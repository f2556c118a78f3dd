"""`/u/….png`, `/d/….png` and `/p/….png`: the pictures that other sites show beside links to published pages.

A picture is where its page is, and gone with it. It is drawn when it is first asked for, by a worker, and kept in memory by
what it shows: two pages of one title and template share one. Who asks for it anew is told that nothing has changed before
anything is drawn. Other sites may show it, so it is the one thing of a page that they may embed.
"""

import asyncio
from collections import OrderedDict
from hashlib import sha256

from starlette.requests import Request
from starlette.responses import Response

from mdpublish_core.social_images import VERSION
from mdpublish_server.clock import Clock
from mdpublish_server.conversion import Converter, Share, SocialImageJob
from mdpublish_server.services.page_serving import find_visible_page
from mdpublish_server.storage import Database, ResolvedPage
from mdpublish_server.validation.validators import validate_theme_mode
from mdpublish_server.web.cached_response import matches_etag

SUFFIX = ".png"
"""What stands behind a page's path."""

CACHE_BYTES = 16_000_000
"""Bytes of pictures that are kept in memory: some hundreds of them."""

# Whose turn it is among the demos' jobs, where pictures together never take more than a caller may.
_DEMO_CLIENT = "unfurls"


class SocialImages:
    """Sends the pictures of published pages, and redirects to where they moved."""

    def __init__(
        self, database: Database, converter: Converter, clock: Clock, *, site_name: str, public_url: str
    ) -> None:
        self._database = database
        self._converter = converter
        self._clock = clock
        self._site_name = site_name
        self._public_url = public_url
        self._cache = _ImageCache(CACHE_BYTES)
        self._tasks: dict[str, asyncio.Task[bytes]] = {}

    async def show(self, request: Request) -> Response:
        """Return the picture of the page at the path; raises what the page itself would."""
        path: str = request.scope["path"].removesuffix(SUFFIX)
        now = self._clock()
        resolved = await self._database.read(lambda transaction: find_visible_page(transaction, path, now))
        if resolved.path != path:
            location = f"{self._public_url}{resolved.path}{SUFFIX}"
            return Response(status_code=301, headers={"Location": location, "Cache-Control": "no-cache"})
        job = SocialImageJob(
            title=resolved.title,
            template_id=resolved.template_id,
            theme_mode=validate_theme_mode(resolved.theme_mode),
            site_name=self._site_name,
        )
        tag = _tag(job)
        headers = _headers(resolved, tag)
        if matches_etag(",".join(request.headers.getlist("if-none-match")).encode(), tag.encode()):
            return Response(status_code=304, headers=headers)
        return Response(await self._image(tag, job, resolved), media_type="image/png", headers=headers)

    async def _image(self, tag: str, job: SocialImageJob, resolved: ResolvedPage) -> bytes:
        """Return a picture; several who ask for one at once wait for one drawing of it, even if the first goes away."""
        cached = self._cache.get(tag)
        if cached is not None:
            return cached
        render_task = self._tasks.get(tag)
        if render_task is None:
            render_task = self._tasks[tag] = asyncio.create_task(self._render(tag, job, resolved))
            # Where all who asked have gone, nobody else takes note of its error.
            render_task.add_done_callback(lambda task: task.cancelled() or task.exception())
        return await asyncio.shield(render_task)

    async def _render(self, tag: str, job: SocialImageJob, resolved: ResolvedPage) -> bytes:
        try:
            share = Share.DEMO if resolved.account_id is None else Share.ACCOUNTS
            # Beside an account's own jobs, and never in their place: its visitors make these.
            client_id = _DEMO_CLIENT if resolved.account_id is None else f"unfurls {resolved.account_id}"
            image = await self._converter.render_social_image(job, share=share, client_id=client_id)
        finally:
            del self._tasks[tag]
        self._cache.put(tag, image)
        return image


class _ImageCache:
    """Pictures by their tags; the longest unused one goes first."""

    def __init__(self, max_bytes: int) -> None:
        self._max_bytes = max_bytes
        self._size = 0
        self._images: OrderedDict[str, bytes] = OrderedDict()

    def get(self, tag: str) -> bytes | None:
        image = self._images.get(tag)
        if image is not None:
            self._images.move_to_end(tag)
        return image

    def put(self, tag: str, image: bytes) -> None:
        self._size += len(image) - len(self._images.pop(tag, b""))
        self._images[tag] = image
        while self._size > self._max_bytes:
            self._size -= len(self._images.popitem(last=False)[1])


def _tag(job: SocialImageJob) -> str:
    """Return the ETag of a picture, which tells all that it is made of."""
    parts = "\0".join((str(VERSION), job.template_id, job.theme_mode, job.site_name, job.title))
    return f'"{sha256(parts.encode()).hexdigest()[:32]}"'


def _headers(resolved: ResolvedPage, tag: str) -> dict[str, str]:
    is_public = resolved.visibility == "public"
    headers = {
        "ETag": tag,
        # Gone with its page at once, also from the copies of others; to ask whether it is still there costs no drawing.
        "Cache-Control": "no-cache",
        "X-Content-Type-Options": "nosniff",
        "Cross-Origin-Resource-Policy": "cross-origin",
    }
    return headers if is_public else {**headers, "X-Robots-Tag": "noindex"}
