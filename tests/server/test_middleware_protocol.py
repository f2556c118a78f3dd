import asyncio
import gzip
import json
import logging
import re
import socket
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from typing import Any

import psutil
import pytest
import uvicorn
from starlette.applications import Starlette
from starlette.requests import ClientDisconnect, Request
from starlette.responses import JSONResponse, PlainTextResponse, Response, StreamingResponse
from starlette.routing import Route
from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol
from uvicorn.server import ServerState

from mdpublish_server.api.responses import error_response
from mdpublish_server.errors import ServiceError
from mdpublish_server.middleware.protocol import (
    HEAD_BYTES,
    PIPELINED_REQUESTS,
    QUERY_FIELDS,
    SLICE_BYTES,
    UNREAD_SECONDS,
    BoundedHttpProtocol,
)
from mdpublish_server.middleware.streaming import PIECES_PER_ITERATION
from mdpublish_server.validation.body import read_body
from mdpublish_server.validation.host_headers import host_problem
from mdpublish_server.web.cached_response import CachedResponse
from tests.server.raw_server import PATIENCE, connected, read_response, read_to_end, serving

SocketAddress = tuple[str, int]

GET = b"GET /hello HTTP/1.1\r\nHost: x\r\n\r\n"


class Hasty(BoundedHttpProtocol):
    head_seconds = 1
    unread_seconds = 0.5


class Recorder:
    """Events that clients cannot see."""

    def __init__(self) -> None:
        self.disconnects = 0

    def has_seen_a_disconnect(self) -> bool:
        """Wait for the application to receive a disconnect."""
        ends = time.monotonic() + PATIENCE
        while not self.disconnects and time.monotonic() < ends:
            time.sleep(0.01)
        return self.disconnects == 1


def application(recorder: Recorder) -> Starlette:
    async def hello(request: Request) -> Response:
        return PlainTextResponse(f"hello {request.query_params.get('n', '')}")

    async def slow(_request: Request) -> Response:
        await asyncio.sleep(0.3)
        return PlainTextResponse("slow")

    async def length(request: Request) -> Response:
        body = await read_body(request, seconds=float(request.query_params.get("seconds", "30")))
        return JSONResponse({"length": len(body), "headers": sorted(request.headers)})

    async def large(_request: Request) -> Response:
        return StreamingResponse(b" " * 65_536 for _ in range(1_000))

    async def refuse(_request: Request, error: Exception) -> Response:
        assert isinstance(error, ServiceError)
        return error_response(error)

    async def note_disconnect(_request: Request, _error: Exception) -> Response:
        recorder.disconnects += 1
        return Response(status_code=400)

    return Starlette(
        routes=[
            Route("/hello", hello, methods=["GET", "POST"]),
            Route("/slow", slow),
            Route("/length", length, methods=["POST"]),
            Route("/large", large),
        ],
        exception_handlers={ServiceError: refuse, ClientDisconnect: note_disconnect},
    )


@pytest.fixture
def recorder() -> Recorder:
    return Recorder()


@pytest.fixture
def server(recorder: Recorder) -> Iterator[SocketAddress]:
    with serving(application(recorder)) as server:
        yield server


@pytest.fixture
def hasty(recorder: Recorder) -> Iterator[SocketAddress]:
    with serving(application(recorder), protocol=Hasty) as server:
        yield server


def exchange(server: SocketAddress, sent: bytes) -> bytes:
    """Send bytes and read until the server closes."""
    with connected(server) as client:
        client.sendall(sent)
        return read_to_end(client)


def refusal(response: bytes) -> str:
    """Return the message of the only response, a 400."""
    head, _, body = response.partition(b"\r\n\r\n")
    assert head.startswith(b"HTTP/1.1 400 Bad Request\r\n"), response[:200]
    assert b"\r\nconnection: close" in head.lower()
    assert b"\r\ncontent-type: application/json" in head.lower()
    error = json.loads(body)["error"]
    assert (error["code"], error["status"]) == ("validation_error", 400)
    return str(error["message"])


def is_serving(server: SocketAddress) -> bool:
    with connected(server) as client:
        client.sendall(GET)
        return read_response(client).startswith(b"HTTP/1.1 200 ")


def trickle(client: socket.socket, byte: bytes, *, seconds: float = PATIENCE) -> bytes | None:
    """Send a byte ten times a second; return the response once the server closes, None if it never does."""
    received = bytearray()
    client.settimeout(0.1)
    ends = time.monotonic() + seconds
    while time.monotonic() < ends:
        try:
            client.sendall(byte)
            chunk = client.recv(65536)
        except TimeoutError:
            continue
        except OSError:
            return bytes(received)
        if not chunk:
            return bytes(received)
        received += chunk
    return None


def test_requests_on_one_connection_are_handled_one_by_one(server: SocketAddress) -> None:
    with connected(server) as client:
        for _ in range(20):
            client.sendall(GET)
            assert read_response(client).endswith(b"hello ")


def test_head_may_arrive_in_pieces(server: SocketAddress) -> None:
    with connected(server) as client:
        client.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        for location in range(len(GET)):
            client.sendall(GET[location : location + 1])
        assert read_response(client).endswith(b"hello ")


@pytest.mark.parametrize(
    "head",
    [
        pytest.param(b"X: " + b"x" * 1_000_000 + b"\r\n", id="a header of 1 MB"),
        pytest.param(b"".join(b"X-%d: x\r\n" % n for n in range(5_000)), id="many small headers"),
        pytest.param(b"X:" + b" " * 600_000 + b"x\r\n", id="white space that is no part of a value"),
        pytest.param(b"X: " + b"x" * HEAD_BYTES + b"\r\n", id="a header just too long"),
    ],
)
def test_head_that_is_too_large_is_refused(server: SocketAddress, head: bytes) -> None:
    response = exchange(server, GET[:-2] + head + b"\r\n")
    assert refusal(response) == "Request line and headers must be at most 16,384 bytes"
    assert is_serving(server)


def test_request_line_that_is_too_long_is_refused(server: SocketAddress) -> None:
    response = exchange(server, b"GET /" + b"x" * 100_000 + b" HTTP/1.1\r\nHost: x\r\n\r\n")
    assert refusal(response) == "Request line and headers must be at most 16,384 bytes"


def test_query_of_too_many_fields_is_refused(server: SocketAddress) -> None:
    with connected(server) as client:
        client.sendall(GET.replace(b"hello", b"hello?n=1" + b"&a" * (QUERY_FIELDS - 1)))
        assert read_response(client).endswith(b"hello 1")
    response = exchange(server, GET.replace(b"hello", b"hello?n=1" + b"&a" * QUERY_FIELDS))
    assert refusal(response) == "The query must have at most 100 fields"
    assert is_serving(server)


def test_head_that_is_too_large_is_refused_before_it_ends(server: SocketAddress) -> None:
    response = exchange(server, GET[:-2] + b"X: " + b"x" * 40_000)
    assert refusal(response) == "Request line and headers must be at most 16,384 bytes"


def test_head_just_within_the_bound_is_taken(server: SocketAddress) -> None:
    with connected(server) as client:
        for _ in range(3):
            client.sendall(GET[:-2] + b"X: " + b"x" * (HEAD_BYTES - 100) + b"\r\n\r\n")
            assert read_response(client).endswith(b"hello ")


def test_bodies_do_not_count_as_heads(server: SocketAddress) -> None:
    post = b"POST /length HTTP/1.1\r\nHost: x\r\nContent-Length: 200000\r\n\r\n" + b"x" * 200_000
    with connected(server) as client:
        # Each body's last chunk also contains the start of the next head.
        client.sendall(post * 5)
        for _ in range(5):
            assert b'"length":200000' in read_response(client)


def test_head_that_arrives_slowly_is_cut_off(hasty: SocketAddress) -> None:
    with connected(hasty) as client:
        client.sendall(b"GET /hello HTTP/1.1\r\nHost: x\r\nX: ")
        assert trickle(client, b"x") == b""
    assert is_serving(hasty)


def test_connection_that_sends_nothing_is_cut_off(hasty: SocketAddress) -> None:
    with connected(hasty) as client:
        assert read_to_end(client) == b""


def test_blank_lines_do_not_keep_a_connection(hasty: SocketAddress) -> None:
    with connected(hasty) as client:
        client.sendall(GET)
        assert read_response(client).endswith(b"hello ")
        assert trickle(client, b"\r\n") == b""


def test_rest_of_an_handled_body_does_not_keep_a_connection(hasty: SocketAddress) -> None:
    with connected(hasty) as client:
        client.sendall(b"POST /hello HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n")
        assert read_response(client).endswith(b"hello ")
        assert trickle(client, b"1\r\nx\r\n") == b""


def test_late_end_of_an_handled_body_does_not_keep_a_connection(hasty: SocketAddress) -> None:
    with connected(hasty) as client:
        client.sendall(b"POST /hello HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\n\r\n")
        assert read_response(client).endswith(b"hello ")
        client.sendall(b"x")
        assert read_to_end(client) == b""


def test_slow_response_is_no_slow_head(hasty: SocketAddress) -> None:
    with connected(hasty) as client:
        for _ in range(3):
            client.sendall(GET.replace(b"hello", b"slow"))
            assert read_response(client).endswith(b"slow")


def await_close(client: socket.socket) -> None:
    """Wait until the server, which is in this process, has let go of the connection."""
    ends = time.monotonic() + PATIENCE
    while any(each.laddr == client.getpeername() and each.raddr == client.getsockname() for each in connections()):
        assert time.monotonic() < ends
        time.sleep(0.05)


def connections() -> list[Any]:
    return psutil.Process().net_connections("tcp4")


def test_response_that_nobody_reads_is_broken_off(hasty: SocketAddress) -> None:
    with socket.socket() as client:
        client.settimeout(PATIENCE)
        client.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        client.connect(hasty)
        client.sendall(GET.replace(b"hello", b"large"))
        # Once the response has begun, the connection is one of the server's.
        client.recv(1, socket.MSG_PEEK)
        await_close(client)
        assert len(read_to_end(client)) < 60_000_000
    assert is_serving(hasty)


class BufferedTransport(asyncio.Transport):
    """A transport whose buffer the test empties."""

    def __init__(self) -> None:
        super().__init__()
        self.unread = 0
        self.reads = True
        self.written = b""
        self._is_aborted = False

    def pause_reading(self) -> None:
        assert self.reads
        self.reads = False

    def resume_reading(self) -> None:
        assert not self.reads
        self.reads = True

    def write(self, data: bytes | bytearray | memoryview) -> None:
        self.written += data

    def is_closing(self) -> bool:
        return False

    def get_write_buffer_size(self) -> int:
        return self.unread

    def set_write_buffer_limits(self, high: int | None = None, low: int | None = None) -> None:
        pass

    def abort(self) -> None:
        self._is_aborted = True

    def was_aborted(self) -> bool:
        return self._is_aborted

    def close(self) -> None:
        """Leave it open: unsent bytes would keep it so."""


class Timers(asyncio.SelectorEventLoop):
    """An event loop whose time the test advances."""

    def __init__(self) -> None:
        super().__init__()
        self.now = 0.0

    def time(self) -> float:
        return self.now

    def advance(self, seconds: float) -> None:
        """Run what is due, as the loop does."""
        self.now += seconds
        self.call_soon(self.stop)
        self.run_forever()


@pytest.fixture
def timers() -> Iterator[Timers]:
    timers = Timers()
    yield timers
    timers.close()


def protocol_on(transport: BufferedTransport, timers: Timers, state: ServerState | None = None) -> BoundedHttpProtocol:
    config = uvicorn.Config(application(Recorder()), lifespan="off", log_config=None)
    protocol = BoundedHttpProtocol(config, state or ServerState(), {}, timers)
    protocol.connection_made(transport)
    return protocol


def test_client_that_takes_no_byte_is_disconnected(timers: Timers) -> None:
    transport = BufferedTransport()
    protocol = protocol_on(transport, timers)
    transport.unread = 80_000
    protocol.pause_writing()
    timers.advance(UNREAD_SECONDS - 1)
    assert not transport.was_aborted()
    timers.advance(2)
    assert transport.was_aborted()
    protocol.connection_lost(None)


def test_client_that_takes_few_bytes_is_not_disconnected(timers: Timers) -> None:
    transport = BufferedTransport()
    protocol = protocol_on(transport, timers)
    transport.unread = 80_000
    protocol.pause_writing()
    for _ in range(20):
        timers.advance(UNREAD_SECONDS - 1)
        transport.unread -= 1
    assert not transport.was_aborted()
    for _ in range(2):
        timers.advance(UNREAD_SECONDS + 1)
    assert transport.was_aborted()
    protocol.connection_lost(None)


def test_client_that_took_all_is_not_disconnected(timers: Timers) -> None:
    transport = BufferedTransport()
    protocol = protocol_on(transport, timers)
    transport.unread = 80_000
    protocol.pause_writing()
    transport.unread = 0
    protocol.resume_writing()
    timers.advance(2 * UNREAD_SECONDS)
    assert not transport.was_aborted()
    protocol.connection_lost(None)


def test_bodies_of_tiny_chunks_are_parsed_a_few_slices_at_a_time(
    timers: Timers, monkeypatch: pytest.MonkeyPatch
) -> None:
    """However many connections send them: the event loop gets to other work in between. Nothing is read meanwhile."""
    bodies: list[bytes] = []

    def on_body(self: HttpToolsProtocol, body: bytes, pass_on: Callable[..., None] = HttpToolsProtocol.on_body) -> None:
        bodies.append(body)
        pass_on(self, body)

    monkeypatch.setattr(HttpToolsProtocol, "on_body", on_body)
    state, transports = ServerState(), [BufferedTransport() for _ in range(8)]
    protocols = [protocol_on(transport, timers, state) for transport in transports]
    chunks = 40_000
    for protocol in protocols:
        protocol.data_received(b"POST /length HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n")
        protocol.data_received(b"1\r\nx\r\n" * chunks + b"0\r\n\r\n")
    assert not any(transport.reads for transport in transports)

    parsed, iterations = 0, 0
    while parsed < 8 * chunks:
        timers.advance(0)
        iterations += 1
        assert sum(map(len, bodies)) - parsed <= PIECES_PER_ITERATION * (SLICE_BYTES // 6 + 1)
        parsed = sum(map(len, bodies))
    assert iterations >= 8 * chunks * 6 / SLICE_BYTES / PIECES_PER_ITERATION
    # A call for each slice, not for each chunk.
    assert len(bodies) <= 8 * (chunks * 6 // SLICE_BYTES + 1)
    while asyncio.all_tasks(timers):
        timers.advance(0)
    assert all(transport.reads for transport in transports)
    assert all(b'"length":40000' in transport.written.replace(b" ", b"") for transport in transports)


@pytest.mark.parametrize("size", [1, 2, 70_000])
def test_body_in_chunks_of_any_size_is_read_whole_and_the_next_request_too(server: SocketAddress, size: int) -> None:
    body = b"%x\r\n%s\r\n" % (size, b"x" * size) * (300_000 // size) + b"0\r\n\r\n"
    head = b"POST /length HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n"
    with connected(server) as client:
        for _ in range(2):
            client.sendall(head + body + GET)
            assert json.loads(read_response(client).partition(b"\r\n\r\n")[2])["length"] == 300_000 // size * size
            assert read_response(client).endswith(b"hello ")


def test_response_that_is_read_is_sent_whole(server: SocketAddress) -> None:
    response = exchange(server, b"GET /large HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n")
    assert response.endswith(b"0\r\n\r\n")
    assert len(response) > 1_000 * 65_536


def test_pipelined_requests_are_handled_in_sequence(server: SocketAddress) -> None:
    requests = [GET.replace(b"hello", b"hello?n=%d" % n) for n in range(50)]
    with connected(server) as client:
        client.sendall(b"".join(requests) + GET.replace(b"\r\n\r\n", b"\r\nConnection: close\r\n\r\n"))
        responses = read_to_end(client)
    assert re.findall(rb"hello (\d+)", responses) == [b"%d" % n for n in range(50)]


def test_large_responses_on_one_connection_keep_their_lengths() -> None:
    body = b"0123456789" * 50_000
    page = CachedResponse(gzip.compress(body, mtime=0), etag="x", media_type="text/html", headers={})
    request = b"GET /hello HTTP/1.1\r\nHost: x\r\n"
    plain, zipped = request + b"\r\n", request + b"Accept-Encoding: gzip\r\n\r\n"
    known = request + b'If-None-Match: "x"\r\n\r\n'
    last = request + b"Connection: close\r\n\r\n"
    with serving(page) as server, connected(server) as client:
        client.sendall(plain + plain.replace(b"GET", b"HEAD") + zipped + known + plain + last)
        received = read_to_end(client)
    responses: list[tuple[bytes, list[int], bytes]] = []
    while received:
        head, _, received = received.partition(b"\r\n\r\n")
        lengths = [int(line[16:]) for line in head.split(b"\r\n") if line.startswith(b"content-length: ")]
        size = 0 if len(responses) == 1 or not lengths else lengths[0]
        responses.append((head[9:12], lengths, received[:size]))
        received = received[size:]

    whole = (b"200", [len(body)], body)
    assert responses[0] == responses[4] == responses[5] == whole
    assert responses[1] == (b"200", [len(body)], b"")
    assert gzip.decompress(responses[2][2]) == body
    assert responses[3] == (b"304", [], b"")


def test_too_many_pipelined_requests_are_refused_after_the_responses_due(server: SocketAddress) -> None:
    responses = exchange(server, GET.replace(b"hello", b"slow") + GET * 2_000)
    *taken, refused = responses.split(b"HTTP/1.1 ")[1:]
    assert [response[:3] for response in taken] == [b"200"] * len(taken)
    assert PIPELINED_REQUESTS <= len(taken) < 2_000
    assert refusal(b"HTTP/1.1 " + refused)
    assert is_serving(server)


@pytest.mark.parametrize(
    "request_bytes",
    [
        pytest.param(b"GET /hello HTTP/1.1\nHost: x\n\n", id="bare LF"),
        pytest.param(b"GET /hello HTTP/1.1\r\nHost: x\r\nX: a\nInjected: b\r\n\r\n", id="bare LF in a header"),
        pytest.param(b"GET /hello HTTP/1.1\r\nHost: x\r\nX: a\rInjected: b\r\n\r\n", id="bare CR in a header"),
        pytest.param(b"GET /hello HTTP/1.1\r\nHost: x\r\nX: a\x00b\r\n\r\n", id="NUL in a header"),
        pytest.param(b"GET /hello HTTP/1.1\r\nHost: x\r\nX : a\r\n\r\n", id="space before the colon"),
        pytest.param(b"GET /hello HTTP/1.1\r\n X: a\r\n\r\n", id="header that begins with a space"),
        pytest.param(b"GET /hello HTTP/1.1\r\nHost: x\r\nX: a\r\n\r b\r\n\r\n", id="CR after the headers"),
        pytest.param(b"GET /\xff HTTP/1.1\r\nHost: x\r\n\r\n", id="path beyond ASCII"),
        pytest.param(b"GET http://x HTTP/1.1\r\nHost: x\r\n\r\n", id="address without a path"),
        pytest.param(b"GET hello HTTP/1.1\r\nHost: x\r\n\r\n", id="path without a slash"),
        pytest.param(b"CONNECT x:443 HTTP/1.1\r\nHost: x\r\n\r\n", id="CONNECT"),
        pytest.param(b"NOSUCH / HTTP/1.1\r\nHost: x\r\n\r\n", id="unknown method"),
        pytest.param(b"GET / HTTP/9.9\r\n\r\n", id="unknown version"),
        pytest.param(b"\x16\x03\x01\x02\x00\x01\x00", id="TLS"),
        pytest.param(b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", id="HTTP/2"),
        pytest.param(
            b"POST /length HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\nxyz\r\n", id="no chunk size"
        ),
        pytest.param(
            b"POST /length HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n1\r\nxyz\r\n", id="long chunk"
        ),
    ],
)
def test_malformed_request_is_refused(server: SocketAddress, request_bytes: bytes) -> None:
    assert refusal(exchange(server, request_bytes)) == "The request is not valid HTTP/1.1"
    assert is_serving(server)


@pytest.mark.parametrize(
    "framing",
    [
        b"Content-Length: 22\r\nTransfer-Encoding: chunked",
        b"Transfer-Encoding: chunked\r\nContent-Length: 22",
        b"Content-Length: 22\r\nContent-Length: 5",
        b"Content-Length: -1",
        b"Content-Length: +22",
        b"Content-Length: 2 2",
        b"Content-Length: 0x16",
        b"Content-Length: 22, 22",
        b"Content-Length: " + b"9" * 40,
        b"Transfer-Encoding: gzip",
        b"Transfer-Encoding: chunked, identity",
        b"Transfer-Encoding : chunked",
        b"Transfer-Encoding: chunke\x00d",
        b"X\x00: y\r\nContent-Length: 22",
        b"X: a\rb\r\nContent-Length: 22",
        b"X: a\n b\r\nContent-Length: 22",
    ],
)
def test_ambiguous_framing_is_refused(server: SocketAddress, framing: bytes) -> None:
    request = b"POST /length HTTP/1.1\r\nHost: x\r\n" + framing + b'\r\n\r\n{"content": "# Hello"}'
    assert refusal(exchange(server, request)) == "The request is not valid HTTP/1.1"
    assert is_serving(server)


@pytest.mark.parametrize(
    "head",
    [
        b"GET /hello HTTP/1.1\r\nHost: pages.example.org\r\n",
        b"GET /hello HTTP/1.1\r\nHost: pages.example.org:8000\r\n",
        b"GET /hello HTTP/1.1\r\nhost:\t127.0.0.1:8000 \r\n",
        b"GET /hello HTTP/1.1\r\nHost: [::1]:8000\r\n",
        b"GET /hello HTTP/1.1\r\nHost: [v1.fe80::a+en1]\r\n",
        b"GET /hello HTTP/1.1\r\nHost: a_b%C3%A9~!$&'()*+,;=\r\n",
        b"GET /hello HTTP/1.1\r\nHost: x:\r\n",
        b"GET /hello HTTP/1.1\r\nHost:\r\n",
        b"GET /hello HTTP/1.0\r\nHost: x\r\n",
        b"GET /hello HTTP/1.0\r\n",
    ],
)
def test_host_of_every_valid_form_is_taken(server: SocketAddress, head: bytes) -> None:
    with connected(server) as client:
        client.sendall(head + b"\r\n")
        assert read_response(client).startswith(b"HTTP/1.1 200 ")


def test_request_without_a_host_is_refused(server: SocketAddress) -> None:
    response = exchange(server, b"GET /hello HTTP/1.1\r\nX: Host\r\n\r\n")
    assert refusal(response) == "An HTTP/1.1 request must have a Host header"
    assert is_serving(server)


@pytest.mark.parametrize("version", [b"1.0", b"1.1"])
@pytest.mark.parametrize("second", [b"Host: x", b"HOST: evil.example", b"host:"])
def test_request_with_two_hosts_is_refused(server: SocketAddress, version: bytes, second: bytes) -> None:
    response = exchange(server, b"GET /hello HTTP/" + version + b"\r\nHost: x\r\n" + second + b"\r\n\r\n")
    assert refusal(response) == "A request must have one Host header (got 2)"


@pytest.mark.parametrize(
    "value",
    [
        *(
            b"a b",
            b"a/b",
            b"a?b",
            b"a#b",
            b"a\\b",
            b"a@b",
            b"http://x",
            b"x,y z",
            b'"x"',
            b"<x>",
            b"\xff",
            b"x\xc3\xa9",
        ),
        *(b"x:y", b"x:-1", b"x:80:80", b"::1", b"%zz", b"%1"),
        *(b"[::1", b"::1]", b"[]", b"[:::]", b"[1.2.3.4]", b"[fe80::1%25en1]", b"[v.x]", b"[::1]x", b"x[::1]"),
    ],
)
@pytest.mark.parametrize("version", ["1.0", "1.1"])
def test_host_that_is_none_is_refused(version: str, value: bytes) -> None:
    problem = host_problem([(b"accept", b"*/*"), (b"host", value)], version)
    assert problem == "The Host header must be a host name or an IP address, with or without a port"


def test_request_with_a_host_that_is_none_is_refused_after_the_responses_due(server: SocketAddress) -> None:
    invalid = b"GET /hello HTTP/1.1\r\nHost: a/b\r\n\r\n"
    responses = exchange(server, GET.replace(b"hello", b"slow") + invalid + GET)
    first, refused = responses.split(b"HTTP/1.1 ")[1:]
    assert first.startswith(b"200 OK\r\n")
    assert refusal(b"HTTP/1.1 " + refused).startswith("The Host header must be ")


def test_malformed_chunk_that_comes_later_is_refused(server: SocketAddress, recorder: Recorder) -> None:
    with connected(server) as client:
        client.sendall(b"POST /length HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n1\r\nx\r\n")
        time.sleep(0.3)
        client.sendall(b"xyz\r\n")
        assert refusal(read_to_end(client))
    assert recorder.has_seen_a_disconnect()


@pytest.mark.parametrize("path", [b"hello", b"slow"])
def test_what_follows_a_request_is_refused_after_its_response(server: SocketAddress, path: bytes) -> None:
    responses = exchange(server, GET.replace(b"hello", path) + b"\x00\x01\x02")
    first, refused = responses.split(b"HTTP/1.1 ")[1:]
    assert first.startswith(b"200 OK\r\n")
    assert refusal(b"HTTP/1.1 " + refused)


def test_body_longer_than_declared_gets_a_response_then_is_refused(server: SocketAddress) -> None:
    responses = exchange(server, b"POST /length HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\n\r\nhello, world")
    first, refused = responses.split(b"HTTP/1.1 ")[1:]
    assert first.startswith(b"200 OK\r\n")
    assert b'"length":5' in first
    assert refusal(b"HTTP/1.1 " + refused)


@pytest.mark.parametrize("framing", [b"Content-Length: 50", b"Transfer-Encoding: chunked"])
def test_body_shorter_than_declared_reaches_nobody(server: SocketAddress, recorder: Recorder, framing: bytes) -> None:
    with connected(server) as client:
        client.sendall(b"POST /length HTTP/1.1\r\nHost: x\r\n" + framing + b"\r\n\r\n5\r\nhello\r\n")
        time.sleep(0.1)
    assert recorder.has_seen_a_disconnect()
    assert is_serving(server)


@pytest.mark.parametrize("framing", [b"Content-Length: 50", b"Transfer-Encoding: chunked"])
@pytest.mark.parametrize("piece", [b"", b"1\r\nx\r\n"])
def test_body_that_takes_too_long_is_refused(server: SocketAddress, framing: bytes, piece: bytes) -> None:
    with connected(server) as client:
        client.sendall(b"POST /length?seconds=0.5 HTTP/1.1\r\nHost: x\r\n" + framing + b"\r\n\r\n")
        response = trickle(client, piece, seconds=PATIENCE) if piece and b"chunked" in framing else read_to_end(client)
    assert response
    head, _, body = response.partition(b"\r\n\r\n")
    assert b"connection: close" in head.lower()
    assert json.loads(body)["error"] == {
        "code": "invalid_body",
        "message": "The body must arrive within 0.5 s",
        "status": 400,
    }


@pytest.mark.parametrize("pause", [0, 0.1])
def test_trailers_are_no_headers(server: SocketAddress, pause: float) -> None:
    head = b"POST /length HTTP/1.1\r\nHost: x\r\nX-Head: 1\r\nTransfer-Encoding: chunked\r\n\r\n"
    rest = b"5\r\nhello\r\n0\r\nAuthorization: x\r\nX-Forwarded-For: 127.0.0.1\r\n\r\n"
    with connected(server) as client:
        if pause:
            client.sendall(head)
            time.sleep(pause)
            client.sendall(rest)
        else:
            client.sendall(head + rest)
        response = json.loads(read_response(client).partition(b"\r\n\r\n")[2])
    assert response == {"length": 5, "headers": ["host", "transfer-encoding", "x-head"]}


def test_endless_trailers_are_refused(server: SocketAddress) -> None:
    post = b"POST /length HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n"
    assert refusal(exchange(server, post + b"X: x\r\n" * 20_000)) == (
        "Request line and headers must be at most 16,384 bytes"
    )


@pytest.mark.parametrize("protocol", [b"websocket", b"h2c"])
def test_another_protocol_is_handled_in_this_one(
    server: SocketAddress, protocol: bytes, caplog: pytest.LogCaptureFixture
) -> None:
    upgrade = b"\r\nConnection: Upgrade\r\nUpgrade: " + protocol + b"\r\n\r\n"
    responses = exchange(server, GET.replace(b"\r\n\r\n", upgrade) + GET)
    assert responses.startswith(b"HTTP/1.1 200 OK\r\n")
    assert responses.count(b"HTTP/1.1 ") == 1
    # The server may say only now that it has started.
    assert [record.getMessage() for record in caplog.records if record.levelno >= logging.WARNING] == []


def test_refusal_does_not_hold_up_the_end_of_the_service(recorder: Recorder) -> None:
    with serving(application(recorder)) as server, socket.create_connection(server, timeout=PATIENCE) as client:
        client.sendall(b"\x00")
        assert refusal(read_to_end(client))


@pytest.mark.parametrize("path", [b"slow", b"large"])
def test_client_that_leaves_with_responses_due_is_a_line_of_debugging(
    recorder: Recorder, caplog: pytest.LogCaptureFixture, path: bytes
) -> None:
    caplog.set_level("DEBUG", "mdpublish_server")
    with serving(application(recorder)) as server:
        for _ in range(5):
            with connected(server) as client:
                client.sendall(GET.replace(b"hello", path) + GET * 10)
        assert is_serving(server)
    assert "Traceback" not in caplog.text
    # A test before may have turned on what uvicorn logs of its start.
    levels = [
        record.levelname for record in caplog.records if record.name != "uvicorn.error" or record.levelno > logging.INFO
    ]
    assert set(levels) == {"DEBUG"}
    assert 1 <= len(levels) <= 5


def test_connection_that_is_reset_leaves_no_timer(hasty: SocketAddress, caplog: pytest.LogCaptureFixture) -> None:
    for _ in range(20):
        with connected(hasty) as client, suppress(OSError):
            client.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, b"\x01\x00\x00\x00\x00\x00\x00\x00")
            client.sendall(b"GET /large HTTP/1.1\r\nHost: x\r\n\r\nGET /hello")
    time.sleep(1)
    assert is_serving(hasty)
    assert "Traceback" not in caplog.text
