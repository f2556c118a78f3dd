"""Which paths are the API's, and which are probes; every other one is a page's."""

from urllib.parse import quote

from starlette.types import Scope

PROBES = frozenset({"/healthz", "/livez", "/readyz"})
"""Paths that those who watch over the service ask, whoever they are and however they reach it."""


# What RFC 3986, section 3.3 and 3.4, lets stand in a path and in a query, and the sign of what is escaped already.
_PATH_MARKS = "/:@!$&'()*+,;=~%"
_QUERY_MARKS = _PATH_MARKS + "?"


def is_versioned(path: str) -> bool:
    """Tell whether a path is below the API's prefix."""
    return path.startswith("/v1/") or path == "/v1"


def is_api(path: str) -> bool:
    """Tell whether programs call this path, which expect JSON, and may do so from another site's page."""
    return is_versioned(path) or path == "/openapi.json"


def url_on_host(url: str, scope: Scope) -> str:
    """Return a request's path and query at the host of `url`; no path can name another one, as it begins with `/`."""
    path = quote(scope.get("raw_path") or scope["path"].encode(), safe=_PATH_MARKS)
    query = quote(scope["query_string"], safe=_QUERY_MARKS)
    return f"{url}/{path.removeprefix('/')}" + (f"?{query}" if query else "")
