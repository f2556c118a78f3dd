"""Resources and prompts: what an assistant's person attaches to a chat, or begins it with."""

from functools import cache
from pathlib import Path
from typing import Any
from urllib.parse import quote

from mcp.server import MCPServer
from mcp.server.mcpserver import Context
from mcp.server.mcpserver.prompts import Prompt
from starlette.requests import Request

from mdpublish_server.mcp.copy_links import read_upload
from mdpublish_server.mcp.internal_api import InternalApi
from mdpublish_server.state import AppState

_MARKDOWN = "text/markdown"


def add_resources(server: MCPServer[Any], api: InternalApi, state: AppState) -> None:
    """Add the guide, documents by id, long outputs of tools, and prompts."""

    @server.resource("mdpublish://guide", title="What to write so that it arrives", mime_type=_MARKDOWN)
    def guide() -> str:
        return Path(__file__).with_name("guide.md").read_text("utf-8")

    @server.resource("mdpublish://documents/{document_id}", title="A document's Markdown", mime_type=_MARKDOWN)
    async def document(document_id: str, context: Context[Any, Request]) -> str:
        request = context.request_context.request
        assert isinstance(request, Request)
        content: str = (await api.fetch(request, "GET", f"/documents/{quote(document_id, safe='')}"))["content"]
        return content

    @server.resource("mdpublish://results/{result_id}", title="A tool's output, for an hour", mime_type="text/plain")
    async def result(result_id: str, context: Context[Any, Request]) -> str:
        request = context.request_context.request
        assert isinstance(request, Request)
        missing = "this result does not exist, or its hour is over"
        return await read_upload(state, api, request, result_id, missing=missing)

    for prompt in _prompts():
        server.add_prompt(prompt)


@cache
def _prompts() -> tuple[Prompt, ...]:
    """Return the prompts. Making a schema of each takes longer than all else of a server."""
    return tuple(
        Prompt.from_function(function, title=title, description=description)
        for function, title, description in (
            (publish_this, "Publish this", "Publish a text as a web page."),
            (word_report, "Make this a Word report", "Hand a text over as a Word file."),
            (paste_this, "Let me paste this", "Hand a text over for a program."),
        )
    )


def publish_this(markdown: str = "your last answer", template: str = "") -> str:
    return (
        f"Publish this on the web with mdpublish{_in(template)}, mend what its notices name, and give me the link:"
        f"\n\n{markdown}"
    )


def word_report(markdown: str = "your last answer", template: str = "") -> str:
    return (
        f"Make a report of this{_in(template)}, by mdpublish's deliver for word with the file docx, and give me the "
        f"links:\n\n{markdown}"
    )


def paste_this(destination: str, markdown: str = "your last answer") -> str:
    return f"Let me paste this into {destination}, by mdpublish's deliver, and give me the link:\n\n{markdown}"


def _in(template: str) -> str:
    return f" in the template {template}" if template else ""
