"""Paths of the API and of probes; all others are pages."""

from urllib.parse import quote

from starlette.types import Scope

MCP = "/mcp"

ROOT = "/"

SSE = ("/sse", f"{MCP}/sse")
"""Where clients look for the transport before streamable HTTP, which is not here."""

OAUTH = ("/token", "/register", "/revoke")
"""What apps call; `/authorize` is a page."""

_OPEN = frozenset({"/openapi.json", *OAUTH})

PROBES = frozenset({"/healthz", "/livez", "/readyz"})
# RFC 3986, sections 3.3 and 3.4, and `%` of what is escaped already.
_PATH_MARKS = "/:@!$&'()*+,;=~%"
_QUERY_MARKS = _PATH_MARKS + "?"


def is_versioned(path: str) -> bool:
    return path.startswith("/v1/") or path == "/v1"


def is_api(path: str) -> bool:
    """Tell whether programs alone ask for the path, whichever of the site's hosts they name."""
    return is_open(path) or path == MCP or path.startswith(f"{MCP}/") or path in SSE


def is_open(path: str) -> bool:
    """Tell whether scripts of any site may call it, without cookies."""
    return is_versioned(path) or path in _OPEN or path.startswith("/.well-known/o")


def url_on_host(url: str, scope: Scope) -> str:
    """Return the request's path and query on the host of `url`, which they cannot override."""
    path = quote(scope.get("raw_path") or scope["path"].encode(), safe=_PATH_MARKS)
    query = quote(scope["query_string"], safe=_QUERY_MARKS)
    return f"{url}/{path.removeprefix('/')}" + (f"?{query}" if query else "")
