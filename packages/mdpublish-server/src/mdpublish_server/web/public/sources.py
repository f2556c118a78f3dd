"""`<url>.md`: the Markdown of a page whose owner shows it, byte for byte. Untrusted, so sandboxed and served as text."""

from starlette.requests import Request
from starlette.responses import Response

from mdpublish_server.services.page_serving import PageServer
from mdpublish_server.web.cached_response import conditional

SUFFIX = ".md"

HEADERS = {
    "Content-Security-Policy": "sandbox; default-src 'none'",
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "X-Robots-Tag": "noindex",
}


class Sources:
    """Sources of pages, and redirects to where they moved."""

    def __init__(self, page_server: PageServer) -> None:
        self._page_server = page_server

    async def show(self, request: Request) -> Response:
        path: str = request.scope["path"]
        source = await self._page_server.source(path.removesuffix(SUFFIX))
        if source.content is None:
            return Response(status_code=301, headers={"Location": f"{source.url}{SUFFIX}", "Cache-Control": "no-cache"})
        headers = {**HEADERS, "Link": f'<{source.url}>; rel="canonical"'}
        return conditional(request, Response(source.content, media_type="text/markdown", headers=headers))
