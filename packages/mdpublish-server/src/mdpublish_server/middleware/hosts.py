"""Host routing: with a separate host for accounts, each host serves only its own paths.

Session cookies are then out of reach of published pages even if a browser's sandbox fails.
"""

from collections.abc import Iterable
from urllib.parse import urlsplit

from starlette.responses import Response
from starlette.types import ASGIApp, Receive, Scope, Send

from mdpublish_server.api.responses import error_response
from mdpublish_server.errors import NotFound
from mdpublish_server.middleware.paths import PROBES, is_api, url_on_host
from mdpublish_server.web.public.workbench import DOWNLOADS

# Owner links, which are accounts' pages, copy and download too.
_SHARED = frozenset({"static", "copy", *(f"download{suffix}" for suffix in DOWNLOADS)})


class HostRouting:
    """Redirects (GET, HEAD) to the host that serves the path."""

    def __init__(self, app: ASGIApp, *, public_url: str, dashboard_url: str, account_paths: Iterable[str]) -> None:
        self._app = app
        self._of_accounts = frozenset(map(_first_part, account_paths))
        self._public_url = public_url
        self._dashboard_url = dashboard_url
        self._account_host = urlsplit(dashboard_url).netloc.lower().encode()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if _is_shared(scope["path"]):
            await self._app(scope, receive, send)
            return
        is_at_accounts = any(
            name == b"host" and value.lower() == self._account_host for name, value in scope["headers"]
        )
        is_of_accounts = _first_part(scope["path"]) in self._of_accounts
        if is_at_accounts == is_of_accounts:
            await self._app(scope, receive, send)
            return
        response = self._redirect(scope, self._dashboard_url if is_of_accounts else self._public_url)
        await response(scope, receive, send)

    def _redirect(self, scope: Scope, url: str) -> Response:
        if scope["method"] not in ("GET", "HEAD"):
            return error_response(NotFound(f"No page at this URL; this path is served at {url}"))
        return Response(status_code=307, headers={"Location": url_on_host(url, scope), "Cache-Control": "no-store"})


def _is_shared(path: str) -> bool:
    return path in PROBES or is_api(path) or _first_part(path) in _SHARED


def _first_part(path: str) -> str:
    return path.split("/", 2)[1] if path.startswith("/") else ""
