"""`GET /i/…`: uploaded images."""

from starlette.requests import Request
from starlette.responses import Response

from mdpublish_core.hosting.files import IMAGE_TYPES
from mdpublish_server.services.images import Images
from mdpublish_server.settings import Settings
from mdpublish_server.web.cached_response import matches_etag
from mdpublish_server.web.visitors import PRIVATE_HEADERS, visitor_of

_HEADERS = {
    # An image may become private: no cache keeps it for long.
    "Cache-Control": "public, max-age=3600",
    "X-Content-Type-Options": "nosniff",
    # An SVG that is opened by its URL runs no script and loads nothing.
    "Content-Security-Policy": "default-src 'none'; style-src 'unsafe-inline'; sandbox",
    "Cross-Origin-Resource-Policy": "cross-origin",
}


class StoredImages:
    """Serves images to everybody who knows their name, but those of private pages."""

    def __init__(self, images: Images, settings: Settings) -> None:
        self._settings = settings
        self._images = images

    async def show(self, request: Request) -> Response:
        """Return an image, or a 304 without reading it; raise `NotFound`, or `ServiceUnavailable` for a lost file."""
        name = request.path_params["name"]
        image, audience = await self._images.find(name, visitor=visitor_of(request, self._settings))
        headers = {**_HEADERS, **(PRIVATE_HEADERS if audience == "visitor" else {}), "ETag": f'"{image.id}"'}
        if matches_etag(",".join(request.headers.getlist("if-none-match")).encode(), headers["ETag"].encode()):
            return Response(status_code=304, headers=headers)
        content = await self._images.content_of(image, name)
        return Response(content, headers=headers, media_type=IMAGE_TYPES[name.rpartition(".")[2]])
