"""`/u/….png`, `/d/….png` and `/p/….png`: Open Graph images of published pages.

Workers render an image on its first request; the cache is keyed by what it shows. It is the only resource of a page
that other sites may embed.
"""

from collections import OrderedDict
from hashlib import sha256

from starlette.requests import Request
from starlette.responses import Response

from mdpublish_core.social_images import VERSION
from mdpublish_server.clock import Clock
from mdpublish_server.conversion import Converter, Share, SocialImageJob
from mdpublish_server.services.concurrency import SingleFlight
from mdpublish_server.services.page_serving import find_visible_page
from mdpublish_server.storage import Database, ResolvedPage
from mdpublish_server.validation.ip_addresses import client_network
from mdpublish_server.validation.validators import validate_theme_mode
from mdpublish_server.web.cached_response import matches_etag

SUFFIX = ".png"

CACHE_BYTES = 16_000_000  # some hundreds of images


class SocialImages:
    """Images, and redirects to where pages moved."""

    def __init__(
        self, database: Database, converter: Converter, clock: Clock, *, site_name: str, public_url: str
    ) -> None:
        self._database = database
        self._converter = converter
        self._clock = clock
        self._site_name = site_name
        self._public_url = public_url
        self._cache = _ImageCache(CACHE_BYTES)
        self._renderings: SingleFlight[str, bytes] = SingleFlight()

    async def show(self, request: Request) -> Response:
        """Return the page's image; raise what the page would."""
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
        image = await self._image(tag, job, resolved, client_network(request))
        return Response(image, media_type="image/png", headers=headers)

    async def _image(self, tag: str, job: SocialImageJob, resolved: ResolvedPage, network: str) -> bytes:
        cached = self._cache.get(tag)
        if cached is not None:
            return cached
        return await self._renderings.run(tag, lambda: self._render(tag, job, resolved, network))

    async def _render(self, tag: str, job: SocialImageJob, resolved: ResolvedPage, network: str) -> bytes:
        share = Share.DEMO if resolved.account_id is None else Share.ACCOUNTS
        # Visitors cause these jobs, so they do not displace the account's own.
        image = await self._converter.render_social_image(job, share=share, client_id=network)
        self._cache.put(tag, image)
        return image


class _ImageCache:
    """LRU cache of images by ETag."""

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
    """Return a hash of all that the image depends on."""
    parts = "\0".join((str(VERSION), job.template_id, job.theme_mode, job.site_name, job.title))
    return f'"{sha256(parts.encode()).hexdigest()[:32]}"'


def _headers(resolved: ResolvedPage, tag: str) -> dict[str, str]:
    is_public = resolved.visibility == "public"
    headers = {
        "ETag": tag,
        # Disappears with its page; revalidation renders nothing.
        "Cache-Control": "no-cache",
        "X-Content-Type-Options": "nosniff",
        "Cross-Origin-Resource-Policy": "cross-origin",
    }
    return headers if is_public else {**headers, "X-Robots-Tag": "noindex"}
