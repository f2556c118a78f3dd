"""Request and response bodies of the API; `checked` applies the validators in the annotations."""

from collections.abc import Callable, Sequence
from datetime import datetime
from functools import cache, partial
from types import NoneType
from typing import Annotated, Any, TypeVar, get_args, get_type_hints

from msgspec import UNSET, Meta, Struct, UnsetType, convert
from msgspec.structs import asdict, fields, replace

from mdpublish_core import Delivery as CoreDelivery
from mdpublish_core import Notice as CoreNotice
from mdpublish_core import hosting, list_templates
from mdpublish_core.repair import Repair as CoreRepair
from mdpublish_server.auth.page_protection import MAX_READERS, validate_end, validate_page_password, validate_readers
from mdpublish_server.clock import iso
from mdpublish_server.errors import ValidationError
from mdpublish_server.validation import validators
from mdpublish_server.validation.slugs import validate_slug

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


def _about(description: str, *, example: object = None, **schema: Any) -> Meta:
    """Return what OpenAPI says about a field: `schema` is what JSON Schema has besides its type."""
    return Meta(
        description=description, examples=None if example is None else [example], extra_json_schema=schema or None
    )


def _cleaned_length(max_length: int) -> str:
    """Return a pattern that limits the length after cleaning, in linear time; `maxLength` would reject valid input."""
    return f"^[{_TRIMMED}]*([^{_REMOVED}][{_REMOVED}]*){{0,{max_length}}}[{_TRIMMED}]*$"


def _one_of(values: tuple[str, ...]) -> dict[str, Any]:
    return {"enum": list(values)}


def _formats_with(option: str) -> str:
    """Return the formats that have an option, in words."""
    return " or ".join(f"`{name}`" for name in validators.formats_with(option))


_DESTINATION = _one_of(tuple(hosting.DESTINATIONS))
_FILE_FORMATS = ", or ".join(
    f"`{each.name}` for {each.summary}, whose media type is `{each.media_type}`"
    for each in validators.FILE_FORMATS.values()
)
_THEME_MODE = _one_of(hosting.THEME_MODES)
_PAGE_WIDTH = _one_of(hosting.PAGE_WIDTHS)
_VISIBILITY = _one_of(validators.VISIBILITIES)
_COUNT = {"minimum": 0}

# Requests.
_SHORT_MARKDOWN = _about("Markdown, 1 to 102,400 bytes of UTF-8.", example="# Hello", minLength=1)
Title = Annotated[
    str,
    _about(
        "Up to 200 characters, after removing control characters and surrounding white space. "
        "An empty title becomes `Untitled`, also when a document is created without one and its front matter has none.",
        example="Garden day",
        pattern=_cleaned_length(200),
    ),
    validators.validate_title,
]
TemplateId = Annotated[
    str,
    _about(
        "Template id from `GET /templates`. Templates outside the category `free` require the Pro plan. Initially the "
        "one in the front matter, else `swiss`.",
        example="swiss",
        **_one_of(tuple(each.id for each in list_templates())),
    ),
    validators.validate_template,
]
FreeTemplateId = Annotated[
    str,
    _about(
        "Id of a template of the category `free`. By default the one in the front matter, else `swiss`.",
        example="swiss",
        **_one_of(tuple(each.id for each in list_templates("free"))),
    ),
    validators.validate_template,
]
ThemeModeName = Annotated[
    str,
    _about(
        "Color scheme: `light` or `dark`. Initially that of the front matter, else `light`.",
        example="light",
        **_THEME_MODE,
    ),
    validators.validate_theme_mode,
]
Description = Annotated[
    str | None,
    _about(
        "Description for search engines: up to 500 characters, joined to one line and cleaned like the title. "
        "Null or empty clears it.",
        example="What we plant this year.",
        # Line breaks collapse into a space, which no linear pattern counts.
        pattern=_cleaned_length(500),
    ),
    validators.validate_description,
]
Slug = Annotated[
    str,
    _about(
        "Last segment of the page's URL: 3 to 60 characters `a-z`, `0-9` and single hyphens between them. Requires "
        "the Pro plan. By default, the current slug is kept or one is generated from the title.",
        example="garden-day",
        minLength=3,
        maxLength=60,
        pattern="^[a-z0-9]+(-[a-z0-9]+)*$",
    ),
    validate_slug,
]
PageWidthName = Annotated[
    str,
    _about(
        "Width of the text column: `standard`, `wide` or `full`. Initially `standard`.",
        example="standard",
        **_PAGE_WIDTH,
    ),
    validators.validate_page_width,
]
Visibility = Annotated[
    str,
    _about(
        "`link`: unlisted, readable by anyone with the URL, and marked `noindex`; `public` (requires the Pro plan): "
        "listed and indexed; `specific` (requires the Pro plan): shown to `readers` only. Initially `link`.",
        example="link",
        **_VISIBILITY,
    ),
    validators.validate_visibility,
]

Readers = Annotated[
    tuple[Annotated[str, Meta(extra_json_schema={"pattern": r"^[^\s@]*@[^\s@]+$"})], ...],
    _about(
        f"Who may read a page whose `visibility` is `specific`: at most {MAX_READERS} email addresses, and domains such as "
        "`@example.org`, in lower case. Replaces the list; an empty one leaves the page to the owner. Requires the Pro plan.",
        example=["anna@example.org", "@example.com"],
        maxItems=MAX_READERS,
    ),
    validate_readers,
]

_PASSWORD = _about(
    "Password that the page asks for: 8 to 200 characters. Never returned.",
    example="correct horse",
    minLength=8,
    maxLength=200,
    pattern=r"^[^\0]*$",
)
_END = _about(
    "When the page ends, as ISO 8601, at most ten years from now; it then answers 410.",
    example="2027-01-31T12:00:00Z",
    format="date-time",
)
PagePassword = Annotated[str, _PASSWORD, validate_page_password]
PageEnd = Annotated[str, _END, validate_end]
ClearablePagePassword = Annotated[str | None, _PASSWORD, validate_page_password]
ClearablePageEnd = Annotated[str | None, _END, validate_end]

HideBadge = Annotated[bool, _about("Hide the service's badge on the page. Requires the Pro plan.")]

ShowSource = Annotated[
    bool,
    _about(
        "Show the Markdown, comments included, to readers of the page: at its URL with `.md` appended, to which the "
        "page then links. Initially false."
    ),
]

OfferPdf = Annotated[
    bool,
    _about(
        "Let readers of the page download it as a PDF: from its URL with `.pdf` appended, to which the page then "
        "links. Initially false."
    ),
]

# Responses.
Time = Annotated[str, _about("ISO 8601, UTC.", example=_EXAMPLE_TIME, format="date-time")]
Id = Annotated[str, _about("A UUID.", example=_EXAMPLE_ID, format="uuid")]
Words = Annotated[int, _about("Number of visible words.", example=420, **_COUNT)]
Minutes = Annotated[int, _about("Reading time at 200 words per minute, rounded up, at least 1.", example=3, minimum=1)]
Url = Annotated[str, _about("URL of the page.", example="https://example.org/u/anna/garden-day", format="uri")]
ShownTemplateId = Annotated[str, _about("Template id.")]
ShownThemeMode = Annotated[str, _about("`light` or `dark`.", **_THEME_MODE)]
ShownTitle = Annotated[str, _about("Title, after cleaning.")]
ShownPageWidth = Annotated[
    str | None,
    _about("`standard`, `wide` or `full`; null until set or first published.", enum=[*hosting.PAGE_WIDTHS, None]),
]
ShownSlug = Annotated[str | None, _about("Last segment of the page's URL; null while unpublished.")]
ClaimToken = Annotated[
    str,
    _about(
        "Proof of ownership of a demo page: a random UUID (version 4), lowercase.",
        example=_EXAMPLE_CLAIM,
        format="uuid",
        pattern="^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$",
    ),
]


class ConvertRequest(Struct, frozen=True, kw_only=True):
    """Body of `POST /v1/convert`."""

    markdown: Annotated[str, _SHORT_MARKDOWN, partial(validators.validate_markdown, "markdown")]
    destination: Annotated[
        str | UnsetType,
        _about("Target format. Initially `generic`.", example="email", **_DESTINATION),
        validators.validate_destination,
    ] = UNSET
    template_id: TemplateId | UnsetType = UNSET
    theme_mode: ThemeModeName | UnsetType = UNSET
    format: Annotated[
        str,
        _about(
            f"Format of the response: `json`, or {_FILE_FORMATS} and whose name is in `Content-Disposition`, or `blocks` for "
            "Slack messages of Block Kit, each within Slack's limits, as JSON: `{messages: [{text, blocks}], notices}`. A file contains its "
            "images and has no notices; `images` has no effect on it. A `destination` for which the format is not made is refused.",
            example="docx",
            **_one_of(validators.CONVERT_FORMATS),
        ),
        validators.validate_format,
    ] = validators.DEFAULT_FORMAT
    images: Annotated[
        str | UnsetType,
        _about(
            "How embedded images are delivered: `cid` (in `media`) or `data` (data URLs in the HTML). Defaults to "
            "`cid` for `email`, otherwise `data`.",
            example="cid",
            **_one_of(("cid", "data")),
        ),
        validators.validate_images,
    ] = UNSET
    extensions: Annotated[
        tuple[Annotated[str, Meta(extra_json_schema=_one_of(validators.EXTENSION_NAMES))], ...] | UnsetType,
        _about(
            "Markdown extensions to add to the default, such as `breaks`, or with `no-` to remove. The last one of a "
            "name counts.",
            example=["breaks", "no-math"],
            maxItems=len(validators.EXTENSION_NAMES),
        ),
        validators.validate_extensions,
    ] = UNSET
    lang: Annotated[
        str | UnsetType,
        _about(
            "Language of the text, a BCP 47 tag: for what a format says about it, and for words that the output adds. "
            "Defaults to `lang` in the front matter, otherwise to the language that the text tells.",
            example="de-CH",
            **_LANGUAGE_TAG,
        ),
        partial(validators.validate_language, "lang"),
    ] = UNSET
    repair: Annotated[
        bool,
        _about(
            "Whether to repair what a chat window, a terminal or a mail program spoiled, before the conversion. "
            "Positions of notices are those of the repaired text."
        ),
    ] = False
    paper: Annotated[
        str | UnsetType,
        _about(
            f"Paper of {_formats_with('paper')}. Initially that of the front matter, else `a4`.",
            example="letter",
            **_one_of(hosting.PAPERS),
        ),
        validators.validate_paper,
    ] = UNSET
    margin: Annotated[
        int | UnsetType,
        _about(
            f"Margins of {_formats_with('margin')} in millimeters. Initially those of the front matter, else 20.",
            example=25,
            minimum=hosting.MARGINS[0],
            maximum=hosting.MARGINS[-1],
        ),
        validators.validate_margin,
    ] = UNSET
    toc: Annotated[
        bool | UnsetType,
        _about(
            f"Whether {_formats_with('toc')} begins with a table of contents. Initially as in the front matter, else false."
        ),
    ] = UNSET
    footnotes: Annotated[
        str | UnsetType,
        _about(
            f"Where footnotes of {_formats_with('footnotes')} stand: at the `end`, or at the foot of each `page`. "
            "Initially as in the front matter, else `end`.",
            example="page",
            **_one_of(hosting.FOOTNOTES),
        ),
        validators.validate_footnotes,
    ] = UNSET
    reference_doc: Annotated[
        bytes | UnsetType,
        _about(
            f"A Word file in base64, at most {validators.REFERENCE_DOC_BYTES:,} bytes before, whose styles, page, "
            "headers and footers the output takes; only with the `format` `docx`."
        ),
        validators.validate_reference_doc,
    ] = UNSET


class RepairedPlace(Struct, frozen=True, kw_only=True):
    """A place of the Markdown that was repaired."""

    code: Annotated[str, _about("Code of the repair, stable.", example="bullet")]
    line: Annotated[int, _about("Line of the Markdown as it was sent, from 1.", minimum=1)]
    before: Annotated[str, _about("What was there; lines are the parts of a repair in several places.")]
    after: Annotated[str, _about("What is there instead.")]


class Notice(Struct, frozen=True, kw_only=True):
    """Content that could not be shown as written."""

    code: Annotated[str, _about("Notice code, stable.")]
    message: Annotated[str, _about("Human-readable message.")]
    line: Annotated[int | None, _about("Line number, from 1; null if the notice concerns the whole text.", minimum=1)]
    column: Annotated[
        int | None,
        _about(
            "Character of the line, from 1, at which `source` starts; null if a whole block is concerned.", minimum=1
        ),
    ]
    source: Annotated[
        str | None, _about("The Markdown concerned, as written, up to 500 characters; null without a column.")
    ]
    fix: Annotated[str | None, _about("What to write in place of `source`; null if that is not known.")]


Notices = Annotated[
    tuple[Notice, ...],
    _about(
        "Content of the page that could not be shown as written, and values of the front matter that could not be "
        "used; at most 100 of each code."
    ),
]


class Media(Struct, frozen=True, kw_only=True):
    """An image to which `html` or `markdown` refers."""

    content_id: Annotated[
        str, _about("Content id: `cid:` URLs in `html` refer to it, and in `markdown` it is the image's URL.")
    ]
    media_type: Annotated[str, _about("Media type, such as `image/png`.")]
    data: Annotated[str, _about("Image data, base64-encoded.", contentEncoding="base64")]


class Delivery(Struct, frozen=True, kw_only=True):
    """What arrives of a construct in one form."""

    construct: Annotated[str, _about("Construct, such as `table`.", example="table")]
    form: Annotated[str, _about("Form in which it arrives, such as `as-is` or `lost`.")]
    count: Annotated[int, _about("How many there are.", minimum=1)]
    lines: Annotated[tuple[int, ...], _about("Lines on which they begin, from 1; the first 100.")]


class ConvertResponse(Struct, frozen=True, kw_only=True):
    """Converted text."""

    html: Annotated[str, _about("Output for the destination; plain text for some.")]
    plain_text: Annotated[str, _about("Plain-text version.")]
    destination: Annotated[str, _about("The requested destination.", **_DESTINATION)]
    template_id: ShownTemplateId
    theme_mode: ShownThemeMode
    media: Annotated[tuple[Media, ...], _about("Images delivered separately from `html`, as in an email.")]
    notices: Annotated[
        tuple[Notice, ...], _about("Content that could not be shown as written; at most 100 of each code.")
    ]
    delivery: Annotated[tuple[Delivery, ...], _about("What arrives, by construct and form.")]
    repairs: Annotated[tuple[RepairedPlace, ...], _about("What was repaired; empty unless `repair` is true.")]


class SlackMessage(Struct, frozen=True, kw_only=True):
    """A message for `chat.postMessage` or an incoming webhook."""

    text: Annotated[str, _about("What notifications show.")]
    blocks: Annotated[tuple[dict[str, Any], ...], _about("At most 50 blocks of Block Kit.")]


class BlocksResponse(Struct, frozen=True, kw_only=True):
    """A text as Slack messages, in order."""

    messages: tuple[SlackMessage, ...]
    notices: Notices


class ImportRequest(Struct, frozen=True, kw_only=True):
    """Body of `POST /v1/import`."""

    ALTERNATIVES = ("html", "file")

    html: Annotated[
        str | UnsetType,
        _about(
            f"HTML, 1 to {validators.MARKDOWN_BYTES:,} bytes of UTF-8, such as what a program puts on the clipboard; "
            "send more as `file`. Either this or `file` is required.",
            example="<h1>Hello</h1>",
            minLength=1,
        ),
        partial(validators.validate_markdown, "html"),
    ] = UNSET
    file: Annotated[
        bytes | UnsetType,
        _about(f"A file in base64, 1 to {hosting.MAX_FILE_BYTES:,} bytes before."),
        validators.validate_file,
    ] = UNSET
    format: Annotated[
        str | UnsetType,
        _about(
            "Format of `file`, as the suffix of its name. By default `docx` or `ipynb` if it begins as one, otherwise "
            "`html`.",
            example="docx",
            **_one_of(hosting.FORMAT_NAMES),
        ),
        validators.validate_input_format,
    ] = UNSET
    media: Annotated[
        str,
        _about(
            "How images that are in the file are delivered: `inline`, in `media` of the response.",
            **_one_of(validators.MEDIA_FORMS),
        ),
        validators.validate_media,
    ] = "inline"


class ImportResponse(Struct, frozen=True, kw_only=True):
    """The document as Markdown."""

    markdown: Annotated[str, _about("The document.")]
    title: Annotated[str, _about("Subject of an email, otherwise the first heading; `Untitled` if there is none.")]
    notices: Annotated[
        tuple[Notice, ...],
        _about("Content that Markdown cannot express, or that was left out; at most 100 of each code."),
    ]
    media: Annotated[tuple[Media, ...], _about("Images that were in the HTML or the file itself.")]


class DocumentCreate(Struct, frozen=True, kw_only=True):
    """Body of `POST /v1/documents`."""

    title: Title | UnsetType = UNSET
    content: Annotated[
        str, _about("Markdown, up to 1,000,000 bytes of UTF-8.", example="# Hello"), validators.validate_content
    ] = ""
    template_id: TemplateId | UnsetType = UNSET
    theme_mode: ThemeModeName | UnsetType = UNSET
    description: Description | UnsetType = UNSET
    page_width: PageWidthName | UnsetType = UNSET


FrontMatterNotices = Annotated[
    tuple[Notice, ...], _about("Values of the front matter that could not be used; empty if none was read.")
]


class CreatedDocument(Struct, frozen=True, kw_only=True):
    """The new document."""

    id: Id
    title: ShownTitle
    template_id: ShownTemplateId
    theme_mode: ShownThemeMode
    created_at: Annotated[Time, _about("Creation time.")]
    notices: FrontMatterNotices


class DocumentSummary(Struct, frozen=True, kw_only=True):
    """A document without its content."""

    id: Id
    title: ShownTitle
    template_id: ShownTemplateId
    theme_mode: ShownThemeMode
    is_published: Annotated[bool, _about("Whether the document is published.")]
    slug: ShownSlug
    page_width: ShownPageWidth
    word_count: Words
    created_at: Annotated[Time, _about("Creation time.")]
    updated_at: Annotated[Time, _about("Time of the last update.")]


class DocumentList(Struct, frozen=True, kw_only=True):
    """A page of documents."""

    data: Annotated[tuple[DocumentSummary, ...], _about("Documents, most recently updated first.")]
    has_more: Annotated[bool, _about("Whether there is another page.")]
    next_cursor: Annotated[str | None, _about("Cursor of the next page; null on the last page.")]


class Document(Struct, frozen=True, kw_only=True):
    """A document."""

    id: Id
    title: ShownTitle
    content: Annotated[str, _about("The Markdown.")]
    template_id: ShownTemplateId
    theme_mode: ShownThemeMode
    is_published: Annotated[bool, _about("Whether the document is published.")]
    slug: ShownSlug
    published_at: Annotated[Time | None, _about("When the page was first published; null while unpublished.")]
    description: Annotated[str | None, _about("Description for search engines.")]
    page_width: ShownPageWidth
    visibility: Annotated[
        str | None,
        _about("`link`, `public` or `specific`; null until first published.", enum=[*validators.VISIBILITIES, None]),
    ]
    readers: Annotated[tuple[str, ...], _about("Who may read the page if its `visibility` is `specific`.")]
    has_password: Annotated[bool, _about("Whether the page asks for a password.")]
    expires_at: Annotated[Time | None, _about("When the page ends, or ended; null if it does not.")]
    show_source: Annotated[bool, _about("Whether readers of the page can see the Markdown.")]
    offer_pdf: Annotated[bool, _about("Whether readers of the page can download it as a PDF.")]
    has_draft_changes: Annotated[
        bool, _about("Whether the site has changes of the document that are not published, and not in `content`.")
    ]
    word_count: Words
    created_at: Annotated[Time, _about("Creation time.")]
    updated_at: Annotated[Time, _about("Time of the last update.")]


class DocumentUpdate(Struct, frozen=True, kw_only=True):
    """Body of `PATCH /v1/documents/{id}`; omitted fields stay unchanged."""

    title: Title | UnsetType = UNSET
    content: (
        Annotated[str, _about("Markdown, up to 1,000,000 bytes of UTF-8."), validators.validate_content] | UnsetType
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
    offer_pdf: OfferPdf | UnsetType = UNSET


class UpdatedDocument(Struct, frozen=True, kw_only=True):
    """The updated document."""

    id: Id
    title: ShownTitle
    template_id: ShownTemplateId
    theme_mode: ShownThemeMode
    page_width: ShownPageWidth
    updated_at: Annotated[Time, _about("Time of the last update.")]
    notices: Annotated[
        tuple[Notice, ...],
        _about(
            "Content of the page that could not be shown as written; at most 100 of each code. Empty while unpublished."
        ),
    ]


class DeletedDocument(Struct, frozen=True, kw_only=True):
    """The document is deleted."""

    success: Annotated[bool, _about("Always true.", const=True)]


class DocumentCreateAndPublish(Struct, frozen=True, kw_only=True):
    """Body of `POST /v1/documents/publish`."""

    title: Title | UnsetType = UNSET
    content: Annotated[
        str,
        _about("Markdown, 1 to 1,000,000 bytes of UTF-8.", example="# Hello", minLength=1),
        partial(validators.validate_markdown, "content", max_bytes=validators.CONTENT_BYTES),
    ]
    template_id: TemplateId | UnsetType = UNSET
    theme_mode: ThemeModeName | UnsetType = UNSET
    slug: Slug | UnsetType = UNSET
    description: Description | UnsetType = UNSET
    hide_badge: HideBadge | UnsetType = UNSET
    show_source: ShowSource | UnsetType = UNSET
    offer_pdf: OfferPdf | UnsetType = UNSET
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
    offer_pdf: OfferPdf | UnsetType = UNSET
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
    published_at: Annotated[Time, _about("When the page was first published.")]
    template_id: ShownTemplateId
    word_count: Words
    reading_time_minutes: Minutes
    notices: Notices


class UnpublishedDocument(Struct, frozen=True, kw_only=True):
    """The document is no longer published."""

    id: Id
    is_published: Annotated[bool, _about("Always false.", const=False)]


class Image(Struct, frozen=True, kw_only=True):
    """An uploaded image."""

    id: Annotated[str, _about("The image's id.", example=_EXAMPLE_ID)]
    url: Annotated[str, _about("Its public URL, whose content never changes.")]
    width: Annotated[int, _about("Width in px.", minimum=1)]
    height: Annotated[int, _about("Height in px.", minimum=1)]
    media_type: Annotated[str, _about("Media type of the stored file.", **_one_of(tuple(hosting.IMAGE_TYPES.values())))]
    bytes: Annotated[int, _about("Bytes that it takes in the store, with its smaller variants.", minimum=1)]
    created_at: Time
    restricted: Annotated[
        bool,
        _about(
            "Whether only its owner sees it, and who sees a live page that shows it: it stood in a page that was not for all, or ended."
        ),
    ]


class ImageUpdate(Struct, frozen=True, kw_only=True):
    """Body of `PATCH /v1/images/{id}`."""

    restricted: Annotated[
        bool, _about("false frees it, for everybody who knows its URL.", const=False), validators.validate_freed
    ]


class ImageList(Struct, frozen=True, kw_only=True):
    """A page of the list of images."""

    data: Annotated[tuple[Image, ...], _about("The images of this page, newest first.")]
    has_more: Annotated[bool, _about("Whether there are more images.")]
    next_cursor: Annotated[str | None, _about("Cursor of the next page, or null if there is none.")]


class DeletedImage(Struct, frozen=True, kw_only=True):
    """The image is deleted."""

    success: Annotated[bool, _about("Always true.", const=True)]


class DemoCreate(Struct, frozen=True, kw_only=True):
    """Body of `POST /v1/demo/publish`."""

    content: Annotated[str, _SHORT_MARKDOWN, partial(validators.validate_markdown, "content")]
    title: Title | UnsetType = UNSET
    template_id: FreeTemplateId | UnsetType = UNSET
    theme_mode: ThemeModeName | UnsetType = UNSET


class DemoPage(Struct, frozen=True, kw_only=True):
    """The demo page."""

    url: Url
    claim_token: ClaimToken
    claim_url: Annotated[str, _about("Owner link: a page for claiming or deleting the demo. Keep it secret.")]
    expires_at: Annotated[Time, _about("Expiry, 72 hours after publishing.")]
    template_id: ShownTemplateId
    id: Id
    notices: Notices


class DemoClaim(Struct, frozen=True, kw_only=True):
    """Body of `POST /v1/demo/claim`."""

    claim_token: Annotated[
        str,
        _about(
            "The `claim_token` of the demo page, in either case.",
            example=_EXAMPLE_CLAIM,
            format="uuid",
            pattern="^[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-4[0-9a-fA-F]{3}-[89abAB][0-9a-fA-F]{3}-[0-9a-fA-F]{12}$",
        ),
    ]


class ClaimedDocument(Struct, frozen=True, kw_only=True):
    """The document created from the demo."""

    id: Id
    title: ShownTitle
    published_url: Url
    slug: Annotated[str, _about("Last segment of the page's URL, generated from the title.")]
    template_id: ShownTemplateId
    notices: Notices


class Template(Struct, frozen=True, kw_only=True):
    """A template."""

    id: Annotated[str, _about("Value for `template_id`.")]
    name: Annotated[str, _about("Display name.")]
    category: Annotated[
        str, _about("Category; templates outside `free` require the Pro plan.", **_one_of(hosting.CATEGORIES))
    ]
    description: Annotated[str, _about("Description of the design.")]


class TemplateList(Struct, frozen=True, kw_only=True):
    """All templates."""

    data: Annotated[tuple[Template, ...], _about("Templates by category, then name.")]
    total: Annotated[int, _about("Number of templates in `data`.", **_COUNT)]
    has_more: Annotated[bool, _about("Always false.")] = False
    next_cursor: Annotated[str | None, _about("Always null.")] = None


class Usage(Struct, frozen=True, kw_only=True):
    """API usage in the current month."""

    used: Annotated[int, _about("Requests counted this month.", example=42, **_COUNT)]
    limit: Annotated[int, _about("Monthly quota of the plan.", example=1000, **_COUNT)]
    remaining: Annotated[int, _about("Requests left this month.", example=958, **_COUNT)]
    month: Annotated[str, _about("Month in UTC, `YYYY-MM`.", example="2026-11", pattern="^[0-9]{4}-(0[1-9]|1[0-2])$")]
    reset_date: Annotated[Time, _about("When the quota resets: the start of the next month in UTC.")]
    image_bytes: Annotated[int, _about("Bytes of the stored images.", **_COUNT)]
    image_bytes_limit: Annotated[
        int | None, _about("Bytes of images that the plan allows; null is unlimited.", **_COUNT)
    ]
    tier: Annotated[str, _about("The plan: `free` or `pro`.", example="free", **_one_of(("free", "pro")))]


class Health(Struct, frozen=True, kw_only=True):
    """The service is running."""

    status: str


class ErrorDetail(Struct, frozen=True, kw_only=True):
    """An error."""

    code: Annotated[str, Meta(examples=["validation_error"])]
    message: Annotated[str, _about("Human-readable message; the wording may change.", example="title is missing")]
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
