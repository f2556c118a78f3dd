"""The connection: uvicorn's HTTP/1.1 protocol, with the bounds that it lacks.

uvicorn bounds the time between two requests (keep-alive), and what it buffers of a body. Here are bounded the size of a
request's head and the time it takes to arrive, the requests sent ahead of their answers, the time that the rest of a
body may take once it is answered, and the time that a client may leave an answer unread. How much of a body is read,
and for how long, is `validation.body`'.

It hooks in where httptools calls back and where uvicorn answers a malformed request, and reads of uvicorn's state only
the request under way (`cycle`) and those that wait (`pipeline`).
"""

from asyncio import AbstractEventLoop, TimerHandle, Transport
from typing import Any, ClassVar

from starlette.responses import Response
from uvicorn.config import Config
from uvicorn.protocols.http.httptools_impl import STATUS_LINE, HttpToolsProtocol
from uvicorn.server import ServerState

from mdpublish_server.api.responses import error_response
from mdpublish_server.errors import ValidationError

HEAD_BYTES = 32_768
"""Bytes of a request line and its headers in all: four times what browsers' longest cookies make of them."""

HEAD_SECONDS = 10.0
"""Seconds from connecting, or from a request's first byte, to the end of its headers; and what the rest of a body may
take once its request has been answered."""

UNREAD_SECONDS = 60.0
"""Seconds that a client may leave an answer unread."""

LINGER_SECONDS = 2.0
"""Seconds that a refused client gets to read why: a socket closed on bytes unread throws the answer away."""

PIPELINED_REQUESTS = 100
"""Requests that a client may send ahead of their answers; uvicorn keeps each in memory."""

_CLOSE = {"Connection": "close"}
_MALFORMED = error_response(ValidationError("the request is not well-formed HTTP/1.1", headers=_CLOSE))
_HEAD_TOO_LARGE = error_response(
    ValidationError(f"request line and headers are larger than the {HEAD_BYTES:,} bytes allowed", headers=_CLOSE)
)


class _RefusedError(Exception):
    """Raised in a call from the parser, which stops it, so that uvicorn calls `send_400_response`."""


class BoundedHttpProtocol(HttpToolsProtocol):
    """One connection; give the class to uvicorn as `http`. A test may set other times on a subclass."""

    head_seconds: ClassVar[float] = HEAD_SECONDS
    unread_seconds: ClassVar[float] = UNREAD_SECONDS
    linger_seconds: ClassVar[float] = LINGER_SECONDS

    def __init__(
        self,
        config: Config,
        server_state: ServerState,
        app_state: dict[str, Any],
        _loop: AbstractEventLoop | None = None,
    ) -> None:
        super().__init__(config, server_state, app_state, _loop)
        self._in_head = False
        self._in_body = False
        self._refused = False
        self._refusal = _MALFORMED
        # A head's bytes as the parser tells them, which is exact, but late: a header is told when it is complete.
        self._head_parsed = 0
        # A head's bytes as they arrive.
        self._head_arrived = 0
        self._heads_begun = 0
        self._responses_due = 0
        self._deadline: TimerHandle | None = None
        self._unread: TimerHandle | None = None

    def connection_made(self, transport: Transport) -> None:  # type: ignore[override]  # uvicorn narrows it too
        """Wait for the first head."""
        super().connection_made(transport)
        self._set_deadline(self.head_seconds)

    def connection_lost(self, exc: Exception | None) -> None:
        """Let go of the timers."""
        self._clear_deadline()
        self.resume_writing()
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        """Have the bytes parsed, and bound the head that they leave open; what a refused client sends is ignored."""
        if not self._refused:
            between_requests = not (self._in_head or self._in_body)
            self._heads_begun = 0
            super().data_received(data)
            # Where earlier requests end in these bytes too, nobody knows how many belong to the head they leave open.
            known = not self._heads_begun or (between_requests and self._heads_begun == 1)
            self._watch_head(len(data) if known else 0)

    def pause_writing(self) -> None:
        """Wait for the client to read on."""
        super().pause_writing()
        if self._unread is None:
            self._unread = self.loop.call_later(self.unread_seconds, self.transport.abort)

    def resume_writing(self) -> None:
        """Take note that the client reads."""
        if self._unread is not None:
            self._unread.cancel()
            self._unread = None
        super().resume_writing()

    def on_message_begin(self) -> None:
        """Start to count a head."""
        self._in_head = True
        self._heads_begun += 1
        self._head_parsed = self._head_arrived = 0
        super().on_message_begin()

    def on_url(self, url: bytes) -> None:
        """Count a part of the request line."""
        self._count_parsed(len(url))
        super().on_url(url)

    def on_header(self, name: bytes, value: bytes) -> None:
        """Count a header, or a trailer; uvicorn would add that to headers that the application reads by now."""
        self._count_parsed(len(name) + len(value) + len(": \r\n"))
        if self._in_head:
            super().on_header(name, value)

    def on_headers_complete(self) -> None:
        """Take a request, unless too many wait."""
        self._in_head = False
        self._clear_deadline()
        if self._responses_due >= PIPELINED_REQUESTS:
            raise _RefusedError
        super().on_headers_complete()
        self._in_body = True
        self._responses_due += 1
        if self.parser.should_upgrade():
            # The parser takes what follows for another protocol's bytes; no further request can be told from them.
            self.cycle.keep_alive = False

    def on_message_complete(self) -> None:
        """Take note of a body's end."""
        self._in_body = False
        self._clear_deadline()
        super().on_message_complete()

    def on_response_complete(self) -> None:
        """Go on with the next request, the rest of this one's body, or the refusal of what came after it."""
        super().on_response_complete()
        self._responses_due -= 1
        if self._responses_due or self.transport.is_closing():
            return
        if self._refused:
            self._send_refusal()
        elif self._in_body:
            self._set_deadline(self.head_seconds)

    def send_400_response(self, msg: str) -> None:  # noqa: ARG002  (uvicorn's words)
        """Refuse what arrived: at once, or after the answers that are due."""
        self._refused = True
        self._clear_deadline()
        if not self._responses_due:
            self._send_refusal()
        elif self._in_body:
            self._break_off()

    def _break_off(self) -> None:
        """Give up the request under way, whose body will never be complete."""
        if self._responses_due > 1 or self.cycle.response_started:
            self.transport.close()
            return
        self.cycle.disconnected = True
        self.cycle.message_event.set()
        self._send_refusal()

    def _unsupported_upgrade_warning(self) -> None:
        """Log nothing: a client may ask for any protocol, and is answered in this one."""

    def _count_parsed(self, size: int) -> None:
        self._head_parsed += size
        if self._head_parsed > HEAD_BYTES:
            self._refusal = _HEAD_TOO_LARGE
            raise _RefusedError

    def _watch_head(self, size: int) -> None:
        """Count `size` bytes more of an open head, and see to it that a head that is waited for has its deadline."""
        if self._in_head and not self._refused:
            self._head_arrived += size
            if self._head_arrived > HEAD_BYTES:
                self._refusal = _HEAD_TOO_LARGE
                self.send_400_response("")
        # Any byte ends uvicorn's own wait between two requests, even where it begins no head.
        if not (self._refused or self._in_body or self._responses_due or self._deadline):
            self._set_deadline(self.head_seconds)

    def _send_refusal(self) -> None:
        self._unset_keepalive_if_required()
        self.transport.write(_serialised(self._refusal, self.server_state.default_headers))
        if self.transport.can_write_eof():
            self.transport.write_eof()
        self._set_deadline(self.linger_seconds)

    def _set_deadline(self, seconds: float) -> None:
        self._clear_deadline()
        self._deadline = self.loop.call_later(seconds, self.transport.close)

    def _clear_deadline(self) -> None:
        if self._deadline is not None:
            self._deadline.cancel()
            self._deadline = None


def _serialised(response: Response, default_headers: list[tuple[bytes, bytes]]) -> bytes:
    headers = b"".join(b"%s: %s\r\n" % header for header in (*default_headers, *response.raw_headers))
    return STATUS_LINE[response.status_code] + headers + b"\r\n" + bytes(response.body)
