"""Which paths are the API's, and which are probes; every other one is a page's."""

PROBES = frozenset({"/healthz", "/livez", "/readyz"})
"""Paths that those who watch over the service ask, whoever they are and however they reach it."""


def is_api(path: str) -> bool:
    """Tell whether programs call this path, which expect JSON, and may do so from another site's page."""
    return path.startswith("/v1/") or path in ("/v1", "/openapi.json")
