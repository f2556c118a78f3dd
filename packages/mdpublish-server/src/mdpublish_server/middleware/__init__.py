"""ASGI middleware, one concern per module, and the bounded HTTP/1.1 protocol."""

from collections.abc import Iterable

from starlette.types import ASGIApp, Receive, Scope, Send

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

NETWORK_REQUESTS = 100
"""At a time."""


def wrap(
    app: ASGIApp,
    *,
    public_url: str,
    dashboard_url: str | None = None,
    account_paths: Iterable[str] = (),
    image_url: str | None = None,
    trusted_proxies: Iterable[Network] = (),
    network_requests: int = NETWORK_REQUESTS,
    metrics: Metrics | None = None,
    secret_paths: Iterable[str] = (),
) -> ASGIApp:
    """Return `app` in its middleware, which wraps Starlette's own error handling too, and sees HTTP alone.

    Only `trusted_proxies` may send forwarding headers. A network may have `network_requests` at a time. The access log
    truncates paths below `secret_paths`.
    """
    proxies = TrustedProxies(trusted_proxies)
    outermost: ASGIApp = InFlight(app, networks=NetworkLimit(network_requests, proxies), held=BytesInFlight())
    outermost = Cors(Compression(outermost))
    dashboard_url, image_url = dashboard_url or public_url, image_url or public_url
    if {dashboard_url, image_url} != {public_url}:
        outermost = HostRouting(
            outermost,
            public_url=public_url,
            dashboard_url=dashboard_url,
            account_paths=account_paths,
            image_url=image_url,
        )
    outermost = HttpsOnly(outermost, proxies=proxies, public_url=public_url)
    if metrics:
        outermost = RequestMetrics(outermost, metrics=metrics)
    outermost = AccessLog(outermost, secret_paths=tuple(secret_paths))

    async def respond(scope: Scope, receive: Receive, send: Send) -> None:
        await (outermost if scope["type"] == "http" else app)(scope, receive, send)

    return respond
