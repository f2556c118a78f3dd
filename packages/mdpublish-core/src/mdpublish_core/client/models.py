"""What the service responds with: one class for each schema of a response in its OpenAPI description, which is made of them.

The service makes them, and clients read them: fields that a newer service adds are ignored. Times are ISO 8601 in UTC.
"""

from typing import Annotated, Any

from msgspec import Meta, Struct
from msgspec.structs import asdict

from mdpublish_core.images import IMAGE_TYPES
from mdpublish_core.options.styles import PAGE_WIDTHS, THEME_MODES
from mdpublish_core.templates.theme import CATEGORIES
from mdpublish_core.writers.outputs import DESTINATIONS

VISIBILITIES = ("link", "public", "specific")


def about(description: str, *, example: object = None, **schema: Any) -> Meta:
    """Return what OpenAPI says about a field: `schema` is what JSON Schema has besides its type."""
    return Meta(
        description=description, examples=None if example is None else [example], extra_json_schema=schema or None
    )


def one_of(values: tuple[str, ...]) -> dict[str, Any]:
    return {"enum": list(values)}


EXAMPLE_ID = "9f6c1b34-9a53-4c53-8a83-6c1a8f0f2b11"

EXAMPLE_TIME = "2026-11-20T09:00:00.000000Z"

EXAMPLE_CLAIM = "0b7c2f1e-6a56-4f0e-9d1a-0a5a3c1b7e42"

_DESTINATION = one_of(tuple(DESTINATIONS))

_THEME_MODE = one_of(THEME_MODES)

_COUNT = {"minimum": 0}

Time = Annotated[str, about("ISO 8601, UTC.", example=EXAMPLE_TIME, format="date-time")]

Id = Annotated[str, about("A UUID.", example=EXAMPLE_ID, format="uuid")]

Words = Annotated[int, about("Number of visible words.", example=420, **_COUNT)]

Minutes = Annotated[int, about("Reading time at 200 words per minute, rounded up, at least 1.", example=3, minimum=1)]

Url = Annotated[str, about("URL of the page.", example="https://example.org/u/anna/garden-day", format="uri")]

ShownTemplateId = Annotated[str, about("Template id.")]

ShownThemeMode = Annotated[str, about("`light` or `dark`.", **_THEME_MODE)]

ShownTitle = Annotated[str, about("Title, after cleaning.")]

ShownFolder = Annotated[str | None, about("Folder that it is in; null if in none.")]

ShownPageWidth = Annotated[
    str | None,
    about("`standard`, `wide` or `full`; null until set or first published.", enum=[*PAGE_WIDTHS, None]),
]

ShownSlug = Annotated[str | None, about("Last segment of the page's URL; null while unpublished.")]

ClaimToken = Annotated[
    str,
    about(
        "Proof of ownership of a demo page: a random UUID (version 4), lowercase.",
        example=EXAMPLE_CLAIM,
        format="uuid",
        pattern="^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$",
    ),
]


class Tagged(Struct, frozen=True, kw_only=True, dict=True):
    """A response with an `ETag`, for the argument `if_match` of a later change."""

    @property
    def etag(self) -> str:
        """The header, which is no field of the body."""
        return str(vars(self).get("etag", ""))

    def __reduce__(self) -> tuple[Any, ...]:
        return _copied, (type(self), asdict(self), vars(self))


def _copied(kind: type[Tagged], fields: dict[str, Any], others: dict[str, Any]) -> Tagged:
    copied = kind(**fields)
    vars(copied).update(others)
    return copied


class RepairedPlace(Struct, frozen=True, kw_only=True):
    """A place of the Markdown that was repaired."""

    code: Annotated[str, about("Code of the repair, stable.", example="bullet")]
    line: Annotated[int, about("Line of the Markdown as it was sent, from 1.", minimum=1)]
    before: Annotated[str, about("What was there; lines are the parts of a repair in several places.")]
    after: Annotated[str, about("What is there instead.")]


class Notice(Struct, frozen=True, kw_only=True):
    """Content that could not be shown as written."""

    code: Annotated[str, about("Notice code, stable.")]
    message: Annotated[str, about("Human-readable message.")]
    line: Annotated[int | None, about("Line number, from 1; null if the notice concerns the whole text.", minimum=1)]
    column: Annotated[
        int | None,
        about(
            "Character of the line, from 1, at which `source` starts; null if a whole block is concerned.", minimum=1
        ),
    ]
    source: Annotated[
        str | None, about("The Markdown concerned, as written, up to 500 characters; null without a column.")
    ]
    fix: Annotated[str | None, about("What to write in place of `source`; null if that is not known.")]


Notices = Annotated[
    tuple[Notice, ...],
    about(
        "Content of the page that could not be shown as written, and values of the front matter that could not be "
        "used; at most 100 of each code."
    ),
]


class Media(Struct, frozen=True, kw_only=True):
    """An image to which `html` or `markdown` refers."""

    content_id: Annotated[
        str, about("Content id: `cid:` URLs in `html` refer to it, and in `markdown` it is the image's URL.")
    ]
    media_type: Annotated[str, about("Media type, such as `image/png`.")]
    data: Annotated[bytes, about("Image data, base64-encoded.")]


class Delivery(Struct, frozen=True, kw_only=True):
    """What arrives of a construct in one form."""

    construct: Annotated[str, about("Construct, such as `table`.", example="table")]
    form: Annotated[str, about("Form in which it arrives, such as `as-is` or `lost`.")]
    count: Annotated[int, about("How many there are.", minimum=1)]
    lines: Annotated[tuple[int, ...], about("Lines on which they begin, from 1; the first 100.")]


class ConvertResponse(Struct, frozen=True, kw_only=True):
    """Converted text."""

    html: Annotated[str, about("Output for the destination; plain text for some.")]
    plain_text: Annotated[str, about("Plain-text version.")]
    destination: Annotated[str, about("The requested destination.", **_DESTINATION)]
    template_id: ShownTemplateId
    theme_mode: ShownThemeMode
    media: Annotated[tuple[Media, ...], about("Images delivered separately from `html`, as in an email.")]
    notices: Annotated[
        tuple[Notice, ...], about("Content that could not be shown as written; at most 100 of each code.")
    ]
    delivery: Annotated[tuple[Delivery, ...], about("What arrives, by construct and form.")]
    repairs: Annotated[tuple[RepairedPlace, ...], about("What was repaired; empty unless `repair` is true.")]


class SlackMessage(Struct, frozen=True, kw_only=True):
    """A message for `chat.postMessage` or an incoming webhook."""

    text: Annotated[str, about("What notifications show.")]
    blocks: Annotated[tuple[dict[str, Any], ...], about("At most 50 blocks of Block Kit.")]


class BlocksResponse(Struct, frozen=True, kw_only=True):
    """A text as Slack messages, in order."""

    messages: tuple[SlackMessage, ...]
    notices: Notices


class ImportResponse(Struct, frozen=True, kw_only=True):
    """The document as Markdown."""

    markdown: Annotated[str, about("The document.")]
    title: Annotated[str, about("Subject of an email, otherwise the first heading; `Untitled` if there is none.")]
    notices: Annotated[
        tuple[Notice, ...],
        about("Content that Markdown cannot express, or that was left out; at most 100 of each code."),
    ]
    media: Annotated[tuple[Media, ...], about("Images that were in the HTML or the file itself.")]


FrontMatterNotices = Annotated[
    tuple[Notice, ...], about("Values of the front matter that could not be used; empty if none was read.")
]


class CreatedDocument(Tagged, frozen=True, kw_only=True, dict=True):
    """The new document."""

    id: Id
    title: ShownTitle
    template_id: ShownTemplateId
    theme_mode: ShownThemeMode
    created_at: Annotated[Time, about("Creation time.")]
    notices: FrontMatterNotices


class DocumentSummary(Struct, frozen=True, kw_only=True):
    """A document without its content."""

    id: Id
    title: ShownTitle
    template_id: ShownTemplateId
    theme_mode: ShownThemeMode
    is_published: Annotated[bool, about("Whether the document is published.")]
    slug: ShownSlug
    folder: ShownFolder
    page_width: ShownPageWidth
    word_count: Words
    created_at: Annotated[Time, about("Creation time.")]
    updated_at: Annotated[Time, about("Time of the last update.")]


class DocumentList(Struct, frozen=True, kw_only=True):
    """A page of documents."""

    data: Annotated[tuple[DocumentSummary, ...], about("Documents, most recently updated first.")]
    has_more: Annotated[bool, about("Whether there is another page.")]
    next_cursor: Annotated[str | None, about("Cursor of the next page; null on the last page.")]


class Document(Tagged, frozen=True, kw_only=True, dict=True):
    """A document."""

    id: Id
    title: ShownTitle
    content: Annotated[str, about("The Markdown.")]
    template_id: ShownTemplateId
    theme_mode: ShownThemeMode
    is_published: Annotated[bool, about("Whether the document is published.")]
    slug: ShownSlug
    published_at: Annotated[Time | None, about("When the page was first published; null while unpublished.")]
    description: Annotated[str | None, about("Description for search engines.")]
    folder: ShownFolder
    page_width: ShownPageWidth
    visibility: Annotated[
        str | None,
        about("`link`, `public` or `specific`; null until first published.", enum=[*VISIBILITIES, None]),
    ]
    readers: Annotated[tuple[str, ...], about("Who may read the page if its `visibility` is `specific`.")]
    has_password: Annotated[bool, about("Whether the page asks for a password.")]
    expires_at: Annotated[Time | None, about("When the page ends, or ended; null if it does not.")]
    show_source: Annotated[bool, about("Whether readers of the page can see the Markdown.")]
    offer_pdf: Annotated[bool, about("Whether readers of the page can download it as a PDF.")]
    has_draft_changes: Annotated[
        bool, about("Whether the site has changes of the document that are not published, and not in `content`.")
    ]
    word_count: Words
    created_at: Annotated[Time, about("Creation time.")]
    updated_at: Annotated[Time, about("Time of the last update.")]


class UpdatedDocument(Tagged, frozen=True, kw_only=True, dict=True):
    """The updated document."""

    id: Id
    title: ShownTitle
    template_id: ShownTemplateId
    theme_mode: ShownThemeMode
    page_width: ShownPageWidth
    updated_at: Annotated[Time, about("Time of the last update.")]
    notices: Annotated[
        tuple[Notice, ...],
        about(
            "Content of the page that could not be shown as written; at most 100 of each code. Empty while unpublished."
        ),
    ]


class DeletedDocument(Struct, frozen=True, kw_only=True):
    """The document is deleted."""

    success: Annotated[bool, about("Always true.", const=True)]


class PublishedDocument(Tagged, frozen=True, kw_only=True, dict=True):
    """The published document."""

    id: Id
    title: ShownTitle
    published_url: Url
    published_at: Annotated[Time, about("When the page was first published.")]
    template_id: ShownTemplateId
    word_count: Words
    reading_time_minutes: Minutes
    notices: Notices


class UnpublishedDocument(Struct, frozen=True, kw_only=True):
    """The document is no longer published."""

    id: Id
    is_published: Annotated[bool, about("Always false.", const=False)]


class Image(Struct, frozen=True, kw_only=True):
    """An uploaded image."""

    id: Annotated[str, about("The image's id.", example=EXAMPLE_ID)]
    url: Annotated[str, about("Its public URL, whose content never changes.")]
    width: Annotated[int, about("Width in px.", minimum=1)]
    height: Annotated[int, about("Height in px.", minimum=1)]
    media_type: Annotated[str, about("Media type of the stored file.", **one_of(tuple(IMAGE_TYPES.values())))]
    bytes: Annotated[int, about("Bytes that it takes in the store, with its smaller variants.", minimum=1)]
    created_at: Time
    restricted: Annotated[
        bool,
        about(
            "Whether only its owner sees it, and who sees a live page that shows it: it stood in a page that was not for all, or ended."
        ),
    ]


class ImageList(Struct, frozen=True, kw_only=True):
    """A page of the list of images."""

    data: Annotated[tuple[Image, ...], about("The images of this page, newest first.")]
    has_more: Annotated[bool, about("Whether there are more images.")]
    next_cursor: Annotated[str | None, about("Cursor of the next page, or null if there is none.")]


class DeletedImage(Struct, frozen=True, kw_only=True):
    """The image is deleted."""

    success: Annotated[bool, about("Always true.", const=True)]


class DemoPage(Struct, frozen=True, kw_only=True):
    """The demo page."""

    url: Url
    claim_token: ClaimToken
    claim_url: Annotated[str, about("Owner link: a page for claiming or deleting the demo. Keep it secret.")]
    expires_at: Annotated[Time, about("Expiry, 72 hours after publishing.")]
    template_id: ShownTemplateId
    id: Id
    notices: Notices


class ClaimedDocument(Struct, frozen=True, kw_only=True):
    """The document created from the demo."""

    id: Id
    title: ShownTitle
    published_url: Url
    slug: Annotated[str, about("Last segment of the page's URL, generated from the title.")]
    template_id: ShownTemplateId
    notices: Notices


class Template(Struct, frozen=True, kw_only=True):
    """A template."""

    id: Annotated[str, about("Value for `template_id`.")]
    name: Annotated[str, about("Display name.")]
    category: Annotated[str, about("Category; templates outside `free` require the Pro plan.", **one_of(CATEGORIES))]
    description: Annotated[str, about("Description of the design.")]


class TemplateList(Struct, frozen=True, kw_only=True):
    """All templates."""

    data: Annotated[tuple[Template, ...], about("Templates by category, then name.")]
    total: Annotated[int, about("Number of templates in `data`.", **_COUNT)]
    has_more: Annotated[bool, about("Always false.")] = False
    next_cursor: Annotated[str | None, about("Always null.")] = None


class Usage(Struct, frozen=True, kw_only=True):
    """API usage in the current month."""

    used: Annotated[int, about("Requests counted this month.", example=42, **_COUNT)]
    limit: Annotated[int, about("Monthly quota of the plan.", example=1000, **_COUNT)]
    remaining: Annotated[int, about("Requests left this month.", example=958, **_COUNT)]
    month: Annotated[str, about("Month in UTC, `YYYY-MM`.", example="2026-11", pattern="^[0-9]{4}-(0[1-9]|1[0-2])$")]
    reset_date: Annotated[Time, about("When the quota resets: the start of the next month in UTC.")]
    image_bytes: Annotated[int, about("Bytes of the stored images.", **_COUNT)]
    image_bytes_limit: Annotated[
        int | None, about("Bytes of images that the plan allows; null is unlimited.", **_COUNT)
    ]
    tier: Annotated[str, about("The plan: `free` or `pro`.", example="free", **one_of(("free", "pro")))]
