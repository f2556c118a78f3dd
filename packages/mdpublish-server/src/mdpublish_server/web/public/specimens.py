"""`/templates/<id>/<mode>/example` and `/specimen`: what the frame on the template's page shows.

They are a document of the kind that the template is made for, and a text with every construct.

Each is rendered once, in a thread, on its first request.
"""

from collections.abc import Callable

from anyio import Lock, to_thread
from starlette.requests import Request
from starlette.types import ASGIApp

from mdpublish_core import Template
from mdpublish_core.hosting.outputs import ThemeMode
from mdpublish_server.web.cached_response import CachedResponse
from mdpublish_server.web.public.gallery import template_of
from mdpublish_server.web.site import Site


class Specimens:
    """The pages of all templates, as they are rendered."""

    def __init__(self, site: Site, page: Callable[..., str], *, font_url: str | None) -> None:
        self._site = site
        self._page = page
        self._font_url = font_url
        self._responses: dict[tuple[str, ThemeMode], CachedResponse] = {}
        self._lock = Lock()

    async def show(self, request: Request) -> ASGIApp:
        template, theme_mode = template_of(request)
        variant = (template.id, theme_mode)
        if variant not in self._responses:
            async with self._lock:  # concurrent requests render once
                if variant not in self._responses:
                    self._responses[variant] = await to_thread.run_sync(self._make, template, theme_mode)
        return self._responses[variant]

    def _make(self, template: Template, theme_mode: ThemeMode) -> CachedResponse:
        page = self._page(template, theme_mode, font_url=self._font_url)
        headers = {name: value for name, value in self._site.frame_headers.items() if name != "Cache-Control"}
        return CachedResponse.of(page.encode(), media_type="text/html", headers=headers)
