"""`/u/….png`, `/d/….png` and `/p/….png`: Open Graph images of published pages; `/social.png`: that of the site.

Workers render an image on its first request; the cache is keyed by what it shows. Of a page's resources, other sites
may embed it alone.
"""

from collections.abc import Mapping
from hashlib import sha256

from starlette.requests import Request
from starlette.responses import Response

from mdpublish_core.hosting.pages import SOCIAL_IMAGE_VERSION, LruCache
from mdpublish_server.conversion.converter import Share
from mdpublish_server.conversion.protocol import SocialImageJob
from mdpublish_server.services.concurrency import SingleFlight
from mdpublish_server.services.page_serving import find_visible_page
from mdpublish_server.state import AppState
from mdpublish_server.storage import ResolvedPage
from mdpublish_server.storage.documents import find_document
from mdpublish_server.validation.ip_addresses import client_network
from mdpublish_server.validation.validators import UNTITLED, validate_theme_mode
from mdpublish_server.web.cached_response import matches_etag
from mdpublish_server.web.visitors import PRIVATE_HEADERS, moved, visitor_of

SUFFIX = ".png"

CACHE_BYTES = 16_000_000  # some hundreds of images

_HEADINGS = 1_000

PITCH = "Paste Markdown. Copy it into Google Docs, Word, Slack, OneNote or email, or publish it."
"""What the site does, on its image and in its description."""

_HEADERS = {
    # Disappears with its page; revalidation renders nothing.
    "Cache-Control": "no-cache",
    "X-Content-Type-Options": "nosniff",
    "Cross-Origin-Resource-Policy": "cross-origin",
}


class SocialImages:
    """Images, and redirects to where pages moved."""

    def __init__(self, state: AppState) -> None:
        self._state = state
        # By ETag.
        self._cache: LruCache[str, bytes] = LruCache(CACHE_BYTES, len)
        # By document and revision.
        self._headings: LruCache[tuple[str, int], str] = LruCache(_HEADINGS)
        self._renderings: SingleFlight[str, bytes] = SingleFlight()

    async def show(self, request: Request) -> Response:
        """Return the page's image; raise what the page would."""
        path: str = request.scope["path"].removesuffix(SUFFIX)
        now, settings = self._state.clock(), self._state.settings
        resolved = await self._state.database.read(find_visible_page, path, now, visitor_of(request, settings))
        if resolved.path != path:
            return moved(f"{settings.public_url}{resolved.path}{SUFFIX}", is_private=resolved.is_private)
        share = Share.DEMO if resolved.account_id is None else Share.ACCOUNTS
        job = SocialImageJob(
            title=await self._title(resolved, share, client_network(request)),
            template_id=resolved.template_id,
            theme_mode=validate_theme_mode(resolved.theme_mode),
            site_name=settings.service_name,
        )
        headers = {**_HEADERS, **({} if resolved.is_listed else {"X-Robots-Tag": "noindex"})}
        headers |= PRIVATE_HEADERS if resolved.is_private else {}
        return await self._response(request, job, share, headers)

    async def show_site(self, request: Request) -> Response:
        """Return the image of the landing page."""
        name = self._state.settings.service_name
        job = SocialImageJob(title=PITCH, template_id="swiss", theme_mode="light", site_name=name)
        return await self._response(request, job, Share.DEMO, _HEADERS)

    async def _title(self, resolved: ResolvedPage, share: Share, network: str) -> str:
        """Return the page's title; of an untitled page, the first heading."""
        if resolved.title != UNTITLED:
            return resolved.title
        key = resolved.document_id, resolved.revision
        heading = self._headings.get(key)
        if heading is None:
            document = await self._state.database.read(find_document, resolved.document_id)
            content = "" if document is None else document.content
            heading = await self._state.converter.read_title(content, client_id=network, share=share)
            self._headings.put(key, heading)
        return heading

    async def _response(
        self, request: Request, job: SocialImageJob, share: Share, headers: Mapping[str, str]
    ) -> Response:
        tag = _tag(job)
        headers = {**headers, "ETag": tag}
        if matches_etag(",".join(request.headers.getlist("if-none-match")).encode(), tag.encode()):
            return Response(status_code=304, headers=headers)
        network = client_network(request)
        image = self._cache.get(tag) or await self._renderings.run(tag, lambda: self._render(tag, job, share, network))
        return Response(image, media_type="image/png", headers=headers)

    async def _render(self, tag: str, job: SocialImageJob, share: Share, network: str) -> bytes:
        # Visitors cause these jobs, so they do not displace the account's own.
        image = await self._state.converter.render_social_image(job, share=share, client_id=network)
        self._cache.put(tag, image)
        return image


def _tag(job: SocialImageJob) -> str:
    """Return a hash of all that the image depends on."""
    parts = "\0".join((str(SOCIAL_IMAGE_VERSION), job.template_id, job.theme_mode, job.site_name, job.title))
    return f'"{sha256(parts.encode()).hexdigest()[:32]}"'
