"""Client IP addresses behind proxies, and enforcement of HTTPS."""

from collections.abc import Callable
from ipaddress import ip_network

import httpx
import pytest
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route, Router
from starlette.types import ASGIApp, Message, Scope

from mdpublish_server.middleware.https import HttpsOnly
from mdpublish_server.middleware.paths import PROBES
from mdpublish_server.middleware.trusted_proxies import TrustedProxies

pytestmark = pytest.mark.anyio

ELSEWHERE = "198.51.100.7"
PROXY = "203.0.113.5"
PROXIES = TrustedProxies([ip_network("203.0.113.0/24"), ip_network("2001:db8::/64"), ip_network("10.0.0.1/32")])

API_PATHS = ["/v1", "/v1/", "/v1/documents", "/openapi.json"]
PAGE_PATHS = ["/", "/p/abc", "/v10", "/v1documents", "/static/site.css", "/openapi.jsonx"]


async def _report(request: Request) -> Response:
    """Respond with what routes know of the client."""
    assert request.client is None or isinstance(request.client.host, str)
    client = request.client.host if request.client else None
    return JSONResponse({"client": client, "scheme": request.url.scheme})


def application(*, public_url: str = "https://pages.example", proxies: TrustedProxies = PROXIES) -> ASGIApp:
    output = Router([Route("/{path:path}", _report, methods=["GET", "POST", "DELETE", "OPTIONS"])])
    return HttpsOnly(output, proxies=proxies, public_url=public_url)


Connect = Callable[..., httpx.AsyncClient]


@pytest.fixture
def connect() -> Connect:
    def connected(
        peer: str, *, scheme: str = "http", public_url: str = "https://pages.example", proxies: TrustedProxies = PROXIES
    ) -> httpx.AsyncClient:
        transport = httpx.ASGITransport(application(public_url=public_url, proxies=proxies), client=(peer, 50000))
        return httpx.AsyncClient(transport=transport, base_url=f"{scheme}://service.test")

    return connected


@pytest.mark.parametrize("method", ["GET", "HEAD", "POST", "DELETE", "OPTIONS"])
@pytest.mark.parametrize("path", API_PATHS)
async def test_plain_request_of_the_api_is_refused(connect: Connect, method: str, path: str) -> None:
    response = await connect(ELSEWHERE).request(method, path)
    assert response.status_code == 403
    assert response.headers["access-control-allow-origin"] == "*"
    message = "HTTPS is required; use https://pages.example"
    if method != "HEAD":
        assert response.json() == {"error": {"code": "forbidden", "message": message, "status": 403}}


@pytest.mark.parametrize("method", ["GET", "HEAD"])
@pytest.mark.parametrize("path", PAGE_PATHS)
async def test_plain_view_of_a_page_is_sent_on_to_https(connect: Connect, method: str, path: str) -> None:
    response = await connect(ELSEWHERE).request(method, f"{path}?a=b&c=%26")
    assert response.status_code == 308
    assert response.headers["location"] == f"https://pages.example{path}?a=b&c=%26"
    assert "strict-transport-security" not in response.headers
    assert response.content == b""


@pytest.mark.parametrize("method", ["POST", "DELETE", "OPTIONS"])
async def test_plain_form_is_refused(connect: Connect, method: str) -> None:
    response = await connect(ELSEWHERE).request(method, "/")
    assert (response.status_code, response.json()["error"]["code"]) == (403, "forbidden")
    assert "access-control-allow-origin" not in response.headers


@pytest.mark.parametrize(
    ("raw_path", "query", "location"),
    [
        (b"//evil.example", b"", "https://pages.example//evil.example"),
        (b"///evil.example", b"", "https://pages.example///evil.example"),
        (b"/\\evil.example", b"", "https://pages.example/%5Cevil.example"),
        (b"@evil.example", b"", "https://pages.example/@evil.example"),
        (b".evil.example", b"", "https://pages.example/.evil.example"),
        (b":80/x", b"", "https://pages.example/:80/x"),
        (b"", b"", "https://pages.example/"),
        (b"/a b\r\nSet-Cookie: x", b"", "https://pages.example/a%20b%0D%0ASet-Cookie:%20x"),
        (b"/%0d%0aX: y", b"", "https://pages.example/%0d%0aX:%20y"),
        (b"/p/%2F%C3%A9", b"", "https://pages.example/p/%2F%C3%A9"),
        (None, b"", "https://pages.example/p/%C3%A9"),
        (b"/\xc3\xa9", b"", "https://pages.example/%C3%A9"),
        (b'/"<>#', b"", "https://pages.example/%22%3C%3E%23"),
        (b"/x", b"a=\r\nX: y#\\", "https://pages.example/x?a=%0D%0AX:%20y%23%5C"),
        (b"/x", b"?/@", "https://pages.example/x??/@"),
    ],
)
async def test_redirect_never_leaves_the_public_host(raw_path: bytes | None, query: bytes, location: str) -> None:
    scope: Scope = {
        "type": "http",
        "method": "GET",
        "scheme": "http",
        "path": "/p/é" if raw_path is None else raw_path.decode("utf-8", "replace"),
        "raw_path": raw_path,
        "query_string": query,
        "headers": [(b"host", b"evil.example"), (b"x-forwarded-host", b"evil.example")],
        "client": (ELSEWHERE, 1),
    }
    sent: list[Message] = []

    async def receive() -> Message:
        raise AssertionError("nothing is read")

    async def send(message: Message) -> None:
        sent.append(message)

    await application()(scope, receive, send)

    assert sent[0]["status"] == 308
    assert dict(sent[0]["headers"])[b"location"].decode() == location
    assert httpx.URL(location).host == "pages.example"


@pytest.mark.parametrize(
    ("public_url", "location"),
    [
        ("https://pages.example:8443", "https://pages.example:8443/x"),
        ("http://pages.example:8000", "https://pages.example/x"),
        ("http://pages.example", "https://pages.example/x"),
        ("http://[2001:db8::1]:8000", "https://[2001:db8::1]/x"),
        ("http://[2001:db8::8000]", "https://[2001:db8::8000]/x"),
    ],
)
async def test_redirect_names_a_port_that_speaks_https(connect: Connect, public_url: str, location: str) -> None:
    response = await connect(ELSEWHERE, public_url=public_url).get("/x")
    assert response.headers["location"] == location


@pytest.mark.parametrize("path", sorted(PROBES))
async def test_probe_is_handled_over_plain_http(connect: Connect, path: str) -> None:
    response = await connect(ELSEWHERE).get(path)
    assert response.status_code == 200


@pytest.mark.parametrize("path", [*API_PATHS, *PAGE_PATHS])
async def test_https_is_let_in_and_created_permanent(connect: Connect, path: str) -> None:
    response = await connect(ELSEWHERE, scheme="https").get(path)
    assert response.status_code == 200
    assert response.headers["strict-transport-security"] == "max-age=31536000"


@pytest.mark.parametrize("peer", ["127.0.0.1", "127.1.2.3", "::1", "::ffff:127.0.0.1"])
@pytest.mark.parametrize("path", ["/v1/x", "/"])
async def test_client_on_loopback_may_use_plain_http(connect: Connect, peer: str, path: str) -> None:
    response = await connect(peer).get(path)
    assert response.status_code == 200
    assert "strict-transport-security" not in response.headers


async def test_client_on_a_unix_socket_is_on_loopback() -> None:
    transport = httpx.ASGITransport(application(), client=None)  # type: ignore[arg-type]
    async with httpx.AsyncClient(transport=transport, base_url="http://service.test") as client:
        direct = await client.get("/v1/x")
        proxied = await client.get("/v1/x", headers={"X-Forwarded-For": ELSEWHERE})
    assert (direct.status_code, direct.json()["client"], proxied.status_code) == (200, None, 403)


async def test_proxy_on_a_unix_socket_is_trusted_as_one_on_loopback() -> None:
    trusting = application(proxies=TrustedProxies([ip_network("127.0.0.1/32")]))
    transport = httpx.ASGITransport(trusting, client=None)  # type: ignore[arg-type]
    async with httpx.AsyncClient(transport=transport, base_url="http://service.test") as client:
        response = await client.get("/v1/x", headers={"X-Forwarded-For": ELSEWHERE, "X-Forwarded-Proto": "https"})
    assert response.json() == {"client": ELSEWHERE, "scheme": "https"}


@pytest.mark.parametrize(
    "peer", ["0.0.0.0", "128.0.0.1", "10.0.0.1", "::", "::2", "::ffff:192.0.2.1", "localhost", "", "127.1", "x" * 500]
)
async def test_other_peers_are_not_on_loopback(connect: Connect, peer: str) -> None:
    assert (await connect(peer).get("/v1/x")).status_code == 403


@pytest.mark.parametrize("header", ["Forwarded", "Via", "X-Forwarded-For", "X-Real-IP"])
async def test_client_via_an_unknown_proxy_is_not_on_loopback(connect: Connect, header: str) -> None:
    response = await connect("127.0.0.1").get("/v1/x", headers={header: "127.0.0.1"})
    assert response.status_code == 403


@pytest.mark.parametrize("peer", [ELSEWHERE, "127.0.0.1"])
async def test_scheme_is_not_believed_from_anybody(connect: Connect, peer: str) -> None:
    headers = {"X-Forwarded-Proto": "https", "X-Forwarded-For": "192.0.2.1"}
    response = await connect(peer).get("/v1/x", headers=headers)
    assert response.status_code == 403


async def test_client_is_not_believed_from_anybody(connect: Connect) -> None:
    response = await connect(ELSEWHERE, scheme="https").get("/v1/x", headers={"X-Forwarded-For": "192.0.2.1"})
    assert response.json()["client"] == ELSEWHERE


@pytest.mark.parametrize("peer", [PROXY, f"::ffff:{PROXY}", "2001:db8::5", "2001:db8:0::0005"])
async def test_trusted_proxy_reports_client_and_scheme(connect: Connect, peer: str) -> None:
    headers = {"X-Forwarded-Proto": "https", "X-Forwarded-For": "192.0.2.1"}
    response = await connect(peer).get("/v1/x", headers=headers)
    assert response.json() == {"client": "192.0.2.1", "scheme": "https"}
    assert "strict-transport-security" in response.headers


@pytest.mark.parametrize(
    ("chain", "client"),
    [
        ("192.0.2.1", "192.0.2.1"),
        ("192.0.2.1:4711", "192.0.2.1"),
        ("2001:db9::1", "2001:db9::1"),
        ("[2001:db9::1]", "2001:db9::1"),
        ("[2001:db9::1]:4711", "2001:db9::1"),
        ("::ffff:192.0.2.1", "192.0.2.1"),
        ("127.0.0.1, 192.0.2.1", "192.0.2.1"),
        ("192.0.2.1, 10.0.0.1", "192.0.2.1"),
        ("127.0.0.1, 192.0.2.1 , 10.0.0.1,203.0.113.9", "192.0.2.1"),
        ("10.0.0.1, 203.0.113.9", "10.0.0.1"),
        ("192.0.2.1, 10.0.0.2", "10.0.0.2"),
        ("192.0.2.1, unknown, 10.0.0.1", "10.0.0.1"),
        ("192.0.2.1, unknown", PROXY),
        ("", PROXY),
        (",", PROXY),
        ("192.0.2.1,", PROXY),
        ("[", PROXY),
        ("192.0.2.1:4711:5", PROXY),
        ("9" * 5_000, PROXY),
        ("127.0.0.1", "127.0.0.1"),
    ],
)
async def test_client_is_the_last_ip_that_is_no_proxy(connect: Connect, chain: str, client: str) -> None:
    headers = {"X-Forwarded-Proto": "https", "X-Forwarded-For": chain}
    response = await connect(PROXY).get("/v1/x", headers=headers)
    assert response.json()["client"] == client


async def test_client_is_detected_across_header_lines(connect: Connect) -> None:
    lines = [("X-Forwarded-For", "127.0.0.1"), ("X-Forwarded-For", "192.0.2.1"), ("X-Forwarded-For", "10.0.0.1")]
    response = await connect(PROXY, scheme="https").get("/", headers=lines)
    assert response.json()["client"] == "192.0.2.1"


@pytest.mark.parametrize(
    ("output", "status"),
    [
        (["https"], 200),
        (["HTTPS"], 200),
        (["https, https"], 200),
        (["http"], 403),
        (["http, https"], 403),
        (["https, http"], 403),
        (["http", "https"], 403),
        (["wss"], 403),
        ([""], 403),
        ([], 403),
    ],
)
async def test_scheme_is_https_only_where_every_proxy_agrees(connect: Connect, output: list[str], status: int) -> None:
    headers = [("X-Forwarded-For", "192.0.2.1"), *(("X-Forwarded-Proto", each) for each in output)]
    assert (await connect(PROXY).get("/v1/x", headers=headers)).status_code == status


async def test_client_of_a_trusted_proxy_may_have_come_plainly(connect: Connect) -> None:
    response = await connect(PROXY, scheme="https").get("/x", headers={"X-Forwarded-Proto": "http"})
    assert response.status_code == 308


@pytest.mark.parametrize(
    "headers", [{"X-Forwarded-Proto": "http"}, {"X-Forwarded-For": "127.0.0.1"}, {"Via": "1.1 proxy"}]
)
async def test_client_of_a_trusted_proxy_on_loopback_is_not_on_loopback(
    connect: Connect, headers: dict[str, str]
) -> None:
    proxies = TrustedProxies([ip_network("127.0.0.0/8")])
    assert (await connect("127.0.0.1", proxies=proxies).get("/v1/x", headers=headers)).status_code == 403
    assert (await connect("127.0.0.1", proxies=proxies).get("/v1/x")).status_code == 200
