"""Which paths are the API's, and which are probes; every other one is a page's."""

PROBES = frozenset({"/healthz", "/livez", "/readyz"})
"""Paths that those who watch over the service ask, whoever they are and however they reach it."""


def is_versioned(path: str) -> bool:
    """Tell whether a path is below the API's prefix."""
    return path.startswith("/v1/") or path == "/v1"


def is_api(path: str) -> bool:
    """Tell whether programs call this path, which expect JSON, and may do so from another site's page."""
    return is_versioned(path) or path == "/openapi.json"
