"""`GET /fonts/…`: the fonts of published pages, if enabled.

File names contain a hash, so browsers cache them forever. Sandboxed pages have an opaque origin, so CORS allows
any.
"""

from functools import cache
from hashlib import sha256
from importlib.resources import files

from starlette.requests import Request
from starlette.responses import Response

from mdpublish_core.templates.hosted_fonts import hosted_families
from mdpublish_server.errors import NotFound
from mdpublish_server.web.cached_response import matches_etag

PATH = "/fonts/"

_FOLDER = files("mdpublish_server.web") / "static" / "fonts"

# One year, the maximum: https://www.rfc-editor.org/rfc/rfc2616#section-14.21
_MAX_AGE_SECONDS = 31_536_000

_HEADERS = {
    "Cache-Control": f"public, max-age={_MAX_AGE_SECONDS}, immutable",
    "Access-Control-Allow-Origin": "*",
    "X-Content-Type-Options": "nosniff",
}


async def show(request: Request) -> Response:
    """Return a font or a 304; raise `NotFound`."""
    name: str = request.path_params["name"]
    if name not in _names():
        raise NotFound("No such font")
    content, tag = _font(name)
    headers = {**_HEADERS, "ETag": tag}
    known = request.headers.get("if-none-match")
    if known and matches_etag(known.encode("latin-1"), tag.encode()):
        return Response(status_code=304, headers=headers)
    return Response(content, headers=headers, media_type="font/woff2")


@cache
def _names() -> frozenset[str]:
    return frozenset(name for family in hosted_families().values() for style in family.styles for name in style.files)


@cache
def _font(name: str) -> tuple[bytes, str]:
    """Return a file and its ETag; all files have less than a megabyte."""
    content = (_FOLDER / name).read_bytes()
    return content, f'"{sha256(content).hexdigest()[:32]}"'
