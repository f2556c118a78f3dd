"""`<url>.md`: the Markdown of a page whose owner shows it, byte for byte; untrusted, so a sandboxed text."""

from starlette.requests import Request
from starlette.responses import Response

from mdpublish_server.services.page_serving import PageServer
from mdpublish_server.settings import Settings
from mdpublish_server.web.cached_response import conditional
from mdpublish_server.web.visitors import PRIVATE_HEADERS, moved, visitor_of

SUFFIX = ".md"

HEADERS = {
    "Content-Security-Policy": "sandbox; default-src 'none'",
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "X-Robots-Tag": "noindex",
}


class Sources:
    """Sources of pages, and redirects to where they moved."""

    def __init__(self, page_server: PageServer, settings: Settings) -> None:
        self._settings = settings
        self._page_server = page_server

    async def show(self, request: Request) -> Response:
        path: str = request.scope["path"]
        visitor = visitor_of(request, self._settings)
        source = await self._page_server.source(path.removesuffix(SUFFIX), visitor=visitor)
        if source.content is None:
            return moved(f"{source.url}{SUFFIX}", is_private=source.is_private)
        private = PRIVATE_HEADERS if source.is_private else {}
        headers = {**HEADERS, "Link": f'<{source.url}>; rel="canonical"', **private}
        response = Response(source.content, media_type="text/markdown", headers=headers)
        return response if source.is_private else conditional(request, response)
