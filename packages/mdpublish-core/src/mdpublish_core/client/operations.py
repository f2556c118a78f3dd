"""The operations of the API, each described once for both clients: what is sent, and what it is answered with.

Arguments are the fields of the request that the [HTTP API](http-api.md) describes; those left out are not sent.
"""

from base64 import b64encode
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Generic, Literal, TypeVar
from urllib.parse import quote
from uuid import uuid4

from msgspec import UNSET, UnsetType

from mdpublish_core.client import models

_NOT_OF_BODIES = frozenset({"document_id", "if_match", "idempotency_key"})
"""Arguments that are part of the path, or headers."""

Response = TypeVar("Response", covariant=True)  # noqa: PLC0105  (its name is read in signatures)


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
    destination: str | UnsetType = UNSET,
    template_id: str | UnsetType = UNSET,
    theme_mode: str | UnsetType = UNSET,
    images: Literal["cid", "data"] | UnsetType = UNSET,
    extensions: Sequence[str] | UnsetType = UNSET,
    lang: str | UnsetType = UNSET,
    repair: bool | UnsetType = UNSET,
) -> ApiRequest[models.ConvertResponse]:
    """Convert Markdown for a destination."""
    return ApiRequest("POST", "/convert", models.ConvertResponse, _given(locals()))


def convert_to_file(
    markdown: str,
    *,
    format: str,  # noqa: A002  (the API's name)
    template_id: str | UnsetType = UNSET,
    theme_mode: str | UnsetType = UNSET,
    extensions: Sequence[str] | UnsetType = UNSET,
    paper: str | UnsetType = UNSET,
    margin: int | UnsetType = UNSET,
    toc: bool | UnsetType = UNSET,
    footnotes: str | UnsetType = UNSET,
    reference_doc: bytes | UnsetType = UNSET,
    lang: str | UnsetType = UNSET,
    repair: bool | UnsetType = UNSET,
) -> ApiRequest[bytes]:
    """Convert Markdown to a file, such as one of the format `docx` or `eml`."""
    return ApiRequest("POST", "/convert", bytes, _given(locals()))


def convert_to_blocks(
    markdown: str, *, extensions: Sequence[str] | UnsetType = UNSET, repair: bool | UnsetType = UNSET
) -> ApiRequest[models.BlocksResponse]:
    """Convert Markdown to Slack messages of Block Kit."""
    body = _given({"format": "blocks", **locals()})
    return ApiRequest("POST", "/convert", models.BlocksResponse, body)


def import_document(
    *,
    html: str | UnsetType = UNSET,
    file: bytes | UnsetType = UNSET,
    format: str | UnsetType = UNSET,  # noqa: A002  (the API's name)
    media: str | UnsetType = UNSET,
) -> ApiRequest[models.ImportResponse]:
    """Make Markdown of HTML, or of a file in another format."""
    return ApiRequest("POST", "/import", models.ImportResponse, _given(locals()))


def create_document(
    content: str = "",
    *,
    title: str | UnsetType = UNSET,
    template_id: str | UnsetType = UNSET,
    theme_mode: str | UnsetType = UNSET,
    description: str | UnsetType = UNSET,
    page_width: str | UnsetType = UNSET,
    idempotency_key: str | None = None,
) -> ApiRequest[models.CreatedDocument]:
    """Create a document."""
    body = _given(locals())
    return ApiRequest("POST", "/documents", models.CreatedDocument, body, headers=_key(idempotency_key))


def list_documents(
    *, limit: int | UnsetType = UNSET, cursor: str | UnsetType = UNSET
) -> ApiRequest[models.DocumentList]:
    """Return a page of documents; see `documents` for all of them."""
    return ApiRequest("GET", "/documents", models.DocumentList, query=_page(limit, cursor))


def create_and_publish_document(
    content: str,
    *,
    title: str | UnsetType = UNSET,
    template_id: str | UnsetType = UNSET,
    theme_mode: str | UnsetType = UNSET,
    slug: str | UnsetType = UNSET,
    description: str | UnsetType = UNSET,
    hide_badge: bool | UnsetType = UNSET,
    show_source: bool | UnsetType = UNSET,
    offer_pdf: bool | UnsetType = UNSET,
    visibility: str | UnsetType = UNSET,
    readers: Sequence[str] | UnsetType = UNSET,
    password: str | UnsetType = UNSET,
    expires_at: str | UnsetType = UNSET,
    page_width: str | UnsetType = UNSET,
    idempotency_key: str | None = None,
) -> ApiRequest[models.PublishedDocument]:
    """Create a document and publish it."""
    body = _given(locals())
    return ApiRequest("POST", "/documents/publish", models.PublishedDocument, body, headers=_key(idempotency_key))


def get_document(document_id: str) -> ApiRequest[models.Document]:
    """Return a document."""
    return ApiRequest("GET", _path(document_id), models.Document)


def update_document(
    document_id: str,
    *,
    content: str | UnsetType = UNSET,
    title: str | UnsetType = UNSET,
    template_id: str | UnsetType = UNSET,
    theme_mode: str | UnsetType = UNSET,
    description: str | UnsetType | None = UNSET,
    page_width: str | UnsetType = UNSET,
    slug: str | UnsetType = UNSET,
    visibility: str | UnsetType = UNSET,
    readers: Sequence[str] | UnsetType = UNSET,
    password: str | UnsetType | None = UNSET,
    expires_at: str | UnsetType | None = UNSET,
    hide_badge: bool | UnsetType = UNSET,
    show_source: bool | UnsetType = UNSET,
    offer_pdf: bool | UnsetType = UNSET,
    if_match: str = "",
) -> ApiRequest[models.UpdatedDocument]:
    """Change a document, and its page if it is published; with `if_match` only if it has that `etag`."""
    body = _given(locals())
    return ApiRequest("PATCH", _path(document_id), models.UpdatedDocument, body, headers=_if_match(if_match))


def delete_document(document_id: str, *, if_match: str = "") -> ApiRequest[models.DeletedDocument]:
    """Delete a document and its page permanently."""
    return ApiRequest("DELETE", _path(document_id), models.DeletedDocument, headers=_if_match(if_match))


def publish_document(
    document_id: str,
    *,
    slug: str | UnsetType = UNSET,
    description: str | UnsetType | None = UNSET,
    hide_badge: bool | UnsetType = UNSET,
    show_source: bool | UnsetType = UNSET,
    offer_pdf: bool | UnsetType = UNSET,
    visibility: str | UnsetType = UNSET,
    readers: Sequence[str] | UnsetType = UNSET,
    password: str | UnsetType = UNSET,
    expires_at: str | UnsetType = UNSET,
    page_width: str | UnsetType = UNSET,
    if_match: str = "",
) -> ApiRequest[models.PublishedDocument]:
    """Publish a document, or change how it is published."""
    body = _given(locals())
    return ApiRequest(
        "POST", f"{_path(document_id)}/publish", models.PublishedDocument, body, headers=_if_match(if_match)
    )


def unpublish_document(document_id: str, *, if_match: str = "") -> ApiRequest[models.UnpublishedDocument]:
    """Take a page offline; the document stays."""
    return ApiRequest(
        "DELETE", f"{_path(document_id)}/publish", models.UnpublishedDocument, headers=_if_match(if_match)
    )


def publish_demo(
    content: str,
    *,
    title: str | UnsetType = UNSET,
    template_id: str | UnsetType = UNSET,
    theme_mode: str | UnsetType = UNSET,
    idempotency_key: str | None = None,
) -> ApiRequest[models.DemoPage]:
    """Publish a page without an account, for 72 hours."""
    body = _given(locals())
    return ApiRequest("POST", "/demo/publish", models.DemoPage, body, headers=_key(idempotency_key))


def claim_demo(claim_token: str, *, idempotency_key: str | None = None) -> ApiRequest[models.ClaimedDocument]:
    """Make a demo page a document of the account."""
    body = _given(locals())
    return ApiRequest("POST", "/demo/claim", models.ClaimedDocument, body, headers=_key(idempotency_key))


def list_templates(*, category: str | UnsetType = UNSET) -> ApiRequest[models.TemplateList]:
    """Return the templates, all or those of a category."""
    query = {"category": category} if isinstance(category, str) else {}
    return ApiRequest("GET", "/templates", models.TemplateList, query=query)


def upload_image(content: bytes, *, idempotency_key: str | None = None) -> ApiRequest[models.Image]:
    """Upload the file of an image."""
    return ApiRequest("POST", "/images", models.Image, content=content, headers=_key(idempotency_key))


def list_images(*, limit: int | UnsetType = UNSET, cursor: str | UnsetType = UNSET) -> ApiRequest[models.ImageList]:
    """Return a page of images."""
    return ApiRequest("GET", "/images", models.ImageList, query=_page(limit, cursor))


def free_image(image_id: str, *, restricted: Literal[False] = False) -> ApiRequest[models.Image]:
    """Let everybody who knows its URL see an image that is restricted."""
    return ApiRequest("PATCH", f"/images/{quote(image_id, safe='')}", models.Image, {"restricted": restricted})


def delete_image(image_id: str) -> ApiRequest[models.DeletedImage]:
    """Delete an image; pages that show it lose it."""
    return ApiRequest("DELETE", f"/images/{quote(image_id, safe='')}", models.DeletedImage)


def get_usage() -> ApiRequest[models.Usage]:
    """Return the requests counted this month."""
    return ApiRequest("GET", "/usage", models.Usage)


def _given(arguments: Mapping[str, object]) -> dict[str, object]:
    """Return what an operation sends, of its `locals()`: the arguments that are of the body and not left out."""
    given = {name: value for name, value in arguments.items() if value is not UNSET and name not in _NOT_OF_BODIES}
    return {name: b64encode(value).decode() if isinstance(value, bytes) else value for name, value in given.items()}


def _page(limit: int | UnsetType, cursor: str | UnsetType) -> dict[str, str]:
    return {name: str(value) for name, value in _given(locals()).items()}


def _path(document_id: str) -> str:
    return f"/documents/{quote(document_id, safe='')}"


def _key(idempotency_key: str | None) -> dict[str, str]:
    return {"Idempotency-Key": idempotency_key or str(uuid4())}


def _if_match(etag: str) -> dict[str, str]:
    return {"If-Match": etag} if etag else {}
