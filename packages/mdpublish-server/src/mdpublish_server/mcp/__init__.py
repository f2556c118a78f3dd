"""`/mcp`: the API as tools for AI assistants, over streamable HTTP. Requires the extra `mcp`."""

from importlib.util import find_spec
from typing import TYPE_CHECKING

from starlette.types import ASGIApp

from mdpublish_server.state import AppState

if TYPE_CHECKING:
    from mdpublish_server.mcp.server import McpEndpoint


def mcp_endpoint(state: AppState, app: ASGIApp) -> "McpEndpoint | None":
    """Return the endpoint, whose tools call `app`; None without the extra."""
    if find_spec("mcp") is None:
        return None
    # Loaded in half a second.
    from mdpublish_server.mcp.server import McpEndpoint

    return McpEndpoint(state, app)
