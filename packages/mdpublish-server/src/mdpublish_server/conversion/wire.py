"""What passes between the server and its workers, in MessagePack.

An answer is checked against its struct when it is read: whatever a worker sends, the server gets a value of these types.
"""

from msgspec import Struct

from mdpublish_core import Badge
from mdpublish_server.conversion.requests import PageRequest


class PageOrder(Struct, frozen=True, kw_only=True):
    """A page to render, and the line below it."""

    request: PageRequest
    badge: Badge


class Refused(Struct, frozen=True, kw_only=True, tag=True):
    """A bound of the core's was passed: its name in `Limits`, its value, and what there was, in its unit."""

    limit: str
    allowed: int
    actual: int


class Converted(Struct, frozen=True, kw_only=True, tag=True):
    """A finished answer of `POST /v1/convert`, gzipped or not."""

    body: bytes
    gzipped: bool


class Rendered(Struct, frozen=True, kw_only=True, tag=True):
    """A finished page: its bytes gzipped, the opaque part of its ETag, its style element's hash; and about its text."""

    title: str
    word_count: int
    body: bytes
    etag: str
    style_hash: str
    rejected: str | None


class Previewed(Struct, frozen=True, kw_only=True, tag=True):
    """A page as it would be published."""

    html: str
    title: str
    style_hash: str
