import httpx
import pytest
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from mdpublish_server import errors

pytestmark = pytest.mark.anyio


@pytest.mark.parametrize("path", ["/v1", "/v1/", "/v1/nosuch", "/v1/convert/", "/v1//convert", "/v1/%00"])
async def test_unknown_path_of_the_api_is_told_in_the_envelope(client: httpx.AsyncClient, path: str) -> None:
    for method in ("GET", "POST", "DELETE"):
        response = await client.request(method, path)
        error = response.json()["error"]
        assert (response.status_code, error["code"], error["status"]) == (404, "not_found", 404)


@pytest.mark.parametrize("path", ["/nosuch", "/p", "/p/", "/v10/convert", "/static/", "/static/../app.py", "//v1/x"])
async def test_unknown_path_of_the_site_is_told_on_a_page(client: httpx.AsyncClient, path: str) -> None:
    response = await client.get(path)
    assert response.status_code == 404
    assert response.headers["content-type"] == "text/html; charset=utf-8"
    assert "No page here" in response.text


@pytest.mark.parametrize(
    ("path", "allowed"),
    [
        ("/", "GET, HEAD, POST"),
        ("/p/abc", "GET, HEAD"),
        ("/static/site.css", "GET, HEAD"),
        ("/healthz", "GET, HEAD"),
        ("/v1/convert", "POST"),
        ("/v1/demo/publish", "POST"),
    ],
)
async def test_wrong_method_is_told_in_the_envelope(client: httpx.AsyncClient, path: str, allowed: str) -> None:
    wrong = {"GET", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"} - set(allowed.split(", "))
    for method in sorted(wrong):
        response = await client.request(method, path)
        error = response.json()["error"]
        assert (response.status_code, error["code"], error["status"]) == (405, "method_not_allowed", 405)
        assert response.headers["allow"] == allowed
        assert error["message"] == f"{method} is not allowed here; allowed are: {allowed}"


@pytest.mark.parametrize("host", ["[", "a b", "", "http://x/", "\xff"])
@pytest.mark.parametrize("path", ["/", "/nosuch", "/v1/nosuch", "/p/abc"])
async def test_strange_host_does_not_break_the_service(client: httpx.AsyncClient, path: str, host: str) -> None:
    response = await client.get(path, headers=[(b"Host", host.encode("latin-1"))])
    assert response.status_code in (200, 404)


async def _crash(_request: Request) -> Response:
    raise RuntimeError("secret")


@pytest.mark.parametrize("path", ["/v1/crash", "/crash"])
async def test_crash_tells_nothing_of_its_cause(client: httpx.AsyncClient, app: Starlette, path: str) -> None:
    app.router.routes.append(Route(path, _crash))

    response = await client.get(path)

    assert response.status_code == 500
    assert "secret" not in response.text
    if path.startswith("/v1/"):
        message = "something broke, which is a mistake of the service"
        assert response.json() == {"error": {"code": "internal_error", "message": message, "status": 500}}
    else:
        assert "Something broke" in response.text


async def test_crash_reaches_the_server_which_logs_it(app: Starlette) -> None:
    app.router.routes.append(Route("/v1/crash", _crash))
    transport = httpx.ASGITransport(app, raise_app_exceptions=True)
    async with httpx.AsyncClient(transport=transport, base_url="http://127.0.0.1:8000") as client:
        with pytest.raises(RuntimeError, match="secret"):
            await client.get("/v1/crash")


async def test_headers_of_an_error_go_with_its_page(client: httpx.AsyncClient) -> None:
    response = await client.post("/", content=b" " * 1_000_001)
    assert (response.status_code, response.headers["connection"]) == (400, "close")


async def test_every_error_stands_in_the_tree_at_the_top() -> None:
    assert errors.__doc__
    drawn = {tuple(line.split()[-2:]) for line in errors.__doc__.splitlines() if "──" in line}
    kinds = [kind for kind in vars(errors).values() if isinstance(kind, type) and issubclass(kind, errors.ServiceError)]
    kinds.remove(errors.ServiceError)
    assert drawn == {(str(kind.status), kind.code) for kind in kinds}
    assert len(drawn) == len(kinds)
    assert tuple(kind.code for kind in kinds) == errors.CODES
