"""Request and response bodies of the API.

`checked` applies the validator in a field's annotation; `extra_json_schema` is for OpenAPI only.
"""

from collections.abc import Callable, Sequence
from datetime import datetime
from functools import cache, partial
from types import NoneType
from typing import Annotated, Any, TypeVar, get_args, get_type_hints

from msgspec import UNSET, Meta, Struct, UnsetType, convert
from msgspec.structs import asdict, fields, replace

from mdpublish_core import Delivery as CoreDelivery
from mdpublish_core import Notice as CoreNotice
from mdpublish_core import list_templates
from mdpublish_core.hosting import (
    CATEGORIES,
    DESTINATIONS,
    FORMAT_NAMES,
    IMAGE_TYPES,
    MAX_FILE_BYTES,
    PAGE_WIDTHS,
    THEME_MODES,
)
from mdpublish_core.repair import Repair as CoreRepair
from mdpublish_server.auth.page_protection import MAX_READERS, validate_end, validate_page_password, validate_readers
from mdpublish_server.clock import iso
from mdpublish_server.errors import ValidationError
from mdpublish_server.validation.slugs import validate_slug
from mdpublish_server.validation.validators import (
    CONTENT_BYTES,
    CONVERT_FORMATS,
    DEFAULT_FORMAT,
    EXTENSION_NAMES,
    FILE_FORMATS,
    MARKDOWN_BYTES,
    MEDIA_FORMS,
    REFERENCE_DOC_BYTES,
    VISIBILITIES,
    validate_content,
    validate_description,
    validate_destination,
    validate_extensions,
    validate_file,
    validate_format,
    validate_images,
    validate_input_format,
    validate_language,
    validate_markdown,
    validate_media,
    validate_page_width,
    validate_reference_doc,
    validate_template,
    validate_theme_mode,
    validate_title,
    validate_visibility,
)

_Body = TypeVar("_Body", bound=Struct)

# RFC 5646, section 2.1, as `language_tag` has it.
_LANGUAGE_TAG = {
    "pattern": "^[A-Za-z]{2,3}(-[A-Za-z]{3}){0,3}(-[A-Za-z]{4})?(-([A-Za-z]{2}|[0-9]{3}))?"
    "(-([A-Za-z0-9]{5,8}|[0-9][A-Za-z0-9]{3}))*(-[A-WYZa-wyz0-9](-[A-Za-z0-9]{2,8})+)*(-[Xx](-[A-Za-z0-9]{1,8})+)?$",
    "maxLength": 100,
}

_EXAMPLE_ID = "9f6c1b34-9a53-4c53-8a83-6c1a8f0f2b11"
_EXAMPLE_TIME = "2026-11-20T09:00:00.000000Z"
_EXAMPLE_CLAIM = "0b7c2f1e-6a56-4f0e-9d1a-0a5a3c1b7e42"

# Characters removed from titles, and stripped from their ends. Spelled out: `\s` differs between languages.
_REMOVED = r"\u0000-\u001f\u007f-\u009f\u2028-\u202e\u2066-\u2069"
_TRIMMED = rf"{_REMOVED} \u00a0\u1680\u2000-\u200a\u202f\u205f\u3000"


def _cleaned_length(max_length: int) -> str:
    """Return a pattern that limits the length after cleaning, in linear time; `maxLength` would reject valid input."""
    return f"^[{_TRIMMED}]*([^{_REMOVED}][{_REMOVED}]*){{0,{max_length}}}[{_TRIMMED}]*$"


def _one_of(values: tuple[str, ...]) -> dict[str, Any]:
    return {"enum": list(values)}


_DESTINATION = _one_of(tuple(DESTINATIONS))
_FILE_FORMATS = ", or ".join(
    f"`{each.name}` for {each.summary}, whose media type is `{each.media_type}`" for each in FILE_FORMATS.values()
)
_THEME_MODE = _one_of(THEME_MODES)
_PAGE_WIDTH = _one_of(PAGE_WIDTHS)
_VISIBILITY = _one_of(VISIBILITIES)
_COUNT = {"minimum": 0}

# Requests.
_SHORT_MARKDOWN = Meta(
    description="Markdown, 1 to 102,400 bytes of UTF-8.", examples=["# Hello"], extra_json_schema={"minLength": 1}
)
Title = Annotated[
    str,
    Meta(
        description="Up to 200 characters, after removing control characters and surrounding white space. "
        "An empty title becomes `Untitled`, also when a document is created without one and its front matter has none.",
        examples=["Garden day"],
        extra_json_schema={"pattern": _cleaned_length(200)},
    ),
    validate_title,
]
TemplateId = Annotated[
    str,
    Meta(
        description="Template id from `GET /templates`. Templates outside the category `free` require the Pro plan. Initially the one "
        "in the front matter, else `swiss`.",
        examples=["swiss"],
        extra_json_schema=_one_of(tuple(each.id for each in list_templates())),
    ),
    validate_template,
]
FreeTemplateId = Annotated[
    str,
    Meta(
        description="Id of a template of the category `free`. By default the one in the front matter, else `swiss`.",
        examples=["swiss"],
        extra_json_schema=_one_of(tuple(each.id for each in list_templates("free"))),
    ),
    validate_template,
]
ThemeModeName = Annotated[
    str,
    Meta(
        description="Color scheme: `light` or `dark`. Initially that of the front matter, else `light`.",
        examples=["light"],
        extra_json_schema=_THEME_MODE,
    ),
    validate_theme_mode,
]
Description = Annotated[
    str | None,
    Meta(
        description="Description for search engines: up to 500 characters, joined to one line and cleaned like the title. "
        "Null or empty clears it.",
        examples=["What we plant this year."],
        # Line breaks collapse into a space, which no linear pattern counts.
        extra_json_schema={"pattern": _cleaned_length(500)},
    ),
    validate_description,
]
Slug = Annotated[
    str,
    Meta(
        description="Last segment of the page's URL: 3 to 60 characters `a-z`, `0-9` and single hyphens between them. Requires "
        "the Pro plan. By default, the current slug is kept or one is generated from the title.",
        examples=["garden-day"],
        extra_json_schema={"minLength": 3, "maxLength": 60, "pattern": "^[a-z0-9]+(-[a-z0-9]+)*$"},
    ),
    validate_slug,
]
PageWidthName = Annotated[
    str,
    Meta(
        description="Width of the text column: `standard`, `wide` or `full`. Initially `standard`.",
        examples=["standard"],
        extra_json_schema=_PAGE_WIDTH,
    ),
    validate_page_width,
]
Visibility = Annotated[
    str,
    Meta(
        description="`link`: unlisted, readable by anyone with the URL, and marked `noindex`; `public` (requires the Pro plan): "
        "listed and indexed; `specific` (requires the Pro plan): shown to `readers` only. Initially `link`.",
        examples=["link"],
        extra_json_schema=_VISIBILITY,
    ),
    validate_visibility,
]

Readers = Annotated[
    tuple[Annotated[str, Meta(extra_json_schema={"pattern": r"^[^\s@]*@[^\s@]+$"})], ...],
    Meta(
        description=f"Who may read a page whose `visibility` is `specific`: at most {MAX_READERS} email addresses, and domains such as "
        "`@example.org`, in lower case. Replaces the list; an empty one leaves the page to the owner. Requires the Pro plan.",
        examples=[["anna@example.org", "@example.com"]],
        extra_json_schema={"maxItems": MAX_READERS},
    ),
    validate_readers,
]

_PASSWORD = Meta(
    description="Password that the page asks for: 8 to 200 characters. Never returned.",
    examples=["correct horse"],
    extra_json_schema={"minLength": 8, "maxLength": 200, "pattern": r"^[^\0]*$"},
)
_END = Meta(
    description="When the page ends, as ISO 8601, at most ten years from now; it then answers 410.",
    examples=["2027-01-31T12:00:00Z"],
    extra_json_schema={"format": "date-time"},
)
PagePassword = Annotated[str, _PASSWORD, validate_page_password]
PageEnd = Annotated[str, _END, validate_end]
ClearablePagePassword = Annotated[str | None, _PASSWORD, validate_page_password]
ClearablePageEnd = Annotated[str | None, _END, validate_end]

HideBadge = Annotated[bool, Meta(description="Hide the service's badge on the page. Requires the Pro plan.")]

ShowSource = Annotated[
    bool,
    Meta(
        description="Show the Markdown, comments included, to readers of the page: at its URL with `.md` appended, to which the page "
        "then links. Initially false."
    ),
]

# Responses.
Time = Annotated[
    str, Meta(description="ISO 8601, UTC.", examples=[_EXAMPLE_TIME], extra_json_schema={"format": "date-time"})
]
Id = Annotated[str, Meta(description="A UUID.", examples=[_EXAMPLE_ID], extra_json_schema={"format": "uuid"})]
Words = Annotated[int, Meta(description="Number of visible words.", examples=[420], extra_json_schema=_COUNT)]
Minutes = Annotated[
    int,
    Meta(
        description="Reading time at 200 words per minute, rounded up, at least 1.",
        examples=[3],
        extra_json_schema={"minimum": 1},
    ),
]
Url = Annotated[
    str,
    Meta(
        description="URL of the page.",
        examples=["https://example.org/u/anna/garden-day"],
        extra_json_schema={"format": "uri"},
    ),
]
ShownTemplateId = Annotated[str, Meta(description="Template id.")]
ShownThemeMode = Annotated[str, Meta(description="`light` or `dark`.", extra_json_schema=_THEME_MODE)]
ShownTitle = Annotated[str, Meta(description="Title, after cleaning.")]
ShownPageWidth = Annotated[
    str | None,
    Meta(
        description="`standard`, `wide` or `full`; null until set or first published.",
        extra_json_schema={"enum": [*PAGE_WIDTHS, None]},
    ),
]
ShownSlug = Annotated[str | None, Meta(description="Last segment of the page's URL; null while unpublished.")]
ClaimToken = Annotated[
    str,
    Meta(
        description="Proof of ownership of a demo page: a random UUID (version 4), lowercase.",
        examples=[_EXAMPLE_CLAIM],
        extra_json_schema={
            "format": "uuid",
            "pattern": "^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$",
        },
    ),
]


class ConvertRequest(Struct, frozen=True, kw_only=True):
    """Body of `POST /v1/convert`."""

    markdown: Annotated[str, _SHORT_MARKDOWN, partial(validate_markdown, "markdown")]
    destination: Annotated[
        str | UnsetType,
        Meta(description="Target format. Initially `generic`.", examples=["email"], extra_json_schema=_DESTINATION),
        validate_destination,
    ] = UNSET
    template_id: TemplateId | UnsetType = UNSET
    theme_mode: ThemeModeName | UnsetType = UNSET
    format: Annotated[
        str,
        Meta(
            description=f"Format of the response: `json`, or {_FILE_FORMATS} and whose name is in `Content-Disposition`, or `blocks` for "
            "Slack messages of Block Kit, each within Slack's limits, as JSON: `{messages: [{text, blocks}], notices}`. A file contains its "
            "images and has no notices; `images` has no effect on it. A `destination` for which the format is not made is refused.",
            examples=["docx"],
            extra_json_schema=_one_of(CONVERT_FORMATS),
        ),
        validate_format,
    ] = DEFAULT_FORMAT
    images: Annotated[
        str | UnsetType,
        Meta(
            description="How embedded images are delivered: `cid` (in `media`) or `data` (data URLs in the HTML). Defaults to `cid` "
            "for `email`, otherwise `data`.",
            examples=["cid"],
            extra_json_schema=_one_of(("cid", "data")),
        ),
        validate_images,
    ] = UNSET
    extensions: Annotated[
        tuple[Annotated[str, Meta(extra_json_schema=_one_of(EXTENSION_NAMES))], ...] | UnsetType,
        Meta(
            description="Markdown extensions to add to the default, such as `breaks`, or with `no-` to remove. The last one of a "
            "name counts.",
            examples=[["breaks", "no-math"]],
            extra_json_schema={"maxItems": len(EXTENSION_NAMES)},
        ),
        validate_extensions,
    ] = UNSET
    lang: Annotated[
        str | UnsetType,
        Meta(
            description="Language of the text, a BCP 47 tag: for what a format says about it, and for words that the output adds. "
            "Defaults to `lang` in the front matter, otherwise to the language that the text tells.",
            examples=["de-CH"],
            extra_json_schema=_LANGUAGE_TAG,
        ),
        partial(validate_language, "lang"),
    ] = UNSET
    repair: Annotated[
        bool,
        Meta(
            description="Whether to repair what a chat window, a terminal or a mail program spoiled, before the conversion. "
            "Positions of notices are those of the repaired text."
        ),
    ] = False
    reference_doc: Annotated[
        bytes | UnsetType,
        Meta(
            description=f"A Word file in base64, at most {REFERENCE_DOC_BYTES:,} bytes before, whose styles, page, headers and "
            "footers the output takes; only with the `format` `docx`."
        ),
        validate_reference_doc,
    ] = UNSET


class RepairedPlace(Struct, frozen=True, kw_only=True):
    """A place of the Markdown that was repaired."""

    code: Annotated[str, Meta(description="Code of the repair, stable.", examples=["bullet"])]
    line: Annotated[
        int, Meta(description="Line of the Markdown as it was sent, from 1.", extra_json_schema={"minimum": 1})
    ]
    before: Annotated[str, Meta(description="What was there; lines are the parts of a repair in several places.")]
    after: Annotated[str, Meta(description="What is there instead.")]


class Notice(Struct, frozen=True, kw_only=True):
    """Content that could not be shown as written."""

    code: Annotated[str, Meta(description="Notice code, stable.")]
    message: Annotated[str, Meta(description="Human-readable message.")]
    line: Annotated[
        int | None,
        Meta(
            description="Line number, from 1; null if the notice concerns the whole text.",
            extra_json_schema={"minimum": 1},
        ),
    ]
    column: Annotated[
        int | None,
        Meta(
            description="Character of the line, from 1, at which `source` starts; null if a whole block is concerned.",
            extra_json_schema={"minimum": 1},
        ),
    ]
    source: Annotated[
        str | None, Meta(description="The Markdown concerned, as written, up to 500 characters; null without a column.")
    ]
    fix: Annotated[str | None, Meta(description="What to write in place of `source`; null if that is not known.")]


Notices = Annotated[
    tuple[Notice, ...],
    Meta(
        description="Content of the page that could not be shown as written, and values of the front matter that could not be "
        "used; at most 100 of each code."
    ),
]


class Media(Struct, frozen=True, kw_only=True):
    """An image to which `html` or `markdown` refers."""

    content_id: Annotated[
        str, Meta(description="Content id: `cid:` URLs in `html` refer to it, and in `markdown` it is the image's URL.")
    ]
    media_type: Annotated[str, Meta(description="Media type, such as `image/png`.")]
    data: Annotated[
        str, Meta(description="Image data, base64-encoded.", extra_json_schema={"contentEncoding": "base64"})
    ]


class Delivery(Struct, frozen=True, kw_only=True):
    """What arrives of a construct in one form."""

    construct: Annotated[str, Meta(description="Construct, such as `table`.", examples=["table"])]
    form: Annotated[str, Meta(description="Form in which it arrives, such as `as-is` or `lost`.")]
    count: Annotated[int, Meta(description="How many there are.", extra_json_schema={"minimum": 1})]
    lines: Annotated[tuple[int, ...], Meta(description="Lines on which they begin, from 1; the first 100.")]


class ConvertResponse(Struct, frozen=True, kw_only=True):
    """Converted text."""

    html: Annotated[str, Meta(description="Output for the destination; plain text for some.")]
    plain_text: Annotated[str, Meta(description="Plain-text version.")]
    destination: Annotated[str, Meta(description="The requested destination.", extra_json_schema=_DESTINATION)]
    template_id: ShownTemplateId
    theme_mode: ShownThemeMode
    media: Annotated[tuple[Media, ...], Meta(description="Images delivered separately from `html`, as in an email.")]
    notices: Annotated[
        tuple[Notice, ...], Meta(description="Content that could not be shown as written; at most 100 of each code.")
    ]
    delivery: Annotated[tuple[Delivery, ...], Meta(description="What arrives, by construct and form.")]
    repairs: Annotated[tuple[RepairedPlace, ...], Meta(description="What was repaired; empty unless `repair` is true.")]


class SlackMessage(Struct, frozen=True, kw_only=True):
    """A message for `chat.postMessage` or an incoming webhook."""

    text: Annotated[str, Meta(description="What notifications show.")]
    blocks: Annotated[tuple[dict[str, Any], ...], Meta(description="At most 50 blocks of Block Kit.")]


class BlocksResponse(Struct, frozen=True, kw_only=True):
    """A text as Slack messages, in order."""

    messages: tuple[SlackMessage, ...]
    notices: Notices


class ImportRequest(Struct, frozen=True, kw_only=True):
    """Body of `POST /v1/import`."""

    ALTERNATIVES = ("html", "file")

    html: Annotated[
        str | UnsetType,
        Meta(
            description=f"HTML, 1 to {MARKDOWN_BYTES:,} bytes of UTF-8, such as what a program puts on the clipboard; send more as "
            "`file`. Either this or `file` is required.",
            examples=["<h1>Hello</h1>"],
            extra_json_schema={"minLength": 1},
        ),
        partial(validate_markdown, "html"),
    ] = UNSET
    file: Annotated[
        bytes | UnsetType, Meta(description=f"A file in base64, 1 to {MAX_FILE_BYTES:,} bytes before."), validate_file
    ] = UNSET
    format: Annotated[
        str | UnsetType,
        Meta(
            description="Format of `file`, as the suffix of its name. By default `docx` or `ipynb` if it begins as one, otherwise "
            "`html`.",
            examples=["docx"],
            extra_json_schema=_one_of(FORMAT_NAMES),
        ),
        validate_input_format,
    ] = UNSET
    media: Annotated[
        str,
        Meta(
            description="How images that are in the file are delivered: `inline`, in `media` of the response.",
            extra_json_schema=_one_of(MEDIA_FORMS),
        ),
        validate_media,
    ] = "inline"


class ImportResponse(Struct, frozen=True, kw_only=True):
    """The document as Markdown."""

    markdown: Annotated[str, Meta(description="The document.")]
    title: Annotated[
        str, Meta(description="Subject of an email, otherwise the first heading; `Untitled` if there is none.")
    ]
    notices: Annotated[
        tuple[Notice, ...],
        Meta(description="Content that Markdown cannot express, or that was left out; at most 100 of each code."),
    ]
    media: Annotated[tuple[Media, ...], Meta(description="Images that were in the HTML or the file itself.")]


class DocumentCreate(Struct, frozen=True, kw_only=True):
    """Body of `POST /v1/documents`."""

    title: Title | UnsetType = UNSET
    content: Annotated[
        str, Meta(description="Markdown, up to 1,000,000 bytes of UTF-8.", examples=["# Hello"]), validate_content
    ] = ""
    template_id: TemplateId | UnsetType = UNSET
    theme_mode: ThemeModeName | UnsetType = UNSET
    description: Description | UnsetType = UNSET
    page_width: PageWidthName | UnsetType = UNSET


FrontMatterNotices = Annotated[
    tuple[Notice, ...], Meta(description="Values of the front matter that could not be used; empty if none was read.")
]


class CreatedDocument(Struct, frozen=True, kw_only=True):
    """The new document."""

    id: Id
    title: ShownTitle
    template_id: ShownTemplateId
    theme_mode: ShownThemeMode
    created_at: Annotated[Time, Meta(description="Creation time.")]
    notices: FrontMatterNotices


class DocumentSummary(Struct, frozen=True, kw_only=True):
    """A document without its content."""

    id: Id
    title: ShownTitle
    template_id: ShownTemplateId
    theme_mode: ShownThemeMode
    is_published: Annotated[bool, Meta(description="Whether the document is published.")]
    slug: ShownSlug
    page_width: ShownPageWidth
    word_count: Words
    created_at: Annotated[Time, Meta(description="Creation time.")]
    updated_at: Annotated[Time, Meta(description="Time of the last update.")]


class DocumentList(Struct, frozen=True, kw_only=True):
    """A page of documents."""

    data: Annotated[tuple[DocumentSummary, ...], Meta(description="Documents, most recently updated first.")]
    has_more: Annotated[bool, Meta(description="Whether there is another page.")]
    next_cursor: Annotated[str | None, Meta(description="Cursor of the next page; null on the last page.")]


class Document(Struct, frozen=True, kw_only=True):
    """A document."""

    id: Id
    title: ShownTitle
    content: Annotated[str, Meta(description="The Markdown.")]
    template_id: ShownTemplateId
    theme_mode: ShownThemeMode
    is_published: Annotated[bool, Meta(description="Whether the document is published.")]
    slug: ShownSlug
    published_at: Annotated[Time | None, Meta(description="When the page was first published; null while unpublished.")]
    description: Annotated[str | None, Meta(description="Description for search engines.")]
    page_width: ShownPageWidth
    visibility: Annotated[
        str | None,
        Meta(
            description="`link`, `public` or `specific`; null until first published.",
            extra_json_schema={"enum": [*VISIBILITIES, None]},
        ),
    ]
    readers: Annotated[tuple[str, ...], Meta(description="Who may read the page if its `visibility` is `specific`.")]
    has_password: Annotated[bool, Meta(description="Whether the page asks for a password.")]
    expires_at: Annotated[Time | None, Meta(description="When the page ends, or ended; null if it does not.")]
    show_source: Annotated[bool, Meta(description="Whether readers of the page can see the Markdown.")]
    has_draft_changes: Annotated[
        bool,
        Meta(description="Whether the site has changes of the document that are not published, and not in `content`."),
    ]
    word_count: Words
    created_at: Annotated[Time, Meta(description="Creation time.")]
    updated_at: Annotated[Time, Meta(description="Time of the last update.")]


class DocumentUpdate(Struct, frozen=True, kw_only=True):
    """Body of `PATCH /v1/documents/{id}`; omitted fields stay unchanged."""

    title: Title | UnsetType = UNSET
    content: (
        Annotated[str, Meta(description="Markdown, up to 1,000,000 bytes of UTF-8."), validate_content] | UnsetType
    ) = UNSET
    template_id: TemplateId | UnsetType = UNSET
    theme_mode: ThemeModeName | UnsetType = UNSET
    description: Description | UnsetType = UNSET
    page_width: PageWidthName | UnsetType = UNSET
    slug: Slug | UnsetType = UNSET
    visibility: Visibility | UnsetType = UNSET
    readers: Readers | UnsetType = UNSET
    password: ClearablePagePassword | UnsetType = UNSET
    expires_at: ClearablePageEnd | UnsetType = UNSET
    hide_badge: HideBadge | UnsetType = UNSET
    show_source: ShowSource | UnsetType = UNSET


class UpdatedDocument(Struct, frozen=True, kw_only=True):
    """The updated document."""

    id: Id
    title: ShownTitle
    template_id: ShownTemplateId
    theme_mode: ShownThemeMode
    page_width: ShownPageWidth
    updated_at: Annotated[Time, Meta(description="Time of the last update.")]
    notices: Annotated[
        tuple[Notice, ...],
        Meta(
            description="Content of the page that could not be shown as written; at most 100 of each code. Empty while "
            "unpublished."
        ),
    ]


class DeletedDocument(Struct, frozen=True, kw_only=True):
    """The document is deleted."""

    success: Annotated[bool, Meta(description="Always true.", extra_json_schema={"const": True})]


class DocumentCreateAndPublish(Struct, frozen=True, kw_only=True):
    """Body of `POST /v1/documents/publish`."""

    title: Title | UnsetType = UNSET
    content: Annotated[
        str,
        Meta(
            description="Markdown, 1 to 1,000,000 bytes of UTF-8.",
            examples=["# Hello"],
            extra_json_schema={"minLength": 1},
        ),
        partial(validate_markdown, "content", max_bytes=CONTENT_BYTES),
    ]
    template_id: TemplateId | UnsetType = UNSET
    theme_mode: ThemeModeName | UnsetType = UNSET
    slug: Slug | UnsetType = UNSET
    description: Description | UnsetType = UNSET
    hide_badge: HideBadge | UnsetType = UNSET
    show_source: ShowSource | UnsetType = UNSET
    visibility: Visibility | UnsetType = UNSET
    readers: Readers | UnsetType = UNSET
    password: PagePassword | UnsetType = UNSET
    expires_at: PageEnd | UnsetType = UNSET
    page_width: PageWidthName | UnsetType = UNSET


class PublishOptions(Struct, frozen=True, kw_only=True):
    """Body of `POST /v1/documents/{id}/publish`; omitted fields keep their values."""

    slug: Slug | UnsetType = UNSET
    description: Description | UnsetType = UNSET
    hide_badge: HideBadge | UnsetType = UNSET
    show_source: ShowSource | UnsetType = UNSET
    visibility: Visibility | UnsetType = UNSET
    readers: Readers | UnsetType = UNSET
    password: PagePassword | UnsetType = UNSET
    expires_at: PageEnd | UnsetType = UNSET
    page_width: PageWidthName | UnsetType = UNSET


class PublishedDocument(Struct, frozen=True, kw_only=True):
    """The published document."""

    id: Id
    title: ShownTitle
    published_url: Url
    published_at: Annotated[Time, Meta(description="When the page was first published.")]
    template_id: ShownTemplateId
    word_count: Words
    reading_time_minutes: Minutes
    notices: Notices


class UnpublishedDocument(Struct, frozen=True, kw_only=True):
    """The document is no longer published."""

    id: Id
    is_published: Annotated[bool, Meta(description="Always false.", extra_json_schema={"const": False})]


class Image(Struct, frozen=True, kw_only=True):
    """An uploaded image."""

    id: Annotated[str, Meta(description="The image's id.", examples=[_EXAMPLE_ID])]
    url: Annotated[str, Meta(description="Its public URL, whose content never changes.")]
    width: Annotated[int, Meta(description="Width in px.", extra_json_schema={"minimum": 1})]
    height: Annotated[int, Meta(description="Height in px.", extra_json_schema={"minimum": 1})]
    media_type: Annotated[
        str, Meta(description="Media type of the stored file.", extra_json_schema=_one_of(tuple(IMAGE_TYPES.values())))
    ]
    bytes: Annotated[
        int,
        Meta(
            description="Bytes that it takes in the store, with its smaller variants.", extra_json_schema={"minimum": 1}
        ),
    ]
    created_at: Time


class ImageList(Struct, frozen=True, kw_only=True):
    """A page of the list of images."""

    data: Annotated[tuple[Image, ...], Meta(description="The images of this page, newest first.")]
    has_more: Annotated[bool, Meta(description="Whether there are more images.")]
    next_cursor: Annotated[str | None, Meta(description="Cursor of the next page, or null if there is none.")]


class DeletedImage(Struct, frozen=True, kw_only=True):
    """The image is deleted."""

    success: Annotated[bool, Meta(description="Always true.", extra_json_schema={"const": True})]


class DemoCreate(Struct, frozen=True, kw_only=True):
    """Body of `POST /v1/demo/publish`."""

    content: Annotated[str, _SHORT_MARKDOWN, partial(validate_markdown, "content")]
    title: Title | UnsetType = UNSET
    template_id: FreeTemplateId | UnsetType = UNSET
    theme_mode: ThemeModeName | UnsetType = UNSET


class DemoPage(Struct, frozen=True, kw_only=True):
    """The demo page."""

    url: Url
    claim_token: ClaimToken
    claim_url: Annotated[str, Meta(description="Owner link: a page for claiming or deleting the demo. Keep it secret.")]
    expires_at: Annotated[Time, Meta(description="Expiry, 72 hours after publishing.")]
    template_id: ShownTemplateId
    id: Id
    notices: Notices


class DemoClaim(Struct, frozen=True, kw_only=True):
    """Body of `POST /v1/demo/claim`."""

    claim_token: Annotated[
        str,
        Meta(
            description="The `claim_token` of the demo page, in either case.",
            examples=[_EXAMPLE_CLAIM],
            extra_json_schema={
                "format": "uuid",
                "pattern": "^[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-4[0-9a-fA-F]{3}-[89abAB][0-9a-fA-F]{3}-[0-9a-fA-F]{12}$",
            },
        ),
    ]


class ClaimedDocument(Struct, frozen=True, kw_only=True):
    """The document created from the demo."""

    id: Id
    title: ShownTitle
    published_url: Url
    slug: Annotated[str, Meta(description="Last segment of the page's URL, generated from the title.")]
    template_id: ShownTemplateId
    notices: Notices


class Template(Struct, frozen=True, kw_only=True):
    """A template."""

    id: Annotated[str, Meta(description="Value for `template_id`.")]
    name: Annotated[str, Meta(description="Display name.")]
    category: Annotated[
        str,
        Meta(
            description="Category; templates outside `free` require the Pro plan.",
            extra_json_schema=_one_of(CATEGORIES),
        ),
    ]
    description: Annotated[str, Meta(description="Description of the design.")]


class TemplateList(Struct, frozen=True, kw_only=True):
    """All templates."""

    data: Annotated[tuple[Template, ...], Meta(description="Templates by category, then name.")]
    total: Annotated[int, Meta(description="Number of templates in `data`.", extra_json_schema=_COUNT)]
    has_more: Annotated[bool, Meta(description="Always false.")] = False
    next_cursor: Annotated[str | None, Meta(description="Always null.")] = None


class Usage(Struct, frozen=True, kw_only=True):
    """API usage in the current month."""

    used: Annotated[int, Meta(description="Requests counted this month.", examples=[42], extra_json_schema=_COUNT)]
    limit: Annotated[int, Meta(description="Monthly quota of the plan.", examples=[1000], extra_json_schema=_COUNT)]
    remaining: Annotated[int, Meta(description="Requests left this month.", examples=[958], extra_json_schema=_COUNT)]
    month: Annotated[
        str,
        Meta(
            description="Month in UTC, `YYYY-MM`.",
            examples=["2026-11"],
            extra_json_schema={"pattern": "^[0-9]{4}-(0[1-9]|1[0-2])$"},
        ),
    ]
    reset_date: Annotated[Time, Meta(description="When the quota resets: the start of the next month in UTC.")]
    image_bytes: Annotated[int, Meta(description="Bytes of the stored images.", extra_json_schema=_COUNT)]
    image_bytes_limit: Annotated[
        int | None,
        Meta(description="Bytes of images that the plan allows; null is unlimited.", extra_json_schema=_COUNT),
    ]
    tier: Annotated[
        str,
        Meta(description="The plan: `free` or `pro`.", examples=["free"], extra_json_schema=_one_of(("free", "pro"))),
    ]


class Health(Struct, frozen=True, kw_only=True):
    """The service is running."""

    status: str


class ErrorDetail(Struct, frozen=True, kw_only=True):
    """An error."""

    code: Annotated[str, Meta(examples=["validation_error"])]
    message: Annotated[
        str, Meta(description="Human-readable message; the wording may change.", examples=["title is missing"])
    ]
    status: Annotated[int, Meta(examples=[400], extra_json_schema={"minimum": 400, "maximum": 599})]


class Error(Struct, frozen=True, kw_only=True):
    """The error envelope."""

    error: ErrorDetail


def alternatives(body: type[Struct]) -> tuple[str, ...]:
    """Return the fields of which a body has one and no more."""
    names: tuple[str, ...] = getattr(body, "ALTERNATIVES", ())
    return names


def requires_any(body: type[Struct]) -> bool:
    """Return whether a body without fields is invalid."""
    return bool(alternatives(body)) or any(field.required for field in fields(body))


def checked(body: _Body) -> _Body:
    """Raise `ValidationError` if a field is invalid, or if alternatives are missing or together."""
    values = ((name, check, getattr(body, name)) for name, check in _checks(type(body)))
    body = replace(body, **{name: check(value) for name, check, value in values if value is not UNSET})
    if names := alternatives(type(body)):
        given = sum(getattr(body, name) is not UNSET for name in names)
        if given != 1:
            raise ValidationError(f"one of {', '.join(names)} is required (got {given})")
    return body


@cache
def nullable_fields(body: type[Struct]) -> frozenset[str]:
    """Return the fields for which null has a meaning."""
    hints = get_type_hints(body)
    return frozenset(name for name, hint in hints.items() if NoneType in get_args(hint))


def fields_set(body: Struct) -> dict[str, Any]:
    return {name: value for name, value in asdict(body).items() if value is not UNSET}


def shown_notices(notices: Sequence[CoreNotice]) -> tuple[Notice, ...]:
    # msgspec compiles the type for each call.
    return convert(notices, tuple[Notice, ...], from_attributes=True) if notices else ()


def shown_deliveries(deliveries: Sequence[CoreDelivery]) -> tuple[Delivery, ...]:
    return convert(deliveries, tuple[Delivery, ...], from_attributes=True)


def shown_repairs(repairs: Sequence[CoreRepair]) -> tuple[RepairedPlace, ...]:
    return convert(repairs, tuple[RepairedPlace, ...], from_attributes=True)


def response_of(model: type[_Body], source: object, **others: Any) -> _Body:
    """Build a response from attributes of `source` and `others`."""
    named = {name: getattr(source, name) for name in model.__struct_fields__ if name not in others}
    times = {name: iso(value) for name, value in named.items() if isinstance(value, datetime)}
    return model(**named | times | others)


@cache
def _checks(model: type[Struct]) -> tuple[tuple[str, Callable[[Any], Any]], ...]:
    checks = {
        name: extra
        for name, hint in get_type_hints(model, include_extras=True).items()
        for annotated in (hint, *get_args(hint))
        for extra in getattr(annotated, "__metadata__", ())
        if callable(extra)
    }
    return tuple(checks.items())
