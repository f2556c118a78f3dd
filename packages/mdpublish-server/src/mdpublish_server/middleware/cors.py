"""CORS for the API: any origin may call it with an API key, never with cookies."""

from starlette.responses import Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from mdpublish_server.middleware.paths import is_open, is_versioned

HEADERS = (
    (b"access-control-allow-origin", b"*"),
    (
        b"access-control-expose-headers",
        b"ETag, Idempotency-Replayed, X-RateLimit-Limit, X-RateLimit-Remaining, X-RateLimit-Reset, Retry-After, X-Notices, X-Request-ID",
    ),
)

_PREFLIGHT_HEADERS = {
    "Access-Control-Allow-Origin": "*",
    "Access-Control-Allow-Methods": "GET, HEAD, POST, PATCH, DELETE",
    "Access-Control-Allow-Headers": "Authorization, Content-Type, Idempotency-Key, If-Match, If-None-Match",
    "Access-Control-Max-Age": "86400",  # seconds; one day is Firefox's maximum
}

_MCP_PREFLIGHT_HEADERS = _PREFLIGHT_HEADERS | {
    "Access-Control-Allow-Headers": f"{_PREFLIGHT_HEADERS['Access-Control-Allow-Headers']}, MCP-Protocol-Version"
}
"""Headers for the requests by which clients of `/mcp` connect."""


class Cors:
    """Preflight responses, and CORS headers for the API's responses."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if not is_open(scope["path"]):
            await self._app(scope, receive, send)
            return
        if scope["method"] == "OPTIONS" and is_preflight(scope):
            headers = _PREFLIGHT_HEADERS if is_versioned(scope["path"]) else _MCP_PREFLIGHT_HEADERS
            await Response(status_code=204, headers=headers)(scope, receive, send)
            return
        await self._app(scope, receive, with_headers(send, *HEADERS))


def with_headers(send: Send, *headers: tuple[bytes, bytes]) -> Send:
    """Return `send` that adds headers to the response."""

    async def send_with_headers(message: Message) -> None:
        if message["type"] == "http.response.start":
            message["headers"] = [*message.get("headers", ()), *headers]
        await send(message)

    return send_with_headers


def is_preflight(scope: Scope) -> bool:
    """Tell whether a browser asks what a page may send, which it does without credentials."""
    names = {name for name, _ in scope["headers"]}
    return b"origin" in names and b"access-control-request-method" in names
