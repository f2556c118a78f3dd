"""Starts servers as assistants do, by command lines of their configurations."""

from collections.abc import Awaitable, Callable, Sequence
from typing import Any, TypeVar

import anyio
from mcp.client.client import Client
from mcp.client.stdio import StdioServerParameters, stdio_client

Result = TypeVar("Result")


def ask(
    command: Sequence[str], question: Callable[[Client], Awaitable[Result]], variables: dict[str, str] | None = None
) -> Result:
    """Return the answer of a server that the SDK's client starts."""
    parameters = StdioServerParameters(command=command[0], args=list(command[1:]), env=variables)

    async def converse() -> Result:
        async with Client(stdio_client(parameters)) as client:
            return await question(client)

    return anyio.run(converse)


def tool_names(command: Sequence[str], variables: dict[str, str] | None = None) -> set[str]:
    async def names(client: Client) -> set[str]:
        return {tool.name for tool in (await client.list_tools()).tools}

    return ask(command, names, variables)


def use(command: Sequence[str], variables: dict[str, str], name: str, **arguments: object) -> dict[str, Any]:
    async def called(client: Client) -> dict[str, Any]:
        result: Any = await client.call_tool(name, arguments)
        assert not result.is_error, result
        return dict(result.structured_content)

    return ask(command, called, variables)
