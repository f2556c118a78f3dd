"""The server with its tools, as an ASGI application for one path."""

from collections.abc import AsyncIterator, Callable
from contextlib import AsyncExitStack, asynccontextmanager
from functools import cache
from pathlib import Path
from typing import Any

import msgspec
from mcp.server import MCPServer
from mcp.server.mcpserver.tools import Tool
from mcp.server.transport_security import TransportSecuritySettings
from mcp_types import INVALID_REQUEST, ToolAnnotations
from starlette.datastructures import MutableHeaders
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from mdpublish_core import __version__
from mdpublish_core.mcp.arguments import ToolServer
from mdpublish_server.api.idempotency import with_body
from mdpublish_server.api.oauth_metadata import challenge, metadata_url
from mdpublish_server.api.responses import error_response
from mdpublish_server.auth.authentication import Credentials, bearer_credentials
from mdpublish_server.auth.page_protection import scopes_of_fields
from mdpublish_server.auth.scopes import SCOPES, require_scopes
from mdpublish_server.errors import Forbidden, MethodNotAllowed, NotFound, ServiceError, Unauthorized
from mdpublish_server.mcp.completions import add_completions
from mdpublish_server.mcp.internal_api import InternalApi
from mdpublish_server.mcp.oauth import OAuthEndpoints
from mdpublish_server.mcp.resources import add_resources
from mdpublish_server.mcp.tools import Tools
from mdpublish_server.middleware.cors import is_preflight
from mdpublish_server.middleware.paths import MCP, OAUTH, ROOT, SSE
from mdpublish_server.state import AppState
from mdpublish_server.validation.body import DOCUMENT_BODY_BYTES, read_body

_INSTRUCTIONS = Path(__file__).with_name("instructions.md").read_text("utf-8").rstrip()

_ELSEWHERE = {
    ROOT: "There is no endpoint here; connect to {mcp} for MCP, or to {api} for the API",
    **dict.fromkeys(SSE, "There is no transport by SSE here; connect to {mcp}"),
}
"""Paths at which clients look for `/mcp`."""

_CORS_HEADERS = {
    "Access-Control-Allow-Methods": "POST",
    "Access-Control-Allow-Headers": "Authorization, Content-Type, Last-Event-ID, Mcp-Method, Mcp-Name, "
    "Mcp-Protocol-Version, Mcp-Session-Id",
    "Access-Control-Expose-Headers": "Mcp-Session-Id, WWW-Authenticate",
    "Access-Control-Max-Age": "86400",
}

_READS = ToolAnnotations(read_only_hint=True, open_world_hint=False)
# The other hints are as the protocol has them by default.
_CREATES = ToolAnnotations(destructive_hint=False)
_CHANGES = ToolAnnotations(destructive_hint=True, idempotent_hint=True)

_TOOLS: tuple[tuple[Callable[..., Any], str, ToolAnnotations, tuple[str, ...]], ...] = (
    (Tools.convert, "Convert Markdown", _READS, ("convert",)),
    (Tools.import_, "Import a document", _READS, ("convert",)),
    (Tools.create_document, "Create a document", _CREATES, ("documents.write",)),
    (Tools.deliver, "Hand over a document", _CREATES, ("convert",)),
    (Tools.create_upload, "Take a long text", _CREATES, ()),
    (Tools.list_documents, "List documents", _READS, ("documents.read",)),
    (Tools.get_document, "Read a document", _READS, ("documents.read",)),
    (Tools.update_document, "Change a document", _CHANGES, ("documents.write",)),
    (Tools.publish_document, "Publish a document", _CHANGES, ("publish",)),
    (Tools.unpublish_document, "Unpublish a document", _CHANGES, ("publish",)),
    (Tools.list_templates, "List templates", _READS, ()),
    (Tools.get_usage, "Show the quota", _READS, ()),
)
TOOL_SCOPES = {tool.__name__.rstrip("_"): scopes for tool, _, _, scopes in _TOOLS if scopes}
"""Scopes of the operations that each tool calls, so that an app learns at once of all that it lacks."""


class McpEndpoint:
    """Serves `/mcp` without sessions: any process of several can take any request."""

    def __init__(self, path: str, state: AppState, app: ASGIApp) -> None:
        self._path = path
        self._state = state
        self._api = InternalApi(app)
        self._oauth = OAuthEndpoints(state.apps)
        self._apps: dict[bool, ASGIApp] = {}
        """Apps for streams, which carry progress, and for whole responses, which any proxy passes on at once."""

    @asynccontextmanager
    async def running(self) -> AsyncIterator[None]:
        """Serve within the context, which an application's lifespan enters."""
        server = build_server(Tools(self._api, self._state))
        async with AsyncExitStack() as stack:
            for is_streamed in (False, True):
                self._apps[is_streamed] = server.streamable_http_app(
                    streamable_http_path=self._path,
                    stateless_http=True,
                    json_response=not is_streamed,
                    max_request_body_size=DOCUMENT_BODY_BYTES,
                    # The host is the proxy's business, and any origin may have a token.
                    transport_security=TransportSecuritySettings(enable_dns_rebinding_protection=False),
                )
                await stack.enter_async_context(server.session_manager.run())
            yield

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        request = Request(scope, receive, send)
        if scope["path"] in OAUTH:
            response = await self._oauth.respond(request)
            await response(scope, receive, send)
            return
        headers = self._cors_headers(request.headers.get("origin"))
        if request.method == "OPTIONS" and is_preflight(scope):
            await Response(status_code=204, headers=headers)(scope, receive, send)
            return
        try:
            if (message := _ELSEWHERE.get(scope["path"])) is not None:
                settings = self._state.settings
                raise NotFound(message.format(mcp=f"{settings.public_url}{MCP}", api=settings.base_url))
            called, receive = await self._admitted(request)
        except ServiceError as error:
            response = error_response(error)
            response.headers.update(headers)
            await response(scope, receive, send)
            return
        assert self._apps, "called outside of the application's lifespan"

        async def send_openly(message: Message) -> None:
            if message["type"] == "http.response.start":
                MutableHeaders(scope=message).update(headers)
            await send(message)

        if called.problem:
            await called.refusal()(scope, receive, send_openly)
            return
        await self._use(called, scope, receive, send_openly)

    async def _use(self, called: "_ToolRequest", scope: Scope, receive: Receive, send: Send) -> None:
        headers = MutableHeaders(raw=list(scope["headers"]))
        accepted = headers.get("accept", "*/*")
        takes_only_events = "text/event-stream" in accepted and "/json" not in accepted and "*/*" not in accepted
        is_streamed = takes_only_events or (called.wants_progress and "text/event-stream" in accepted)
        # The SDK refuses who does not name both, and knows one path.
        headers["accept"] = "application/json, text/event-stream"
        await self._apps[is_streamed]({**scope, "path": self._path, "headers": headers.raw}, receive, send)

    def _cors_headers(self, origin: str | None) -> dict[str, str]:
        settings = self._state.settings
        if origin is None or origin not in (settings.public_url, *settings.mcp_origins):
            return {}
        return {"Access-Control-Allow-Origin": origin, "Vary": "Origin", **_CORS_HEADERS}

    async def _admitted(self, request: Request) -> "tuple[_ToolRequest, Receive]":
        """Return the body and its receiver; raise `Unauthorized`, or `Forbidden` with all scopes that a tool lacks.

        No page of another site can send a token that it was not given, so every `Origin` is accepted with one.
        """
        authorization, settings = request.headers.get("authorization"), self._state.settings
        path = request.scope["path"]
        try:
            granted = await self._state.authenticator.require(
                Credentials() if authorization is None else bearer_credentials(authorization)
            )
        except Unauthorized as error:
            error.headers["WWW-Authenticate"] = challenge(settings, path, has_token=authorization is not None)
            raise
        if request.method != "POST":
            raise MethodNotAllowed(
                f"{request.method[:20]} is not allowed; allowed methods: POST", headers={"Allow": "POST"}
            )
        body = await read_body(request, max_bytes=DOCUMENT_BODY_BYTES)
        called = _ToolRequest.read(body)
        try:
            require_scopes(granted, called.needed_scopes())
        except Forbidden as error:
            error.headers["WWW-Authenticate"] += f', resource_metadata="{metadata_url(settings, path)}"'
            raise
        return called, with_body(request, body).receive


class _ToolRequest(msgspec.Struct):
    """A JSON-RPC request, as far as scopes and the form of the response depend on it."""

    class Params(msgspec.Struct):
        name: str = ""
        arguments: dict[str, Any] = {}
        meta: dict[str, Any] = msgspec.field(name="_meta", default_factory=dict)

    jsonrpc: Any = ""
    method: str = ""
    params: Params | None = None
    id: Any = ""

    @classmethod
    def read(cls, body: bytes) -> "_ToolRequest":
        """Return what a body has, or an empty request: what is no JSON, the SDK refuses."""
        try:
            return msgspec.json.decode(body, type=cls)
        except msgspec.ValidationError:
            return cls(jsonrpc="2.0" if isinstance(msgspec.json.decode(body), dict) else "")
        except (msgspec.DecodeError, RecursionError):
            return cls(jsonrpc="2.0")

    @property
    def problem(self) -> str:
        """What is wrong with a request that the SDK would take for a notification, or refuse in pydantic's words."""
        if self.jsonrpc != "2.0":
            return 'the body must be one JSON object with "jsonrpc": "2.0"'
        is_id = isinstance(self.id, (str, int)) and not isinstance(self.id, bool)
        return "" if is_id or self.method.startswith("notifications/") else "id must be a string or an integer"

    def refusal(self) -> Response:
        error = {"code": INVALID_REQUEST, "message": self.problem}
        shown = self.id if isinstance(self.id, float) else None
        return JSONResponse({"jsonrpc": "2.0", "id": shown, "error": error}, 400)

    @property
    def wants_progress(self) -> bool:
        return self.method == "tools/call" and self.params is not None and "progressToken" in self.params.meta

    def needed_scopes(self) -> tuple[str, ...]:
        """Return the scopes of the tool that is called, and of the fields that it gives an existing document."""
        if self.method != "tools/call" or self.params is None:
            return ()
        arguments, needed = self.params.arguments, {*TOOL_SCOPES.get(self.params.name, ())}
        if self.params.name == "deliver" and arguments.get("document_id"):
            needed.add("documents.read")
        elif arguments.get("publish") is True:
            needed.add("documents.write")
        if arguments.get("publish") is True:
            needed.add("publish")
        if arguments.get("document_id"):
            needed |= scopes_of_fields(name for name, value in arguments.items() if value is not None)
        return tuple(name for name in SCOPES if name in needed)


def build_server(tools: Tools) -> MCPServer[Any]:
    server = ToolServer[Any](
        "mdpublish",
        title="mdpublish",
        instructions=_INSTRUCTIONS,
        version=__version__,
        log_level="WARNING",
        tools=[tool.model_copy(update={"fn": getattr(tools, tool.fn.__name__)}) for tool in _described_tools()],
    )
    add_resources(server, tools.api, tools.state)
    add_completions(server, tools.api)
    return server


@cache
def _described_tools() -> tuple[Tool, ...]:
    """Return the tools without an application. Making a schema of each takes longer than all else of it."""
    tools = object.__new__(Tools)
    return tuple(
        Tool.from_function(
            getattr(tools, tool.__name__), name=tool.__name__.rstrip("_"), title=title, annotations=hints
        )
        for tool, title, hints, _ in _TOOLS
    )
