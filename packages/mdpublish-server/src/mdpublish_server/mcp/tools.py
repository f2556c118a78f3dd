"""The tools, one for each call of the API. Their docstrings and fields are what an assistant reads about them."""

import json
from collections.abc import Callable
from inspect import Parameter, signature
from typing import TYPE_CHECKING, Annotated, Any, Literal, TypedDict, TypeVar, cast
from urllib.parse import quote

from mcp.server.mcpserver import Context
from mcp.server.mcpserver.exceptions import ToolError
from mcp_types import CallToolResult, ResourceLink, TextContent
from pydantic import Field
from starlette.requests import Request

from mdpublish_core import Delivery
from mdpublish_core.client.models import VISIBILITIES
from mdpublish_core.hosting.outputs import DESTINATIONS, FILES, OUTPUTS, PAGE_WIDTHS, delivery_summary
from mdpublish_core.mcp import schemas
from mdpublish_server.auth.authentication import secret_hash
from mdpublish_server.clock import iso
from mdpublish_server.conversion.protocol import TIME_FACTORS
from mdpublish_server.mcp import copy_links
from mdpublish_server.mcp.internal_api import InternalApi
from mdpublish_server.models import DocumentCreate
from mdpublish_server.state import AppState
from mdpublish_server.storage.documents import find_account_document
from mdpublish_server.validation.validators import FILE_FORMATS

DocumentId = Annotated[str, Field(description="From list_documents.")]
Title = Annotated[str | None, Field(description="Else Untitled.")]
GivenMarkdown = Annotated[
    str | None,
    Field(
        description="The whole document: GFM, fences `mermaid`, `chart` (Chart.js JSON), `dot`, math `$…$`, `> [!NOTE]`, `[^1]`."
    ),
]
OtherMarkdown = Annotated[str | None, Field(description="As for deliver.")]
GivenDocumentId = Annotated[str | None, Field(description="Instead of markdown.")]
Places = Annotated[
    list[str],
    Field(
        description="Where it is pasted; the first is shown.",
        json_schema_extra={"items": {"type": "string", "enum": list(DESTINATIONS)}},
    ),
]

if TYPE_CHECKING:
    _File = str
else:
    _File = Literal[tuple(FILE_FORMATS)]

Files = Annotated[list[_File], Field(description="To download.")]
UploadId = Annotated[str | None, Field(description="From create_upload.")]
Publish = Annotated[bool, Field(description="Publish it, by default for all with the link.")]
NewContent = Annotated[str | None, Field(description="The whole new text.")]
NewTitle = Annotated[str | None, Field(description="New title.")]
Folder = Annotated[str | None, Field(description="Its name.")]
Limit = Annotated[int, Field(description="How many.", ge=1, le=100)]
Cursor = Annotated[str | None, Field(description="The last `next_cursor`.")]

ToolContext = Context[Any, Request]
Fields = dict[str, Any]
Tool = TypeVar("Tool", bound=Callable[..., Any])


def _option(kind: Any, description: str, *choices: str) -> Any:
    enum: Any = {"enum": [*choices, None]} if choices else None
    return Annotated[kind | None, Field(description=description, json_schema_extra=enum)]


PAGE_OPTIONS = {
    "visibility": _option(str, "Who opens it; `link`: who has it.", *VISIBILITIES),
    "readers": _option(list[str], "If specific: emails, @domains."),
    "password": _option(str, "To open it."),
    "expires_at": _option(str, "ISO 8601."),
    "slug": _option(str, "End of its URL."),
    "description": _option(str, "For search and previews."),
    "page_width": _option(str, "Of the text.", *PAGE_WIDTHS),
    "hide_badge": _option(bool, "The service's."),
    "show_source": _option(bool, "The Markdown."),
    "offer_pdf": _option(bool, "Offer a PDF."),
}
"""Of publishing, as the API has them. What is left out stays as it is."""


def _takes_page_options(tool: Tool) -> Tool:
    """Give a tool the parameters in place of its `options`: the SDK makes a field of each parameter."""
    whole = signature(tool)
    parameters = [each for each in whole.parameters.values() if each.kind is not Parameter.VAR_KEYWORD]
    parameters += [
        Parameter(each, Parameter.KEYWORD_ONLY, default=None, annotation=PAGE_OPTIONS[each]) for each in PAGE_OPTIONS
    ]
    tool.__signature__ = whole.replace(parameters=parameters)  # type: ignore[attr-defined]
    return tool


def _narrowed(options: Fields) -> Fields:
    """Return a page's options with the visibility that readers imply: an open page would ignore its list of them."""
    if options.get("readers") and options.get("visibility") is None:
        return {**options, "visibility": "specific"}
    return options


class Upload(TypedDict):
    """Where a text is sent."""

    url: str
    upload_id: str
    minutes: int
    example: str


class HandedOver(TypedDict):
    """What a person gets, and what the assistant should know."""

    notices: list[Any]
    notices_left_out: int
    delivery: dict[str, str]
    copy_url: str | None
    files: dict[str, str]
    published_url: str | None
    document_id: str | None


class DocumentList(TypedDict):
    """Documents without their text."""

    documents: list[Any]
    next_cursor: str | None


class Access(TypedDict):
    """Who can open a document's page now."""

    visibility: str | None
    has_password: bool
    expires_at: str | None


class Saved(schemas.Notices, Access):
    """A document that was stored or changed."""

    document_id: str
    title: str


class Created(Saved):
    """A document that was stored, and published if that was asked for."""

    published_url: str | None


class Published(schemas.Notices, Access):
    """A page."""

    document_id: str
    published_url: str


class Unpublished(TypedDict):
    """A document that is no page any more."""

    document_id: str
    is_published: bool


class DocumentPart(Access):
    """A document, and a part of its text."""

    document_id: str
    title: str
    folder: str | None
    content: str
    next_offset: int | None
    template_id: str
    theme_mode: str
    is_published: bool


class Quota(TypedDict):
    """The month's quota."""

    used: int
    limit: int
    remaining: int
    reset_date: str
    tier: str


MAX_RESULT_CHARACTERS = 1_000_000
"""Characters of outputs that are kept as a resource: as many as an upload may have bytes."""


class Tools:
    """The tools; each counts as its call of the API."""

    def __init__(self, api: InternalApi, state: AppState) -> None:
        self.api = api
        self.state = state

    async def convert(
        self,
        context: ToolContext,
        destination: schemas.DestinationName,
        *,
        markdown: OtherMarkdown = None,
        upload_id: UploadId = None,
        template: schemas.TemplateId = None,
        theme_mode: schemas.Mode = None,
        format: schemas.FormatName = None,  # noqa: A002  (as in the API)
        include_output: schemas.IncludeOutput = False,
    ) -> Annotated[CallToolResult, schemas.Converted]:
        """Report what a destination could not show as written, and convert for it; deliver hands it over."""
        markdown = await self._read_text(context, upload_id, markdown=markdown)
        await context.report_progress(0, 1, f"converting for {destination}")
        body = {"markdown": markdown, "destination": destination, "template_id": template, "theme_mode": theme_mode}
        response = await self.api.fetch(request_of(context), "POST", "/convert", {**body, "format": format})
        output = json.dumps(response["messages"]) if "messages" in response else response["html"]
        next_step, links = None, list[ResourceLink]()
        if include_output and len(output) > schemas.MAX_OUTPUT_CHARACTERS:
            limit = schemas.MAX_OUTPUT_CHARACTERS
            next_step = f"The output has {len(output):,} characters, more than the {limit:,} that a result may have"
            if len(output) <= MAX_RESULT_CHARACTERS:
                uri = await copy_links.add_result_uri(self.state, request_of(context), output)
                media_type, size = OUTPUTS[format or destination].media_type, len(output.encode())
                links.append(ResourceLink(name="output", uri=uri, mime_type=media_type, size=size))
                next_step += f"; for an hour, it is the resource {uri}"
            next_step += "."
        fields = {
            **schemas.first_notices(response.get("notices", ())),
            "delivery": _delivery(response),
            "characters": len(output),
            "output": output if include_output and not next_step else None,
            "next_step": next_step,
        }
        summary = TextContent(text=json.dumps(fields, ensure_ascii=False))
        return CallToolResult(content=[summary, *links], structured_content=fields)

    async def import_(
        self,
        context: ToolContext,
        html: schemas.Html = None,
        file: schemas.FileContent = None,
        format: schemas.InputFormat = None,  # noqa: A002  (as in the API)
        *,
        whole_page: schemas.WholePage = True,
        offset: schemas.Offset = 0,
        comments: schemas.WithComments = False,
    ) -> schemas.Imported:
        """Make Markdown of HTML, Word files, emails, notebooks or tables; long texts come in parts."""
        body = {"html": html, "file": file, "format": format, "comments": comments, "whole_page": whole_page}
        await context.report_progress(0, 1, "importing")
        response = await self.api.fetch(request_of(context), "POST", "/import", body)
        images = len(response.pop("media"))
        return schemas.imported_fields(**response, images=images, offset=offset)

    @_takes_page_options
    async def create_document(
        self,
        context: ToolContext,
        *,
        content: OtherMarkdown = None,
        upload_id: UploadId = None,
        title: Title = None,
        template: schemas.TemplateId = None,
        theme_mode: schemas.Mode = None,
        folder: Folder = None,
        publish: Publish = False,
        **options: Any,
    ) -> Created:
        """Store a document; publish it only if asked."""
        of_pages = [name for name in options if options[name] and name not in DocumentCreate.__struct_fields__]
        if of_pages and not publish:
            raise ToolError(f"{', '.join(of_pages)} can be set with publish, or by publish_document (validation_error)")
        content = await self._read_text(context, upload_id, content=content)
        style = {"title": title, "template_id": template, "theme_mode": theme_mode, "folder": folder}
        path = "/documents/publish" if publish else "/documents"
        stored = await self.api.fetch(
            request_of(context), "POST", path, {"content": content, **style, **_narrowed(options)}
        )
        return cast("Created", {"published_url": None, **await self._changed(context, stored)})

    async def deliver(
        self,
        context: ToolContext,
        destinations: Places,
        *,
        markdown: GivenMarkdown = None,
        upload_id: UploadId = None,
        document_id: GivenDocumentId = None,
        title: Title = None,
        template: schemas.TemplateId = None,
        theme_mode: schemas.Mode = None,
        files: Files = [],  # noqa: B006  (is not changed)
        publish: Publish = False,
    ) -> HandedOver:
        """Hand a document to the person who will paste, mail or read it: no message here can carry formatted text.

        Give them the links: of a page to copy from, for an hour; of each file, once; with publish of its page.
        """
        if sum(each is not None for each in (markdown, upload_id, document_id)) != 1:
            raise ToolError("give one of markdown, upload_id, document_id (validation_error)")
        request, style = request_of(context), {"template_id": template, "theme_mode": theme_mode}
        if document_id is None:
            content = await self._read_text(context, upload_id, markdown=markdown)
        else:
            content = (await self.api.fetch(request, "GET", f"/documents/{_segment(document_id)}"))["content"]
        names = [*dict.fromkeys((*destinations, *(FILES[file].destination for file in files)))]
        converted, page = list[Fields](), Fields()
        for done, name in enumerate(names):
            await context.report_progress(done, len(names) + publish, f"converting for {name}")
            body = {"markdown": content, "destination": name, **style}
            converted.append(await self.api.fetch(request, "POST", "/convert", body))
        # An engine's layout alone tells which characters no font has, and which tables are too wide.
        laid_out = [
            await self.api.fetch(request, "POST", "/convert", {"markdown": content, "format": file, **style})
            for file in dict.fromkeys(files)
            if file in TIME_FACTORS
        ]
        if publish:
            await context.report_progress(len(names), len(names) + 1, "publishing")
        if publish and document_id is None:
            body = {"content": content, "title": title, **style}
            page = await self.api.fetch(request, "POST", "/documents/publish", body)
        elif publish:
            page = await self.api.fetch(request, "POST", f"/documents/{_segment(document_id or '')}/publish", {})
        every = [notice for each in (*converted, *laid_out, page) for notice in each.get("notices", ())]
        fields = {
            **schemas.first_notices([notice for n, notice in enumerate(every) if notice not in every[:n]]),
            "delivery": {each["destination"]: _delivery(each) for each in converted},
            "copy_url": await copy_links.add_copy_link(self.state, request, converted[0], content)
            if converted
            else None,
            "files": {
                name: await copy_links.add_file_link(self.state, request, converted[0], content, FILES[name].suffix)
                for name in dict.fromkeys(files)
            },
            "published_url": page.get("published_url"),
            "document_id": document_id or page.get("id"),
        }
        return cast("HandedOver", fields)

    async def create_upload(self, context: ToolContext) -> Upload:
        """For a long text in a file: a URL that takes it once, by PUT, and its upload_id."""
        token = await copy_links.add_upload_token(self.state, self.api, request_of(context))
        url = f"{self.state.settings.public_url}/upload/{token}"
        return {"url": url, "upload_id": secret_hash(token), "minutes": 10, "example": f"curl -T FILE {url}"}

    async def _changed(self, context: ToolContext, response: Fields) -> Fields:
        """Return a tool's result for a stored or changed document: the API's response, and who can open the page."""
        account_id, document_id = request_of(context).state.account_id, response.pop("id")
        document = await self.state.database.read(find_account_document, account_id, document_id)
        if document is None:
            raise ToolError("the document was deleted meanwhile (not_found)")
        end = iso(document.expires_at) if document.expires_at else None
        access = Access(visibility=document.visibility, has_password=document.has_password, expires_at=end)
        return {**schemas.first_notices(response.pop("notices", ())), "document_id": document_id, **response, **access}

    async def _read_text(self, context: ToolContext, upload_id: str | None, **given: str | None) -> str:
        [(name, content)] = given.items()
        if (content is None) is (upload_id is None):
            raise ToolError(f"give either {name} or upload_id (validation_error)")
        if upload_id is None:
            return content or ""
        return await copy_links.read_upload(self.state, self.api, request_of(context), upload_id)

    async def list_documents(
        self, context: ToolContext, limit: Limit = 20, cursor: Cursor = None, folder: Folder = None
    ) -> DocumentList:
        """List the person's documents, or a folder's, the last edited first."""
        # An empty folder is what programs fill in, as for the cursor.
        folder = folder or None
        response = await self.api.fetch(
            request_of(context), "GET", "/documents", limit=limit, cursor=cursor, folder=folder
        )
        names = ("title", "folder", "is_published", "word_count", "updated_at")
        documents = [{"document_id": each["id"], **{name: each[name] for name in names}} for each in response["data"]]
        return {"documents": documents, "next_cursor": response["next_cursor"]}

    async def get_document(
        self, context: ToolContext, document_id: DocumentId, offset: schemas.Offset = 0
    ) -> DocumentPart:
        """Read a document; long texts come in parts."""
        response = await self.api.fetch(request_of(context), "GET", f"/documents/{_segment(document_id)}")
        part = schemas.part_of(response["content"], "content", offset)
        return cast("DocumentPart", {**response, "document_id": response["id"], **part})

    @_takes_page_options
    async def update_document(
        self,
        context: ToolContext,
        document_id: DocumentId,
        *,
        content: NewContent = None,
        upload_id: UploadId = None,
        title: NewTitle = None,
        template: schemas.TemplateId = None,
        theme_mode: schemas.Mode = None,
        folder: Folder = None,
        **options: Any,
    ) -> Saved:
        """Change a document; a published page changes at once. Read it first."""
        content = content if upload_id is None else await self._read_text(context, upload_id, content=content)
        body = {"content": content, "title": title, "template_id": template, "theme_mode": theme_mode, "folder": folder}
        path = f"/documents/{_segment(document_id)}"
        response = await self.api.fetch(request_of(context), "PATCH", path, {**body, **_narrowed(options)})
        return cast("Saved", await self._changed(context, response))

    @_takes_page_options
    async def publish_document(self, context: ToolContext, document_id: DocumentId, **options: Any) -> Published:
        """Publish a document as a web page, or change the page; give the person its URL. What is left out stays."""
        path = f"/documents/{_segment(document_id)}/publish"
        response = await self.api.fetch(request_of(context), "POST", path, _narrowed(options))
        return cast("Published", await self._changed(context, response))

    async def unpublish_document(self, context: ToolContext, document_id: DocumentId) -> Unpublished:
        """Take a page off the web; the document stays. Ask before."""
        response = await self.api.fetch(request_of(context), "DELETE", f"/documents/{_segment(document_id)}/publish")
        return {"document_id": response["id"], "is_published": response["is_published"]}

    async def get_usage(self, context: ToolContext) -> Quota:
        """Show what is left of this month's calls."""
        return cast("Quota", await self.api.fetch(request_of(context), "GET", "/usage"))

    async def list_templates(self, context: ToolContext, category: schemas.CategoryName = None) -> schemas.TemplateList:
        """List templates; of one category, with descriptions."""
        response = await self.api.fetch(request_of(context), "GET", "/templates", category=category)
        by_category: dict[str, list[str]] = {}
        for template in response["data"]:
            line = f"{template['id']}: {template['description']}" if category else template["id"]
            by_category.setdefault(template["category"], []).append(line)
        return {"templates": by_category}


def request_of(context: ToolContext) -> Request:
    request = context.request_context.request
    assert isinstance(request, Request)
    return request


def _segment(identifier: str) -> str:
    return quote(identifier, safe="")


def _delivery(response: Fields) -> str:
    return delivery_summary(Delivery(**each) for each in response.get("delivery", ()))
