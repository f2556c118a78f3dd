"""What the service responds with: one class for each schema of a response in its OpenAPI description.

Fields that a newer service adds are ignored. Times are ISO 8601 in UTC.
"""

from typing import Any

from msgspec import Struct


class Tagged(Struct, frozen=True, kw_only=True):
    """A response with an `ETag`, for the argument `if_match` of a later change."""

    etag: str = ""


class Notice(Struct, frozen=True, kw_only=True):
    """Content that could not be shown as written; `line` and `column` count from 1."""

    code: str
    message: str
    line: int | None
    column: int | None
    source: str | None
    fix: str | None


class Media(Struct, frozen=True, kw_only=True):
    """An image that `html` refers to by `cid:` and its content id."""

    content_id: str
    media_type: str
    data: bytes
    """JSON has it in base64."""


class Delivery(Struct, frozen=True, kw_only=True):
    """How many of a construct arrive in one form, and the lines of the first 100."""

    construct: str
    form: str
    count: int
    lines: tuple[int, ...]


class RepairedPlace(Struct, frozen=True, kw_only=True):
    """A place of the Markdown that was repaired; `line` counts from 1."""

    code: str
    line: int
    before: str
    after: str


class ConvertResponse(Struct, frozen=True, kw_only=True):
    """Converted Markdown."""

    html: str
    plain_text: str
    destination: str
    template_id: str
    theme_mode: str
    media: tuple[Media, ...]
    notices: tuple[Notice, ...]
    delivery: tuple[Delivery, ...]
    repairs: tuple[RepairedPlace, ...]


class SlackMessage(Struct, frozen=True, kw_only=True):
    """A message for `chat.postMessage` or an incoming webhook; `text` is what notifications show."""

    text: str
    blocks: tuple[dict[str, Any], ...]


class BlocksResponse(Struct, frozen=True, kw_only=True):
    """Converted Markdown as messages of Block Kit, in order."""

    messages: tuple[SlackMessage, ...]
    notices: tuple[Notice, ...]


class ImportResponse(Struct, frozen=True, kw_only=True):
    """HTML or a file as Markdown."""

    markdown: str
    title: str
    notices: tuple[Notice, ...]
    media: tuple[Media, ...]


class CreatedDocument(Tagged, frozen=True, kw_only=True):
    """A new document."""

    id: str
    title: str
    template_id: str
    theme_mode: str
    created_at: str
    notices: tuple[Notice, ...]


class DocumentSummary(Struct, frozen=True, kw_only=True):
    """A document without its content."""

    id: str
    title: str
    template_id: str
    theme_mode: str
    is_published: bool
    slug: str | None
    page_width: str | None
    word_count: int
    created_at: str
    updated_at: str


class DocumentList(Struct, frozen=True, kw_only=True):
    """A page of documents, the last updated first."""

    data: tuple[DocumentSummary, ...]
    has_more: bool
    next_cursor: str | None


class Document(Tagged, frozen=True, kw_only=True):
    """A document."""

    id: str
    title: str
    content: str
    template_id: str
    theme_mode: str
    is_published: bool
    slug: str | None
    published_at: str | None
    description: str | None
    page_width: str | None
    visibility: str | None
    readers: tuple[str, ...] = ()
    has_password: bool = False
    expires_at: str | None = None
    show_source: bool
    offer_pdf: bool = False
    has_draft_changes: bool
    word_count: int
    created_at: str
    updated_at: str


class UpdatedDocument(Tagged, frozen=True, kw_only=True):
    """A document after an update."""

    id: str
    title: str
    template_id: str
    theme_mode: str
    page_width: str | None
    updated_at: str
    notices: tuple[Notice, ...]


class DeletedDocument(Struct, frozen=True, kw_only=True):
    """The document is deleted."""

    success: bool


class PublishedDocument(Tagged, frozen=True, kw_only=True):
    """A published document."""

    id: str
    title: str
    published_url: str
    published_at: str
    template_id: str
    word_count: int
    reading_time_minutes: int
    notices: tuple[Notice, ...]


class UnpublishedDocument(Struct, frozen=True, kw_only=True):
    """The document is no longer published."""

    id: str
    is_published: bool


class DemoPage(Struct, frozen=True, kw_only=True):
    """A page without an account; who has `claim_token` owns it."""

    id: str
    url: str
    claim_token: str
    claim_url: str
    expires_at: str
    template_id: str
    notices: tuple[Notice, ...]


class ClaimedDocument(Struct, frozen=True, kw_only=True):
    """The document that a demo page became."""

    id: str
    title: str
    published_url: str
    slug: str
    template_id: str
    notices: tuple[Notice, ...]


class Template(Struct, frozen=True, kw_only=True):
    """A template; those outside the category `free` require the Pro plan."""

    id: str
    name: str
    category: str
    description: str


class TemplateList(Struct, frozen=True, kw_only=True):
    """Templates by category, then name."""

    data: tuple[Template, ...]
    total: int
    has_more: bool
    next_cursor: str | None


class Usage(Struct, frozen=True, kw_only=True):
    """Requests counted in the current month, and the space that images take."""

    used: int
    limit: int
    remaining: int
    month: str
    reset_date: str
    tier: str
    image_bytes: int
    image_bytes_limit: int | None


class Image(Struct, frozen=True, kw_only=True):
    """An uploaded image; `width` and `height` are in pixels, `bytes` is the size of the file.

    One that is `restricted` is seen by its owner, and by who may see a page that shows it.
    """

    id: str
    url: str
    width: int
    height: int
    media_type: str
    bytes: int
    created_at: str
    restricted: bool


class ImageList(Struct, frozen=True, kw_only=True):
    """A page of images, the last uploaded first."""

    data: tuple[Image, ...]
    has_more: bool
    next_cursor: str | None


class DeletedImage(Struct, frozen=True, kw_only=True):
    """The image is deleted."""

    success: bool
