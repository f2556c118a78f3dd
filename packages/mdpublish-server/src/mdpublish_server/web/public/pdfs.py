"""`<url>.pdf`: a page as it prints, where its owner offers it.

Workers make a PDF on its first request. Its ETag names all that it depends on, so that revalidation renders nothing,
and a network has only so much CPU time a minute.
"""

from hashlib import sha256

from starlette.requests import Request
from starlette.responses import Response

from mdpublish_core import PageOptions
from mdpublish_core.hosting.outputs import FILES
from mdpublish_core.hosting.pages import LruCache
from mdpublish_server.attachments import attachment
from mdpublish_server.conversion.converter import Share
from mdpublish_server.conversion.protocol import Placed, RenderJob
from mdpublish_server.errors import NotFound
from mdpublish_server.services.concurrency import SingleFlight
from mdpublish_server.services.page_serving import find_visible_page
from mdpublish_server.services.pages import RENDER_VERSION
from mdpublish_server.state import AppState
from mdpublish_server.storage import DocumentRecord, ResolvedPage, Transaction
from mdpublish_server.storage.documents import find_document
from mdpublish_server.validation.ip_addresses import client_network
from mdpublish_server.validation.validators import UNTITLED
from mdpublish_server.web.cached_response import matches_etag
from mdpublish_server.web.public.sources import HEADERS
from mdpublish_server.web.visitors import PRIVATE_HEADERS, moved, visitor_of

_PDF = FILES["pdf"]

CACHE_BYTES = 32_000_000  # some hundreds of PDFs


class PagePdfs:
    """PDFs of pages, and redirects to where they moved."""

    def __init__(self, state: AppState) -> None:
        self._state = state
        # By ETag.
        self._cache: LruCache[str, Placed] = LruCache(CACHE_BYTES, lambda placed: len(placed.file or b""))
        self._printings: SingleFlight[str, Placed] = SingleFlight()
        self._throttle = state.site_throttle(of="network")

    async def show(self, request: Request) -> Response:
        """Return the page's PDF; raise what the page would, and what its conversion raises."""
        state, path = self._state, request.scope["path"].removesuffix(_PDF.suffix)
        now, visitor = state.clock(), visitor_of(request, state.settings)

        def find(transaction: Transaction) -> tuple[ResolvedPage, DocumentRecord | None]:
            resolved = find_visible_page(transaction, path, now, visitor)
            return resolved, find_document(transaction, resolved.document_id)

        resolved, document = await state.database.read(find)
        if document is None or not document.offer_pdf:
            raise NotFound("No page at this URL")
        url = f"{state.settings.public_url}{resolved.path}"
        if resolved.path != path:
            return moved(f"{url}{_PDF.suffix}", is_private=resolved.is_private)
        tag = await self._tag(document)
        headers = {**HEADERS, "Cache-Control": "no-cache", "ETag": tag, "Link": f'<{url}>; rel="canonical"'}
        headers |= PRIVATE_HEADERS if resolved.is_private else {}
        if matches_etag(",".join(request.headers.getlist("if-none-match")).encode(), tag.encode()):
            return Response(status_code=304, headers=headers)
        placed = self._cache.get(tag) or await self._print(tag, document, client_network(request))
        return Response(
            placed.file, media_type=_PDF.media_type, headers=headers | attachment(placed.title, _PDF.suffix)
        )

    async def _tag(self, document: DocumentRecord) -> str:
        # A deleted image is in no PDF of later.
        images = await self._state.converter.images_of(document.content, None, owner_id=document.account_id or "")
        parts = (str(RENDER_VERSION), document.id, str(document.revision), *sorted(images))
        digest = sha256("\0".join(parts).encode()).hexdigest()
        return f'"{digest[:32]}"'

    async def _print(self, tag: str, document: DocumentRecord, network: str) -> Placed:
        job = RenderJob(
            markdown=document.content,
            output=_PDF.name,
            template_id=document.template_id,
            # As the page prints.
            theme_mode="light",
            options=PageOptions(title="" if document.title == UNTITLED else document.title),
        )

        async def place() -> Placed:
            # Visitors cause these jobs, so they do not displace the account's own.
            placed = await self._state.converter.place(
                job, share=Share.ACCOUNTS, client_id=network, owner_id=document.account_id
            )
            self._cache.put(tag, placed)
            return placed

        with self._throttle.hit(network):
            return await self._printings.run(tag, place)
