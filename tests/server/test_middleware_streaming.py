"""Responses in pieces, on a transport whose client takes what the test lets it take."""

import asyncio
import gzip
from itertools import pairwise
from random import Random
from typing import Any, cast

import pytest
from starlette.responses import Response, StreamingResponse
from starlette.types import ASGIApp, Message
from uvicorn.protocols.http.flow_control import FlowControl

from mdpublish_server.middleware.connections import NetworkLimit
from mdpublish_server.middleware.in_flight import InFlight
from mdpublish_server.middleware.streaming import PIECES_PER_ITERATION, RoundRobin, in_pieces
from mdpublish_server.middleware.trusted_proxies import TrustedProxies
from mdpublish_server.ratelimit.in_flight import BytesInFlight
from mdpublish_server.web.cached_response import CachedResponse
from mdpublish_server.web.pieces import PIECE_BYTES

pytestmark = pytest.mark.anyio

PAGE = b"0123456789" * 500_000

TICKS = 50
"""Iterations of the event loop after which nothing moves any more."""


class Client:
    """A client, and the messages that reached it."""

    def __init__(self, app: ASGIApp, *, method: str = "GET", headers: dict[str, str] | None = None) -> None:
        self.flow = FlowControl(cast("asyncio.Transport", None))
        self.messages: list[Message] = []
        self.stalled_since: float | None = None
        self.is_aborted = False
        self.scope: dict[str, Any] = {
            "type": "http",
            "method": method,
            "path": "/d/page",
            "client": ("192.0.2.1", 1),
            "headers": [(name.encode(), value.encode()) for name, value in (headers or {}).items()],
            "state": {"writer": self},
        }
        self.task = asyncio.create_task(self._run(in_pieces(app, self.flow, RoundRobin())))

    @property
    def body(self) -> bytes:
        return b"".join(message.get("body", b"") for message in self.messages)

    @property
    def start(self) -> dict[bytes, bytes]:
        return dict(self.messages[0]["headers"])

    def abort(self) -> None:
        self.is_aborted = True

    async def take(self) -> None:
        """Take what is written, and let the response go on until it waits again."""
        self.flow.resume_writing()
        for _ in range(TICKS):
            await asyncio.sleep(0)

    async def _run(self, app: ASGIApp) -> None:
        async def send(message: Message) -> None:
            await self.flow.drain()
            self.messages.append(message)
            if message.get("body"):
                self.flow.pause_writing()

        async def receive() -> Message:
            await asyncio.Event().wait()
            raise AssertionError

        await app(self.scope, receive, send)


def page(body: bytes = PAGE) -> CachedResponse:
    return CachedResponse(gzip.compress(body, mtime=0), etag="x", media_type="text/html", headers={})


@pytest.mark.parametrize("app", [Response(PAGE), page()], ids=["a whole body", "a page to decompress"])
async def test_each_piece_waits_until_the_one_before_is_taken(app: ASGIApp) -> None:
    client = Client(app)
    await client.take()
    for number in range(1, 10):
        assert 0 < len(client.body) <= number * PIECE_BYTES
        await client.take()
    while not client.task.done():
        await client.take()

    assert client.body == PAGE
    assert client.start[b"content-length"] == b"%d" % len(PAGE)
    assert [message.get("more_body", False) for message in client.messages[1:]] == [True] * (
        len(client.messages) - 2
    ) + [False]


async def test_stream_of_the_application_waits_too() -> None:
    taken = []

    async def app(scope: Any, receive: Any, send: Any) -> None:
        async def body() -> Any:
            for number in range(3):
                taken.append(number)
                yield b"x" * 1_000

        await StreamingResponse(body())(scope, receive, send)

    client = Client(app)
    await client.take()
    assert taken == [0]
    while not client.task.done():
        await client.take()
    assert client.body == b"x" * 3_000


async def test_short_body_is_one_message() -> None:
    client = Client(page(b"x" * PIECE_BYTES))
    await client.take()
    assert [len(message.get("body", b"")) for message in client.messages] == [0, PIECE_BYTES]


@pytest.mark.parametrize("encoding", ["identity", "gzip"])
async def test_head_gives_the_length_and_decompresses_nothing(encoding: str) -> None:
    get = Client(page(), headers={"accept-encoding": encoding})
    head = Client(page(), method="HEAD", headers={"accept-encoding": encoding})
    await get.take()
    await head.take()

    assert head.task.done()
    assert head.start == get.start
    assert head.body == b""


async def test_page_that_the_client_has_is_not_sent() -> None:
    client = Client(page(), headers={"if-none-match": '"x"'})
    await client.take()
    assert (client.messages[0]["status"], client.body) == (304, b"")
    assert b"content-length" not in client.start


async def test_responses_take_turns() -> None:
    round_robin, gone = RoundRobin(), []

    async def respond(number: int) -> None:
        await round_robin.wait()
        gone.append(number)

    tasks = [asyncio.create_task(respond(number)) for number in range(10)]
    progress = []
    while len(gone) < len(tasks):
        await asyncio.sleep(0)
        progress.append(len(gone))

    assert gone == sorted(gone)
    assert max(after - before for before, after in pairwise(progress)) == PIECES_PER_ITERATION


async def test_canceled_response_lets_others_go_on() -> None:
    round_robin = RoundRobin()
    first, second = asyncio.create_task(round_robin.wait()), asyncio.create_task(round_robin.wait())
    await asyncio.sleep(0)
    first.cancel()
    await asyncio.wait_for(second, 5)


async def test_response_that_the_end_of_the_service_cancels_closes_its_connection() -> None:
    client = Client(page())
    await client.take()
    client.task.cancel()
    await client.task
    assert client.is_aborted


async def test_other_requests_are_canceled_as_before() -> None:
    async def endless(_scope: Any, _receive: Any, _send: Any) -> None:
        await asyncio.Event().wait()

    client = Client(endless)
    await client.take()
    client.task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await client.task


@pytest.mark.parametrize("encoding", ["identity", "gzip"])
async def test_body_counts_as_held_until_it_is_taken(encoding: str) -> None:
    held = BytesInFlight()
    body = Random(0).randbytes(500_000)
    response = page(body)
    app = InFlight(response, networks=NetworkLimit(10, TrustedProxies()), held=held)
    clients = [Client(app, headers={"accept-encoding": encoding}) for _ in range(3)]
    for client in clients:
        await client.take()
    assert held.total == len(gzip.compress(body, mtime=0))
    for client in clients:
        while not client.task.done():
            await client.take()
    assert held.total == 0
