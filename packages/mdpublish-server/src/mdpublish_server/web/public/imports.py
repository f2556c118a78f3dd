"""`POST /import`: what is pasted or dropped into the workbench, as Markdown; members' images go to the image store."""

from dataclasses import dataclass

from msgspec import json
from starlette.requests import Request
from starlette.responses import Response

from mdpublish_core.hosting.files import FORMAT_NAMES, MAX_FILE_BYTES
from mdpublish_server.auth.authentication import AuthenticatedRequest
from mdpublish_server.auth.csrf import require_browser
from mdpublish_server.conversion.converter import Share
from mdpublish_server.conversion.protocol import PasteJob
from mdpublish_server.errors import ServiceError, Unauthorized, ValidationError
from mdpublish_server.validation.body import declared_bytes, read_body
from mdpublish_server.validation.ip_addresses import client_network
from mdpublish_server.web.page_context import PageContext, Pages
from mdpublish_server.web.public.workbench import PRIVATE, refusal

IMAGE_FORMAT = "image"
"""An image file, of whatever kind."""

GUEST_BYTES = 5_000_000

MAX_IMAGES = 20
"""Images that are stored with one paste: each takes up to seconds to be re-encoded."""

_STORED = "Image stored; with the caret in it, the button Image changes its width"


@dataclass(frozen=True, slots=True)
class Brought:
    """What a script writes into the text, and what it says."""

    markdown: str
    summary: str


class Imports(Pages):
    """Reads what people bring from other programs."""

    def __init__(self, context: PageContext) -> None:
        super().__init__(context)
        self._throttle = self._state.site_throttle(of="network")

    async def read(self, request: Request) -> Response:
        require_browser(request)
        try:
            brought = await self._read(request)
        except ServiceError as error:
            return refusal(error)
        return Response(json.encode(brought), headers=PRIVATE, media_type="application/json")

    async def _read(self, request: Request) -> Brought:
        name = request.query_params.get("format", "html")
        if name != IMAGE_FORMAT and name not in FORMAT_NAMES:
            raise ValidationError(
                f"format must be one of {', '.join(FORMAT_NAMES)} or {IMAGE_FORMAT} (got {name[:20]!r})"
            )
        auth = await self._sessions.request_of(request)
        if name == IMAGE_FORMAT and auth is None:
            raise Unauthorized("Images are stored with an account: sign in, or link to an image on the web")
        client_id = auth.account.id if auth else client_network(request)
        max_bytes = MAX_FILE_BYTES if auth else GUEST_BYTES
        upload = self._state.uploads.hold(client_id, min(declared_bytes(request, max_bytes), max_bytes))
        with self._throttle.hit(client_id), upload:
            content = await read_body(request, max_bytes=max_bytes)
            if auth and name == IMAGE_FORMAT:
                return Brought(f"![]({await self._stored(auth, content)})", _STORED)
            return await self._pasted(auth, PasteJob(content=content, format=name, keeps_images=bool(auth)), client_id)

    async def _pasted(self, auth: AuthenticatedRequest | None, job: PasteJob, client_id: str) -> Brought:
        share = Share.ACCOUNTS if auth else Share.DEMO
        pasted = await self._state.converter.read_pasted(job, share=share, client_id=client_id)
        if auth is None or not pasted.images:
            return Brought(pasted.markdown, pasted.summary)
        markdown = pasted.markdown
        try:
            if len(pasted.images) > MAX_IMAGES:
                raise ValidationError(f"at most {MAX_IMAGES} can be pasted at once (got {len(pasted.images)})")
            for key, image in pasted.images.items():
                markdown = markdown.replace(key, await self._stored(auth, image))
        except ServiceError as error:
            job = PasteJob(content=job.content, format=job.format, keeps_images=False)
            without = await self._state.converter.read_pasted(job, share=share, client_id=client_id)
            summary = without.summary.partition(";")[0]
            return Brought(without.markdown, f"{summary}; images are left out: {error.message}")
        return Brought(markdown, pasted.summary)

    async def _stored(self, auth: AuthenticatedRequest, content: bytes) -> str:
        return self._state.images.url_of(await self._state.images.add(auth, content))
