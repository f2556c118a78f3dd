"""The tools, one for each call of the API. Their docstrings and fields are what an assistant reads about them."""

import json
from typing import Annotated, Any
from urllib.parse import quote

from mcp.server.mcpserver import Context
from mcp.server.mcpserver.exceptions import ToolError
from pydantic import Field
from starlette.requests import Request

from mdpublish_core import Delivery
from mdpublish_core.hosting import delivery_summary
from mdpublish_core.mcp_schemas import (
    MAX_OUTPUT_CHARACTERS,
    CategoryName,
    DestinationName,
    FileContent,
    FormatName,
    Html,
    IncludeOutput,
    InputFormat,
    Markdown,
    Mode,
    Offset,
    TemplateId,
    first_notices,
    imported_fields,
    part_of,
)
from mdpublish_server.mcp.copy_links import add_copy_link
from mdpublish_server.mcp.internal_api import InternalApi
from mdpublish_server.state import AppState

DocumentId = Annotated[str, Field(description="Id of a document, from create_document or list_documents.")]
Title = Annotated[
    str | None,
    Field(description="Title, at most 200 characters. Give one: without it, the document is listed as Untitled."),
]
Description = Annotated[str | None, Field(description="For search engines and link previews, at most 500 characters.")]
Publish = Annotated[
    bool, Field(description="Whether to publish it at once, so that everybody with the link can read it.")
]
NewMarkdown = Annotated[str | None, Field(description="The whole new text; null leaves it as it is.")]
NewTitle = Annotated[str | None, Field(description="The new title; null leaves it as it is.")]
Limit = Annotated[int, Field(description="Documents to return.", ge=1, le=100)]
Cursor = Annotated[str | None, Field(description="`next_cursor` of the result before; null for the first page.")]

CopyPage = Annotated[
    bool,
    Field(
        description="Whether to return a link, which works for an hour, to a page where the person copies the document for the "
        "destination with one click."
    ),
]

Fields = dict[str, Any]


class Tools:
    """The tools; each counts as its call of the API."""

    def __init__(self, api: InternalApi, state: AppState) -> None:
        self._api = api
        self._state = state

    async def convert(
        self,
        context: Context[Any, Request],
        markdown: Markdown,
        destination: DestinationName,
        template: TemplateId = None,
        theme_mode: Mode = None,
        *,
        format: FormatName = None,  # noqa: A002  (as in the API)
        include_output: IncludeOutput = False,
        copy_page: CopyPage = False,
    ) -> Fields:
        """Convert Markdown for a destination, and report what could not be shown as written.

        To hand a document to a person who will paste it, set copy_page and give them the link: no message in this chat can
        carry the formatted text.
        """
        body = {"markdown": markdown, "destination": destination, "template_id": template, "theme_mode": theme_mode}
        if format and copy_page:
            raise ToolError("leave out format or copy_page: a copy page is for pasting")
        response = await self._api.fetch(_request(context), "POST", "/convert", {**body, "format": format})
        output = json.dumps(response["messages"]) if "messages" in response else response["html"]
        is_too_long = len(output) > MAX_OUTPUT_CHARACTERS
        request = _request(context)
        copy_url = await add_copy_link(self._state, request, response, markdown) if copy_page else None
        too_long = f"The output has {len(output):,} characters, more than the {MAX_OUTPUT_CHARACTERS:,} that a result may have."
        return {
            **first_notices(response.get("notices", ())),
            "delivery": delivery_summary(Delivery(**each) for each in response.get("delivery", ())),
            "destination": destination,
            "characters": len(output),
            "copy_url": copy_url,
            "output": output if include_output and not is_too_long else None,
            "next_step": too_long if include_output and is_too_long else None,
        }

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
        response = await self._api.fetch(_request(context), "POST", "/import", body)
        images = len(response.pop("media"))
        return imported_fields(**response, images=images, offset=offset)

    async def create_document(
        self,
        context: Context[Any, Request],
        markdown: Markdown,
        title: Title = None,
        template: TemplateId = None,
        theme_mode: Mode = None,
        *,
        publish: Publish = False,
    ) -> Fields:
        """Store a document in the person's account, and publish it if they asked for a link."""
        body = {"content": markdown, "title": title, "template_id": template, "theme_mode": theme_mode}
        path = "/documents/publish" if publish else "/documents"
        return _with_notices(await self._api.fetch(_request(context), "POST", path, body))

    async def list_documents(self, context: Context[Any, Request], limit: Limit = 20, cursor: Cursor = None) -> Fields:
        """List the person's documents, the last edited first, without their text."""
        response = await self._api.fetch(_request(context), "GET", "/documents", limit=limit, cursor=cursor)
        names = ("id", "title", "is_published", "word_count", "updated_at")
        documents = [{name: document[name] for name in names} for document in response["data"]]
        return {"documents": documents, "next_cursor": response["next_cursor"]}

    async def get_document(self, context: Context[Any, Request], document_id: DocumentId, offset: Offset = 0) -> Fields:
        """Read a document: its settings and its Markdown, of which long texts come in parts."""
        response = await self._api.fetch(_request(context), "GET", f"/documents/{_segment(document_id)}")
        return {**response, **part_of(response["content"], "content", offset)}

    async def update_document(
        self,
        context: Context[Any, Request],
        document_id: DocumentId,
        *,
        markdown: NewMarkdown = None,
        title: NewTitle = None,
        template: TemplateId = None,
        theme_mode: Mode = None,
    ) -> Fields:
        """Replace a document's text, title or style; a published page changes at once. Read the document first."""
        body = {"content": markdown, "title": title, "template_id": template, "theme_mode": theme_mode}
        path = f"/documents/{_segment(document_id)}"
        return _with_notices(await self._api.fetch(_request(context), "PATCH", path, body))

    async def publish_document(
        self, context: Context[Any, Request], document_id: DocumentId, description: Description = None
    ) -> Fields:
        """Publish a document as a web page, and return its URL; give the person that URL."""
        path = f"/documents/{_segment(document_id)}/publish"
        return _with_notices(await self._api.fetch(_request(context), "POST", path, {"description": description}))

    async def unpublish_document(self, context: Context[Any, Request], document_id: DocumentId) -> Fields:
        """Take a page off the web; the document stays. Ask the person before."""
        return await self._api.fetch(_request(context), "DELETE", f"/documents/{_segment(document_id)}/publish")

    async def get_usage(self, context: Context[Any, Request]) -> Fields:
        """Return how many calls this month's quota has left."""
        return await self._api.fetch(_request(context), "GET", "/usage")

    async def list_templates(self, context: Context[Any, Request], category: CategoryName = None) -> Fields:
        """List the templates that style a document, by category; of one category with their descriptions."""
        response = await self._api.fetch(_request(context), "GET", "/templates", category=category)
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


def _with_notices(response: Fields) -> Fields:
    return {**first_notices(response.pop("notices", ())), **response}
