"""What stands between the socket and the routes, one concern a module.

`protocol` bounds what a connection may send before there is a request; the rest are ASGI middleware, which `middleware`
lists in their order. They go around the whole application, Starlette's own handler of crashes included, so that a
crash's answer is counted, logged, and readable from another site as any other.
"""

from collections.abc import Iterable
from functools import reduce

from starlette.middleware import Middleware
from starlette.types import ASGIApp

from mdpublish_server.transport.access_log import AccessLog, log_config
from mdpublish_server.transport.clients import Network, TrustedProxies
from mdpublish_server.transport.compression import Compression
from mdpublish_server.transport.cors import Cors
from mdpublish_server.transport.encryption import HttpsOnly
from mdpublish_server.transport.hosts import Hosts
from mdpublish_server.transport.metrics import Metrics, MetricsServer, RequestMetrics

__all__ = ["Metrics", "MetricsServer", "Network", "TrustedProxies", "log_config", "middleware", "wrap"]


def middleware(
    *,
    public_url: str,
    account_url: str | None = None,
    account_paths: Iterable[str] = (),
    trusted_proxies: Iterable[Network] = (),
    metrics: Metrics | None = None,
    secret_paths: Iterable[str] = (),
) -> list[Middleware]:
    """Return the middleware, the outermost first.

    `public_url` is where a visitor over plain HTTP is sent, and `account_url` where `account_paths` are, if they have a host of their
    own; `trusted_proxies` are the networks whose forwarding headers
    are believed; without `metrics` nothing is counted; what follows one of `secret_paths` in a path is not logged.
    """
    apart = []
    if account_url not in (None, public_url):
        apart = [Middleware(Hosts, public_url=public_url, account_url=account_url, account_paths=tuple(account_paths))]
    counted = [Middleware(RequestMetrics, metrics=metrics)] if metrics else []
    return [
        Middleware(AccessLog, secret_paths=tuple(secret_paths)),
        *counted,
        Middleware(HttpsOnly, proxies=TrustedProxies(trusted_proxies), public_url=public_url),
        *apart,
        Middleware(Cors),
        Middleware(Compression),
    ]


def wrap(
    app: ASGIApp,
    *,
    public_url: str,
    account_url: str | None = None,
    account_paths: Iterable[str] = (),
    trusted_proxies: Iterable[Network] = (),
    metrics: Metrics | None = None,
    secret_paths: Iterable[str] = (),
) -> ASGIApp:
    """Return `app` with `middleware` around it; the arguments are those of `middleware`."""
    layers = middleware(
        public_url=public_url,
        account_url=account_url,
        account_paths=account_paths,
        trusted_proxies=trusted_proxies,
        metrics=metrics,
        secret_paths=secret_paths,
    )
    return reduce(lambda inner, layer: layer.cls(inner, *layer.args, **layer.kwargs), reversed(layers), app)
