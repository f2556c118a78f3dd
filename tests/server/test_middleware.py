"""The complete middleware stack around an application that crashes as Starlette's do."""

import gzip
import json
from ipaddress import ip_network
from typing import Any

import httpx
import pytest
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route
from starlette.types import ASGIApp

from mdpublish_server.api.responses import error_response
from mdpublish_server.errors import InternalError
from mdpublish_server.middleware import Metrics, log_config, wrap
from mdpublish_server.middleware.access_log import LOGGER
from tests.server.raw_server import connected, read_response, serving

pytestmark = pytest.mark.anyio


async def _hello(request: Request) -> Response:
    assert request.client
    return JSONResponse({"client": request.client.host, "padding": "x" * 2_000})


async def _crash(_request: Request) -> Response:
    raise RuntimeError("secret")


async def _respond_crash(_request: Request, _error: Exception) -> Response:
    return error_response(InternalError("something broke " + "." * 2_000))


@pytest.fixture
def metrics() -> Metrics:
    return Metrics()


@pytest.fixture
def app(metrics: Metrics) -> ASGIApp:
    routes = [Route("/v1/hello", _hello), Route("/v1/crash", _crash), Route("/hello", _hello)]
    return wrap(
        Starlette(routes=routes, exception_handlers={Exception: _respond_crash}),
        public_url="https://pages.example",
        trusted_proxies=[ip_network("203.0.113.0/24")],
        metrics=metrics,
        secret_paths=["/claim/"],
    )


@pytest.fixture
def client(app: ASGIApp) -> httpx.AsyncClient:
    transport = httpx.ASGITransport(app, raise_app_exceptions=False, client=("203.0.113.5", 1))
    headers = {"X-Forwarded-For": "192.0.2.1", "X-Forwarded-Proto": "https", "Accept-Encoding": "gzip"}
    return httpx.AsyncClient(transport=transport, base_url="http://service.test", headers=headers)


def logged(caplog: pytest.LogCaptureFixture) -> list[dict[str, Any]]:
    return [json.loads(record.getMessage()) for record in caplog.records if record.name == LOGGER]


@pytest.mark.parametrize(("path", "status"), [("/v1/hello", 200), ("/v1/nosuch", 404), ("/v1/crash", 500)])
async def test_every_response_of_the_api_is_logged_counted_open_and_strict(
    client: httpx.AsyncClient, metrics: Metrics, path: str, status: int, caplog: pytest.LogCaptureFixture
) -> None:
    with caplog.at_level("INFO"):
        response = await client.get(path)

    assert response.status_code == status
    assert response.headers["access-control-allow-origin"] == "*"
    assert response.headers["strict-transport-security"] == "max-age=31536000"
    assert ("content-encoding" in response.headers) is (status != 404)
    line = logged(caplog)[-1]
    assert (line["status"], line["client"], line["path"]) == (status, "192.0.2.1", path)
    assert line["request_id"] == response.headers["x-request-id"]
    assert line["bytes"] == int(response.headers["content-length"])
    labels = {"method": "GET", "route": path if status != 404 else "unmatched", "status": f"{status // 100}xx"}
    assert metrics.registry.get_sample_value("mdpublish_requests_total", labels) == 1


async def test_preflight_over_https_is_strict_and_logged(
    client: httpx.AsyncClient, caplog: pytest.LogCaptureFixture
) -> None:
    headers = {"Origin": "https://other.example", "Access-Control-Request-Method": "POST"}
    with caplog.at_level("INFO"):
        response = await client.options("/v1/hello", headers=headers)
    assert response.status_code == 204
    assert "strict-transport-security" in response.headers
    assert logged(caplog)[-1]["status"] == 204


async def test_what_came_plainly_reaches_no_route(
    client: httpx.AsyncClient, metrics: Metrics, caplog: pytest.LogCaptureFixture
) -> None:
    plainly = {"X-Forwarded-Proto": "http"}
    with caplog.at_level("INFO"):
        refused = await client.get("/v1/hello", headers=plainly)
        moved = await client.get("/claim/secret", headers=plainly)
    assert (refused.status_code, moved.status_code) == (403, 308)
    assert [line["path"] for line in logged(caplog)] == ["/v1/hello", "/claim/…"]
    labels = {"method": "GET", "route": "unmatched", "status": "4xx"}
    assert metrics.registry.get_sample_value("mdpublish_requests_total", labels) == 1


async def test_pages_are_not_open_to_other_sites(client: httpx.AsyncClient) -> None:
    response = await client.get("/hello")
    assert "access-control-allow-origin" not in response.headers
    assert response.headers["content-encoding"] == "gzip"


async def test_without_metrics_requests_get_a_response() -> None:
    app = wrap(Starlette(routes=[Route("/hello", _hello)]), public_url="https://pages.example")
    async with httpx.AsyncClient(transport=httpx.ASGITransport(app), base_url="http://127.0.0.1") as client:
        assert (await client.get("/hello")).status_code == 200


def test_real_server_sends_what_the_middleware_makes(app: ASGIApp) -> None:
    get = b"GET /v1/%s HTTP/1.1\r\nHost: x\r\nAccept-Encoding: gzip\r\n\r\n"
    with serving(app) as url:
        for path in (b"hello", b"crash", b"hello"):
            with connected(url) as client:
                client.sendall(get % path)
                head, _, body = read_response(client).partition(b"\r\n\r\n")
            assert b"\r\ncontent-encoding: gzip" in head
            assert b"\r\naccess-control-allow-origin: *" in head
            assert json.loads(gzip.decompress(body))


def test_log_config_is_each_clients() -> None:
    log_config()["loggers"].clear()
    assert log_config()["loggers"]
