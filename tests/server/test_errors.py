from typing import cast

import httpx
import pytest
from starlette.types import ASGIApp

from mdpublish_server import errors
from mdpublish_server.app import create_app
from mdpublish_server.conversion.converter import Converter
from mdpublish_server.settings import read_settings
from mdpublish_server.storage import Database, Stamp
from mdpublish_server.storage.transactions import P, Result, WorkOf

pytestmark = pytest.mark.anyio


async def test_unknown_path_of_the_site_is_reported_on_a_page(client: httpx.AsyncClient) -> None:
    for path in ("/nosuch", "/p", "/p/", "/v10/convert", "/static/", "/static/../app.py", "//v1/x"):
        response = await client.get(path)
        assert response.status_code == 404, path
        assert response.headers["content-type"] == "text/html; charset=utf-8", path
        assert "Page not found" in response.text, path


async def test_wrong_method_is_reported_in_the_envelope(client: httpx.AsyncClient) -> None:
    for path, allowed in (
        ("/", "GET, HEAD, POST"),
        ("/p/abc", "GET, HEAD"),
        ("/static/site.css", "GET, HEAD"),
        ("/u/abc/def", "GET, HEAD"),
        ("/d/abc", "GET, HEAD"),
        ("/signup", "GET, HEAD, POST"),
        ("/signin", "GET, HEAD, POST"),
        ("/signout", "POST"),
        ("/account", "GET, HEAD"),
        ("/openapi.json", "GET, HEAD"),
        ("/healthz", "GET, HEAD"),
        ("/readyz", "GET, HEAD"),
        ("/v1/convert", "POST"),
        ("/v1/documents", "GET, HEAD, POST"),
        ("/v1/documents/x", "DELETE, GET, HEAD, PATCH"),
        ("/v1/documents/x/publish", "DELETE, POST"),
        ("/v1/demo/publish", "POST"),
        ("/v1/demo/claim", "POST"),
        ("/v1/templates", "GET, HEAD"),
        ("/v1/usage", "GET, HEAD"),
    ):
        wrong = {"GET", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"} - set(allowed.split(", "))
        for method in sorted(wrong):
            response = await client.request(method, path)
            error = response.json()["error"]
            assert (response.status_code, error["code"], error["status"]) == (405, "method_not_allowed", 405), path
            assert response.headers["allow"] == allowed, path
            assert error["message"] == f"{method} is not allowed; allowed methods: {allowed}", path


async def test_strange_host_does_not_break_the_service(client: httpx.AsyncClient) -> None:
    for host in ("[", "a b", "", "http://x/", "\xff"):
        for path in ("/", "/nosuch", "/v1/nosuch", "/p/abc"):
            response = await client.get(path, headers=[(b"Host", host.encode("latin-1"))])
            assert response.status_code in (200, 404), (host, path)


class BrokenDatabase:
    """A database whose driver raises an unexpected error."""

    url = "sqlite:///secret.db"
    removals = 0

    async def read(self, _work: WorkOf[P, Result], *_args: P.args, **_named: P.kwargs) -> Result:
        raise RuntimeError("secret")

    write = read

    async def stamp(self) -> Stamp | None:
        return None

    def close(self) -> None:
        pass


@pytest.fixture
def broken_app(converter: Converter) -> ASGIApp:
    return create_app(read_settings({}), database=cast("Database", BrokenDatabase()), converter=converter)


@pytest.mark.parametrize("path", ["/v1/usage", "/v1/demo/publish", "/p/abc"])
async def test_crash_reveals_nothing_about_its_cause(
    broken_app: ASGIApp, caplog: pytest.LogCaptureFixture, path: str
) -> None:
    transport = httpx.ASGITransport(broken_app, raise_app_exceptions=False)
    async with httpx.AsyncClient(transport=transport, base_url="http://127.0.0.1:8000") as client:
        if path == "/v1/demo/publish":
            response = await client.post(path, json={"content": "x"})
        else:
            response = await client.get(path, headers={"Authorization": "Bearer x"})

    assert response.status_code == 500
    assert "secret" not in response.text
    assert "secret" not in str(response.headers)
    if path.startswith("/v1/"):
        message = "Internal server error"
        assert response.json() == {"error": {"code": "internal_error", "message": message, "status": 500}}
        assert response.headers["x-ratelimit-limit"] == "10"
        assert "RuntimeError: secret" in caplog.text
    else:
        assert "Something went wrong" in response.text


async def test_crash_of_a_page_reaches_the_server_which_logs_it(broken_app: ASGIApp) -> None:
    transport = httpx.ASGITransport(broken_app, raise_app_exceptions=True)
    async with httpx.AsyncClient(transport=transport, base_url="http://127.0.0.1:8000") as client:
        with pytest.raises(RuntimeError, match="secret"):
            await client.get("/p/abc")


async def test_headers_of_an_error_go_with_its_page(client: httpx.AsyncClient) -> None:
    headers = {"Content-Type": "application/x-www-form-urlencoded"}
    response = await client.post("/", content=b" " * 8_000_001, headers=headers)
    assert (response.status_code, response.headers["connection"]) == (400, "close")


async def test_every_error_is_in_the_tree_at_the_top() -> None:
    assert errors.__doc__
    # Name, single status (`403 or 429` is skipped), and code.
    drawn = {tuple(line.split()[1:3] + line.split()[-1:]) for line in errors.__doc__.splitlines() if "──" in line}
    kinds = [kind for kind in vars(errors).values() if isinstance(kind, type) and issubclass(kind, errors.ServiceError)]
    kinds.remove(errors.ServiceError)
    assert drawn == {(kind.__name__, str(kind.status), kind.code) for kind in kinds}
    assert tuple(kind.code for kind in kinds) == errors.CODES
