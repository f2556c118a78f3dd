import httpx
import pytest
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from starlette.routing import Route

from mdpublish_server.middleware.cors import Cors

pytestmark = pytest.mark.anyio

PREFLIGHT = {"Origin": "https://other.example", "Access-Control-Request-Method": "PATCH"}

_VARY = PlainTextResponse("hello")


async def _hello(_request: Request) -> Response:
    return _VARY


@pytest.fixture
def client() -> httpx.AsyncClient:
    app = Starlette(routes=[Route("/v1/hello", _hello), Route("/openapi.json", _hello), Route("/hello", _hello)])
    return httpx.AsyncClient(transport=httpx.ASGITransport(Cors(app)), base_url="http://service.test")


@pytest.mark.parametrize("path", ["/v1/hello", "/v1/nosuch", "/v1", "/openapi.json"])
@pytest.mark.parametrize("headers", [{}, {"Origin": "https://other.example"}, {"Origin": "null"}])
async def test_response_of_the_api_is_open_to_every_site(
    client: httpx.AsyncClient, path: str, headers: dict[str, str]
) -> None:
    for _ in range(2):
        response = await client.get(path, headers=headers)
        assert response.headers.get_list("access-control-allow-origin") == ["*"]
        exposed = response.headers["access-control-expose-headers"].split(", ")
        assert {"ETag", "X-RateLimit-Limit", "X-RateLimit-Remaining", "X-RateLimit-Reset", "Retry-After"} <= set(
            exposed
        )
        assert "access-control-allow-credentials" not in response.headers


@pytest.mark.parametrize("path", ["/hello", "/", "/v10/hello", "//v1/hello", "/nosuch"])
async def test_pages_are_open_to_none(client: httpx.AsyncClient, path: str) -> None:
    for method, headers in (("GET", {"Origin": "https://other.example"}), ("OPTIONS", PREFLIGHT)):
        response = await client.request(method, path, headers=headers)
        assert not [name for name in response.headers if name.startswith("access-control-")]


@pytest.mark.parametrize("path", ["/v1/hello", "/v1/nosuch"])
async def test_preflight_is_handled_for_a_day(client: httpx.AsyncClient, path: str) -> None:
    response = await client.options(path, headers=PREFLIGHT)
    assert (response.status_code, response.content) == (204, b"")
    assert response.headers["access-control-allow-origin"] == "*"
    assert response.headers["access-control-allow-methods"] == "GET, HEAD, POST, PATCH, DELETE"
    assert (
        response.headers["access-control-allow-headers"]
        == "Authorization, Content-Type, Idempotency-Key, If-Match, If-None-Match"
    )
    assert response.headers["access-control-max-age"] == "86400"
    assert "access-control-allow-credentials" not in response.headers


@pytest.mark.parametrize("missing", [*PREFLIGHT, "both"])
async def test_plain_options_is_no_preflight(client: httpx.AsyncClient, missing: str) -> None:
    headers = {name: value for name, value in PREFLIGHT.items() if missing not in (name, "both")}
    response = await client.options("/v1/hello", headers=headers)
    assert response.status_code == 405
    assert response.headers["access-control-allow-origin"] == "*"
