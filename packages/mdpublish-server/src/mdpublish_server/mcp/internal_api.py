"""Calls of the API within the process, by which each tool has the API's checks, limits and errors."""

from dataclasses import dataclass
from typing import Any
from urllib.parse import urlencode

import msgspec
from mcp.server.mcpserver.exceptions import ToolError
from starlette.requests import Request
from starlette.types import ASGIApp, Message, Scope

from mdpublish_server.api.idempotency import with_body

_FORWARDED = frozenset({b"authorization", b"host", b"user-agent"})


@dataclass(frozen=True, slots=True)
class InternalApi:
    """Calls `app` in the name of the client of an MCP request."""

    app: ASGIApp

    async def fetch(
        self, request: Request, method: str, path: str, body: dict[str, Any] | None = None, **query: str | int | None
    ) -> dict[str, Any]:
        """Return the response's JSON, or a file as `html` and its notices. Sends no None.

        Raises `ToolError` with the API's message.
        """
        content = b"" if body is None else msgspec.json.encode(_given(body))
        # The disconnect of the client ends the job.
        receive = with_body(request, content).receive
        status, headers, pieces = 0, dict[bytes, bytes](), []

        async def send(message: Message) -> None:
            nonlocal status, headers
            if message["type"] == "http.response.start":
                status = message["status"]
                headers = dict(message["headers"])
            else:
                pieces.append(message.get("body", b""))

        await self.app(_scope(request, method, path, urlencode(_given(query)), len(content)), receive, send)
        if status < 400 and b"content-disposition" in headers:  # a file
            notices = msgspec.json.decode(headers.get(b"x-notices", b"[]"))
            return {"html": b"".join(pieces).decode(errors="replace"), "notices": notices}
        response = msgspec.json.decode(b"".join(pieces), type=dict[str, Any])
        if status >= 400:
            raise ToolError(_message(response["error"]))
        return response


def _given(fields: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in fields.items() if value is not None}


def _scope(request: Request, method: str, path: str, query: str, length: int) -> Scope:
    outer = request.scope
    return {
        **{name: outer[name] for name in ("type", "asgi", "http_version", "scheme", "server", "client")},
        # The access log looks there for the account.
        "state": outer.setdefault("state", {}),
        "method": method,
        "path": f"/v1{path}",
        "raw_path": f"/v1{path}".encode(),
        "root_path": "",
        "query_string": query.encode(),
        "headers": [
            *((name, value) for name, value in outer["headers"] if name in _FORWARDED),
            (b"content-type", b"application/json"),
            (b"content-length", b"%d" % length),
        ],
    }


def _message(error: dict[str, Any]) -> str:
    return f"{error['message']} ({error['code']})"
