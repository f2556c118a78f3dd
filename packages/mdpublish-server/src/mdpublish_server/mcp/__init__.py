"""`/mcp`: the API as tools for AI assistants, over streamable HTTP. Requires the extra `mcp`."""

import asyncio
import gc
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from importlib.util import find_spec
from typing import TYPE_CHECKING

from starlette.concurrency import run_in_threadpool
from starlette.datastructures import Headers
from starlette.routing import Match, Route
from starlette.types import ASGIApp, Receive, Scope, Send

from mdpublish_server.api.oauth_metadata import MCP_FORMS
from mdpublish_server.middleware.cors import is_preflight
from mdpublish_server.middleware.paths import MCP, OAUTH, ROOT, SSE
from mdpublish_server.state import AppState

if TYPE_CHECKING:
    from mdpublish_server.mcp.server import McpEndpoint


class LateEndpoint:
    """Loads the endpoint for its first request: it takes as long as the rest of the service."""

    path = MCP

    def __init__(self, state: AppState, app: ASGIApp) -> None:
        self._state = state
        self._app = app
        self._start: asyncio.Task[McpEndpoint] | None = None
        self._serving: asyncio.Task[None] | None = None
        self._stopped = asyncio.Event()
        self.root = _RootRoute(ROOT, self)
        self.routes = [Route(path, self) for path in (*MCP_FORMS, *SSE, *OAUTH)]

    @asynccontextmanager
    async def running(self) -> AsyncIterator[None]:
        """Serve within the context, which an application's lifespan enters."""
        yield
        self._stopped.set()
        if self._serving is not None:
            await self._serving

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if self._start is None:
            self._start = asyncio.create_task(self._started())
        # Shared by other requests, so it outlives this one.
        endpoint = await asyncio.shield(self._start)
        await endpoint(scope, receive, send)

    async def _started(self) -> "McpEndpoint":
        endpoint = await run_in_threadpool(_load, self._state, self._app)
        ready = asyncio.Event()
        # A task of its own: what it enters, it must leave.
        self._serving = asyncio.create_task(self._serve(endpoint, ready))
        await ready.wait()
        return endpoint

    async def _serve(self, endpoint: "McpEndpoint", ready: asyncio.Event) -> None:
        try:
            async with endpoint.running():
                ready.set()
                await self._stopped.wait()
        finally:
            ready.set()


class _RootRoute(Route):
    """The home page's path, for programs that were given the bare address of the service."""

    def matches(self, scope: Scope) -> tuple[Match, Scope]:
        if scope["type"] != "http" or scope["path"] != self.path:
            return Match.NONE, {}
        headers = Headers(scope=scope)
        is_sent = {"POST": "/json" in headers.get("content-type", ""), "OPTIONS": is_preflight(scope)}
        asks = "text/event-stream" in headers.get("accept", "") or "mcp-protocol-version" in headers
        return super().matches(scope) if asks or is_sent.get(scope["method"]) else (Match.NONE, {})


def mcp_endpoint(state: AppState, app: ASGIApp) -> LateEndpoint | None:
    """Return the endpoint, whose tools call `app`; None without the extra."""
    return None if find_spec("mcp") is None else LateEndpoint(state, app)


def _load(state: AppState, app: ASGIApp) -> "McpEndpoint":
    from mdpublish_server.mcp.server import McpEndpoint

    # As at the start: later garbage collections skip what was loaded.
    gc.freeze()
    return McpEndpoint(LateEndpoint.path, state, app)
