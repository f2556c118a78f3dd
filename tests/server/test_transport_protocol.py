import asyncio
import json
import logging
import re
import socket
import time
from collections.abc import Iterator
from contextlib import suppress

import pytest
from starlette.applications import Starlette
from starlette.requests import ClientDisconnect, Request
from starlette.responses import JSONResponse, PlainTextResponse, Response, StreamingResponse
from starlette.routing import Route

from mdpublish_server.api.responses import error_response
from mdpublish_server.errors import ServiceError
from mdpublish_server.policies.bodies import read_body
from mdpublish_server.transport.protocol import HEAD_BYTES, PIPELINED_REQUESTS, BoundedHttpProtocol
from tests.server.raw_server import PATIENCE, connected, read_answer, read_to_end, serving

Address = tuple[str, int]

GET = b"GET /hello HTTP/1.1\r\nHost: x\r\n\r\n"


class Hasty(BoundedHttpProtocol):
    head_seconds = 1
    unread_seconds = 0.5


class Recorder:
    """What the application saw that its clients were not told."""

    def __init__(self) -> None:
        self.disconnects = 0

    def has_seen_a_disconnect(self) -> bool:
        """Wait for the application to notice."""
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
def address(recorder: Recorder) -> Iterator[Address]:
    with serving(application(recorder)) as address:
        yield address


@pytest.fixture
def hasty(recorder: Recorder) -> Iterator[Address]:
    with serving(application(recorder), protocol=Hasty) as address:
        yield address


def exchange(address: Address, sent: bytes) -> bytes:
    """Send bytes and return all that comes back until the server closes."""
    with connected(address) as client:
        client.sendall(sent)
        return read_to_end(client)


def refusal(answer: bytes) -> str:
    """Return the message of the one refusal that `answer` must be."""
    head, _, body = answer.partition(b"\r\n\r\n")
    assert head.startswith(b"HTTP/1.1 400 Bad Request\r\n"), answer[:200]
    assert b"\r\nconnection: close" in head.lower()
    assert b"\r\ncontent-type: application/json" in head.lower()
    error = json.loads(body)["error"]
    assert (error["code"], error["status"]) == ("validation_error", 400)
    return str(error["message"])


def is_serving(address: Address) -> bool:
    with connected(address) as client:
        client.sendall(GET)
        return read_answer(client).startswith(b"HTTP/1.1 200 ")


def trickle(client: socket.socket, byte: bytes, *, seconds: float = PATIENCE) -> bytes | None:
    """Send a byte ten times a second until the server closes; return what it sent, or None where it never closed."""
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


def test_requests_on_one_connection_are_answered_one_by_one(address: Address) -> None:
    with connected(address) as client:
        for _ in range(20):
            client.sendall(GET)
            assert read_answer(client).endswith(b"hello ")


def test_head_may_arrive_in_pieces(address: Address) -> None:
    with connected(address) as client:
        client.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        for place in range(len(GET)):
            client.sendall(GET[place : place + 1])
        assert read_answer(client).endswith(b"hello ")


@pytest.mark.parametrize(
    "head",
    [
        pytest.param(b"X: " + b"x" * 1_000_000 + b"\r\n", id="a header of 1 MB"),
        pytest.param(b"".join(b"X-%d: x\r\n" % n for n in range(5_000)), id="many small headers"),
        pytest.param(b"X:" + b" " * 600_000 + b"x\r\n", id="white space that is no part of a value"),
        pytest.param(b"X: " + b"x" * HEAD_BYTES + b"\r\n", id="a header just too long"),
    ],
)
def test_head_that_is_too_large_is_refused(address: Address, head: bytes) -> None:
    answer = exchange(address, GET[:-2] + head + b"\r\n")
    assert refusal(answer) == "request line and headers are larger than the 32,768 bytes allowed"
    assert is_serving(address)


def test_request_line_that_is_too_long_is_refused(address: Address) -> None:
    answer = exchange(address, b"GET /" + b"x" * 100_000 + b" HTTP/1.1\r\n\r\n")
    assert refusal(answer) == "request line and headers are larger than the 32,768 bytes allowed"


def test_head_that_is_too_large_is_refused_before_it_ends(address: Address) -> None:
    answer = exchange(address, GET[:-2] + b"X: " + b"x" * 40_000)
    assert refusal(answer) == "request line and headers are larger than the 32,768 bytes allowed"


def test_head_just_within_the_bound_is_taken(address: Address) -> None:
    with connected(address) as client:
        for _ in range(3):
            client.sendall(GET[:-2] + b"X: " + b"x" * (HEAD_BYTES - 100) + b"\r\n\r\n")
            assert read_answer(client).endswith(b"hello ")


def test_bodies_do_not_count_as_heads(address: Address) -> None:
    post = b"POST /length HTTP/1.1\r\nContent-Length: 200000\r\n\r\n" + b"x" * 200_000
    with connected(address) as client:
        # The head that follows each body begins in the body's last bytes.
        client.sendall(post * 5)
        for _ in range(5):
            assert b'"length":200000' in read_answer(client)


def test_head_that_arrives_slowly_is_cut_off(hasty: Address) -> None:
    with connected(hasty) as client:
        client.sendall(b"GET /hello HTTP/1.1\r\nX: ")
        assert trickle(client, b"x") == b""
    assert is_serving(hasty)


def test_connection_that_sends_nothing_is_cut_off(hasty: Address) -> None:
    with connected(hasty) as client:
        assert read_to_end(client) == b""


def test_blank_lines_do_not_keep_a_connection(hasty: Address) -> None:
    with connected(hasty) as client:
        client.sendall(GET)
        assert read_answer(client).endswith(b"hello ")
        assert trickle(client, b"\r\n") == b""


def test_rest_of_an_answered_body_does_not_keep_a_connection(hasty: Address) -> None:
    with connected(hasty) as client:
        client.sendall(b"POST /hello HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n")
        assert read_answer(client).endswith(b"hello ")
        assert trickle(client, b"1\r\nx\r\n") == b""


def test_late_end_of_an_answered_body_does_not_keep_a_connection(hasty: Address) -> None:
    with connected(hasty) as client:
        client.sendall(b"POST /hello HTTP/1.1\r\nContent-Length: 1\r\n\r\n")
        assert read_answer(client).endswith(b"hello ")
        client.sendall(b"x")
        assert read_to_end(client) == b""


def test_slow_answer_is_no_slow_head(hasty: Address) -> None:
    with connected(hasty) as client:
        for _ in range(3):
            client.sendall(GET.replace(b"hello", b"slow"))
            assert read_answer(client).endswith(b"slow")


def test_answer_that_nobody_reads_is_broken_off(hasty: Address) -> None:
    with socket.socket() as client:
        client.settimeout(PATIENCE)
        client.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        client.connect(hasty)
        client.sendall(GET.replace(b"hello", b"large"))
        time.sleep(3)
        assert len(read_to_end(client)) < 60_000_000
    assert is_serving(hasty)


def test_answer_that_is_read_is_sent_whole(address: Address) -> None:
    answer = exchange(address, b"GET /large HTTP/1.1\r\nConnection: close\r\n\r\n")
    assert answer.endswith(b"0\r\n\r\n")
    assert len(answer) > 1_000 * 65_536


def test_pipelined_requests_are_answered_in_their_order(address: Address) -> None:
    requests = [GET.replace(b"hello", b"hello?n=%d" % n) for n in range(50)]
    with connected(address) as client:
        client.sendall(b"".join(requests) + GET.replace(b"\r\n\r\n", b"\r\nConnection: close\r\n\r\n"))
        answers = read_to_end(client)
    assert re.findall(rb"hello (\d+)", answers) == [b"%d" % n for n in range(50)]


def test_too_many_pipelined_requests_are_refused_after_the_answers_due(address: Address) -> None:
    answers = exchange(address, GET.replace(b"hello", b"slow") + GET * 2_000)
    *taken, refused = answers.split(b"HTTP/1.1 ")[1:]
    assert [answer[:3] for answer in taken] == [b"200"] * len(taken)
    assert PIPELINED_REQUESTS <= len(taken) < 2_000
    assert refusal(b"HTTP/1.1 " + refused)
    assert is_serving(address)


@pytest.mark.parametrize(
    "request_bytes",
    [
        pytest.param(b"GET /hello HTTP/1.1\nHost: x\n\n", id="bare LF"),
        pytest.param(b"GET /hello HTTP/1.1\r\nX: a\nInjected: b\r\n\r\n", id="bare LF in a header"),
        pytest.param(b"GET /hello HTTP/1.1\r\nX: a\rInjected: b\r\n\r\n", id="bare CR in a header"),
        pytest.param(b"GET /hello HTTP/1.1\r\nX: a\x00b\r\n\r\n", id="NUL in a header"),
        pytest.param(b"GET /hello HTTP/1.1\r\nX : a\r\n\r\n", id="space before the colon"),
        pytest.param(b"GET /hello HTTP/1.1\r\n X: a\r\n\r\n", id="header that begins with a space"),
        pytest.param(b"GET /hello HTTP/1.1\r\nX: a\r\n\r b\r\n\r\n", id="CR after the headers"),
        pytest.param(b"GET /\xff HTTP/1.1\r\n\r\n", id="path beyond ASCII"),
        pytest.param(b"GET http://x HTTP/1.1\r\n\r\n", id="address without a path"),
        pytest.param(b"GET hello HTTP/1.1\r\n\r\n", id="path without a slash"),
        pytest.param(b"CONNECT x:443 HTTP/1.1\r\n\r\n", id="CONNECT"),
        pytest.param(b"NOSUCH / HTTP/1.1\r\n\r\n", id="unknown method"),
        pytest.param(b"GET / HTTP/9.9\r\n\r\n", id="unknown version"),
        pytest.param(b"\x16\x03\x01\x02\x00\x01\x00", id="TLS"),
        pytest.param(b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", id="HTTP/2"),
        pytest.param(b"POST /length HTTP/1.1\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nx", id="two lengths"),
        pytest.param(b"POST /length HTTP/1.1\r\nContent-Length: -1\r\n\r\n", id="negative length"),
        pytest.param(b"POST /length HTTP/1.1\r\nContent-Length: " + b"9" * 50 + b"\r\n\r\n", id="huge length"),
        pytest.param(
            b"POST /length HTTP/1.1\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
            id="length and chunks",
        ),
        pytest.param(b"POST /length HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\nxyz\r\n", id="no chunk size"),
        pytest.param(b"POST /length HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n1\r\nxyz\r\n", id="long chunk"),
        pytest.param(b"POST /length HTTP/1.1\r\nTransfer-Encoding: gzip\r\n\r\nxyz\r\n", id="unknown encoding"),
    ],
)
def test_malformed_request_is_refused(address: Address, request_bytes: bytes) -> None:
    assert refusal(exchange(address, request_bytes)) == "the request is not well-formed HTTP/1.1"
    assert is_serving(address)


def test_malformed_chunk_that_comes_later_is_refused(address: Address, recorder: Recorder) -> None:
    with connected(address) as client:
        client.sendall(b"POST /length HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n1\r\nx\r\n")
        time.sleep(0.3)
        client.sendall(b"xyz\r\n")
        assert refusal(read_to_end(client))
    assert recorder.has_seen_a_disconnect()


@pytest.mark.parametrize("path", [b"hello", b"slow"])
def test_what_follows_a_request_is_refused_after_its_answer(address: Address, path: bytes) -> None:
    answers = exchange(address, GET.replace(b"hello", path) + b"\x00\x01\x02")
    first, refused = answers.split(b"HTTP/1.1 ")[1:]
    assert first.startswith(b"200 OK\r\n")
    assert refusal(b"HTTP/1.1 " + refused)


def test_body_longer_than_declared_is_answered_then_refused(address: Address) -> None:
    answers = exchange(address, b"POST /length HTTP/1.1\r\nContent-Length: 5\r\n\r\nhello, world")
    first, refused = answers.split(b"HTTP/1.1 ")[1:]
    assert first.startswith(b"200 OK\r\n")
    assert b'"length":5' in first
    assert refusal(b"HTTP/1.1 " + refused)


@pytest.mark.parametrize("framing", [b"Content-Length: 50", b"Transfer-Encoding: chunked"])
def test_body_shorter_than_declared_reaches_nobody(address: Address, recorder: Recorder, framing: bytes) -> None:
    with connected(address) as client:
        client.sendall(b"POST /length HTTP/1.1\r\n" + framing + b"\r\n\r\n5\r\nhello\r\n")
        time.sleep(0.1)
    assert recorder.has_seen_a_disconnect()
    assert is_serving(address)


@pytest.mark.parametrize("framing", [b"Content-Length: 50", b"Transfer-Encoding: chunked"])
@pytest.mark.parametrize("piece", [b"", b"1\r\nx\r\n"])
def test_body_that_takes_too_long_is_refused(address: Address, framing: bytes, piece: bytes) -> None:
    with connected(address) as client:
        client.sendall(b"POST /length?seconds=0.5 HTTP/1.1\r\n" + framing + b"\r\n\r\n")
        answer = trickle(client, piece, seconds=PATIENCE) if piece and b"chunked" in framing else read_to_end(client)
    assert answer
    head, _, body = answer.partition(b"\r\n\r\n")
    assert b"connection: close" in head.lower()
    assert json.loads(body)["error"] == {
        "code": "invalid_body",
        "message": "the body was not complete within 0.5 s",
        "status": 400,
    }


@pytest.mark.parametrize("pause", [0, 0.1])
def test_trailers_are_no_headers(address: Address, pause: float) -> None:
    head = b"POST /length HTTP/1.1\r\nX-Head: 1\r\nTransfer-Encoding: chunked\r\n\r\n"
    rest = b"5\r\nhello\r\n0\r\nAuthorization: x\r\nX-Forwarded-For: 127.0.0.1\r\n\r\n"
    with connected(address) as client:
        if pause:
            client.sendall(head)
            time.sleep(pause)
            client.sendall(rest)
        else:
            client.sendall(head + rest)
        answer = json.loads(read_answer(client).partition(b"\r\n\r\n")[2])
    assert answer == {"length": 5, "headers": ["transfer-encoding", "x-head"]}


def test_endless_trailers_are_refused(address: Address) -> None:
    post = b"POST /length HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n"
    assert refusal(exchange(address, post + b"X: x\r\n" * 20_000)) == (
        "request line and headers are larger than the 32,768 bytes allowed"
    )


@pytest.mark.parametrize("protocol", [b"websocket", b"h2c"])
def test_another_protocol_is_answered_in_this_one(
    address: Address, protocol: bytes, caplog: pytest.LogCaptureFixture
) -> None:
    upgrade = b"\r\nConnection: Upgrade\r\nUpgrade: " + protocol + b"\r\n\r\n"
    with caplog.at_level(logging.WARNING):
        answers = exchange(address, GET.replace(b"\r\n\r\n", upgrade) + GET)
    assert answers.startswith(b"HTTP/1.1 200 OK\r\n")
    assert answers.count(b"HTTP/1.1 ") == 1
    assert caplog.text == ""


def test_refusal_does_not_hold_up_the_end_of_the_service(recorder: Recorder) -> None:
    with serving(application(recorder)) as address, socket.create_connection(address, timeout=PATIENCE) as client:
        client.sendall(b"\x00")
        assert refusal(read_to_end(client))


def test_connection_that_is_reset_leaves_no_timer(hasty: Address, caplog: pytest.LogCaptureFixture) -> None:
    for _ in range(20):
        with connected(hasty) as client, suppress(OSError):
            client.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, b"\x01\x00\x00\x00\x00\x00\x00\x00")
            client.sendall(b"GET /large HTTP/1.1\r\n\r\nGET /hello")
    time.sleep(1)
    assert is_serving(hasty)
    assert "Traceback" not in caplog.text
