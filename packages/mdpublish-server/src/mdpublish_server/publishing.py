"""Publishing: how a text becomes a page with an address, for how long, and who may claim it.

Whatever the way in (the API, the form, the command), a demo page is published here, and found here when it is viewed.
"""

import secrets
import string
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from hashlib import sha256
from uuid import uuid4

from anyio import to_thread

from mdpublish_core.templates import ThemeMode
from mdpublish_server.conversion import RENDER_VERSION, Converter, PageRequest, RenderedPage
from mdpublish_server.errors import Expired, NotFound
from mdpublish_server.policies.texts import checked_theme_mode
from mdpublish_server.storage import DemoPage, Document, Page, Storage, StoredDemo

Clock = Callable[[], datetime]
"""Tells the time, aware and in UTC."""

DEMO_LIFETIME = timedelta(hours=72)

# 20 of 36 characters are 103 bits: nobody guesses an address.
_IDENTIFIER_ALPHABET = string.ascii_lowercase + string.digits
_IDENTIFIER_CHARACTERS = 20


def utc_now() -> datetime:
    """Return the time by the computer's clock."""
    return datetime.now(UTC)


@dataclass(frozen=True, slots=True, kw_only=True)
class Draft:
    """What is to be published, each field checked; a title of None is the text's first heading."""

    content: str
    title: str | None
    template_id: str
    theme_mode: ThemeMode


@dataclass(frozen=True, slots=True, kw_only=True)
class Publication:
    """A demo page just published; `claim_token` is told here and never again, only its hash is kept."""

    url: str
    claim_token: str
    expires_at: datetime
    document: Document


class Publisher:
    """Publishes demo pages under `public_url`, and finds them."""

    def __init__(self, storage: Storage, converter: Converter, *, public_url: str, clock: Clock = utc_now) -> None:
        self._storage = storage
        self._converter = converter
        self._public_url = public_url
        self._clock = clock

    async def preview(self, draft: Draft) -> RenderedPage:
        """Render the page as it would be published; raises `RenderError`."""
        return await self._converter.render(_page_request(draft))

    async def publish_demo(self, draft: Draft) -> Publication:
        """Publish a page that expires in 72 hours; raises `RenderError`."""
        now = self._clock()
        document_id = str(uuid4())
        claim_token = str(uuid4())
        demo = DemoPage(
            identifier="".join(secrets.choice(_IDENTIFIER_ALPHABET) for _ in range(_IDENTIFIER_CHARACTERS)),
            document_id=document_id,
            claim_token_hash=sha256(claim_token.encode()).hexdigest(),
            expires_at=now + DEMO_LIFETIME,
        )
        url = f"{self._public_url}{demo.path}"
        rendered = await self._converter.render(_page_request(draft, canonical_url=url))
        document = Document(
            id=document_id,
            title=rendered.title,
            content=draft.content,
            template_id=draft.template_id,
            theme_mode=draft.theme_mode,
            created_at=now,
            updated_at=now,
        )
        page = await self._converter.finish(rendered)
        await to_thread.run_sync(self._storage.add_demo, document, demo, page)
        return Publication(url=url, claim_token=claim_token, expires_at=demo.expires_at, document=document)

    async def find_demo(self, identifier: str) -> Page:
        """Return the finished page of a demo, rendered anew where it is of another render version.

        Raises `NotFound`, `Expired` and `RenderError`.
        """
        if not _is_identifier(identifier):
            raise _no_page()
        found = await to_thread.run_sync(self._storage.find_demo, identifier)
        if found is None:
            raise _no_page()
        if self._clock() >= found.demo.expires_at:
            raise Expired("this page has expired: a page published without an account stays for 72 hours")
        if found.page is None or found.page.render_version != RENDER_VERSION:
            return await self._render_anew(found)
        return found.page

    async def _render_anew(self, found: StoredDemo) -> Page:
        document = await to_thread.run_sync(self._storage.find_document, found.demo.document_id)
        if document is None:
            raise _no_page()
        draft = Draft(
            content=document.content,
            title=document.title,
            template_id=document.template_id,
            theme_mode=checked_theme_mode(document.theme_mode),
        )
        request = _page_request(draft, canonical_url=f"{self._public_url}{found.demo.path}")
        page = await self._converter.finish(await self._converter.render(request))
        await to_thread.run_sync(self._storage.save_page, found.demo.path, page)
        return page


def _page_request(draft: Draft, *, canonical_url: str | None = None) -> PageRequest:
    return PageRequest(
        markdown=draft.content,
        title=draft.title,
        template_id=draft.template_id,
        theme_mode=draft.theme_mode,
        canonical_url=canonical_url,
    )


def _is_identifier(text: str) -> bool:
    return len(text) == _IDENTIFIER_CHARACTERS and all(character in _IDENTIFIER_ALPHABET for character in text)


def _no_page() -> NotFound:
    return NotFound("there is no page at this address")
