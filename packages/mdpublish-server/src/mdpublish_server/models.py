"""Request and response bodies of the API; `checked` applies the validators in the annotations."""

import tomllib
from collections.abc import Callable, Mapping, Sequence
from datetime import datetime
from functools import cache, partial
from pathlib import Path
from types import MappingProxyType, NoneType
from typing import Annotated, Any, TypeVar, cast, get_args, get_type_hints

from msgspec import UNSET, Meta, Struct, UnsetType, convert, defstruct
from msgspec.structs import asdict, fields, replace

from mdpublish_core import Delivery as CoreDelivery
from mdpublish_core import Notice as CoreNotice
from mdpublish_core import list_templates
from mdpublish_core.client.models import EXAMPLE_CLAIM, VISIBILITIES, Delivery, Notice, RepairedPlace, about, one_of
from mdpublish_core.hosting.files import COMMENTS, FORMAT_NAMES, MAX_FILE_BYTES, WHOLE_PAGE
from mdpublish_core.hosting.outputs import DESTINATIONS, PAGE_WIDTHS, THEME_MODES, Option
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

# Characters removed from titles, and stripped from their ends. Spelled out: `\s` differs between languages.
_REMOVED = r"\u0000-\u001f\u007f-\u009f\u2028-\u202e\u2066-\u2069"
_TRIMMED = rf"{_REMOVED} \u00a0\u1680\u2000-\u200a\u202f\u205f\u3000"


def _cleaned_length(max_length: int) -> str:
    """Return a pattern that limits the length after cleaning, in linear time; `maxLength` would reject valid input."""
    return f"^[{_TRIMMED}]*([^{_REMOVED}][{_REMOVED}]*){{0,{max_length}}}[{_TRIMMED}]*$"


_DESCRIBED: dict[str, dict[str, Any]] = tomllib.loads(Path(__file__).with_name("models.toml").read_text("utf-8"))


def _described(name: str, *, said: Mapping[str, object] = MappingProxyType({}), **schema: Any) -> Meta:
    """Return what OpenAPI says about a field; `models.toml` has what is no expression, with places for what is `said`."""
    described = _DESCRIBED[name] | schema
    return about(" ".join(described.pop("description").split()).format_map(said), **described)


def _with_options(body: type[_Body]) -> type[_Body]:
    """Return a request with a field for each option of a file."""
    fields = [(name, _option_type(each), UNSET) for name, each in validators.FILE_OPTIONS.items()]
    described = {"__doc__": body.__doc__}
    with_options = defstruct(
        body.__name__, fields, bases=(body,), namespace=described, module=__name__, frozen=True, kw_only=True
    )
    return cast("type[_Body]", with_options)


def _option_type(declared: Option) -> Any:
    formats = " or ".join(f"`{name}`" for name in validators.formats_with(declared.name))
    described = f"{declared.help} Only with the `format` {formats}."
    schema = declared.schema
    kind: Any = {"boolean": bool, "integer": int}.get(schema.pop("type"), str)
    if declared.is_file:
        kind, described = bytes, f"{described} In base64, at most {validators.OPTION_FILE_BYTES:,} bytes before."
    if initial := declared.initial:
        described += f" By default {initial}."
    return Annotated[kind | UnsetType, about(described, **schema), partial(validators.validate_option, declared)]


_FILE_FORMATS = ", or ".join(
    f"`{each.name}` for {each.summary}, whose media type is `{each.media_type}`"
    for each in validators.FILE_FORMATS.values()
)
# Requests.
_SHORT_MARKDOWN = about("Markdown, 1 to 102,400 bytes of UTF-8.", example="# Hello", minLength=1)
Title = Annotated[str, _described("Title", pattern=_cleaned_length(200)), validators.validate_title]
TemplateId = Annotated[
    str, _described("TemplateId", **one_of(tuple(each.id for each in list_templates()))), validators.validate_template
]
FreeTemplateId = Annotated[
    str,
    _described("FreeTemplateId", **one_of(tuple(each.id for each in list_templates("free")))),
    validators.validate_template,
]
ThemeModeName = Annotated[str, _described("ThemeModeName", **one_of(THEME_MODES)), validators.validate_theme_mode]
# Line breaks collapse into a space, which no linear pattern counts.
Description = Annotated[
    str | None, _described("Description", pattern=_cleaned_length(500)), validators.validate_description
]
Slug = Annotated[str, _described("Slug"), validate_slug]
Folder = Annotated[
    str | None, _described("Folder", pattern=_cleaned_length(validators.FOLDER_CHARACTERS)), validators.validate_folder
]
PageWidthName = Annotated[str, _described("PageWidthName", **one_of(PAGE_WIDTHS)), validators.validate_page_width]
Visibility = Annotated[
    str,
    _described("Visibility", **one_of(VISIBILITIES)),
    partial(validators.validate_choice, "visibility", VISIBILITIES),
]

Readers = Annotated[
    tuple[Annotated[str, Meta(extra_json_schema={"pattern": r"^[^\s@]*@[^\s@]+$"})], ...],
    _described("readers", said={"limit": MAX_READERS}, maxItems=MAX_READERS),
    validate_readers,
]

_PASSWORD = _described("password")
_END = _described("expires_at")
PagePassword = Annotated[str, _PASSWORD, validate_page_password]
PageEnd = Annotated[str, _END, validate_end]
ClearablePagePassword = Annotated[str | None, _PASSWORD, validate_page_password]
ClearablePageEnd = Annotated[str | None, _END, validate_end]

HideBadge = Annotated[bool, about("Hide the service's badge on the page. Requires the Pro plan.")]

ShowSource = Annotated[bool, _described("ShowSource")]

OfferPdf = Annotated[bool, _described("OfferPdf")]


# Responses.
@_with_options
class ConvertRequest(Struct, frozen=True, kw_only=True):
    """Body of `POST /v1/convert`."""

    markdown: Annotated[str, _SHORT_MARKDOWN, partial(validators.validate_markdown, "markdown")]
    destination: Annotated[
        str | UnsetType,
        about("Target format. Initially `generic`.", example="email", **one_of(tuple(DESTINATIONS))),
        validators.validate_destination,
    ] = UNSET
    template_id: TemplateId | UnsetType = UNSET
    theme_mode: ThemeModeName | UnsetType = UNSET
    format: Annotated[
        str,
        _described("ConvertRequest.format", said={"files": _FILE_FORMATS}, **one_of(validators.CONVERT_FORMATS)),
        partial(validators.validate_choice, "format", validators.CONVERT_FORMATS),
    ] = validators.DEFAULT_FORMAT
    images: Annotated[
        str | UnsetType,
        _described("ConvertRequest.images", **one_of(validators.IMAGE_FORMS)),
        partial(validators.validate_choice, "images", validators.IMAGE_FORMS),
    ] = UNSET
    extensions: Annotated[
        tuple[Annotated[str, Meta(extra_json_schema=one_of(validators.EXTENSION_NAMES))], ...] | UnsetType,
        _described("ConvertRequest.extensions", maxItems=len(validators.EXTENSION_NAMES)),
        validators.validate_extensions,
    ] = UNSET
    lang: Annotated[
        str | UnsetType,
        _described("ConvertRequest.lang", **_LANGUAGE_TAG),
        partial(validators.validate_language, "lang"),
    ] = UNSET
    repair: Annotated[bool, _described("ConvertRequest.repair")] = False


class ImportRequest(Struct, frozen=True, kw_only=True):
    """Body of `POST /v1/import`."""

    ALTERNATIVES = ("html", "file")

    html: Annotated[
        str | UnsetType,
        _described("ImportRequest.html", said={"limit": validators.MARKDOWN_BYTES}),
        partial(validators.validate_markdown, "html"),
    ] = UNSET
    file: Annotated[
        bytes | UnsetType,
        about(f"A file in base64, 1 to {MAX_FILE_BYTES:,} bytes before."),
        validators.validate_file,
    ] = UNSET
    format: Annotated[
        str | UnsetType,
        _described("ImportRequest.format", **one_of(FORMAT_NAMES)),
        partial(validators.validate_choice, "format", FORMAT_NAMES),
    ] = UNSET
    whole_page: Annotated[bool, about(WHOLE_PAGE)] = True
    media: Annotated[
        str,
        _described("ImportRequest.media", **one_of(validators.MEDIA_FORMS)),
        partial(validators.validate_choice, "media", validators.MEDIA_FORMS),
    ] = "inline"
    comments: Annotated[bool, about(COMMENTS)] = False


class DocumentCreate(Struct, frozen=True, kw_only=True):
    """Body of `POST /v1/documents`."""

    title: Title | UnsetType = UNSET
    content: Annotated[
        str, about("Markdown, up to 1,000,000 bytes of UTF-8.", example="# Hello"), validators.validate_content
    ] = ""
    template_id: TemplateId | UnsetType = UNSET
    theme_mode: ThemeModeName | UnsetType = UNSET
    description: Description | UnsetType = UNSET
    folder: Folder | UnsetType = UNSET
    page_width: PageWidthName | UnsetType = UNSET


class PageFields(Struct, frozen=True, kw_only=True):
    """How a document is published."""

    slug: Slug | UnsetType = UNSET
    description: Description | UnsetType = UNSET
    hide_badge: HideBadge | UnsetType = UNSET
    show_source: ShowSource | UnsetType = UNSET
    offer_pdf: OfferPdf | UnsetType = UNSET
    visibility: Visibility | UnsetType = UNSET
    readers: Readers | UnsetType = UNSET
    page_width: PageWidthName | UnsetType = UNSET


class PublishOptions(PageFields, frozen=True, kw_only=True):
    """Body of `POST /v1/documents/{id}/publish`; omitted fields keep their values."""

    password: PagePassword | UnsetType = UNSET
    expires_at: PageEnd | UnsetType = UNSET


class DocumentUpdate(PageFields, frozen=True):
    """Body of `PATCH /v1/documents/{id}`; omitted fields stay unchanged."""

    title: Title | UnsetType = UNSET
    content: (
        Annotated[str, about("Markdown, up to 1,000,000 bytes of UTF-8."), validators.validate_content] | UnsetType
    ) = UNSET
    template_id: TemplateId | UnsetType = UNSET
    theme_mode: ThemeModeName | UnsetType = UNSET
    folder: Folder | UnsetType = UNSET
    password: ClearablePagePassword | UnsetType = UNSET
    expires_at: ClearablePageEnd | UnsetType = UNSET


class DocumentCreateAndPublish(PublishOptions, frozen=True):
    """Body of `POST /v1/documents/publish`."""

    content: Annotated[
        str,
        about("Markdown, 1 to 1,000,000 bytes of UTF-8.", example="# Hello", minLength=1),
        partial(validators.validate_markdown, "content", max_bytes=validators.CONTENT_BYTES),
    ]
    title: Title | UnsetType = UNSET
    template_id: TemplateId | UnsetType = UNSET
    theme_mode: ThemeModeName | UnsetType = UNSET
    folder: Folder | UnsetType = UNSET


class ImageUpdate(Struct, frozen=True, kw_only=True):
    """Body of `PATCH /v1/images/{id}`."""

    restricted: Annotated[
        bool, about("false frees it, for everybody who knows its URL.", const=False), validators.validate_freed
    ]


class DemoCreate(Struct, frozen=True, kw_only=True):
    """Body of `POST /v1/demo/publish`."""

    content: Annotated[str, _SHORT_MARKDOWN, partial(validators.validate_markdown, "content")]
    title: Title | UnsetType = UNSET
    template_id: FreeTemplateId | UnsetType = UNSET
    theme_mode: ThemeModeName | UnsetType = UNSET


class DemoClaim(Struct, frozen=True, kw_only=True):
    """Body of `POST /v1/demo/claim`."""

    claim_token: Annotated[str, _described("DemoClaim.claim_token", example=EXAMPLE_CLAIM)]


class Health(Struct, frozen=True, kw_only=True):
    """The service is running."""

    status: str


class ErrorDetail(Struct, frozen=True, kw_only=True):
    """An error."""

    code: Annotated[str, Meta(examples=["validation_error"])]
    message: Annotated[str, about("Human-readable message; the wording may change.", example="title is missing")]
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
    hints = get_type_hints(model, include_extras=True)
    checks = {
        name: extra
        for name in model.__struct_fields__
        for annotated in (hints[name], *get_args(hints[name]))
        for extra in getattr(annotated, "__metadata__", ())
        if callable(extra)
    }
    return tuple(checks.items())
