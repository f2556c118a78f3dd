"""The server, with its tools."""

from collections.abc import AsyncIterable, AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import TypeAlias

import anyio
from anyio.abc import ObjectSendStream
from mcp.server import MCPServer
from mcp.server.context import ServerRequestContext
from mcp.server.stdio import stdio_server
from mcp.shared.message import SessionMessage
from mcp_types import (
    INVALID_REQUEST,
    ErrorData,
    JSONRPCError,
    JSONRPCNotification,
    ListToolsResult,
    PaginatedRequestParams,
    ToolAnnotations,
)

from mdpublish_core import __version__
from mdpublish_core.cli.clipboards import Clipboard
from mdpublish_core.cli.mcp import tools
from mdpublish_core.cli.mcp.file_tools import FILE_TOOLS, has_roots
from mdpublish_core.cli.mcp.folders import Folders
from mdpublish_core.mcp.arguments import ToolServer
from mdpublish_core.mcp.prompts import add_guide, make_prompts

_INSTRUCTIONS = """\
mdpublish turns Markdown into what a program shows best: Google Docs, Word, Slack, OneNote, email, plain text, HTML. It \
draws Mermaid, Chart.js charts, Graphviz, math and callouts. Write Markdown as usual; read the notices of a result, mend \
the lines that they name, and tell the person what could not be shown. Everything happens on this computer."""

Item: TypeAlias = SessionMessage | Exception
Send: TypeAlias = Callable[[SessionMessage], Awaitable[None]]

_READS = ToolAnnotations(read_only_hint=True, open_world_hint=False)
# The other hints are as the protocol has them by default.
_COPIES = ToolAnnotations(destructive_hint=True, idempotent_hint=True, open_world_hint=False)
_WRITES = ToolAnnotations(destructive_hint=True, open_world_hint=False)
_PUBLISHES = ToolAnnotations(destructive_hint=True, idempotent_hint=True)


class _Server(ToolServer[Folders | None]):
    async def _handle_list_tools(
        self, ctx: ServerRequestContext[Folders | None], params: PaginatedRequestParams | None
    ) -> ListToolsResult:
        listed = await super()._handle_list_tools(ctx, params)
        if not (ctx.lifespan_context or has_roots(ctx.session.client_capabilities)):
            listed.tools = [tool for tool in listed.tools if tool.title not in FILE_TOOLS]
        return listed

    async def run_stdio_async(self) -> None:
        """Serve as the SDK does, which says nothing to what is no request."""
        async with stdio_server() as (received, sent), anyio.create_task_group() as tasks:
            passing, passed = anyio.create_memory_object_stream[Item](0)
            tasks.start_soon(_pass_on, received, passing, sent.send)
            options = self._lowlevel_server.create_initialization_options()
            await self._lowlevel_server.run(passed, sent, options)


async def _pass_on(received: AsyncIterable[Item], passing: ObjectSendStream[Item], send: Send) -> None:
    async with passing:
        async for item in received:
            message = JSONRPCNotification(jsonrpc="2.0", method="") if isinstance(item, Exception) else item.message
            # The SDK takes a request with a wrong id for a notification.
            if not isinstance(message, JSONRPCNotification) or message.method.startswith("notifications/"):
                await passing.send(item)
            else:
                problem = "send one JSON-RPC 2.0 message a line, whose id is a string or an integer"
                error = ErrorData(code=INVALID_REQUEST, message=problem)
                await send(SessionMessage(JSONRPCError(jsonrpc="2.0", id=None, error=error)))


def build_server(clipboard: Clipboard | None, folders: Folders | None = None) -> MCPServer[Folders | None]:
    """Return the server. It copies only with a clipboard; without folders, files are those of the client's roots."""

    @asynccontextmanager
    async def lifespan(_server: MCPServer[Folders | None]) -> AsyncIterator[Folders | None]:
        yield folders

    server = _Server(
        "mdpublish",
        title="mdpublish",
        instructions=_INSTRUCTIONS,
        version=__version__,
        log_level="WARNING",
        lifespan=lifespan,
    )
    if clipboard is not None:
        server.add_tool(
            tools.copying_to(clipboard), name="copy_to_clipboard", title="Copy for a program", annotations=_COPIES
        )
    server.add_tool(tools.convert_markdown, name="convert", title="Convert Markdown", annotations=_READS)
    server.add_tool(tools.import_document, name="import", title="Import a document", annotations=_READS)
    server.add_tool(tools.check_markdown, name="check", title="Check Markdown", annotations=_READS)
    server.add_tool(tools.format_text, name="format", title="Format Markdown", annotations=_READS)
    server.add_tool(tools.list_available_templates, name="list_templates", title="List templates", annotations=_READS)
    for title, function in FILE_TOOLS.items():
        annotations = _READS if title == "Check a file" else _PUBLISHES if title == "Publish files" else _WRITES
        server.add_tool(function, title=title, annotations=annotations)
    add_guide(server, Path(__file__).with_name("guide.md"))
    for prompt in make_prompts(word="convert_file to docx", paste="copy_to_clipboard"):
        server.add_prompt(prompt)
    return server
