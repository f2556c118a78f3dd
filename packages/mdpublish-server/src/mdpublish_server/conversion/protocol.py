"""What passes between the server and its workers, in MessagePack: jobs to them, results back.

Each is decoded as its type: whatever a worker sends, the server gets a value of these types.
"""

from dataclasses import dataclass

from msgspec import Struct

from mdpublish_core import PageOptions
from mdpublish_core.templates import ThemeMode
from mdpublish_server.models import ConvertRequest


@dataclass(frozen=True, slots=True, kw_only=True)
class ConvertJob:
    """A conversion, and whether the client accepts gzip."""

    request: ConvertRequest
    accepts_gzip: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class RenderJob:
    """A page to render; `scanned` says whether its text is scanned for abuse.

    The text fills in what `options` leave empty: the title (its first heading), the description (its first paragraph), and
    the alternative of the social image.
    """

    markdown: str
    template_id: str
    theme_mode: ThemeMode
    options: PageOptions
    scanned: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class SocialImageJob:
    """What the picture of a page shows, and how it is to look."""

    title: str
    template_id: str
    theme_mode: ThemeMode
    site_name: str


class Refused(Struct, frozen=True, kw_only=True, tag=True):
    """A limit of the core's was exceeded: its name in `Limits`, its value, and the actual one, in its unit."""

    limit: str
    allowed: int
    actual: int


class Converted(Struct, frozen=True, kw_only=True, tag=True):
    """The finished JSON of `POST /v1/convert`, gzipped or not."""

    body: bytes
    gzipped: bool


class Rendered(Struct, frozen=True, kw_only=True, tag=True):
    """A finished page: its bytes gzipped, the opaque part of its ETag, its style element's hash; and about its text.

    `rejected` says why the abuse filter refuses the text, if it does.
    """

    title: str
    word_count: int
    body: bytes
    etag: str
    style_hash: str
    rejected: str | None


class Preview(Struct, frozen=True, kw_only=True, tag=True):
    """A page as it would be published, and its style element's hash as a CSP source expression without quotes."""

    html: str
    title: str
    style_hash: str
