"""ASGI middleware, one concern per module, and the bounded HTTP/1.1 protocol."""

from collections.abc import Iterable
from functools import reduce

from starlette.middleware import Middleware
from starlette.types import ASGIApp

from mdpublish_server.middleware.access_log import AccessLog, log_config
from mdpublish_server.middleware.compression import Compression
from mdpublish_server.middleware.connections import Connections, NetworkLimit
from mdpublish_server.middleware.cors import Cors
from mdpublish_server.middleware.hosts import HostRouting
from mdpublish_server.middleware.https import HttpsOnly
from mdpublish_server.middleware.in_flight import InFlight
from mdpublish_server.middleware.metrics import Metrics, MetricsServer, RequestMetrics, SharedGauges
from mdpublish_server.middleware.trusted_proxies import Network, TrustedProxies
from mdpublish_server.ratelimit.in_flight import BytesInFlight

__all__ = [
    "Connections",
    "Metrics",
    "MetricsServer",
    "Network",
    "NetworkLimit",
    "SharedGauges",
    "TrustedProxies",
    "build_middleware",
    "log_config",
    "wrap",
]

NETWORK_REQUESTS = 100
"""At a time."""


def build_middleware(
    *,
    public_url: str,
    dashboard_url: str | None = None,
    account_paths: Iterable[str] = (),
    trusted_proxies: Iterable[Network] = (),
    network_requests: int = NETWORK_REQUESTS,
    metrics: Metrics | None = None,
    secret_paths: Iterable[str] = (),
) -> list[Middleware]:
    """Return the middleware, outermost first; it wraps Starlette's own error handling too.

    Only `trusted_proxies` may send forwarding headers. A network may have `network_requests` at a time. The access log
    truncates paths below `secret_paths`.
    """
    host_routing = []
    if dashboard_url not in (None, public_url):
        host_routing = [
            Middleware(
                HostRouting, public_url=public_url, dashboard_url=dashboard_url, account_paths=tuple(account_paths)
            )
        ]
    proxies = TrustedProxies(trusted_proxies)
    request_metrics = [Middleware(RequestMetrics, metrics=metrics)] if metrics else []
    return [
        Middleware(AccessLog, secret_paths=tuple(secret_paths)),
        *request_metrics,
        Middleware(HttpsOnly, proxies=proxies, public_url=public_url),
        *host_routing,
        Middleware(Cors),
        Middleware(Compression),
        Middleware(InFlight, networks=NetworkLimit(network_requests, proxies), held=BytesInFlight()),
    ]


def wrap(
    app: ASGIApp,
    *,
    public_url: str,
    dashboard_url: str | None = None,
    account_paths: Iterable[str] = (),
    trusted_proxies: Iterable[Network] = (),
    network_requests: int = NETWORK_REQUESTS,
    metrics: Metrics | None = None,
    secret_paths: Iterable[str] = (),
) -> ASGIApp:
    """Return `app` wrapped in `build_middleware`."""
    layers = build_middleware(
        public_url=public_url,
        dashboard_url=dashboard_url,
        account_paths=account_paths,
        trusted_proxies=trusted_proxies,
        network_requests=network_requests,
        metrics=metrics,
        secret_paths=secret_paths,
    )
    return reduce(lambda inner, layer: layer.cls(inner, *layer.args, **layer.kwargs), reversed(layers), app)
