"""The ASGI application: what answers at which path, and how what goes wrong is answered.

`/v1/…` and `/healthz` answer in JSON, the rest of the site in HTML; a wrong method is told in the API's envelope
everywhere.
"""

from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from functools import partial

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.requests import ClientDisconnect, Request
from starlette.responses import Response
from starlette.routing import Route

from mdpublish_core import Badge
from mdpublish_server.api import convert, demo, health
from mdpublish_server.api.answers import error_answer
from mdpublish_server.conversion import Converter
from mdpublish_server.errors import InternalError, InvalidBody, MethodNotAllowed, NotFound, ServiceError
from mdpublish_server.publishing import Clock, Publisher, utc_now
from mdpublish_server.settings import Settings
from mdpublish_server.storage import SqlStorage, Storage
from mdpublish_server.web import landing, pages, stylesheet
from mdpublish_server.web.site import Site

Endpoint = Callable[[Request], Awaitable[Response]]


def create_app(settings: Settings, *, storage: Storage | None = None, clock: Clock = utc_now) -> Starlette:
    """Return the application. Its storage is the database that `settings` names, migrated already, or the one given.

    `app.state.publisher` is what publishes, for a caller beside HTTP.
    """
    kept = storage or SqlStorage(settings.database_url)
    converter = Converter(Badge(f"Published with {settings.service_name}", settings.public_url))
    publisher = Publisher(kept, converter, public_url=settings.public_url, clock=clock)
    site = Site(service_name=settings.service_name, base_url=settings.base_url)
    routes = [
        _route("/", GET=partial(landing.show, site), POST=partial(landing.submit, site, publisher)),
        _route("/p/{identifier}", GET=partial(pages.show, publisher)),
        _route("/static/site.css", GET=stylesheet.show),
        _route("/healthz", GET=partial(health.show, kept)),
        _route("/v1/convert", POST=partial(convert.convert, converter)),
        _route("/v1/demo/publish", POST=partial(demo.publish, publisher)),
    ]

    @asynccontextmanager
    async def lifespan(_app: Starlette) -> AsyncIterator[None]:
        await converter.warm_up()
        yield
        kept.close()

    app = Starlette(routes=routes, exception_handlers=_exception_handlers(site), lifespan=lifespan)
    app.router.redirect_slashes = False
    app.state.publisher = publisher
    return app


def _route(path: str, **endpoints: Endpoint) -> Route:
    """Return one route for a path with an endpoint a method; HEAD is answered wherever GET is."""

    async def dispatch(request: Request) -> Response:
        return await endpoints["GET" if request.method == "HEAD" else request.method](request)

    return Route(path, dispatch, methods=list(endpoints))


def _exception_handlers(site: Site) -> dict[type[Exception], Callable[[Request, Exception], Awaitable[Response]]]:
    """Return what answers each kind of exception; the one for `Exception` answers a crash, which is then logged."""

    def answered(request: Request, error: ServiceError) -> Response:
        in_json = isinstance(error, MethodNotAllowed) or _speaks_json(request.scope["path"])
        return error_answer(error) if in_json else site.error(error)

    async def service_error(request: Request, error: Exception) -> Response:
        assert isinstance(error, ServiceError)
        return answered(request, error)

    async def routing_error(request: Request, error: Exception) -> Response:
        assert isinstance(error, HTTPException)
        return answered(request, _routing_error(request, error))

    async def disconnect(request: Request, _error: Exception) -> Response:
        return answered(request, InvalidBody("the connection was closed before the body was complete"))

    async def crash(request: Request, _error: Exception) -> Response:
        return answered(request, InternalError("something broke, which is a mistake of the service"))

    return {ServiceError: service_error, HTTPException: routing_error, ClientDisconnect: disconnect, Exception: crash}


def _routing_error(request: Request, error: HTTPException) -> ServiceError:
    """Return what Starlette's router raises as an error of ours."""
    if error.status_code == 405:
        allow = ", ".join(sorted((error.headers or {})["Allow"].split(", ")))
        message = f"{request.method} is not allowed here; allowed are: {allow}"
        return MethodNotAllowed(message, headers={"Allow": allow})
    if error.status_code == 404:
        return NotFound("there is nothing at this address")
    return InternalError("something broke, which is a mistake of the service")


def _speaks_json(path: str) -> bool:
    return path in ("/healthz", "/v1") or path.startswith("/v1/")
