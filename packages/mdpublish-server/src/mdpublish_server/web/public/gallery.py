"""`/templates`: specimens of every template in both modes, and a full page of each.

Each page is rendered once, in a thread, on its first request.
"""

import gzip
from base64 import b64encode
from hashlib import sha256

from anyio import Lock, to_thread
from starlette.requests import Request
from starlette.types import ASGIApp

from mdpublish_core import Template, UnknownTemplate, get_template, list_templates
from mdpublish_core.gallery import gallery_css, gallery_page, specimen_page
from mdpublish_core.templates import THEME_MODES, ThemeMode
from mdpublish_server.errors import NotFound
from mdpublish_server.web.cached_response import CachedResponse

_PATH = "/templates"

_Variant = tuple[str, str] | None
"""A template and a mode; None is the gallery."""


class Gallery:
    """The gallery and the full specimens."""

    def __init__(self, *, public_url: str, font_url: str | None) -> None:
        self._public_url = public_url
        self._font_url = font_url
        self._responses: dict[_Variant, CachedResponse] = {}
        self._lock = Lock()

    async def show(self, _request: Request) -> ASGIApp:
        return await self._response(None)

    async def show_full(self, request: Request) -> ASGIApp:
        return await self._response((request.path_params["template_id"], request.path_params["theme_mode"]))

    async def _response(self, variant: _Variant) -> CachedResponse:
        if variant not in self._responses:
            async with self._lock:  # concurrent requests render once
                if variant not in self._responses:
                    self._responses[variant] = await to_thread.run_sync(self._make, variant)
        return self._responses[variant]

    def _make(self, variant: _Variant) -> CachedResponse:
        page, css = _gallery() if variant is None else _full(*variant, font_url=self._font_url)
        content = page.encode()
        style = b64encode(sha256(css.encode()).digest()).decode()
        # Lighthouse fetches robots.txt from within the page.
        fonts = "font-src 'self'; " if variant and self._font_url else ""
        policy = (
            f"default-src 'none'; {fonts}style-src 'sha256-{style}'; connect-src {self._public_url}/robots.txt; "
            "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
        )
        headers = {
            "Content-Security-Policy": policy,
            "X-Content-Type-Options": "nosniff",
            "Referrer-Policy": "same-origin",
        }
        etag = sha256(content).hexdigest()[:32]
        return CachedResponse(gzip.compress(content, mtime=0), etag=etag, media_type="text/html", headers=headers)


def _gallery() -> tuple[str, str]:
    templates = list_templates()
    return gallery_page(templates, specimen_url=_specimen_url), gallery_css(templates)


def _full(template_id: str, theme_mode: str, *, font_url: str | None) -> tuple[str, str]:
    mode = next((mode for mode in THEME_MODES if mode == theme_mode), None)
    try:
        template = get_template(template_id)
    except UnknownTemplate:
        template = None
    if template is None or mode is None:
        raise NotFound("No such template")
    return specimen_page(template, mode, specimen_url=_specimen_url, gallery_url=_PATH, font_url=font_url)


def _specimen_url(template: Template, theme_mode: ThemeMode) -> str:
    return f"{_PATH}/{template.id}/{theme_mode}"
