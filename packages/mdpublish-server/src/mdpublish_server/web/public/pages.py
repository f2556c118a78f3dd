"""`/u/…`, `/d/…` and `/p/…`: published pages.

Pages are untrusted: sandboxed without `allow-same-origin`, they have an opaque origin; private ones have no scripts
instead. The policy allows their style element and the copy script, by hash.
"""

import re
from collections.abc import Iterable
from weakref import WeakKeyDictionary

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route
from starlette.types import ASGIApp, Receive, Scope, Send

from mdpublish_core.hosting.pages import page_script_hash
from mdpublish_server.services.page_access import Locked
from mdpublish_server.services.page_serving import PageServer, PageView
from mdpublish_server.settings import Settings
from mdpublish_server.validation.ip_addresses import client_network
from mdpublish_server.web.cached_response import CachedResponse
from mdpublish_server.web.public.locked import locked_page
from mdpublish_server.web.site import Site
from mdpublish_server.web.visitors import PRIVATE_HEADERS, moved, visitor_of

_PREFIXES = ("/u/", "/d/", "/p/")

_PAGE_PATH = re.compile(r"/[udp]/[a-z0-9-]+(?:/[a-z0-9-]+)?(?:\.[a-z]+)?")


def is_page(path: str) -> bool:
    """Tell whether a path is of a published page, in any case."""
    return path[:3].lower() in _PREFIXES


class PublishedPages:
    """Published pages, and redirects to where they moved."""

    def __init__(self, page_server: PageServer, site: Site, settings: Settings) -> None:
        self._page_server = page_server
        self._site = site
        self._settings = settings
        # As long as the page server keeps their views, whose bodies they share.
        self._responses: WeakKeyDictionary[PageView, CachedResponse] = WeakKeyDictionary()

    async def show(self, request: Request) -> ASGIApp:
        path: str = request.scope["path"]
        visitor = visitor_of(request, self._settings)
        try:
            view = await self._page_server.view(path, network=client_network(request), visitor=visitor)
        except Locked as locked:
            return locked_page(self._site, self._settings, path, locked.asks)
        if view.moved_to is not None:
            return moved(view.moved_to, is_private=view.is_private)
        return self._cached_response(view)

    async def cached(self, path: str) -> CachedResponse | None:
        """Return the page if it is in memory and current."""
        view = await self._page_server.cached_view(path)
        return None if view is None or view.page is None else self._cached_response(view)

    def _cached_response(self, view: PageView) -> CachedResponse:
        response = self._responses.get(view)
        if response is None:
            response = self._responses[view] = _response_of(view, self._settings)
        return response


class PageCacheMiddleware:
    """Serves cached pages, and redirects to the one form of a page's URL, before routing."""

    def __init__(self, app: ASGIApp, pages: PublishedPages, routes: Iterable[Route]) -> None:
        self._app = app
        self._pages = pages
        # For metrics.
        self._routes = {route.path[:3]: route for route in routes if route.path.startswith(_PREFIXES)}

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        prefix = scope.get("path", "")[:3].lower()
        if scope["type"] == "http" and prefix in self._routes and scope["method"] in ("GET", "HEAD"):
            response: ASGIApp | None = _to_canonical(scope) or await self._pages.cached(scope["path"])
            if response is not None:
                scope["route"] = self._routes[prefix]
                await response(scope, receive, send)
                return
        await self._app(scope, receive, send)


def _to_canonical(scope: Scope) -> Response | None:
    """Return a redirect to the path of a page in small letters, without a slash at its end and escapes."""
    written = scope.get("raw_path", b"").partition(b"?")[0].decode("latin-1")
    path = scope["path"].rstrip("/").lower()
    if written in {"", path} or not _PAGE_PATH.fullmatch(path):
        return None
    query = scope["query_string"].decode("latin-1")
    return moved(f"{path}?{query}" if query else path, is_private=False)


def _response_of(view: PageView, settings: Settings) -> CachedResponse:
    assert view.page is not None
    headers = {
        "Content-Security-Policy": _policy(view, view.page.style_hash, settings),
        "X-Content-Type-Options": "nosniff",
        "Referrer-Policy": "no-referrer",
    }
    if not view.is_indexed:
        headers["X-Robots-Tag"] = "noindex"
    return CachedResponse(
        view.page.body,
        etag=view.page.etag,
        media_type="text/html",
        headers={**headers, **(PRIVATE_HEADERS if view.is_private else {})},
    )


def _policy(view: PageView, style_hash: str, settings: Settings) -> str:
    # Images of a private page need its reader's cookie, which an opaque origin does not send, so no scripts.
    allowed = "allow-same-origin" if view.is_private else "allow-scripts"
    downloads = " allow-downloads" if view.has_download else ""
    scripts = "" if view.is_private else f"script-src '{page_script_hash()}'; "
    # Lighthouse fetches robots.txt from within the page.
    return (
        f"sandbox {allowed} allow-popups{downloads}; default-src 'none'; img-src {settings.image_sources}; font-src "
        f"'self'; connect-src {settings.public_url}/robots.txt; style-src '{style_hash}'; {scripts}base-uri 'none'; "
        "form-action 'none'; frame-ancestors 'none'"
    )
