"""Messages between server and workers, in MessagePack."""

from dataclasses import dataclass

from msgspec import Struct

from mdpublish_core import PageOptions
from mdpublish_core.templates import ThemeMode
from mdpublish_server.models import ConvertRequest


@dataclass(frozen=True, slots=True, kw_only=True)
class ConvertJob:
    """A conversion."""

    request: ConvertRequest
    accepts_gzip: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class RenderJob:
    """A page to render; empty `options` are filled from the text."""

    markdown: str
    template_id: str
    theme_mode: ThemeMode
    options: PageOptions
    scanned: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class SocialImageJob:
    """A social image."""

    title: str
    template_id: str
    theme_mode: ThemeMode
    site_name: str


class Refused(Struct, frozen=True, kw_only=True, tag=True):
    """An exceeded limit of `mdpublish_core.Limits`."""

    limit: str
    allowed: int
    actual: int


class Converted(Struct, frozen=True, kw_only=True, tag=True):
    """The JSON response."""

    body: bytes
    gzipped: bool


class Rendered(Struct, frozen=True, kw_only=True, tag=True):
    """A gzipped page; `rejected` is the abuse filter's reason."""

    title: str
    word_count: int
    body: bytes
    etag: str
    style_hash: str
    rejected: str | None


class Preview(Struct, frozen=True, kw_only=True, tag=True):
    """A page preview; `style_hash` is an unquoted CSP source."""

    html: str
    title: str
    style_hash: str
