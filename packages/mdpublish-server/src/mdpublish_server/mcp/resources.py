"""Resources and prompts: what an assistant's person attaches to a chat, or begins it with."""

from pathlib import Path
from typing import Any
from urllib.parse import quote

from mcp.server import MCPServer

from mdpublish_core.mcp.prompts import add_guide, make_prompts
from mdpublish_server.mcp.copy_links import read_upload
from mdpublish_server.mcp.internal_api import InternalApi
from mdpublish_server.mcp.tools import ToolContext, request_of
from mdpublish_server.state import AppState

_MARKDOWN = "text/markdown"


def add_resources(server: MCPServer[Any], api: InternalApi, state: AppState) -> None:
    """Add the guide, documents by id, long outputs of tools, and prompts."""
    add_guide(server, Path(__file__).with_name("guide.md"))

    @server.resource("mdpublish://documents/{document_id}", title="A document's Markdown", mime_type=_MARKDOWN)
    async def document(document_id: str, context: ToolContext) -> str:
        path = f"/documents/{quote(document_id, safe='')}"
        content: str = (await api.fetch(request_of(context), "GET", path))["content"]
        return content

    @server.resource("mdpublish://results/{result_id}", title="A tool's output, for an hour", mime_type="text/plain")
    async def result(result_id: str, context: ToolContext) -> str:
        missing = "this result does not exist, or its hour is over"
        return await read_upload(state, api, request_of(context), result_id, missing=missing)

    deliver = "deliver for word with the file docx, and give me the links"
    for prompt in make_prompts(word=deliver, paste="deliver, and give me the link"):
        server.add_prompt(prompt)
