"""Responses in pieces: each is written after the client took the one before, and large ones go on one after another.

Requests in slices: what arrives at once is parsed in several iterations of the event loop.
"""

import asyncio
from collections import deque
from collections.abc import Callable

from starlette.types import ASGIApp, Message, Receive, Scope, Send
from uvicorn.protocols.http.flow_control import FlowControl

from mdpublish_server.web.pieces import PIECE_BYTES, cut

PIECES_PER_ITERATION = 2
"""About a millisecond of decompressing and writing, after which the event loop looks for other work."""


class RoundRobin:
    """Lets `PIECES_PER_ITERATION` of those that wait go on in each iteration of the event loop."""

    def __init__(self) -> None:
        self._waiting: deque[Callable[[], object]] = deque()
        self._is_scheduled = False

    async def wait(self) -> None:
        loop = asyncio.get_running_loop()
        waiter = loop.create_future()

        def go_on() -> None:
            if not waiter.done():
                waiter.set_result(None)

        self.schedule(go_on, loop)
        await waiter

    def schedule(self, callback: Callable[[], object], loop: asyncio.AbstractEventLoop) -> None:
        self._waiting.append(callback)
        self._go_on(loop)

    def _go_on(self, loop: asyncio.AbstractEventLoop) -> None:
        if self._waiting and not self._is_scheduled:
            self._is_scheduled = True
            loop.call_soon(self._begin, loop)

    def _begin(self, loop: asyncio.AbstractEventLoop) -> None:
        self._is_scheduled = False
        try:
            for _ in range(min(PIECES_PER_ITERATION, len(self._waiting))):
                self._waiting.popleft()()
        finally:
            self._go_on(loop)


def in_pieces(app: ASGIApp, flow: FlowControl, round_robin: RoundRobin) -> ASGIApp:
    """Return `app` with its bodies written in pieces; uvicorn waits before a body, but buffers it whole."""

    async def respond(scope: Scope, receive: Receive, send: Send) -> None:
        response = _PacedResponse(send, flow, round_robin, has_body=scope["method"] != "HEAD")
        try:
            await app(scope, receive, response.forward)
        except asyncio.CancelledError:
            # uvicorn ends requests so when the time to shut down is over, and would log a traceback for each.
            if not response.is_large:
                raise
            scope["state"]["writer"].abort()
            await asyncio.sleep(0)

    return respond


class _PacedResponse:
    """One response; a large one waits for the others before it starts and before each further piece."""

    def __init__(self, send: Send, flow: FlowControl, round_robin: RoundRobin, *, has_body: bool) -> None:
        self._send = send
        self._flow = flow
        self._round_robin = round_robin
        self._has_body = has_body
        self.is_large = False

    async def forward(self, message: Message) -> None:
        body = message.get("body", b"")
        if message["type"] == "http.response.start":
            self.is_large = self._has_body and _is_large(message)
            if self.is_large:
                await self._round_robin.wait()
        elif not self._has_body:
            message = {**message, "body": b""}
        elif len(body) > PIECE_BYTES:
            for piece in cut(body):
                await self._send_piece(piece)
            message = {**message, "body": b""}
        elif message.get("more_body", False):
            await self._send_piece(body)
            return
        await self._send(message)

    async def _send_piece(self, piece: memoryview | bytes) -> None:
        """Send a piece and wait: until then, the next one is not even made."""
        self.is_large = True
        await self._send({"type": "http.response.body", "body": piece, "more_body": True})
        await self._flow.drain()
        await self._round_robin.wait()


def _is_large(start: Message) -> bool:
    for name, value in start.get("headers", ()):
        if name == b"content-length":
            return int(value) > PIECE_BYTES
    return False


class SlicedFlow(FlowControl):
    """Reading of a connection: it goes on if neither uvicorn nor what is still to be parsed stops it."""

    def __init__(self, transport: asyncio.Transport) -> None:
        super().__init__(transport)
        self._is_held = False

    def hold(self) -> None:
        if not (self._is_held or self.read_paused):
            self._transport.pause_reading()
        self._is_held = True

    def release(self) -> None:
        self._is_held = False
        if not self.read_paused:
            self._transport.resume_reading()

    def pause_reading(self) -> None:
        if self._is_held:
            self.read_paused = True
        else:
            super().pause_reading()

    def resume_reading(self) -> None:
        if self._is_held:
            self.read_paused = False
        else:
            super().resume_reading()
