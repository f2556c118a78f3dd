"""`/u/…`, `/d/…` and `/p/…`: published pages.

A page is a stranger's: sandboxed without `allow-same-origin`, it has an origin of its own, whatever it holds, and only
its own style element applies, which its policy names by hash, as it does the script that copies code. That is the same on
every page, so its hash stands in every policy, though a page without code has none: what a policy then allows is what would
find nothing to do.
"""

from collections import OrderedDict
from collections.abc import Iterable

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route
from starlette.types import ASGIApp, Receive, Scope, Send

from mdpublish_core import page_script_hash
from mdpublish_server.viewing import View, Viewer
from mdpublish_server.web.ready import Ready

_PREFIXES = ("/u/", "/d/", "/p/")

# Pages whose headers are kept with them; the bytes are the viewer's own.
_KEPT = 1_000


class Pages:
    """Sends published pages, and redirects to where they moved."""

    def __init__(self, viewer: Viewer, *, public_url: str) -> None:
        self._viewer = viewer
        self._public_url = public_url
        self._ready: OrderedDict[str, tuple[View, Ready]] = OrderedDict()

    async def show(self, request: Request) -> ASGIApp:
        """Return what is at the path; what has expired or never was raises the error that says so."""
        path: str = request.scope["path"]
        view = await self._viewer.view(path)
        if view.moved_to is not None:
            return Response(status_code=301, headers={"Location": view.moved_to, "Cache-Control": "no-cache"})
        return self._made_ready(path, view)

    def remembered(self, path: str) -> Ready | None:
        """Return the page at a path, if it is in memory and as it was."""
        view = self._viewer.remembered(path)
        return None if view is None or view.page is None else self._made_ready(path, view)

    def _made_ready(self, path: str, view: View) -> Ready:
        kept = self._ready.get(path)
        if kept is not None and kept[0] is view:
            return kept[1]
        ready = _ready(view, public_url=self._public_url)
        self._ready[path] = (view, ready)
        if len(self._ready) > _KEPT:
            self._ready.popitem(last=False)
        return ready


class PagesFirst:
    """Sends pages that are in memory before anything is routed; everything else goes on to the application."""

    def __init__(self, app: ASGIApp, pages: Pages, routes: Iterable[Route]) -> None:
        self._app = app
        self._pages = pages
        # What the metrics take such a request for.
        self._routes = {route.path[:3]: route for route in routes if route.path.startswith(_PREFIXES)}

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Send a page, or have the application answer."""
        if scope["type"] == "http" and scope["path"].startswith(_PREFIXES) and scope["method"] in ("GET", "HEAD"):
            ready = self._pages.remembered(scope["path"])
            if ready is not None:
                scope["route"] = self._routes[scope["path"][:3]]
                await ready(scope, receive, send)
                return
        await self._app(scope, receive, send)


def _ready(view: View, *, public_url: str) -> Ready:
    assert view.page is not None
    headers = {
        "Content-Security-Policy": _policy(view.page.style_hash, public_url=public_url),
        "X-Content-Type-Options": "nosniff",
        "Referrer-Policy": "no-referrer",
    }
    if not view.is_indexed:
        headers["X-Robots-Tag"] = "noindex"
    return Ready(view.page.body, etag=view.page.etag, media_type="text/html", headers=headers)


def _policy(style_hash: str, *, public_url: str) -> str:
    # The one file that everybody may read is let through for programs that judge a page from within it.
    return (
        "sandbox allow-scripts allow-popups; default-src 'none'; img-src https: data:; font-src 'self'; "
        f"connect-src {public_url}/robots.txt; "
        f"style-src '{style_hash}'; script-src '{page_script_hash()}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
    )
