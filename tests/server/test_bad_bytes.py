"""Malformed HTTP sent to a real server: it responds or closes the connection, and nothing changes."""

import json
import re
import socket
from collections.abc import Iterator
from typing import Any

import pytest
from starlette.types import ASGIApp

from mdpublish_server.storage import Database
from mdpublish_server.validation.body import read_body
from tests.server.conftest import MakeOwner
from tests.server.input_bench import rows_of
from tests.server.raw_server import connected, read_response, read_to_end, serving

SocketAddress = tuple[str, int]

SECONDS = 0.5
"""Time limit for a body in these tests."""

OBJECT = b'{"content": "# Hello"}'


@pytest.fixture
def server(app: ASGIApp, monkeypatch: pytest.MonkeyPatch) -> Iterator[SocketAddress]:
    defaults: Any = read_body.__kwdefaults__
    monkeypatch.setitem(defaults, "seconds", SECONDS)
    with serving(app) as server:
        yield server


@pytest.fixture
def key(make_owner: MakeOwner) -> bytes:
    return make_owner("pro", plan="pro").key.encode()


def api_request(path: bytes, key: bytes | None, *headers: bytes, method: bytes = b"POST") -> bytes:
    lines = [b"%s %s HTTP/1.1" % (method, path), b"Host: x", b"Content-Type: application/json", *headers]
    if key is not None:
        lines.append(b"Authorization: Bearer " + key)
    return b"\r\n".join(lines) + b"\r\n\r\n"


def response_of(received: bytes) -> tuple[int, dict[str, str], Any]:
    """Return the only response's status, headers and error."""
    head, _, body = received.partition(b"\r\n\r\n")
    lines = head.decode("latin-1").split("\r\n")
    headers = dict(line.lower().split(": ", 1) for line in lines[1:])
    return int(lines[0].split()[1]), headers, json.loads(body)["error"]


def is_well(server: SocketAddress, key: bytes) -> bool:
    """Return whether the server still serves requests."""
    with connected(server) as client:
        client.sendall(api_request(b"/v1/usage", key, method=b"GET"))
        return read_response(client).startswith(b"HTTP/1.1 200 ")


@pytest.mark.parametrize("path", [b"/v1/documents", b"/v1/demo/publish", b"/v1/demo/claim", b"/v1/convert"])
@pytest.mark.parametrize("framing", [b"Transfer-Encoding: chunked", b"Content-Length: 1000"])
def test_body_without_an_end_is_handled_when_its_time_is_over(
    server: SocketAddress, key: bytes, database: Database, path: bytes, framing: bytes
) -> None:
    before = rows_of(database)
    start = b"%x\r\n%s\r\n" % (len(OBJECT), OBJECT) if b"chunked" in framing else OBJECT
    with connected(server) as client:
        client.sendall(api_request(path, key, framing) + start)
        status, headers, error = response_of(read_to_end(client))

    assert (status, error["code"]) == (400, "invalid_body")
    assert error["message"] == "The body must arrive within 0.5 s"
    assert headers["connection"] == "close"
    assert headers["x-ratelimit-limit"].isdigit()
    assert rows_of(database) == before
    assert is_well(server, key)


@pytest.mark.parametrize(
    ("framing", "chunk"),
    [
        (b"Transfer-Encoding: chunked", b"10000\r\n%s\r\n" % (b" " * 65_536)),
        (b"Content-Length: 3000000", b" " * 65_536),
    ],
)
def test_body_is_refused_once_it_is_too_much(
    server: SocketAddress, key: bytes, database: Database, framing: bytes, chunk: bytes
) -> None:
    before = rows_of(database)
    with connected(server) as client:
        client.sendall(api_request(b"/v1/demo/publish", None, framing) + chunk * 17)
        status, headers, error = response_of(read_to_end(client))
    assert (status, error["code"]) == (400, "validation_error")
    assert error["message"] == "The body must be at most 1,000,000 bytes"
    assert headers["connection"] == "close"
    assert rows_of(database) == before
    assert is_well(server, key)


@pytest.mark.parametrize("sent", [b"", b"{", OBJECT, b" " * 999])
def test_body_shorter_than_declared_is_no_request(
    server: SocketAddress, key: bytes, database: Database, sent: bytes
) -> None:
    before = rows_of(database)
    with connected(server) as client:
        client.sendall(api_request(b"/v1/documents", key, b"Content-Length: 1000") + sent)
        client.shutdown(socket.SHUT_WR)
        received = read_to_end(client)
    assert received == b"" or response_of(received)[0] == 400
    assert rows_of(database) == before
    assert is_well(server, key)


def test_body_longer_than_declared_is_cut_and_the_rest_is_no_request(
    server: SocketAddress, key: bytes, database: Database
) -> None:
    before = rows_of(database)
    with connected(server) as client:
        client.sendall(api_request(b"/v1/documents", key, b"Content-Length: 5") + OBJECT)
        received = read_to_end(client)
    # The truncated body is invalid JSON, and the rest is invalid HTTP.
    assert re.findall(rb"HTTP/1\.1 (\d+)", received) == [b"400", b"400"]
    assert b"invalid_body" in received
    assert b"The request is not valid HTTP" in received
    assert rows_of(database) == before
    assert is_well(server, key)


def test_request_hidden_in_a_body_is_ignored(server: SocketAddress, key: bytes, database: Database) -> None:
    before = rows_of(database)
    hidden = api_request(b"/v1/documents", key, b"Content-Length: 2") + b"{}"
    with connected(server) as client:
        framing = (b"Content-Length: %d" % len(hidden), b"Connection: close")
        client.sendall(api_request(b"/v1/documents", key, *framing) + hidden)
        received = read_to_end(client)
    status, _, error = response_of(received)
    assert (status, error["code"]) == (400, "invalid_body")
    assert rows_of(database) == before


@pytest.mark.parametrize(
    "target",
    [
        *(b"/v1/documents/\xff", b"/v1/documents/\xc3\xa9", b"/v1/documents/\x00", b"/v1/documents/\x7f", b"/\xff\xfe"),
        *(b"/v1/documents/%", b"/v1/documents/%zz", b"/v1/documents?limit=\xff", b"/v1/documents?limit=%", b"*", b"x"),
        *(
            b"http://evil.example/v1/usage",
            b"//evil.example/v1/usage",
            b"/v1/usage#x",
            b"/v1/./usage",
            b"/v1/../v1/usage",
        ),
        *(b"http://[", b"http://a:b@c:d/", b"/d/\\\\x", b"?", b"/?", b"/v1/documents/" + b"x" * 30_000),
    ],
)
def test_strange_target_does_not_break_the_service(
    server: SocketAddress, key: bytes, database: Database, target: bytes
) -> None:
    before = rows_of(database)
    with connected(server) as client:
        client.sendall(api_request(target, key, b"Connection: close", method=b"GET"))
        received = read_to_end(client)
    assert re.match(rb"HTTP/1\.1 (200|301|308|400|404|405) ", received), received[:200]
    assert b"evil.example" not in received.partition(b"\r\n\r\n")[0]
    assert rows_of(database) == before
    assert is_well(server, key)


@pytest.mark.parametrize(
    "header",
    [
        *(b"Authorization: Bearer \xff\xfe", b"Authorization: \xc3\xa9", b"Cookie: session=\xff", b"Cookie: \xff;;==;"),
        *(
            b"Content-Type: \xff",
            b"Accept-Encoding: \xff;q=\xff",
            b"If-None-Match: \xff",
            b"Origin: \xff",
            b"Host: \xff",
        ),
        *(
            b"X-Forwarded-Proto: \xff",
            b"Sec-Fetch-Site: \xff",
            b"Expect: 100-continue",
            b"Upgrade: h2c",
            b"X: " + b"x" * 30_000,
        ),
    ],
)
def test_strange_header_does_not_break_the_service(
    server: SocketAddress, key: bytes, database: Database, header: bytes
) -> None:
    before = rows_of(database)
    mine = None if header.startswith(b"Authorization") else key
    for path in (b"/v1/usage", b"/account", b"/nosuch"):
        with connected(server) as client:
            client.sendall(api_request(path, mine, header, b"Connection: close", method=b"GET"))
            received = read_to_end(client)
        assert re.match(rb"HTTP/1\.1 (200|303|400|401|403|404) ", received), received[:200]
    assert rows_of(database) == before
    assert is_well(server, key)
