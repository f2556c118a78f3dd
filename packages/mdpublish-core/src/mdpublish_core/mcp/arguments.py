"""Arguments as assistants and their programs send them, checked before a tool runs, here and on the service.

The published schemas stay open, since adapters of some models fail on closed ones, and the SDK ignores what a tool does
not have: a misspelt `visibility` would leave a page open. Requires the extra `mcp`.
"""

import re
from collections.abc import Mapping
from typing import Any, TypeVar

from mcp import MCPError
from mcp.server import MCPServer
from mcp.server.mcpserver import Context
from mcp.server.mcpserver.exceptions import ToolError, UnexpectedToolError
from mcp_types import INVALID_PARAMS, CallToolResult, GetPromptResult, InputRequiredResult, Tool
from pydantic import ValidationError

from mdpublish_core.data_files import read_words
from mdpublish_core.errors import choose_from, nearest
from mdpublish_core.mcp.schemas import compact_tool

_Lifespan = TypeVar("_Lifespan")

_OF_PROGRAMS = frozenset(
    {"action", "chatInput", "random_string", "sessionId", "task_progress", "tool", "toolCallId", "wait_for_previous"}
)
"""What n8n, Cline, Gemini CLI and Cursor add to the arguments of any tool."""

_OTHER_NAMES = read_words(__file__, "other_names.tsv")
"""Names of the API, the command and earlier versions, with the names that they stand for: a tool has at most one."""

_IDENTIFIERS = frozenset({"cursor", "document_id", "template", "upload_id"})
_EMPTY = ("", "null", ["null"])
"""Values that programs send for an argument that they leave out; only texts may have them."""


class ToolServer(MCPServer[_Lifespan]):
    """A server whose tools refuse arguments that they do not have, and say in one line what is wrong."""

    async def list_tools(self) -> list[Tool]:
        return [compact_tool(tool) for tool in await super().list_tools()]

    async def call_tool(
        self, name: str, arguments: dict[str, Any], context: Context[_Lifespan, Any] | None = None
    ) -> CallToolResult | InputRequiredResult:
        tools = {tool.name: tool for tool in await super().list_tools()}
        if name not in tools:
            raise ToolError(f"unknown tool {name[:60]!r}{choose_from(tuple(tools), name)}")
        arguments = checked_arguments(arguments, compact_tool(tools[name]).input_schema["properties"])
        try:
            return await super().call_tool(name, arguments, context)
        except ToolError as error:
            if isinstance(error, UnexpectedToolError):
                raise
            raise ToolError(_in_words(error)) from None

    async def get_prompt(
        self, name: str, arguments: dict[str, Any] | None = None, context: Context[_Lifespan, Any] | None = None
    ) -> GetPromptResult | InputRequiredResult:
        try:
            return await super().get_prompt(name, arguments, context)
        except ValueError as error:
            # Of an unknown name or a missing argument; the SDK would log it with a traceback as a fault of ours.
            raise MCPError(INVALID_PARAMS, _in_words(error)) from None


def checked_arguments(arguments: Mapping[str, Any], fields: Mapping[str, Any]) -> dict[str, Any]:
    """Return the given arguments by the names of a tool's fields; raise `ToolError` at an unknown name."""
    given = dict[str, Any]()
    for name, value in arguments.items():
        field = next((each for each in (name, *_OTHER_NAMES.get(name, ())) if each in fields), None)
        if field is not None:
            read = _read(field, fields[field], value)
            if read is not None and given.setdefault(field, read) != read:
                raise ToolError(f"give {field} once; it has another value by another name")
        elif name not in _OF_PROGRAMS:
            raise ToolError(_unknown(name[:60], tuple(fields)))
    return given


def _read(name: str, schema: Mapping[str, Any], value: Any) -> Any:
    """Return a value, or None if it is left out."""
    is_text = schema["type"] == "string" and "enum" not in schema and name not in _IDENTIFIERS
    if is_text and isinstance(value, str):
        # Bytes become a string again; the SDK would read a text such as `null` or `[1]` as JSON.
        return value.encode()
    if value in _EMPTY:
        return None
    is_item = schema["type"] == "array" and isinstance(value, str) and not value.lstrip().startswith("[")
    return [value] if is_item else value


def _unknown(name: str, known: tuple[str, ...]) -> str:
    meant = nearest(name, known, 0.5)
    question = f"did you mean {meant!r}? Choose from" if meant else "choose from"
    return f"unknown argument {name!r}; " + (f"{question}: {', '.join(known)}" if known else "this tool takes none")


def _in_words(failure: Exception) -> str:
    """Return what failed in one line."""
    error: BaseException = failure
    while error.__cause__:
        error = error.__cause__
    if not isinstance(error, ValidationError):
        return "; ".join(str(failure).splitlines())
    problems = [(".".join(map(str, each["loc"])), each["msg"]) for each in error.errors()]
    return "; ".join(
        f"{name} {'is required' if problem == 'Field required' else re.sub('^[A-Z][a-z]+ should', 'must', problem)}"
        for name, problem in problems
    )
