"""Host routing: with separate hosts for accounts or images, each host serves only its own paths.

Session cookies are then out of reach of published pages, and of uploaded images, even if a browser's sandbox fails.
"""

from collections.abc import Iterable
from urllib.parse import urlsplit

from starlette.responses import Response
from starlette.types import ASGIApp, Receive, Scope, Send

from mdpublish_server.api.responses import error_response
from mdpublish_server.errors import NotFound
from mdpublish_server.middleware.paths import PROBES, is_api, url_on_host
from mdpublish_server.services.images import PATH as IMAGES
from mdpublish_server.web.public.workbench import DOWNLOADS

# Owner links, which are accounts' pages, copy and download too; texts of both hosts are pasted into.
_SHARED = frozenset({"static", "copy", "import", *(f"download{suffix}" for suffix in DOWNLOADS)})


class HostRouting:
    """Redirects (GET, HEAD) to the host that serves the path."""

    def __init__(
        self, app: ASGIApp, *, public_url: str, dashboard_url: str, account_paths: Iterable[str], image_url: str
    ) -> None:
        self._app = app
        self._public_url = public_url
        # URLs by the first part of paths, and by hosts; those of all others are the public one.
        self._urls = dict.fromkeys(map(_first_part, account_paths), dashboard_url) | {_first_part(IMAGES): image_url}
        self._hosts = {urlsplit(url).netloc.lower().encode(): url for url in (public_url, image_url, dashboard_url)}

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if _is_shared(scope["path"]):
            await self._app(scope, receive, send)
            return
        hosts = (value.lower() for name, value in scope["headers"] if name == b"host")
        here = next((self._hosts[host] for host in hosts if host in self._hosts), self._public_url)
        url = self._urls.get(_first_part(scope["path"]), self._public_url)
        if url == here:
            await self._app(scope, receive, send)
            return
        response = self._redirect(scope, url)
        await response(scope, receive, send)

    def _redirect(self, scope: Scope, url: str) -> Response:
        if scope["method"] not in ("GET", "HEAD"):
            return error_response(NotFound(f"No page at this URL; this path is served at {url}"))
        return Response(status_code=307, headers={"Location": url_on_host(url, scope), "Cache-Control": "no-store"})


def _is_shared(path: str) -> bool:
    return path in PROBES or is_api(path) or _first_part(path) in _SHARED


def _first_part(path: str) -> str:
    return path.split("/", 2)[1] if path.startswith("/") else ""
