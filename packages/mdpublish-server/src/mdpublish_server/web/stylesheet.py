"""`GET /static/site.css`: the stylesheet of the site's own pages."""

import gzip
from hashlib import sha256
from importlib.resources import files

from starlette.requests import Request
from starlette.responses import Response

from mdpublish_server.web.ready import ready_response

_SOURCE = (files("mdpublish_server.web") / "static" / "site.css").read_bytes()
_GZIPPED = gzip.compress(_SOURCE, mtime=0)
_ETAG = sha256(_SOURCE).hexdigest()[:32]


async def show(request: Request) -> Response:
    """Send the stylesheet."""
    headers = {"X-Content-Type-Options": "nosniff"}
    return ready_response(request, _GZIPPED, etag=_ETAG, media_type="text/css", headers=headers)
