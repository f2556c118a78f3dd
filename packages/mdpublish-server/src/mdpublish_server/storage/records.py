"""What is kept, as values: the rows of `tables` in the form the rest of the service uses.

A time is aware and in UTC; the database holds it as whole microseconds since 1970.
"""

from dataclasses import dataclass
from datetime import datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class Document:
    """A Markdown text and how it is to look."""

    id: str
    title: str
    content: str
    template_id: str
    theme_mode: str
    created_at: datetime
    updated_at: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class Page:
    """A finished page: its gzipped bytes and what its headers need.

    `etag` is the opaque part of its ETag, `style_hash` the source expression of its one style element
    (`sha256-…`), `render_version` the version of the rendering that made it.
    """

    body: bytes
    etag: str
    style_hash: str
    render_version: int


@dataclass(frozen=True, slots=True, kw_only=True)
class DemoPage:
    """A page published without an account; `claim_token_hash` is the token's SHA-256 in hexadecimal."""

    identifier: str
    document_id: str
    claim_token_hash: str
    expires_at: datetime

    @property
    def path(self) -> str:
        """The page's path on the public site."""
        return f"/p/{self.identifier}"


@dataclass(frozen=True, slots=True, kw_only=True)
class StoredDemo:
    """A demo page as it was found; `page` is None where its bytes are no longer, or not yet, kept."""

    demo: DemoPage
    page: Page | None
