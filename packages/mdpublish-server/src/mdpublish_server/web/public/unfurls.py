"""`/u/….png`, `/d/….png` and `/p/….png`: the pictures that other sites show beside links to published pages.

A picture is where its page is, and gone with it. It is drawn when it is first asked for, by a worker, and kept in memory by
what it shows: two pages of one title and template share one. Who asks for it anew is told that nothing has changed before
anything is drawn. Other sites may show it, so it is the one thing of a page that they may embed.
"""

import asyncio
from collections import OrderedDict
from hashlib import sha256

from starlette.requests import Request
from starlette.responses import Response

from mdpublish_core.social_images import VERSION
from mdpublish_server.clock import Clock
from mdpublish_server.conversion import Converter, Share, UnfurlRequest
from mdpublish_server.policies.texts import checked_theme_mode
from mdpublish_server.storage import Database, Found
from mdpublish_server.viewing import find_visible
from mdpublish_server.web.ready import names_tag

SUFFIX = ".png"
"""What stands behind a page's path."""

CACHE_BYTES = 16_000_000
"""Bytes of pictures that are kept in memory: some hundreds of them."""

# Whose turn it is among the demos' jobs, where pictures together never take more than a caller may.
_DEMO_CALLER = "unfurls"


class Unfurls:
    """Sends the pictures of published pages, and redirects to where they moved."""

    def __init__(
        self, database: Database, converter: Converter, clock: Clock, *, site_name: str, public_url: str
    ) -> None:
        self._database = database
        self._converter = converter
        self._clock = clock
        self._site_name = site_name
        self._public_url = public_url
        self._kept = _Kept(CACHE_BYTES)
        self._drawing: dict[str, asyncio.Task[bytes]] = {}

    async def show(self, request: Request) -> Response:
        """Return the picture of the page at the path; raises what the page itself would."""
        path: str = request.scope["path"].removesuffix(SUFFIX)
        now = self._clock()
        found = await self._database.read(lambda transaction: find_visible(transaction, path, now))
        if found.path != path:
            location = f"{self._public_url}{found.path}{SUFFIX}"
            return Response(status_code=301, headers={"Location": location, "Cache-Control": "no-cache"})
        asked = UnfurlRequest(
            title=found.title,
            template_id=found.template_id,
            theme_mode=checked_theme_mode(found.theme_mode),
            site_name=self._site_name,
        )
        tag = _tag(asked)
        headers = _headers(found, tag)
        if names_tag(",".join(request.headers.getlist("if-none-match")).encode(), tag.encode()):
            return Response(status_code=304, headers=headers)
        return Response(await self._picture(tag, asked, found), media_type="image/png", headers=headers)

    async def _picture(self, tag: str, asked: UnfurlRequest, found: Found) -> bytes:
        """Return a picture; several who ask for one at once wait for one drawing of it, even if the first goes away."""
        kept = self._kept.get(tag)
        if kept is not None:
            return kept
        drawing = self._drawing.get(tag)
        if drawing is None:
            drawing = self._drawing[tag] = asyncio.create_task(self._draw(tag, asked, found))
            # Where all who asked have gone, nobody else takes note of its error.
            drawing.add_done_callback(lambda task: task.cancelled() or task.exception())
        return await asyncio.shield(drawing)

    async def _draw(self, tag: str, asked: UnfurlRequest, found: Found) -> bytes:
        try:
            share = Share.DEMO if found.account_id is None else Share.ACCOUNTS
            # Beside an account's own jobs, and never in their place: its visitors make these.
            caller = _DEMO_CALLER if found.account_id is None else f"unfurls {found.account_id}"
            picture = await self._converter.unfurl(asked, share=share, caller=caller)
        finally:
            del self._drawing[tag]
        self._kept.put(tag, picture)
        return picture


class _Kept:
    """Pictures by their tags; the longest unused one goes first."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._size = 0
        self._pictures: OrderedDict[str, bytes] = OrderedDict()

    def get(self, tag: str) -> bytes | None:
        picture = self._pictures.get(tag)
        if picture is not None:
            self._pictures.move_to_end(tag)
        return picture

    def put(self, tag: str, picture: bytes) -> None:
        self._size += len(picture) - len(self._pictures.pop(tag, b""))
        self._pictures[tag] = picture
        while self._size > self._most:
            self._size -= len(self._pictures.popitem(last=False)[1])


def _tag(asked: UnfurlRequest) -> str:
    """Return the ETag of a picture, which tells all that it is made of."""
    parts = "\0".join((str(VERSION), asked.template_id, asked.theme_mode, asked.site_name, asked.title))
    return f'"{sha256(parts.encode()).hexdigest()[:32]}"'


def _headers(found: Found, tag: str) -> dict[str, str]:
    is_public = found.visibility == "public"
    headers = {
        "ETag": tag,
        # Gone with its page at once, also from the copies of others; to ask whether it is still there costs no drawing.
        "Cache-Control": "no-cache",
        "X-Content-Type-Options": "nosniff",
        "Cross-Origin-Resource-Policy": "cross-origin",
    }
    return headers if is_public else {**headers, "X-Robots-Tag": "noindex"}
