"""The server with its tools, as an ASGI application for one path."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

from mcp.server import MCPServer
from mcp.server.transport_security import TransportSecuritySettings
from mcp_types import ToolAnnotations
from starlette.requests import Request
from starlette.types import ASGIApp, Receive, Scope, Send

from mdpublish_core import __version__
from mdpublish_server.api.responses import error_response
from mdpublish_server.auth.authentication import Credentials, bearer_credentials
from mdpublish_server.errors import Forbidden, MethodNotAllowed, ServiceError
from mdpublish_server.mcp.internal_api import InternalApi
from mdpublish_server.mcp.tools import Tools
from mdpublish_server.state import AppState
from mdpublish_server.validation.body import DOCUMENT_BODY_BYTES

_INSTRUCTIONS = """\
mdpublish converts Markdown for Google Docs, Word, Slack, OneNote, email, plain text and the web, and publishes it as web \
pages. It draws Mermaid, Chart.js charts, Graphviz, math and callouts. Write Markdown as usual; read the notices of a \
result, mend the lines that they name, and tell the person what could not be shown. Publish only what the person asked to \
publish."""

_READS = ToolAnnotations(read_only_hint=True, open_world_hint=False)
_CREATES = ToolAnnotations(read_only_hint=False, destructive_hint=False, open_world_hint=True)
_CHANGES = ToolAnnotations(read_only_hint=False, destructive_hint=True, idempotent_hint=True, open_world_hint=True)


class McpEndpoint:
    """Serves `/mcp` without sessions: any process of several can take any request."""

    def __init__(self, path: str, state: AppState, app: ASGIApp) -> None:
        self._path = path
        self._state = state
        self._api = InternalApi(app)
        self._app: ASGIApp | None = None

    @asynccontextmanager
    async def running(self) -> AsyncIterator[None]:
        """Serve within the context, which an application's lifespan enters."""
        server = build_server(Tools(self._api, self._state))
        self._app = server.streamable_http_app(
            streamable_http_path=self._path,
            stateless_http=True,
            json_response=True,
            max_request_body_size=DOCUMENT_BODY_BYTES,
            # The host is the proxy's business, and the origin is checked here.
            transport_security=TransportSecuritySettings(enable_dns_rebinding_protection=False),
        )
        async with server.session_manager.run():
            yield

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        request = Request(scope, receive, send)
        try:
            if request.method != "POST":
                raise MethodNotAllowed(
                    f"{request.method[:20]} is not allowed; allowed methods: POST", headers={"Allow": "POST"}
                )
            origin = request.headers.get("origin")
            if origin not in (None, self._state.settings.public_url):
                raise Forbidden("Requests from other sites are not allowed; call /mcp from a program")
            authorization = request.headers.get("authorization")
            await self._state.authenticator.require(
                Credentials() if authorization is None else bearer_credentials(authorization)
            )
        except ServiceError as error:
            await error_response(error)(scope, receive, send)
            return
        assert self._app is not None, "called outside of the application's lifespan"
        await self._app(scope, receive, send)


def build_server(tools: Tools) -> MCPServer[Any]:
    server: MCPServer[Any] = MCPServer(
        "mdpublish", title="mdpublish", instructions=_INSTRUCTIONS, version=__version__, log_level="WARNING"
    )
    for function, title, annotations in (
        (tools.convert, "Convert Markdown", _READS),
        (tools.import_, "Make Markdown of HTML or a file", _READS),
        (tools.create_document, "Create a document", _CREATES),
        (tools.list_documents, "List documents", _READS),
        (tools.get_document, "Read a document", _READS),
        (tools.update_document, "Change a document", _CHANGES),
        (tools.publish_document, "Publish a document", _CHANGES),
        (tools.unpublish_document, "Unpublish a document", _CHANGES),
        (tools.list_templates, "List templates", _READS),
        (tools.get_usage, "Show the quota", _READS),
    ):
        server.add_tool(function, name=function.__name__.rstrip("_"), title=title, annotations=annotations)
    return server
