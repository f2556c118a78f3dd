"""The tools, one for each call of the API. Their docstrings and fields are what an assistant reads about them."""

import json
from typing import Annotated, Any, Literal, TypedDict, cast
from urllib.parse import quote

from mcp.server.mcpserver import Context
from mcp.server.mcpserver.exceptions import ToolError
from mcp_types import CallToolResult, ResourceLink, TextContent
from pydantic import Field
from starlette.requests import Request

from mdpublish_core import Delivery
from mdpublish_core.hosting import DESTINATIONS, FILES, OUTPUTS, delivery_summary
from mdpublish_core.mcp_schemas import (
    MAX_OUTPUT_CHARACTERS,
    CategoryName,
    DestinationName,
    FileContent,
    FormatName,
    Html,
    IncludeOutput,
    InputFormat,
    Mode,
    Offset,
    TemplateId,
    first_notices,
    imported_fields,
    part_of,
)
from mdpublish_server.auth.authentication import secret_hash
from mdpublish_server.mcp.copy_links import (
    add_copy_link,
    add_file_link,
    add_result_uri,
    add_upload_token,
    read_upload,
)
from mdpublish_server.mcp.internal_api import InternalApi
from mdpublish_server.state import AppState

DocumentId = Annotated[str, Field(description="Id of a document, from list_documents.")]
Title = Annotated[
    str | None,
    Field(description="Title, at most 200 characters; else it is Untitled."),
]
Description = Annotated[str | None, Field(description="For search engines and link previews, at most 500 characters.")]
GivenMarkdown = Annotated[
    str | None,
    Field(
        description="The whole document: GFM, fences `mermaid`, `chart` (Chart.js JSON), `dot`, math `$…$`, `> [!NOTE]`, `[^1]`."
    ),
]
OtherMarkdown = Annotated[str | None, Field(description="The whole document, as for deliver.")]
GivenDocumentId = Annotated[str | None, Field(description="Of a stored document, instead of markdown.")]
Places = Annotated[
    list[str],
    Field(
        description="Where the person will paste it, the first one shown first.",
        json_schema_extra={"items": {"type": "string", "enum": list(DESTINATIONS)}},
    ),
]
Files = Annotated[list[Literal["docx", "pdf", "eml"]], Field(description="To download.")]
UploadId = Annotated[str | None, Field(description="From create_upload, instead of markdown.")]
Publish = Annotated[
    bool, Field(description="Whether to publish it at once, so that everybody with the link can read it.")
]
NewMarkdown = Annotated[str | None, Field(description="The whole new text.")]
NewTitle = Annotated[str | None, Field(description="The new title.")]
Limit = Annotated[int, Field(description="Documents to return.", ge=1, le=100)]
Cursor = Annotated[str | None, Field(description="`next_cursor` of the result before.")]

Fields = dict[str, Any]


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


class TemplateList(TypedDict):
    """Templates by category."""

    templates: dict[str, list[str]]


MAX_RESULT_CHARACTERS = 1_000_000
"""Of outputs that are kept as a resource: as many as an upload may have bytes."""


class Tools:
    """The tools; each counts as its call of the API."""

    def __init__(self, api: InternalApi, state: AppState) -> None:
        self.api = api
        self.state = state

    async def convert(
        self,
        context: Context[Any, Request],
        destination: DestinationName,
        *,
        markdown: OtherMarkdown = None,
        upload_id: UploadId = None,
        template: TemplateId = None,
        theme_mode: Mode = None,
        format: FormatName = None,  # noqa: A002  (as in the API)
        include_output: IncludeOutput = False,
    ) -> Annotated[CallToolResult, Fields]:
        """Convert Markdown for a destination, and report what could not be shown as written. deliver hands it to the person."""
        markdown = await self._read_markdown(context, markdown, upload_id)
        body = {"markdown": markdown, "destination": destination, "template_id": template, "theme_mode": theme_mode}
        response = await self.api.fetch(_request(context), "POST", "/convert", {**body, "format": format})
        output = json.dumps(response["messages"]) if "messages" in response else response["html"]
        next_step, links = None, list[ResourceLink]()
        if include_output and len(output) > MAX_OUTPUT_CHARACTERS:
            next_step = f"The output has {len(output):,} characters, more than the {MAX_OUTPUT_CHARACTERS:,} that a result may have"
            if len(output) <= MAX_RESULT_CHARACTERS:
                uri = await add_result_uri(self.state, _request(context), output)
                media_type, size = OUTPUTS[format or destination].media_type, len(output.encode())
                links.append(ResourceLink(name="output", uri=uri, mime_type=media_type, size=size))
                next_step += "; for an hour, it is the resource of this result's link"
            next_step += "."
        fields = {
            **first_notices(response.get("notices", ())),
            "delivery": _delivery(response),
            "destination": destination,
            "characters": len(output),
            "output": output if include_output and not next_step else None,
            "next_step": next_step,
        }
        summary = TextContent(text=json.dumps(fields, ensure_ascii=False))
        return CallToolResult(content=[summary, *links], structured_content=fields)

    async def import_(
        self,
        context: Context[Any, Request],
        html: Html = None,
        file: FileContent = None,
        format: InputFormat = None,  # noqa: A002  (as in the API)
        offset: Offset = 0,
    ) -> Fields:
        """Make Markdown of HTML, a Word file, an email, a notebook or a table; long texts come in parts."""
        body = {"html": html, "file": file, "format": format}
        response = await self.api.fetch(_request(context), "POST", "/import", body)
        images = len(response.pop("media"))
        return imported_fields(**response, images=images, offset=offset)

    async def create_document(
        self,
        context: Context[Any, Request],
        *,
        markdown: OtherMarkdown = None,
        upload_id: UploadId = None,
        title: Title = None,
        template: TemplateId = None,
        theme_mode: Mode = None,
        publish: Publish = False,
    ) -> Fields:
        """Store a document in the person's account, and publish it if they asked for a link."""
        content = await self._read_markdown(context, markdown, upload_id)
        body = {"content": content, "title": title, "template_id": template, "theme_mode": theme_mode}
        path = "/documents/publish" if publish else "/documents"
        return _with_notices(await self.api.fetch(_request(context), "POST", path, body))

    async def deliver(
        self,
        context: Context[Any, Request],
        destinations: Places,
        *,
        markdown: GivenMarkdown = None,
        upload_id: UploadId = None,
        document_id: GivenDocumentId = None,
        title: Title = None,
        template: TemplateId = None,
        theme_mode: Mode = None,
        files: Files = [],  # noqa: B006  (is not changed)
        publish: Publish = False,
    ) -> HandedOver:
        """Hand a document to the person who will paste, mail or read it: no message in this chat can carry formatted text.

        Returns a link, for an hour, to a page where they copy it for each destination; links that give each file once; what
        arrives in another form; with publish the URL of its web page. Give them the links.
        """
        if sum(each is not None for each in (markdown, upload_id, document_id)) != 1:
            raise ToolError("give one of markdown, upload_id, document_id (validation_error)")
        request, style = _request(context), {"template_id": template, "theme_mode": theme_mode}
        if document_id is None:
            content = await self._read_markdown(context, markdown, upload_id)
        else:
            content = (await self.api.fetch(request, "GET", f"/documents/{_segment(document_id)}"))["content"]
        converted = [
            await self.api.fetch(request, "POST", "/convert", {"markdown": content, "destination": name, **style})
            for name in dict.fromkeys((*destinations, *(FILES[file].destination for file in files)))
        ]
        page: Fields = {}
        if publish and document_id is None:
            body = {"content": content, "title": title, **style}
            page = await self.api.fetch(request, "POST", "/documents/publish", body)
        elif publish:
            page = await self.api.fetch(request, "POST", f"/documents/{_segment(document_id or '')}/publish", {})
        every = [notice for each in (*converted, page) for notice in each.get("notices", ())]
        fields = {
            **first_notices([notice for n, notice in enumerate(every) if notice not in every[:n]]),
            "delivery": {each["destination"]: _delivery(each) for each in converted},
            "copy_url": await add_copy_link(self.state, request, converted[0], content) if converted else None,
            "files": {
                name: await add_file_link(self.state, request, converted[0], content, FILES[name].suffix)
                for name in dict.fromkeys(files)
            },
            "published_url": page.get("published_url"),
            "document_id": document_id or page.get("id"),
        }
        return cast("HandedOver", fields)

    async def create_upload(self, context: Context[Any, Request]) -> Upload:
        """For a long text in a file or program: return a URL to which it is sent once, by PUT, and the upload_id to pass on."""
        token = await add_upload_token(self.state, self.api, _request(context))
        url = f"{self.state.settings.public_url}/upload/{token}"
        return {"url": url, "upload_id": secret_hash(token), "minutes": 10, "example": f"curl -T FILE {url}"}

    async def _read_markdown(self, context: Context[Any, Request], markdown: str | None, upload_id: str | None) -> str:
        if (markdown is None) is (upload_id is None):
            raise ToolError("give either markdown or upload_id (validation_error)")
        if upload_id is None:
            return markdown or ""
        return await read_upload(self.state, self.api, _request(context), upload_id)

    async def list_documents(
        self, context: Context[Any, Request], limit: Limit = 20, cursor: Cursor = None
    ) -> DocumentList:
        """List the person's documents, the last edited first, without their text."""
        response = await self.api.fetch(_request(context), "GET", "/documents", limit=limit, cursor=cursor)
        names = ("title", "is_published", "word_count", "updated_at")
        documents = [{"document_id": each["id"], **{name: each[name] for name in names}} for each in response["data"]]
        return {"documents": documents, "next_cursor": response["next_cursor"]}

    async def get_document(self, context: Context[Any, Request], document_id: DocumentId, offset: Offset = 0) -> Fields:
        """Read a document: its settings and its Markdown, of which long texts come in parts."""
        response = await self.api.fetch(_request(context), "GET", f"/documents/{_segment(document_id)}")
        return {"document_id": response.pop("id"), **response, **part_of(response["content"], "content", offset)}

    async def update_document(
        self,
        context: Context[Any, Request],
        document_id: DocumentId,
        *,
        markdown: NewMarkdown = None,
        upload_id: UploadId = None,
        title: NewTitle = None,
        template: TemplateId = None,
        theme_mode: Mode = None,
    ) -> Fields:
        """Replace a document's text, title or style; a published page changes at once. Read the document first."""
        content = markdown if upload_id is None else await self._read_markdown(context, markdown, upload_id)
        body = {"content": content, "title": title, "template_id": template, "theme_mode": theme_mode}
        path = f"/documents/{_segment(document_id)}"
        return _with_notices(await self.api.fetch(_request(context), "PATCH", path, body))

    async def publish_document(
        self, context: Context[Any, Request], document_id: DocumentId, description: Description = None
    ) -> Fields:
        """Publish a document as a web page, and return its URL; give the person that URL."""
        path = f"/documents/{_segment(document_id)}/publish"
        return _with_notices(await self.api.fetch(_request(context), "POST", path, {"description": description}))

    async def unpublish_document(self, context: Context[Any, Request], document_id: DocumentId) -> Fields:
        """Take a page off the web; the document stays. Ask the person before."""
        return await self.api.fetch(_request(context), "DELETE", f"/documents/{_segment(document_id)}/publish")

    async def get_usage(self, context: Context[Any, Request]) -> Fields:
        """Return how many calls this month's quota has left."""
        return await self.api.fetch(_request(context), "GET", "/usage")

    async def list_templates(self, context: Context[Any, Request], category: CategoryName = None) -> TemplateList:
        """List the templates that style a document, by category; of one category with their descriptions."""
        response = await self.api.fetch(_request(context), "GET", "/templates", category=category)
        by_category: dict[str, list[str]] = {}
        for template in response["data"]:
            line = f"{template['id']}: {template['description']}" if category else template["id"]
            by_category.setdefault(template["category"], []).append(line)
        return {"templates": by_category}


def _request(context: Context[Any, Request]) -> Request:
    request = context.request_context.request
    assert isinstance(request, Request)
    return request


def _segment(identifier: str) -> str:
    return quote(identifier, safe="")


def _delivery(response: Fields) -> str:
    return delivery_summary(Delivery(**each) for each in response.get("delivery", ()))


def _with_notices(response: Fields) -> Fields:
    return {**first_notices(response.pop("notices", ())), "document_id": response.pop("id"), **response}
