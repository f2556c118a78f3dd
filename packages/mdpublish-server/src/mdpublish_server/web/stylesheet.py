"""`GET /static/site.css`: the stylesheet of the site's own pages."""

import gzip
from hashlib import sha256
from importlib.resources import files

from starlette.requests import Request
from starlette.types import ASGIApp

from mdpublish_core.site_palette import site_palette
from mdpublish_server.web.cached_response import CachedResponse

_SOURCE = site_palette().encode() + (files("mdpublish_server.web") / "static" / "site.css").read_bytes()

_STYLESHEET = CachedResponse(
    gzip.compress(_SOURCE, mtime=0),
    etag=sha256(_SOURCE).hexdigest()[:32],
    media_type="text/css",
    headers={"X-Content-Type-Options": "nosniff"},
)


async def show(_request: Request) -> ASGIApp:
    return _STYLESHEET
