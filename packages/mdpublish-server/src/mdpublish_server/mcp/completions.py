"""Completion of arguments of prompts and resource templates: templates, destinations, ids of documents."""

from typing import Any

from mcp.server import MCPServer
from mcp.server.context import ServerRequestContext
from mcp.server.mcpserver.exceptions import ToolError
from mcp_types import CompleteRequestParams, CompleteResult, Completion
from starlette.requests import Request

from mdpublish_core import list_templates
from mdpublish_core.hosting.outputs import DESTINATIONS
from mdpublish_server.mcp.internal_api import InternalApi

MAX_VALUES = 100
"""Values of a completion, by the specification."""


def add_completions(server: MCPServer[Any], api: InternalApi) -> None:
    """Complete arguments by their names, whatever prompt or template has them."""

    async def document_ids(request: Request) -> list[str]:
        try:
            listed = await api.fetch(request, "GET", "/documents", limit=MAX_VALUES)
        except ToolError:
            # Without the scope, or past the rate limit.
            return []
        return [each["id"] for each in listed["data"]]

    async def complete(context: ServerRequestContext[Any], params: CompleteRequestParams) -> CompleteResult:
        name, typed = params.argument.name, params.argument.value
        known: list[str] = []
        if name == "template":
            known = [each.id for each in list_templates()]
        elif name == "destination":
            known = list(DESTINATIONS)
        elif name == "document_id" and isinstance(context.request, Request):
            known = await document_ids(context.request)
        values = [each for each in known if each.startswith(typed)]
        shown = values[:MAX_VALUES]
        return CompleteResult(completion=Completion(values=shown, total=len(values), has_more=len(values) > len(shown)))

    server._lowlevel_server.add_request_handler("completion/complete", CompleteRequestParams, complete)  # noqa: SLF001  (the decorator passes no request)
