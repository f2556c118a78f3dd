"""The core's work, done beside the event loop: converting a text, and rendering the page it is published as.

A conversion keeps a thread busy, so there are as many at a time as there are processors, and the others wait. What
crashes in there is logged, and answered as an error that tells nothing of it.
"""

import gzip
import logging
import os
from base64 import b64encode
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from hashlib import sha256
from typing import TypeVar

from anyio import CapacityLimiter, to_thread

from mdpublish_core import Badge, Conversion, get_template, parse, render_page
from mdpublish_core import convert as convert_text
from mdpublish_core.templates import ThemeMode, page_css
from mdpublish_server.errors import ConversionError, RenderError
from mdpublish_server.policies.texts import title_of_heading
from mdpublish_server.storage import Page

RENDER_VERSION = 2
"""Raised by one whenever pages must be rendered anew: a stored page of another version is, on its next view."""

# Whatever the core loads when it is first used, this text makes it load: parser, template, widths of characters.
_WARM_UP = "# Grüezi\n\n| a |\n|---|\n| *b* |\n"

_Result = TypeVar("_Result")

_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True, kw_only=True)
class ConversionRequest:
    """A text, where it goes, and how it is to look; each field has been checked."""

    markdown: str
    destination: str
    template_id: str
    theme_mode: ThemeMode


@dataclass(frozen=True, slots=True, kw_only=True)
class PageRequest:
    """A text and how its page is to look; a title of None is the text's first heading."""

    markdown: str
    title: str | None
    template_id: str
    theme_mode: ThemeMode
    canonical_url: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class RenderedPage:
    """A finished page, its title, and the hash of its style element as a CSP source expression without quotes."""

    html: str
    title: str
    style_hash: str


class Converter:
    """Does the core's work in threads of its own; `badge` is the line below every page."""

    def __init__(self, badge: Badge) -> None:
        self._badge = badge
        self._limiter = CapacityLimiter(os.cpu_count() or 1)

    async def warm_up(self) -> None:
        """Make the core load what it loads late, so that no client waits for it."""
        page = PageRequest(markdown=_WARM_UP, title=None, template_id="swiss", theme_mode="light")
        await self.finish(await self.render(page))
        text = ConversionRequest(markdown=_WARM_UP, destination="generic", template_id="swiss", theme_mode="light")
        await self.convert(text)

    async def convert(self, request: ConversionRequest) -> Conversion:
        """Convert a text for its destination; raises `ConversionError`."""
        work = partial(
            convert_text,
            request.markdown,
            destination=request.destination,
            template=request.template_id,
            theme_mode=request.theme_mode,
        )
        failure = ConversionError("the text could not be converted, which is a mistake of the service")
        return await self._run(work, failure)

    async def render(self, request: PageRequest) -> RenderedPage:
        """Render the page of a text, not to be indexed; raises `RenderError`."""
        return await self._run(partial(_render, request, self._badge), _render_failure())

    async def finish(self, rendered: RenderedPage) -> Page:
        """Return a rendered page as it is kept and served; raises `RenderError`."""
        return await self._run(partial(_finish, rendered), _render_failure())

    async def _run(self, work: Callable[[], _Result], failure: ConversionError | RenderError) -> _Result:
        try:
            return await to_thread.run_sync(work, limiter=self._limiter)
        except Exception as error:
            _log.exception("the core crashed")
            raise failure from error


def _render_failure() -> RenderError:
    return RenderError("the page could not be rendered, which is a mistake of the service")


def _render(request: PageRequest, badge: Badge) -> RenderedPage:
    document = parse(request.markdown)
    title = title_of_heading(document.title) if request.title is None else request.title
    html = render_page(
        document,
        title=title,
        template=request.template_id,
        theme_mode=request.theme_mode,
        canonical_url=request.canonical_url,
        badge=badge,
        robots="noindex",
    )
    css = page_css(get_template(request.template_id), request.theme_mode, "standard")
    return RenderedPage(
        html=html, title=title, style_hash=f"sha256-{b64encode(sha256(css.encode()).digest()).decode()}"
    )


def _finish(rendered: RenderedPage) -> Page:
    content = rendered.html.encode()
    return Page(
        body=gzip.compress(content, mtime=0),
        etag=sha256(content).hexdigest()[:32],
        style_hash=rendered.style_hash,
        render_version=RENDER_VERSION,
    )
