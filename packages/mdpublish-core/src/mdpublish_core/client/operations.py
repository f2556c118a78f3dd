"""The operations of the API, each described once for both clients: what is sent, and what it is answered with.

Arguments are the fields of the request that the [HTTP API](http-api.md) describes; those left out are not sent.
"""

from base64 import b64encode
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Generic, Literal, TypeAlias, TypedDict, TypeVar, Unpack
from urllib.parse import quote
from uuid import uuid4

from mdpublish_core.client import models
from mdpublish_core.errors import InvalidArgument
from mdpublish_core.writers.options import given_values, requested_options, require_options
from mdpublish_core.writers.options.adf import AdfOptions
from mdpublish_core.writers.options.docx import DocxOptions
from mdpublish_core.writers.options.eml import EmlOptions
from mdpublish_core.writers.options.page import PageOptions
from mdpublish_core.writers.options.pdf import PdfOptions

Response = TypeVar("Response", covariant=True)  # noqa: PLC0105  (its name is read in signatures)

FileOptions: TypeAlias = AdfOptions | DocxOptions | EmlOptions | PageOptions | PdfOptions


class Style(TypedDict, total=False):
    """How a text looks."""

    template_id: str
    theme_mode: str


class Conversion(Style, total=False):
    """How Markdown is read, and looks."""

    extensions: Sequence[str]
    lang: str
    repair: bool


class Draft(Style, total=False):
    """A document without a page."""

    title: str
    description: str
    folder: str | None
    page_width: str


class PageFields(TypedDict, total=False):
    """How a page is published; None clears the description."""

    slug: str
    description: str | None
    hide_badge: bool
    show_source: bool
    offer_pdf: bool
    visibility: str
    readers: Sequence[str]
    page_width: str


class Publication(PageFields, total=False):
    """How a page is published, and who reads it until when."""

    password: str
    expires_at: str


class NewPage(Publication, Style, total=False):
    """A document and its page."""

    title: str
    folder: str | None


class Change(PageFields, Style, total=False):
    """What changes of a document and its page; None clears a password and an end."""

    content: str
    title: str
    folder: str | None
    password: str | None
    expires_at: str | None


@dataclass(frozen=True)
class ApiRequest(Generic[Response]):
    """One request, and the class of its response; `bytes` for a file."""

    method: str
    path: str
    response: type[Response]
    body: Mapping[str, object] | None = None
    content: bytes | None = None
    """A body that is a file."""

    query: Mapping[str, str] = field(default_factory=dict)
    headers: Mapping[str, str] = field(default_factory=dict)

    @property
    def is_repeatable(self) -> bool:
        """Whether a second request does nothing that the first one did, if both arrive."""
        return self.method == "GET" or "Idempotency-Key" in self.headers


def convert(
    markdown: str,
    *,
    destination: str = "generic",
    images: Literal["cid", "data"] | None = None,
    **conversion: Unpack[Conversion],
) -> ApiRequest[models.ConvertResponse]:
    """Convert Markdown for a destination."""
    body = {"markdown": markdown, "destination": destination, "images": images, **conversion}
    return ApiRequest("POST", "/convert", models.ConvertResponse, body)


def convert_to_file(
    markdown: str,
    *,
    format: str,  # noqa: A002  (the API's name)
    options: FileOptions | None = None,
    **conversion: Unpack[Conversion],
) -> ApiRequest[bytes]:
    """Convert Markdown to a file, such as one of the format `docx` or `eml`, with options that the service takes.

    Raises `InvalidArgument` for another option.
    """
    body = {"markdown": markdown, "format": format, **_requested(format, options), **conversion}
    return ApiRequest("POST", "/convert", bytes, body)


def convert_to_blocks(
    markdown: str, *, extensions: Sequence[str] = (), repair: bool = False
) -> ApiRequest[models.BlocksResponse]:
    """Convert Markdown to Slack messages of Block Kit."""
    body = {"markdown": markdown, "format": "blocks", "extensions": extensions, "repair": repair}
    return ApiRequest("POST", "/convert", models.BlocksResponse, body)


def import_document(
    *,
    html: str | None = None,
    file: bytes | None = None,
    format: str | None = None,  # noqa: A002  (the API's name)
    whole_page: bool = True,
    media: str = "inline",
    comments: bool = False,
) -> ApiRequest[models.ImportResponse]:
    """Make Markdown of HTML, or of a file in another format."""
    content = {"html": html, "file": _in_base64(file), "format": format}
    body = {**content, "whole_page": whole_page, "media": media, "comments": comments}
    return ApiRequest("POST", "/import", models.ImportResponse, body)


def create_document(
    content: str = "", *, idempotency_key: str | None = None, **draft: Unpack[Draft]
) -> ApiRequest[models.CreatedDocument]:
    """Create a document."""
    body = {"content": content, **draft}
    return ApiRequest("POST", "/documents", models.CreatedDocument, body, headers=_key(idempotency_key))


def list_documents(
    *, limit: int | None = None, cursor: str | None = None, folder: str | None = None
) -> ApiRequest[models.DocumentList]:
    """Return a page of documents, all or those of a folder, "" for none; see `documents` for all of them."""
    query = _query(limit=limit, cursor=cursor, folder=folder)
    return ApiRequest("GET", "/documents", models.DocumentList, query=query)


def create_and_publish_document(
    content: str, *, idempotency_key: str | None = None, **page: Unpack[NewPage]
) -> ApiRequest[models.PublishedDocument]:
    """Create a document and publish it."""
    body = {"content": content, **page}
    return ApiRequest("POST", "/documents/publish", models.PublishedDocument, body, headers=_key(idempotency_key))


def get_document(document_id: str) -> ApiRequest[models.Document]:
    """Return a document."""
    return ApiRequest("GET", _path(document_id), models.Document)


def update_document(
    document_id: str, *, if_match: str = "", **change: Unpack[Change]
) -> ApiRequest[models.UpdatedDocument]:
    """Change a document, and its page if it is published; with `if_match` only if it has that `etag`."""
    headers = _if_match(if_match)
    return ApiRequest("PATCH", _path(document_id), models.UpdatedDocument, {**change}, headers=headers)


def delete_document(document_id: str, *, if_match: str = "") -> ApiRequest[models.DeletedDocument]:
    """Delete a document and its page permanently."""
    return ApiRequest("DELETE", _path(document_id), models.DeletedDocument, headers=_if_match(if_match))


def publish_document(
    document_id: str, *, if_match: str = "", **publication: Unpack[Publication]
) -> ApiRequest[models.PublishedDocument]:
    """Publish a document, or change how it is published."""
    path, headers = f"{_path(document_id)}/publish", _if_match(if_match)
    return ApiRequest("POST", path, models.PublishedDocument, {**publication}, headers=headers)


def unpublish_document(document_id: str, *, if_match: str = "") -> ApiRequest[models.UnpublishedDocument]:
    """Take a page offline; the document stays."""
    path, headers = f"{_path(document_id)}/publish", _if_match(if_match)
    return ApiRequest("DELETE", path, models.UnpublishedDocument, headers=headers)


def publish_demo(
    content: str, *, title: str | None = None, idempotency_key: str | None = None, **style: Unpack[Style]
) -> ApiRequest[models.DemoPage]:
    """Publish a page without an account, for 72 hours."""
    body = {"content": content, "title": title, **style}
    return ApiRequest("POST", "/demo/publish", models.DemoPage, body, headers=_key(idempotency_key))


def claim_demo(claim_token: str, *, idempotency_key: str | None = None) -> ApiRequest[models.ClaimedDocument]:
    """Make a demo page a document of the account."""
    body, headers = {"claim_token": claim_token}, _key(idempotency_key)
    return ApiRequest("POST", "/demo/claim", models.ClaimedDocument, body, headers=headers)


def list_templates(*, category: str | None = None) -> ApiRequest[models.TemplateList]:
    """Return the templates, all or those of a category."""
    return ApiRequest("GET", "/templates", models.TemplateList, query=_query(category=category))


def upload_image(content: bytes, *, idempotency_key: str | None = None) -> ApiRequest[models.Image]:
    """Upload the file of an image."""
    return ApiRequest("POST", "/images", models.Image, content=content, headers=_key(idempotency_key))


def list_images(*, limit: int | None = None, cursor: str | None = None) -> ApiRequest[models.ImageList]:
    """Return a page of images."""
    return ApiRequest("GET", "/images", models.ImageList, query=_query(limit=limit, cursor=cursor))


def free_image(image_id: str, *, restricted: Literal[False] = False) -> ApiRequest[models.Image]:
    """Let everybody who knows its URL see an image that is restricted."""
    return ApiRequest("PATCH", f"/images/{quote(image_id, safe='')}", models.Image, {"restricted": restricted})


def delete_image(image_id: str) -> ApiRequest[models.DeletedImage]:
    """Delete an image; pages that show it lose it."""
    return ApiRequest("DELETE", f"/images/{quote(image_id, safe='')}", models.DeletedImage)


def get_usage() -> ApiRequest[models.Usage]:
    """Return the requests counted this month."""
    return ApiRequest("GET", "/usage", models.Usage)


def _requested(format_: str, options: FileOptions | None) -> dict[str, Any]:
    """Return the fields of a request for the options of a file."""
    if options is None:
        return {}
    require_options(format_, options)
    given = given_values(options)
    for name in given:
        if name not in requested_options(format_):
            raise InvalidArgument(
                f"{name} of {type(options).__name__}", "must be left out; the service does not take it"
            )
    return {name: _in_base64(value) if isinstance(value, bytes) else value for name, value in given.items()}


def _in_base64(content: bytes | None) -> str | None:
    return None if content is None else b64encode(content).decode()


def _query(**values: str | int | None) -> dict[str, str]:
    return {name: str(value) for name, value in values.items() if value is not None}


def _path(document_id: str) -> str:
    return f"/documents/{quote(document_id, safe='')}"


def _key(idempotency_key: str | None) -> dict[str, str]:
    return {"Idempotency-Key": idempotency_key or str(uuid4())}


def _if_match(etag: str) -> dict[str, str]:
    return {"If-Match": etag} if etag else {}
