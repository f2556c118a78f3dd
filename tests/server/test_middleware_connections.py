"""Limits of connections, and of requests at a time."""

import asyncio
from functools import partial
from ipaddress import ip_network
from typing import Any, cast

import httpx
import pytest
from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp

from mdpublish_server.middleware import wrap
from mdpublish_server.middleware.connections import REFUSED_CONNECTIONS, Connections, NetworkLimit
from mdpublish_server.middleware.protocol import BoundedHttpProtocol
from mdpublish_server.middleware.trusted_proxies import TrustedProxies
from tests.server.raw_server import connected, read_response, read_to_end, serving

GET = b"GET / HTTP/1.1\r\nHost: x\r\n\r\n"

PROXIES = TrustedProxies([ip_network("10.0.0.0/8")])


def networks(limit: int = 2) -> NetworkLimit:
    return NetworkLimit(limit, PROXIES)


@pytest.mark.parametrize(
    ("hosts", "other"),
    [
        (["192.0.2.1", "192.0.2.1"], "192.0.2.2"),
        (["2001:db8::1", "2001:db8::ffff:1"], "2001:db8:0:1::1"),
        (["192.0.2.1", "::ffff:192.0.2.1"], "::ffff:192.0.2.2"),
    ],
)
def test_network_has_its_limit_and_no_other_one_does(hosts: list[str], other: str) -> None:
    limit = networks()
    assert [limit.take(host) for host in hosts] == [True, True]
    assert not limit.take(hosts[0])
    assert limit.take(other)
    limit.release(hosts[1])
    assert limit.take(hosts[0])


@pytest.mark.parametrize("host", ["127.0.0.1", "::1", "::ffff:127.0.0.1", "10.1.2.3", None])
def test_this_computer_and_proxies_have_no_limit_of_their_own(host: str | None) -> None:
    limit = networks()
    assert all(limit.take(host) for _ in range(50))
    limit.release(host)


def test_connections_are_limited_in_all() -> None:
    connections = Connections(3, networks())
    assert [connections.admit(f"192.0.2.{number}") for number in range(5)] == [True, True, True, False, False]
    connections.release("192.0.2.0")
    assert connections.admit("127.0.0.1")
    assert not connections.admit("127.0.0.1")


def test_network_at_its_limit_takes_no_place_from_others() -> None:
    connections = Connections(3, networks())
    assert [connections.admit("192.0.2.1") for _ in range(10)].count(True) == 2
    assert connections.admit("192.0.2.2")


def test_few_refused_connections_may_read_why() -> None:
    connections = Connections(1, networks())
    assert [connections.refuse() for _ in range(REFUSED_CONNECTIONS + 2)].count(True) == REFUSED_CONNECTIONS
    for _ in range(3):
        connections.release_refused()
    assert connections.refuse()


async def hello(scope: Any, receive: Any, send: Any) -> None:
    await PlainTextResponse("hello")(scope, receive, send)


def test_connection_above_the_limit_is_refused_until_another_ends() -> None:
    protocol = partial(BoundedHttpProtocol, connections=Connections(2, networks()))
    with serving(hello, protocol=cast("type[BoundedHttpProtocol]", protocol)) as server:
        with connected(server) as first, connected(server) as second:
            for client in (first, second):
                client.sendall(GET)
                assert read_response(client).endswith(b"hello")
            with connected(server) as third:
                refusal = read_to_end(third)
            first.sendall(GET)
            assert read_response(first).endswith(b"hello")
        assert refusal.startswith(b"HTTP/1.1 503 ")
        assert b"\r\nretry-after: " in refusal.lower()
        assert b"\r\nconnection: close" in refusal.lower()
        assert b'"message":"Too many connections are open; retry in ' in refusal
        assert is_admitted_soon(server)


def is_admitted_soon(server: tuple[str, int]) -> bool:
    """The server learns a moment later that a client has closed."""
    for _ in range(100):
        with connected(server) as client:
            client.sendall(GET)
            if read_response(client).startswith(b"HTTP/1.1 200 "):
                return True
    return False


class Endpoint:
    """An application whose responses wait."""

    def __init__(self) -> None:
        self.released = asyncio.Event()

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        if scope["path"] == "/slow":
            await self.released.wait()
        await PlainTextResponse("hello")(scope, receive, send)


def client_at(app: ASGIApp, peer: str) -> httpx.AsyncClient:
    return httpx.AsyncClient(transport=httpx.ASGITransport(app, client=(peer, 1)), base_url="https://pages.example")


@pytest.mark.anyio
async def test_requests_behind_a_proxy_are_limited_per_forwarded_network() -> None:
    endpoint = Endpoint()
    app = wrap(
        endpoint,
        public_url="https://pages.example",
        trusted_proxies=[ip_network("10.0.0.1")],
        network_requests=2,
    )
    async with client_at(app, "10.0.0.1") as proxy:

        async def get(path: str, client: str) -> httpx.Response:
            forwarded = {"X-Forwarded-For": client, "X-Forwarded-Proto": "https"}
            return await proxy.get(path, headers=forwarded)

        slow = [asyncio.create_task(get("/slow", f"2001:db8::{number}")) for number in range(2)]
        for _ in range(10):
            await asyncio.sleep(0)
        refused = await get("/hello", "2001:db8::3")
        other = await get("/hello", "2001:db8:0:1::1")
        probe = await get("/healthz", "2001:db8::3")
        endpoint.released.set()
        await asyncio.gather(*slow)
        retried = await get("/hello", "2001:db8::3")

    assert refused.status_code == 503
    assert refused.json()["error"]["message"].startswith("Too many requests from your network are open (limit 2)")
    assert refused.headers["retry-after"]
    assert [response.status_code for response in (other, probe, retried)] == [200, 200, 200]


@pytest.mark.anyio
async def test_requests_of_a_network_are_released_when_they_fail() -> None:
    async def crash(_scope: Any, _receive: Any, _send: Any) -> None:
        raise LookupError

    app = wrap(crash, public_url="http://127.0.0.1:8000", network_requests=1)
    async with client_at(app, "192.0.2.1") as client:
        for _ in range(3):
            with pytest.raises(LookupError):
                await client.get("/")
