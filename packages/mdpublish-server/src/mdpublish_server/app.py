"""The ASGI application: `/v1/…` and the probes respond with JSON, the rest with HTML."""

import gc
import re
import sys
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from contextlib import asynccontextmanager, nullcontext
from functools import partial

from starlette.applications import Starlette
from starlette.concurrency import run_in_threadpool
from starlette.exceptions import HTTPException
from starlette.requests import ClientDisconnect, Request
from starlette.responses import Response
from starlette.routing import Route
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from mdpublish_core.errors import nearest
from mdpublish_server.api import OPERATIONS, health, openapi
from mdpublish_server.api.oauth_metadata import OAuthMetadata
from mdpublish_server.api.operations import refuse, run
from mdpublish_server.api.responses import error_response, rate_limit_headers
from mdpublish_server.api.uploads import Uploads
from mdpublish_server.auth.authentication import has_bearer
from mdpublish_server.clock import Clock, utc_now
from mdpublish_server.conversion import disconnects
from mdpublish_server.conversion.converter import Converter, Share
from mdpublish_server.errors import InternalError, InvalidBody, MethodNotAllowed, NotFound, ServiceError
from mdpublish_server.mcp import mcp_endpoint
from mdpublish_server.middleware import Metrics, MetricsServer, SharedGauges, wrap
from mdpublish_server.middleware.paths import is_api, is_versioned
from mdpublish_server.settings import Settings
from mdpublish_server.state import AppState
from mdpublish_server.storage import Database
from mdpublish_server.storage.audit import CLOCK
from mdpublish_server.web.account.sessions import Sessions
from mdpublish_server.web.devices import DeviceCookies
from mdpublish_server.web.endpoints import Endpoint
from mdpublish_server.web.public import pages
from mdpublish_server.web.routes import SECRET_PATHS, site_routes
from mdpublish_server.web.site import Site

_VERSION = re.compile(r"^/+(?:api/)?(?:v\d+/)*")
_ID = re.compile(r"/(?:[0-9a-f-]{36}|\d+)(?=/|$)")

_SWITCH_SECONDS = 0.001
"""After which a thread, such as that of an export, lets the event loop have the GIL: several times in each request."""


def create_app(
    settings: Settings, *, database: Database | None = None, converter: Converter | None = None, clock: Clock = utc_now
) -> ASGIApp:
    """Return the application; the database must be migrated."""
    return make_app(AppState(settings, database=database, converter=converter, clock=clock))


def make_app(state: AppState) -> ASGIApp:
    settings = state.settings
    site = Site(settings)
    metrics = Metrics()
    metrics_server = _metrics_server(metrics, settings) if settings.metrics_port else None
    if metrics_server:
        _register_metrics(state.converter, metrics)
        state.images.observe(metrics.count_image)

    @asynccontextmanager
    async def lifespan(_app: Starlette) -> AsyncIterator[None]:
        if metrics_server:
            metrics_server.start()
        await state.start()
        sys.setswitchinterval(_SWITCH_SECONDS)
        # Exclude what exists now from garbage collection, which would take 40 ms each time.
        # In a thread, whose first use imports a module, for which requests would wait.
        await run_in_threadpool(gc.collect)
        gc.freeze()
        async with mcp.running() if mcp else nullcontext():
            yield
        await state.stop()
        if metrics_server:
            await run_in_threadpool(metrics_server.stop)

    published = pages.PublishedPages(state.page_server, site, settings)
    # API first: popular pages are served from memory.
    endpoints = site_routes(state, site, published)
    routes = [*_operations(state), *_site(state, {**endpoints.public, **endpoints.accounts})]
    app = Starlette(routes=routes, exception_handlers=_exception_handlers(site, state), lifespan=lifespan)
    app.router.redirect_slashes = False
    mcp = mcp_endpoint(state, app)
    if mcp:
        # What connected apps need is there with what they connect to; of `/`, the home page has the rest.
        app.router.routes.insert(0, mcp.root)
        app.router.routes.extend(mcp.routes)
        app.router.routes.extend(_route(path, GET=show) for path, show in OAuthMetadata(settings).paths.items())
    wrapped = wrap(
        pages.PageCacheMiddleware(app, published, routes),
        public_url=settings.public_url,
        dashboard_url=settings.dashboard_url,
        account_paths=endpoints.accounts,
        image_url=settings.image_url,
        trusted_proxies=settings.trusted_proxies,
        network_requests=settings.network_connections,
        metrics=metrics if metrics_server else None,
        secret_paths=SECRET_PATHS,
    )
    limited = _with_rate_limit_headers(wrapped, state)

    async def application(scope: Scope, receive: Receive, send: Send) -> None:
        # For the events that this request records.
        CLOCK.set(state.clock)
        await limited(scope, receive, send)

    return application


def _metrics_server(metrics: Metrics, settings: Settings) -> MetricsServer | SharedGauges:
    """Return what exposes the metrics of this process, which the supervisor of several serves."""
    assert settings.metrics_port is not None
    return SharedGauges(metrics) if settings.processes > 1 else MetricsServer(metrics, port=settings.metrics_port)


def _register_metrics(converter: Converter, metrics: Metrics) -> None:
    converter.observe(metrics.count_conversion)
    for share in Share:
        metrics.add_gauge(
            f"mdpublish_{share}_jobs_waiting",
            f"Conversion and rendering jobs for {share} waiting for a worker.",
            read=partial(converter.waiting, share),
        )


def _with_rate_limit_headers(app: ASGIApp, state: AppState) -> ASGIApp:
    """Add rate-limit headers to API responses sent before authentication."""

    async def respond(scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http" or not is_versioned(scope["path"]):
            await app(scope, receive, send)
            return

        async def send_with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = message["headers"]
                if not any(name == b"x-ratelimit-limit" for name, _ in headers):
                    message["headers"] = [*headers, *rate_limit_headers(state.authenticator.anonymous_limit().rate)]
            await send(message)

        await app(scope, receive, send_with_headers)

    return respond


def _site(state: AppState, endpoints: Mapping[str, dict[str, Endpoint]]) -> list[Route]:
    return [
        *(_route(path, **methods) for path, methods in endpoints.items()),
        _route("/openapi.json", GET=openapi.OpenApiEndpoint(state.settings, OPERATIONS).show),
        _route("/upload/{token}", PUT=Uploads(state).receive),
        _route("/healthz", GET=health.live),
        _route("/readyz", GET=health.Readiness(state.database).show),
    ]


def _operations(state: AppState) -> list[Route]:
    paths: dict[str, dict[str, Endpoint]] = {}
    for operation in OPERATIONS:
        paths.setdefault(operation.path, {})[operation.method] = partial(run, operation, state)
    return [_route(f"/v1{path}", **endpoints) for path, endpoints in paths.items()]


def _route(path: str, **endpoints: Endpoint) -> Route:
    if "GET" in endpoints:
        endpoints["HEAD"] = endpoints["GET"]
    return Route(path, _MethodDispatch(endpoints))


class _MethodDispatch:
    """Dispatches a path by method. Rejects other methods itself: Starlette would try later routes."""

    def __init__(self, endpoints: dict[str, Endpoint]) -> None:
        self._endpoints = endpoints
        self._allowed = ", ".join(sorted(endpoints))

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        request = Request(scope, receive, send)
        if (endpoint := self._endpoints.get(request.method)) is None:
            message = f"{request.method[:20]} is not allowed; allowed methods: {self._allowed}"
            raise MethodNotAllowed(message, headers={"Allow": self._allowed})
        with disconnects.watched(receive):
            response = await endpoint(request)
        await response(scope, receive, send)


def _exception_handlers(
    site: Site, state: AppState
) -> dict[type[Exception], Callable[[Request, Exception], Awaitable[Response]]]:
    sessions = Sessions(state, DeviceCookies(state.settings, state.server_key))

    async def respond(request: Request, raised: Exception) -> Response:
        error, path = _service_error(raised, request), request.scope["path"]
        if is_versioned(path) and isinstance(raised, ServiceError | HTTPException):
            return await refuse(error, state, request)
        if isinstance(error, MethodNotAllowed) or _expects_json(path) or _is_of_program(request):
            return error_response(error)
        if error.status >= 500:  # which may be the database's
            return site.error(error)
        return site.error(error, account=await sessions.account_if_known(request))

    return dict.fromkeys((ServiceError, HTTPException, ClientDisconnect, Exception), respond)


def _service_error(raised: Exception, request: Request) -> ServiceError:
    if isinstance(raised, ServiceError):
        return raised
    if isinstance(raised, ClientDisconnect):
        return InvalidBody("The client closed the connection before the response")
    if isinstance(raised, HTTPException) and raised.status_code == 404:
        path = request.scope["path"]
        of_program = is_versioned(path) or _is_of_program(request)
        return NotFound(_no_operation(path) if of_program else "No page at this URL")
    return InternalError("Internal server error")


def _no_operation(path: str) -> str:
    """Return the message for a path that the API does not have, with the one that was meant."""
    normal = _ID.sub("/{id}", _VERSION.sub("/v1/", path[:100].lower()).rstrip("/"))
    meant = nearest(normal, [f"/v1{each.path}" for each in OPERATIONS], 0.8)
    return f"No operation at this URL; {f'did you mean {meant}?' if meant else '/openapi.json lists them all'}"


def _is_of_program(request: Request) -> bool:
    """Tell whether a program asks, and not for a published page, which is the same for all."""
    return has_bearer(request) and not pages.is_page(request.scope["path"])


def _expects_json(path: str) -> bool:
    return path in ("/healthz", "/readyz") or path.startswith("/upload/") or is_api(path)
